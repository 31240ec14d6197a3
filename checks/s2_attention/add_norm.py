"""Checks for s2_attention/add_norm.py."""

from typing import Any

from checks import dropout, paper
from checks.machine.language import (
    SHARES,
    Array,
    Module,
    Submission,
    check,
    expect,
    expect_gradients,
    expect_independent,
    expect_manners,
    expect_one_of,
    expect_sized,
)

HINTS = [
    "Which of the two inputs is the shortcut, and which one may be dropped from?",
    "The paper: the output of each sublayer is LayerNorm(x + Sublayer(x)). Which comes last?",
    "Three operations, in this order: dropout, addition, normalisation.",
    "return self.layer_norm(x + ____)",
]
DIM_VECTOR = 6
PLACE = (
    "In train mode only the sublayer's output should be dropped from, before it is added:\n"
    "each number with probability dropout, or else divided by 1 - dropout."
)


def a_layer(submission: Submission, dtype: str = "float32", **kwargs: Any) -> Module:
    layer = submission.build("AddNorm", dim_vector=DIM_VECTOR, dtype=dtype, **kwargs)

    def truth(weights: paper.Weights, x: Array, sublayer_output: Array) -> Array:
        return paper.add_norm(x, sublayer_output, weights)

    layer.draw(paper.add_norm_shapes(DIM_VECTOR), truth, *a_question(submission))
    return layer


def a_question(submission: Submission, *leading: int) -> list[Array]:
    return [submission.normal(*(leading or (2, 4)), DIM_VECTOR) for _ in range(2)]


@check
def the_sum_is_normalised(submission: Submission) -> None:
    """The sublayer's output is added to x, and the sum is normalised: post-norm."""
    layer = a_layer(submission, dropout=0.5)
    x, sublayer_output = a_question(submission)

    out = layer(x, sublayer_output)

    expect(out, paper.add_norm(x, sublayer_output, layer.weights))


@check
def any_leading_axes_will_do(submission: Submission) -> None:
    """It works on one vector, on a sentence, and on more axes than a batch has."""
    layer = a_layer(submission)
    for leading in ((3,), (2, 3, 4), (6, 6)):
        x, sublayer_output = a_question(submission, *leading)

        out = layer(x, sublayer_output)

        expect(out, paper.add_norm(x, sublayer_output, layer.weights))


@check
def the_sublayer_is_dropped_in_training(submission: Submission) -> None:
    """In training, dropout falls on the sublayer's output before it is added, and nowhere else."""
    for kwargs, p in SHARES:
        layer = a_layer(submission, **kwargs)
        layer.train()
        x, sublayer_output = a_question(submission, 3, 5)

        out = layer(x, sublayer_output)

        drops = dropout.all_drops(DIM_VECTOR, p)
        dropped = sublayer_output[..., None, :] * drops
        found = expect_one_of(out, paper.add_norm(x[..., None, :], dropped, layer.weights), PLACE)
        if p == 0.2:
            expect_independent(out, drops[found])


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches both inputs, gamma and beta."""
    expect_gradients(a_layer(submission, "float64"), *a_question(submission))


@check
def sizes_are_arguments(submission: Submission) -> None:
    """dim_vector is an argument: a layer for vectors of another length fits them."""
    expect_sized(
        submission,
        "AddNorm",
        paper.add_norm_shapes(8),
        lambda weights, x, sublayer_output: paper.add_norm(x, sublayer_output, weights),
        submission.normal(2, 3, 8),
        submission.normal(2, 3, 8),
        dim_vector=8,
    )


@check
def it_has_manners(submission: Submission) -> None:
    """Asked twice in eval mode it says the same; its inputs stay; any device will do."""
    expect_manners(a_layer(submission, dropout=0.5), *a_question(submission), drops=True)
