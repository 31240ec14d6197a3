"""Checks for s2_attention/layer_norm.py."""

from typing import Any

import numpy as np

from checks import paper
from checks.machine.language import (
    Array,
    Module,
    Submission,
    check,
    expect,
    expect_gradients,
    expect_manners,
    expect_no_call,
    expect_sized,
)

HINTS = [
    "Take the vector 1, 2, 3, 4, 5, 6. What is its mean, and the average squared distance from it?",
    "Over which axis is the mean taken, and what must its shape be to be subtracted from x?",
    "torch's variance divides by n - 1 unless told otherwise; eps goes under the root.",
    "variance = centred.____().mean(dim=-1, keepdim=True)",
]
DIM_VECTOR = 6


def a_layer(submission: Submission, dtype: str = "float32", **kwargs: Any) -> Module:
    layer = submission.build("LayerNorm", dim_vector=DIM_VECTOR, dtype=dtype, **kwargs)

    def truth(weights: paper.Weights, x: Array) -> Array:
        return paper.layer_norm(x, weights, kwargs.get("eps", paper.EPS))

    layer.draw(paper.layer_norm_shapes(DIM_VECTOR), truth, submission.normal(2, 4, DIM_VECTOR))
    return layer


@check
def each_vector_is_normalised_on_its_own(submission: Submission) -> None:
    """Mean 0 and variance 1 over the last axis (divided by n), then gamma and beta."""
    layer = a_layer(submission)
    x = 3 + 2 * submission.normal(2, 4, DIM_VECTOR)

    out = layer(x)

    expect(out, paper.layer_norm(x, layer.weights))


@check
def it_starts_neutral(submission: Submission) -> None:
    """gamma starts as ones and beta as zeros: a fresh layer only normalises."""
    layer = submission.build("LayerNorm", dim_vector=DIM_VECTOR, fresh=True)
    neutral = {"gamma": np.ones(DIM_VECTOR), "beta": np.zeros(DIM_VECTOR)}
    x = 3 * submission.normal(2, 4, DIM_VECTOR)

    out = layer(x)

    expect(out, paper.layer_norm(x, neutral))
    for name, start in neutral.items():
        if name in layer.parameters:
            expect(layer.attribute(name), start)


@check
def any_leading_axes_will_do(submission: Submission) -> None:
    """It works on one vector, on a sentence, on a batch, and where all axes have the same size."""
    layer = a_layer(submission)
    for shape in ((6,), (4, 6), (2, 3, 4, 6), (6, 6, 6), (1, 1, 6)):
        x = submission.normal(*shape)

        out = layer(x)

        expect(out, paper.layer_norm(x, layer.weights))


@check
def eps_stands_under_the_root(submission: Submission) -> None:
    """eps is added to the variance, 1e-5 unless asked: it shows where numbers are nearly equal."""
    x = 1 + 0.01 * submission.normal(2, 4, DIM_VECTOR)
    given: list[dict[str, float]] = [{}, {"eps": 0.3}, {"eps": 1e-3}]
    layers = [a_layer(submission, "float64", **kwargs) for kwargs in given]

    outs = [layer(x) for layer in layers]

    for out, layer, kwargs in zip(outs, layers, given):
        expect(out, paper.layer_norm(x, layer.weights, **kwargs))


@check
def equal_numbers_do_no_harm(submission: Submission) -> None:
    """A vector of equal numbers has variance 0 and gives beta, not NaN."""
    layer = a_layer(submission, "float64")
    x = np.broadcast_to(submission.normal(2, 4, 1), (2, 4, DIM_VECTOR))

    out = layer(np.round(x))

    expect(out, np.broadcast_to(layer.weights["beta"], x.shape))


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches x, gamma and beta, also through mean and variance."""
    expect_gradients(a_layer(submission, "float64"), submission.normal(2, 4, DIM_VECTOR))


@check
def it_is_made_of_plain_operations(submission: Submission) -> None:
    """The formula is written out: neither nn.LayerNorm nor F.layer_norm is used."""
    names = ["layer_norm", "native_layer_norm"]
    x = submission.normal(2, 4, DIM_VECTOR)

    expect_no_call(a_layer(submission), names, "write the formula out", x)


@check
def sizes_are_arguments(submission: Submission) -> None:
    """dim_vector is an argument: a layer for vectors of another length fits them."""
    x = submission.normal(2, 3, 8)
    shapes = paper.layer_norm_shapes(8)
    expect_sized(
        submission,
        "LayerNorm",
        shapes,
        lambda weights, x: paper.layer_norm(x, weights),
        x,
        dim_vector=8,
    )


@check
def it_has_manners(submission: Submission) -> None:
    """Asked twice it says the same; it leaves its input alone and works on any device."""
    expect_manners(a_layer(submission), submission.normal(2, 4, DIM_VECTOR))
