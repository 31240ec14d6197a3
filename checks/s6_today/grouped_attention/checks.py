"""Checks for s6_today/grouped_attention.py."""

from typing import Any

from checks.engine.language import (
    Array,
    Module,
    Submission,
    check,
    expect,
    expect_gradients,
    expect_manners,
    expect_sized,
)
from checks.engine.tracing.example import Example, Picture
from checks.s6_today.grouped_attention.truth import grouped_attention, grouped_attention_shapes
from checks.truth.paper import Weights

HINTS = [
    "AUTHOR: a question that leads to the idea?",
    "AUTHOR: the call of PyTorch that is needed, and what it does.",
    "AUTHOR: the line with a gap: out = ____",
]
EXAMPLE = Example(
    {"batch": 2, "seq_length": 4, "dim_vector": 6},
    """layer = GroupedAttention(dim_vector=6)
x = torch.randn(2, 4, 6)
out = layer(x)
""",
)
PICTURES = [Picture("AUTHOR: what is seen here", "out[0]", "token", "feature")]
DIM_VECTOR = 6


def truth(weights: Weights, x: Array) -> Array:
    return grouped_attention(x, weights)


def a_layer(submission: Submission, dtype: str = "float32", **kwargs: Any) -> Module:
    """The learner's layer, with weights drawn by the judge."""
    layer = submission.build("GroupedAttention", dim_vector=DIM_VECTOR, dtype=dtype, **kwargs)
    layer.draw(grouped_attention_shapes(DIM_VECTOR), truth, submission.normal(2, 4, DIM_VECTOR))
    return layer


@check
def it_computes_the_formula(submission: Submission) -> None:
    """AUTHOR: what should hold, in one sentence for the learner."""
    layer = a_layer(submission)
    x = submission.normal(2, 4, DIM_VECTOR)

    out = layer(x)

    expect(out, grouped_attention(x, layer.weights))


@check
def any_leading_axes_will_do(submission: Submission) -> None:
    """It works on one vector, on a sentence and on a batch."""
    layer = a_layer(submission)
    for shape in ((6,), (4, 6), (2, 3, 4, 6), (6, 6, 6)):
        x = submission.normal(*shape)

        out = layer(x)

        expect(out, grouped_attention(x, layer.weights))


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches the input and every parameter."""
    expect_gradients(a_layer(submission, "float64"), submission.normal(2, 4, DIM_VECTOR))


@check
def sizes_are_arguments(submission: Submission) -> None:
    """dim_vector is an argument, small or large."""
    for length, dim_vector in ((3, 8), (3, 600), (600, 3)):
        x = submission.normal(2, length, dim_vector)
        shapes = grouped_attention_shapes(dim_vector)
        expect_sized(submission, "GroupedAttention", shapes, truth, x, dim_vector=dim_vector)


@check
def it_has_manners(submission: Submission) -> None:
    """In eval mode two calls give the same result; the inputs are not changed; it works on any
    device.
    """
    expect_manners(a_layer(submission), submission.normal(2, 4, DIM_VECTOR))
