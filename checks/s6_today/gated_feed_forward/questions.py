"""Questions about s6_today/gated_feed_forward.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Array, Case, Draw, count, question
from checks.s6_today.gated_feed_forward.truth import (
    gated_feed_forward,
    gated_feed_forward_shapes,
    silu,
)

LAYER = "layer = load(GatedFeedForward(1, weights['gate.weight'].size(0)), weights)\n"


def _weights(gate: Array, up: Array) -> dict[str, Array]:
    """One feature in, several inside; `down` adds them up."""
    return {
        "gate.weight": gate[:, None],
        "up.weight": up[:, None],
        "down.weight": np.ones((1, len(gate))),
    }


@question(
    LAYER + "answer = layer(x)",
    lesson="A large positive z passes as it is, and a large negative one becomes 0.",
)
def open_and_closed(draw: Draw) -> Case:
    """silu(20) is 20 and silu(-20) is 0: nothing of the second feature passes."""
    gate = np.array([20.0, -20])
    up = np.array([-float(draw.one(2, 3, 4)), float(draw.one(5, 6, 7))])
    weights = _weights(gate, up)
    return Case(
        "The network has two hidden features. The gate gives 20 and -20 for them, and up gives "
        f"{up[0]:g} and {up[1]:g}. down adds the two products. What comes out?",
        {"x": np.ones(1), "weights": weights},
        gated_feed_forward(np.ones(1), weights),
        {
            "no-activation": [(gate * up).sum()],
            "sigmoid": [up[0]],
            "added": [(silu(gate) + up).sum()],
            "silu-on-product": [silu(gate * up).sum()],
            "silu-on-both": [(silu(gate) * silu(up)).sum()],
            "up-unused": [silu(gate).sum()],
            "gate-unused": [silu(up).sum()],
            "gate-and-up-exchanged": [(gate * silu(up)).sum()],
        },
    )


@question(LAYER + "answer = layer(x)", lesson="silu(0) is 0: nothing passes.")
def a_gate_of_zero(draw: Draw) -> Case:
    """silu(0) is 0, and 0 times anything is 0."""
    up = float(draw.one(2, 3, 4, 5, 6))
    weights = _weights(np.zeros(1), np.array([up]))
    return Case(
        f"The network has one hidden feature. The gate gives 0 for it, up gives {up:g}, and down "
        "multiplies by 1. What comes out?",
        {"x": np.ones(1), "weights": weights},
        gated_feed_forward(np.ones(1), weights),
        {
            "sigmoid": [up / 2],
            "added": [up],
            "softplus": [up * np.log(2)],
            "gate-unused": [silu(np.array(up))],
            "up-twice": [up * silu(np.array(up))],
        },
    )


@question(
    "answer = sum(p.numel() for p in GatedFeedForward(dim_vector, dim_hidden).parameters())",
    lesson="The gated network has three matrices instead of two, and no biases.",
    typed=True,
)
def how_many_parameters(draw: Draw) -> Case:
    """Three matrices of both widths, and no biases."""
    dim_vector, dim_hidden = draw.one((2, 5), (3, 7), (4, 10), (6, 20))
    size = count(gated_feed_forward_shapes(dim_vector, dim_hidden))
    return Case(
        f"dim_vector is {dim_vector}, dim_hidden is {dim_hidden}. How many numbers does the gated "
        "network learn?",
        {"dim_vector": dim_vector, "dim_hidden": dim_hidden},
        size,
        {
            "gate-missing": 2 * dim_vector * dim_hidden,
            "biases": size + 2 * dim_hidden + dim_vector,
            "bias-of-down": size + dim_vector,
            "hidden-ignored": 3 * dim_vector**2,
            "four-times": 12 * dim_vector**2,
            "twice-as-wide": 2 * size,
        },
    )


@question(
    "answer = tuple(GatedFeedForward(dim_vector, dim_hidden).gate.weight.shape)",
    lesson="Two linear layers, `gate` and `up`, widen each vector from dim_vector to dim_hidden.",
)
def shape_of_the_gate(draw: Draw) -> Case:
    """A linear layer keeps its weight as (out, in), here (dim_hidden, dim_vector)."""
    dim_vector, dim_hidden = draw.one((6, 11), (5, 12), (4, 10), (6, 20))
    return Case(
        f"dim_vector is {dim_vector}, dim_hidden is {dim_hidden}. Which shape does the weight of "
        "`gate` have?",
        {"dim_vector": dim_vector, "dim_hidden": dim_hidden},
        (dim_hidden, dim_vector),
        {
            "widths-swapped": (dim_vector, dim_hidden),
            "hidden-ignored": (dim_vector, dim_vector),
            "twice-as-wide": (2 * dim_hidden, dim_vector),
            "four-times": (4 * dim_vector, dim_vector),
        },
    )
