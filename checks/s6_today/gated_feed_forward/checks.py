"""Checks for s6_today/gated_feed_forward.py."""

import numpy as np

from checks.engine.language import (
    Array,
    Module,
    Submission,
    check,
    expect,
    expect_gradients,
    expect_manners,
    expect_sized,
    trains,
)
from checks.s6_today.gated_feed_forward.truth import gated_feed_forward, gated_feed_forward_shapes
from checks.truth.paper import Weights

DIM_VECTOR, DIM_HIDDEN = 6, 11


def truth(weights: Weights, x: Array) -> Array:
    return gated_feed_forward(x, weights)


def a_layer(submission: Submission, dtype: str = "float32") -> Module:
    """The learner's layer, with weights drawn by the judge."""
    layer = submission.build(
        "GatedFeedForward", dim_vector=DIM_VECTOR, dim_hidden=DIM_HIDDEN, dtype=dtype
    )
    shapes = gated_feed_forward_shapes(DIM_VECTOR, DIM_HIDDEN)
    layer.draw(shapes, truth, submission.normal(2, 4, DIM_VECTOR))
    return layer


@check
def the_gate_lets_through(submission: Submission) -> None:
    """down(silu(gate(x)) * up(x)), the same for each token, with three layers without biases."""
    layer = a_layer(submission)
    for scale in (1, 10):
        x = submission.normal(2, 4, DIM_VECTOR, scale=scale)

        out = layer(x)

        expect(out, gated_feed_forward(x, layer.weights))


@check
def any_leading_axes_will_do(submission: Submission) -> None:
    """It works on one vector, on a sentence, and on more axes than a batch has."""
    layer = a_layer(submission)
    for shape in ((6,), (4, 6), (2, 3, 4, 6), (6, 6, 6), (2, 1, 6), (1, 1, 6)):
        x = submission.normal(*shape)

        out = layer(x)

        expect(out, gated_feed_forward(x, layer.weights))


@check
def zeros_give_zeros(submission: Submission) -> None:
    """A vector of zeros gives zeros: nothing is added to it."""
    layer = a_layer(submission)

    out = layer(np.zeros((2, 3, DIM_VECTOR)))

    expect(out, np.zeros((2, 3, DIM_VECTOR)))


@check
def large_numbers_work_too(submission: Submission) -> None:
    """Nothing is cut off, and nothing becomes infinite on the way: entries may be large."""
    layer = a_layer(submission, "float64")
    x = submission.normal(2, 4, DIM_VECTOR, scale=1000)

    out = layer(x)

    expect(out, gated_feed_forward(x, layer.weights))


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches x and all three layers."""
    layer = trains(a_layer(submission, "float64"))

    expect_gradients(layer, submission.normal(2, 4, DIM_VECTOR))


@check
def sizes_are_arguments(submission: Submission) -> None:
    """dim_vector and dim_hidden are arguments, small or large. So is the number of tokens."""
    for length, dim_vector, dim_hidden in ((3, 8, 5), (600, 3, 5), (2, 600, 3), (2, 3, 600)):
        expect_sized(
            submission,
            "GatedFeedForward",
            gated_feed_forward_shapes(dim_vector, dim_hidden),
            truth,
            submission.normal(2, length, dim_vector),
            dim_vector=dim_vector,
            dim_hidden=dim_hidden,
        )


@check
def it_has_manners(submission: Submission) -> None:
    """Two calls give the same result, in both modes; the input is not changed; it works on any
    device.
    """
    expect_manners(a_layer(submission), submission.normal(3, 5, DIM_VECTOR))
