"""Checks for s2_attention/feed_forward.py."""

from typing import Any

import numpy as np

from checks.engine.language import (
    SHARES,
    Array,
    Fail,
    Module,
    Received,
    Submission,
    check,
    chosen,
    dropped,
    expect,
    expect_gradients,
    expect_independent,
    expect_manners,
    expect_one_of,
    expect_share,
    expect_single,
    expect_sized,
    expect_that,
    trains,
)
from checks.scenes import dropout
from checks.truth import paper

DIM_VECTOR, DIM_HIDDEN = 6, 11
PLACE = dropped("to the features between the two layers")


def a_layer(submission: Submission, dtype: str = "float32", **kwargs: Any) -> Module:
    layer = submission.build(
        "FeedForward", dim_vector=DIM_VECTOR, dim_hidden=DIM_HIDDEN, dtype=dtype, **kwargs
    )

    def truth(weights: paper.Weights, x: Array) -> Array:
        return paper.feed_forward(x, weights)

    shapes = paper.feed_forward_shapes(DIM_VECTOR, DIM_HIDDEN)
    layer.draw(shapes, truth, submission.normal(2, 4, DIM_VECTOR))
    return layer


@check
def it_widens_cuts_and_comes_back(submission: Submission) -> None:
    """Widen to dim_hidden, apply the ReLU, return to dim_vector: the same for each token."""
    for scale, dtype in ((1, "float32"), (1000, "float64")):
        layer = a_layer(submission, dtype, dropout=0.5)
        x = submission.normal(2, 4, DIM_VECTOR, scale=scale)

        out = layer(x)

        expect(out, paper.feed_forward(x, layer.weights))


@check
def any_leading_axes_will_do(submission: Submission) -> None:
    """It works on one vector, on a sentence, and on more axes than a batch has."""
    layer = a_layer(submission)
    for shape in ((6,), (4, 6), (2, 3, 4, 6), (6, 6, 6), (2, 1, 6), (1, 1, 6)):
        x = submission.normal(*shape)

        out = layer(x)

        expect(out, paper.feed_forward(x, layer.weights))


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches x and the weights and biases of both layers."""
    layer = trains(a_layer(submission, "float64", dropout=0.0))

    expect_gradients(layer, submission.normal(2, 4, DIM_VECTOR))


@check
def the_middle_is_dropped_in_training(submission: Submission) -> None:
    """In train mode, dropout is applied to the dim_hidden features between the two layers."""
    for kwargs, p in SHARES:
        layer = a_layer(submission, **kwargs)
        layer.train()
        x = submission.normal(8, 5, DIM_VECTOR)

        out = layer(x)

        hidden = np.maximum(0, paper.linear(x, paper.part(layer.weights, "linear1")))
        drops = dropout.all_drops(DIM_HIDDEN, p)
        dropped = hidden[..., None, :] * drops
        truth = paper.linear(dropped, paper.part(layer.weights, "linear2"))
        drawn = expect_one_of(out, truth, PLACE, drops)
        if kwargs:
            expect_single(out, truth)
            expect_independent(out, drawn)
            expect_share(out, chosen(lambda drawn, seen: drawn[seen], drawn, hidden > 0), p)
            expect_that(_expect_own_pattern, out, drawn, hidden > 0)


def _expect_own_pattern(out: Received, drops: Array, seen: Array) -> None:
    """Fail if all sentences, or all their tokens, lose the same features.

    drops, seen: (batch_size, length, dim_hidden). A drop is seen where the ReLU lets through.
    """
    dropped = drops == 0
    for axis, who in ((0, "sentences"), (1, "tokens")):
        lost, kept = (dropped & seen).any(axis), (~dropped & seen).any(axis)
        if not (lost & kept).any():
            raise Fail("mode", out.say(f"All {who} lose the same features: draw for each."))


@check
def sizes_are_arguments(submission: Submission) -> None:
    """dim_vector and dim_hidden are arguments: other values work too."""
    expect_sized(
        submission,
        "FeedForward",
        paper.feed_forward_shapes(8, 5),
        lambda weights, x: paper.feed_forward(x, weights),
        submission.normal(2, 3, 8),
        dim_vector=8,
        dim_hidden=5,
    )


@check
def large_sizes_work_too(submission: Submission) -> None:
    """Large sizes work too: hundreds of features, inside or outside, or of tokens."""
    for length, dim_vector, dim_hidden in ((600, 3, 5), (2, 600, 3), (2, 3, 600)):
        expect_sized(
            submission,
            "FeedForward",
            paper.feed_forward_shapes(dim_vector, dim_hidden),
            lambda weights, x: paper.feed_forward(x, weights),
            submission.normal(2, length, dim_vector),
            dim_vector=dim_vector,
            dim_hidden=dim_hidden,
        )


@check
def it_has_manners(submission: Submission) -> None:
    """In eval mode two calls give the same result, in train mode different ones; the input is not
    changed; it works on any device.
    """
    layer = a_layer(submission, dropout=0.5)
    expect_manners(layer, submission.normal(3, 5, DIM_VECTOR), drops=True)
