"""Checks for s2_attention/add_norm.py."""

from typing import Any

import numpy as np

from checks.engine.language import (
    SHARES,
    Array,
    Module,
    Submission,
    check,
    dropped,
    expect,
    expect_gradients,
    expect_independent,
    expect_manners,
    expect_one_of,
    expect_own_chance,
    expect_share,
    expect_sized,
    trains,
)
from checks.scenes import dropout
from checks.truth import paper

DIM_VECTOR = 6
PLACE = dropped("to the sublayer's output, before the addition")


def a_layer(submission: Submission, dtype: str = "float32", **kwargs: Any) -> Module:
    layer = submission.build("AddNorm", dim_vector=DIM_VECTOR, dtype=dtype, **kwargs)

    def truth(weights: paper.Weights, x: Array, sublayer_output: Array) -> Array:
        return paper.add_norm(x, sublayer_output, weights)

    layer.draw(paper.add_norm_shapes(DIM_VECTOR), truth, *a_question(submission, 2, 4))
    return layer


def a_question(submission: Submission, *leading: int) -> list[Array]:
    return [submission.normal(*leading, DIM_VECTOR) for _ in range(2)]


@check
def the_sum_is_normalised(submission: Submission) -> None:
    """The sublayer's output is added to x, and the sum is normalised: post-norm. An input of zeros
    is no special case.
    """
    layer = a_layer(submission, dropout=0.5)
    for scale in (1, 0.003):  # The variance of small numbers is about eps.
        x, sublayer_output = (scale * array for array in a_question(submission, 2, 4))

        out = layer(x, sublayer_output)

        expect(out, paper.add_norm(x, sublayer_output, layer.weights))
    zeros = np.zeros_like(x)
    for both in ((x, zeros), (zeros, x), (x, x)):
        out = layer(*both)

        expect(out, paper.add_norm(*both, layer.weights))


@check
def any_leading_axes_will_do(submission: Submission) -> None:
    """It works on one vector, on a sentence, and on more axes than a batch has."""
    layer = a_layer(submission)
    for leading in ((), (3,), (2, 3, 4), (6, 6), (2, 1), (1, 1)):
        x, sublayer_output = a_question(submission, *leading)

        out = layer(x, sublayer_output)

        expect(out, paper.add_norm(x, sublayer_output, layer.weights))


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches both inputs, gamma and beta."""
    layer = trains(a_layer(submission, "float64", dropout=0.0))

    expect_gradients(layer, *a_question(submission, 2, 4))


@check
def the_sublayer_is_dropped_in_training(submission: Submission) -> None:
    """In train mode, dropout is applied to the sublayer's output before it is added, not to x, with
    the given probability.
    """
    for kwargs, p in SHARES:
        layer = a_layer(submission, **kwargs)
        layer.train()
        x, sublayer_output = a_question(submission, 40, 5)

        out = layer(x, sublayer_output)

        drops = dropout.all_drops(DIM_VECTOR, p)
        dropped = sublayer_output[..., None, :] * drops
        truth = paper.add_norm(x[..., None, :], dropped, layer.weights)
        drawn = expect_one_of(out, truth, PLACE, drops)
        if kwargs:
            expect_independent(out, drawn)
            expect_share(out, drawn, p)
            expect_own_chance(out, drawn)


@check
def sizes_are_arguments(submission: Submission) -> None:
    """dim_vector is an argument: other values work too."""
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
def large_sizes_work_too(submission: Submission) -> None:
    """Large sizes work too: hundreds of features or of tokens."""
    for length, dim_vector in ((3, 600), (600, 3)):
        expect_sized(
            submission,
            "AddNorm",
            paper.add_norm_shapes(dim_vector),
            lambda weights, x, sublayer_output: paper.add_norm(x, sublayer_output, weights),
            *(submission.normal(2, length, dim_vector) for _ in range(2)),
            dim_vector=dim_vector,
        )


@check
def it_has_manners(submission: Submission) -> None:
    """In eval mode two calls give the same result, in train mode different ones; the inputs are not
    changed; it works on any device.
    """
    expect_manners(a_layer(submission, dropout=0.5), *a_question(submission, 2, 4), drops=True)
