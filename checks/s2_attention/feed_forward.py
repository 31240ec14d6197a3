"""Checks for s2_attention/feed_forward.py."""

from typing import Any

import numpy as np

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
    "How many inputs and outputs has each of the two layers?",
    "Without something between them, two linear layers are one. What does the paper put there?",
    "(…, dim_vector) -> (…, dim_hidden) -> (…, dim_vector); the dropout acts in the middle.",
    "return self.linear2(self.dropout(____))",
]
DIM_VECTOR, DIM_HIDDEN = 6, 11
PLACE = (
    "In train mode the dim_hidden numbers between the two layers should be dropped with\n"
    "probability dropout, or else divided by 1 - dropout. Something else came."
)


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
    """Widen to dim_hidden, cut off what is negative, come back: the same for every token."""
    layer = a_layer(submission, dropout=0.5)
    for scale in (1, 10):
        x = submission.normal(2, 4, DIM_VECTOR, scale=scale)

        out = layer(x)

        expect(out, paper.feed_forward(x, layer.weights))


@check
def any_leading_axes_will_do(submission: Submission) -> None:
    """It works on one vector, on a sentence, and on more axes than a batch has."""
    layer = a_layer(submission)
    for shape in ((6,), (4, 6), (2, 3, 4, 6), (6, 6, 6)):
        x = submission.normal(*shape)

        out = layer(x)

        expect(out, paper.feed_forward(x, layer.weights))


@check
def the_middle_is_dropped_in_training(submission: Submission) -> None:
    """In training, dropout falls on the dim_hidden numbers between the two layers."""
    for kwargs, p in SHARES:
        layer = a_layer(submission, **kwargs)
        layer.train()
        x = submission.normal(3, 4, DIM_VECTOR)

        out = layer(x)

        hidden = np.maximum(0, paper.linear(x, paper.part(layer.weights, "linear1")))
        drops = dropout.all_drops(DIM_HIDDEN, p)
        dropped = hidden[..., None, :] * drops
        truth = paper.linear(dropped, paper.part(layer.weights, "linear2"))
        found = expect_one_of(out, truth, PLACE)
        if p == 0.2:
            expect_independent(out, drops[found])


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches x and the weights and biases of both layers."""
    expect_gradients(a_layer(submission, "float64"), submission.normal(2, 4, DIM_VECTOR))


@check
def sizes_are_arguments(submission: Submission) -> None:
    """dim_vector and dim_hidden are arguments: other ones fit as well."""
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
def it_has_manners(submission: Submission) -> None:
    """Asked twice in eval mode it says the same; its input stays; any device will do."""
    layer = a_layer(submission, dropout=0.5)
    expect_manners(layer, submission.normal(3, 5, DIM_VECTOR), drops=True)
