"""Questions about s6_today/rms_norm.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Array, Case, Draw, among, count, moved, question
from checks.s6_today.rms_norm.truth import rms_norm, rms_norm_shapes
from checks.truth.paper import EPS

NORM = "answer = load(RMSNorm(4), weights)(x)"


def _plain(width: int) -> dict[str, Array]:
    return {"gamma": np.ones(width)}


def _row(x: Array) -> str:
    return "(" + ", ".join(f"{n:g}" for n in x) + ")"


@question(NORM, lesson="Square its entries, take their mean, and the square root of that.")
def four_entries(draw: Draw) -> Case:
    """The mean of the squares is taken, then its square root, and x is divided by that."""
    size = draw.one(1, 2, 3)
    x = size * draw.random.permutation(draw.one([1.0, 1, 7, 7], [1.0, 7, 5, 5], [-1.0, 1, 7, 7]))
    squares = (x**2).mean() + EPS
    return Case(
        f"gamma is 1. What does the vector {_row(x)} become?",
        {"x": x, "weights": _plain(4)},
        rms_norm(x, _plain(4)),
        {
            "layer-norm": (x - x.mean()) / np.sqrt(x.var() + EPS),
            "sum-for-mean": x / np.sqrt((x**2).sum() + EPS),
            "no-root": x / squares,
            "absolute-values": x / np.sqrt(abs(x).mean() ** 2 + EPS),
            "standard-deviation": x / np.sqrt(x.var() + EPS),
            "n-minus-one": x / np.sqrt((x**2).sum() / 3 + EPS),
            "largest-entry": x / np.sqrt(abs(x).max() ** 2 + EPS),
        },
    )


@question(NORM, lesson="The mean stays in the vector.")
def equal_entries(draw: Draw) -> Case:
    """Nothing is subtracted: the root mean square of equal entries is the entry itself."""
    entry = float(draw.one(-5, -3, -2, 2, 3, 4, 5))
    x = np.full(4, entry)
    return Case(
        f"All four entries of a vector are {entry:g}. gamma is 1. What comes out?",
        {"x": x, "weights": _plain(4)},
        rms_norm(x, _plain(4)),
        {
            "layer-norm": np.zeros(4),
            "sum-for-mean": x / np.sqrt(4 * entry**2 + EPS),
            "no-root": x / (entry**2 + EPS),
            "multiplied": x * np.sqrt(entry**2 + EPS),
            "gamma-plus-one": 2 * x / np.sqrt(entry**2 + EPS),
            "root-twice": x / np.sqrt(np.sqrt(entry**2 + EPS)),
        },
    )


@question(
    "answer = load(RMSNorm(4), weights).half()(x.half()).float()",
    lesson="The largest float16 number is 65504, so the square of 256 is infinite.",
)
def large_entries_in_float16(draw: Draw) -> Case:
    """The mean is taken in float32, so nothing becomes infinite on the way."""
    entry = float(draw.one(300, 400, 500, 600))
    x = entry * draw.random.permutation([1.0, 1, -1, draw.one(1, -1)])
    signs = np.sign(x)
    return Case(
        f"x is float16: {_row(x)}. gamma is 1. What comes out?",
        {"x": x, "weights": _plain(4)},
        rms_norm(x, _plain(4)),
        {
            "squares-in-half": 0 * signs,
            "sum-for-mean": signs / 2,
            "multiplied": signs * np.inf,
            "gamma-plus-one": 2 * signs,
        },
    )


@question(
    "norm = load(RMSNorm(4), weights)\nanswer = moved(norm, x, (0, token, 0)).any(-1).flatten()",
    lesson="Each token's vector is divided by a number of its own.",
)
def vectors_that_change(draw: Draw) -> Case:
    """Each vector has a root mean square of its own, so no other vector changes."""
    x, token = draw.normal(2, 2, 4), draw.one(0, 1)

    def over(*axes: int) -> Array:
        def of(x: Array) -> Array:
            return x / np.sqrt((x**2).mean(axes, keepdims=True) + EPS)

        return moved(of, x, (0, token, 0)).any(-1).flatten()

    return Case(
        f"A batch has sentences A and B, of 2 tokens each. One entry of token {token} of sentence "
        "A changes. Which outputs change?",
        {"x": x, "weights": _plain(4), "token": token},
        moved(lambda x: rms_norm(x, _plain(4)), x, (0, token, 0)).any(-1).flatten(),
        {
            "over-sequence": over(1),
            "over-batch": over(0),
            "over-everything": over(0, 1, 2),
        },
        among("token 0 of A", "token 1 of A", "token 0 of B", "token 1 of B"),
    )


@question(
    "answer = sum(p.numel() for p in RMSNorm(dim_vector).parameters())",
    lesson="Only `gamma` is left to learn.",
    typed=True,
)
def how_many_parameters(draw: Draw) -> Case:
    """gamma has one entry for each feature, and there is no beta."""
    dim_vector = draw.one(4, 6, 8, 64, 576)
    return Case(
        f"dim_vector is {dim_vector}. How many numbers does an RMS norm learn?",
        {"dim_vector": dim_vector},
        count(rms_norm_shapes(dim_vector)),
        {
            "beta": 2 * dim_vector,
            "scalar-gamma": 1,
            "plain-tensor": 0,
            "learned-eps": dim_vector + 1,
        },
    )
