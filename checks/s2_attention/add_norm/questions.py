"""Questions about s2_attention/add_norm.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Array, Case, Draw, count, question
from checks.truth.paper import EPS, add_norm, add_norm_shapes

LAYER = "layer = load(AddNorm({}), weights)\n"


def _plain(width: int) -> dict[str, Array]:
    return {"layer_norm.gamma": np.ones(width), "layer_norm.beta": np.zeros(width)}


def _norm(x: Array) -> Array:
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + EPS)


def _row(x: Array) -> str:
    return "(" + ", ".join(f"{n:g}" for n in x) + ")"


def _wrong(x: Array, out: Array) -> dict[str, Array]:
    """What known mistakes make of the input and the sublayer's output, with gamma 1 and beta 0."""
    return {
        "no-add": _norm(out),
        "no-norm": x + out,
        "only-input": _norm(x),
        "norm-before-add": x + _norm(out),
        "norm-of-input-added": _norm(x) + out,
        "both-normalised": _norm(x) + _norm(out),
        "subtracted": _norm(x - out),
        "multiplied": _norm(x * out),
        "shortcut-outside": x + _norm(x + out),
        "activation-on-top": np.maximum(0, _norm(x + out)),
    }


@question(
    LAYER.format(2) + "answer = layer(x, out)",
    lesson="out = norm(x + dropout(sublayer_output))",
)
def two_entries(draw: Draw) -> Case:
    """First x and the sublayer's output are added, then the sum is normalised."""
    x, out = draw.whole(2, low=1, high=6), draw.whole(2, low=-4, high=4)
    return Case(
        f"x is {_row(x)}, the sublayer's output is {_row(out)}. Nothing is dropped, gamma is 1, "
        "beta is 0. What comes out?",
        {"x": x, "out": out, "weights": _plain(2)},
        add_norm(x, out, _plain(2)),
        _wrong(x, out),
    )


@question(
    LAYER.format(4) + "answer = layer(x, out)",
    lesson="All zeros: x is only normalised.",
)
def a_sublayer_of_zeros(draw: Draw) -> Case:
    """x goes past the sublayer, so the norm of x is left."""
    mean, size = draw.one(2, 3, 5), draw.one(2, 3)
    x, out = mean + size * draw.random.permutation([-1.0, -1.0, 1.0, 1.0]), np.zeros(4)
    return Case(
        f"x is {_row(x)}. The sublayer's output is all zeros. gamma is 1, beta is 0. What comes "
        "out?",
        {"x": x, "out": out, "weights": _plain(4)},
        add_norm(x, out, _plain(4)),
        {
            name: _wrong(x, out)[name]
            for name in ("no-add", "no-norm", "shortcut-outside", "activation-on-top")
        },
    )


@question(
    "answer = numel(AddNorm(dim_vector))",
    lesson="out = norm(x + dropout(sublayer_output))",
    typed=True,
)
def how_many_parameters(draw: Draw) -> Case:
    """Only its norm learns: gamma and beta, with one entry for each feature."""
    dim_vector = draw.one(4, 6, 8, 16)
    return Case(
        f"dim_vector is {dim_vector}. How many numbers does an add and norm learn?",
        {"dim_vector": dim_vector},
        count(add_norm_shapes(dim_vector)),
        {
            "norm-without-parameters": 0,
            "norm-without-shift": dim_vector,
            "second-norm-unused": 4 * dim_vector,
            "projected-shortcut": dim_vector**2 + 3 * dim_vector,
        },
    )


@question(
    "layer = load(AddNorm(2, 1.0), weights, training=True)\nanswer = layer(x, out)",
    lesson="Dropout may remove a part of the sublayer's output. It must not remove a part of x, "
    "the token's own vector.",
)
def everything_is_dropped(draw: Draw) -> Case:
    """Dropout acts on the sublayer's output only, so the norm of x is left."""
    x, out = draw.whole(2, low=1, high=9), draw.whole(2, low=-4, high=4)
    return Case(
        f"Dropout 1.0 drops every entry. In train mode, x is {_row(x)} and the sublayer's output "
        f"is {_row(out)}. gamma is 1, beta is 0. What comes out?",
        {"x": x, "out": out, "weights": _plain(2)},
        add_norm(x, np.zeros(2), _plain(2)),
        {
            "dropout-on-sum": np.zeros(2),
            "no-dropout": _norm(x + out),
            "dropout-on-input": _norm(out),
            "no-norm": x,
            "shortcut-outside": x + _norm(x),
        },
    )
