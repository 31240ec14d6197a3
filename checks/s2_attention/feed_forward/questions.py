"""Questions about s2_attention/feed_forward.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Array, Case, Draw, count, moved, question, which
from checks.truth.paper import feed_forward, feed_forward_shapes

LAYER = "layer = load(FeedForward(x.size(-1), weights['linear1.weight'].size(0)), weights)\n"


def _weights(first: Array, second: Array) -> dict[str, Array]:
    """Two linear layers without biases."""
    return {
        "linear1.weight": first,
        "linear1.bias": np.zeros(len(first)),
        "linear2.weight": second,
        "linear2.bias": np.zeros(len(second)),
    }


@question(
    LAYER + "answer = layer(x)",
    lesson="It sets all negative numbers to 0. Then it comes back to dim_vector:",
)
def a_detector(draw: Draw) -> Case:
    """The ReLU is between the layers: only hidden numbers become 0, the output may be negative."""
    x = draw.random.permutation(np.arange(1.0, 7))[:2]
    first, back = np.array([[1.0, -1], [-1, 1]]), draw.one(-2.0, 2.0, 3.0)
    second = np.array([[back, 1.0], [0, -1]])
    hidden = first @ x
    return Case(
        f"x is ({x[0]:g}, {x[1]:g}). The first layer gives x0 - x1 and x1 - x0. After the ReLU "
        f"these are h0 and h1. The second layer gives {back:g} · h0 + h1 and -h1. There are no "
        "biases. What comes out?",
        {"x": x, "weights": _weights(first, second)},
        feed_forward(x, _weights(first, second)),
        {
            "no-relu": second @ hidden,
            "relu-after-second": np.maximum(0, second @ hidden),
            "relu-on-both": np.maximum(0, second @ np.maximum(0, hidden)),
            "absolute": second @ abs(hidden),
            "minimum": second @ np.minimum(0, hidden),
            "residual-inside": x + second @ np.maximum(0, hidden),
        },
    )


@question(
    "answer = sum(p.numel() for p in FeedForward(dim_vector, dim_hidden).parameters())",
    lesson="out = relu(x · W1 + b1) · W2 + b2",
)
def how_many_parameters(draw: Draw) -> Case:
    """Each of the two layers has a matrix of both widths, and a bias for what comes out."""
    dim_vector, dim_hidden = draw.one((2, 5), (3, 7), (4, 10), (6, 20))
    shapes = feed_forward_shapes(dim_vector, dim_hidden)
    size = count(shapes)
    return Case(
        f"dim_vector is {dim_vector}, dim_hidden is {dim_hidden}. How many numbers does the "
        "network learn?",
        {"dim_vector": dim_vector, "dim_hidden": dim_hidden},
        size,
        {
            "no-biases": size - dim_vector - dim_hidden,
            "no-first-bias": size - dim_hidden,
            "no-second-bias": size - dim_vector,
            "hidden-width-ignored": 2 * dim_vector * (dim_vector + 1),
            "hidden-four-times": 8 * dim_vector**2 + 5 * dim_vector,
        },
    )


@question(
    LAYER + "answer = moved(layer, x, (0, token)).any(-1)[0]",
    lesson="No token sees another.",
)
def tokens_that_change(draw: Draw) -> Case:
    """No token sees another one in this network."""
    x, token = draw.normal(1, 4, 2), draw.one(0, 1, 2)
    weights = _weights(*(abs(draw.normal(*shape)) + 0.1 for shape in ((5, 2), (2, 5))))
    x = abs(x) + 0.1  # All hidden numbers are positive, so every change shows.
    first, second = weights["linear1.weight"], weights["linear2.weight"]

    def of(mix: Array) -> Array:
        """Whether the outputs change if each hidden row is a mixture of others."""
        return moved(lambda x: mix @ (x @ first.T) @ second.T, x, (0, token)).any(-1)[0]

    before = np.eye(4) + np.eye(4, k=-1)
    return Case(
        f"A sentence of 4 tokens goes through the network. Token {token} changes. Which outputs "
        "change?",
        {"x": x, "weights": weights, "token": token},
        moved(lambda x: feed_forward(x, weights), x, (0, token)).any(-1)[0],
        {
            "mixes-words": of(before),
            "mean-over-words": of(np.ones((4, 4))),
            "neighbours-averaged": of(before + np.eye(4, k=1)),
        },
        which("output"),
    )


@question(
    LAYER + "answer = layer(torch.stack([x, -x])).flatten()",
    lesson="relu(a) = a if a is positive, else 0",
)
def x_and_its_opposite(draw: Draw) -> Case:
    """The ReLU lets through one sign only, so here either x or -x gives 0."""
    x = draw.one(-1.0, 1.0) * draw.whole(1, low=1, high=5)
    scale = draw.one(2.0, 3.0, 4.0)
    weights = _weights(np.array([[1.0]]), np.array([[scale]]))
    both = np.stack([x, -x])

    def through(activation: Array) -> Array:
        return (activation * scale).flatten()

    return Case(
        f"dim_vector and dim_hidden are 1. The first layer multiplies by 1, the second by "
        f"{scale:g}, and there are no biases. What do {x[0]:g} and {-x[0]:g} become?",
        {"x": x, "weights": weights},
        feed_forward(both, weights).flatten(),
        {
            "no-relu": through(both),
            "absolute": through(abs(both)),
            "minimum": through(np.minimum(0, both)),
            "sigmoid": through(1 / (1 + np.exp(-both))),
            "residual-inside": (both + scale * np.maximum(0, both)).flatten(),
            "leaky-relu": through(np.where(both > 0, both, 0.01 * both)),
        },
    )
