"""Questions about s2_attention/layer_norm.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Array, Case, Draw, among, count, moved, question
from checks.truth.paper import EPS, layer_norm, layer_norm_shapes

NORM = "answer = load(LayerNorm({}), weights)(x)"


def _plain(width: int) -> dict[str, Array]:
    return {"gamma": np.ones(width), "beta": np.zeros(width)}


@question(
    NORM.format(4),
    lesson="Subtract its mean. Divide by its standard deviation (the square root of the variance).",
)
def four_entries(draw: Draw) -> Case:
    """The mean is subtracted, and the rest is divided by the square root of the variance."""
    mean, size = draw.one(2, 3, 5, 10), draw.one(2, 3, 4)
    x = mean + size * draw.random.permutation([-1.0, -1.0, 1.0, 1.0])
    centred, spread = x - x.mean(), x.std()
    return Case(
        f"gamma is 1, beta is 0. What does the vector {_row(x)} become?",
        {"x": x, "weights": _plain(4)},
        layer_norm(x, _plain(4)),
        {
            "unbiased-variance": centred / np.sqrt(x.var(ddof=1) + EPS),
            "no-root": centred / (x.var() + EPS),
            "no-mean": x / np.sqrt(x.var() + EPS),
            "rms-norm": x / np.sqrt((x**2).mean() + EPS),
            "sum-for-mean": centred / np.sqrt((centred**2).sum() + EPS),
            "min-max": (x - x.min()) / (np.ptp(x) + EPS),
            "multiplied-by-deviation": centred * np.sqrt(spread**2 + EPS),
        },
    )


def _row(x: Array) -> str:
    return "(" + ", ".join(f"{n:g}" for n in x) + ")"


@question(
    NORM.format(4),
    lesson="Adding the same value to every entry changes nothing.",
)
def a_shifted_vector(draw: Draw) -> Case:
    """What is added is also in the mean, so it is subtracted again."""
    shift, base = draw.one(2, 10, 100), draw.random.permutation([-1.0, -1.0, 1.0, 1.0])
    x = base + shift
    return Case(
        f"The vector {_row(base)} has mean 0 and variance 1. What does the norm make of it after "
        f"{shift} is added to every entry? gamma is 1, beta is 0.",
        {"x": x, "weights": _plain(4)},
        layer_norm(x, _plain(4)),
        {
            "no-mean": x / np.sqrt(1 + EPS),
            "rms-norm": x / np.sqrt((x**2).mean() + EPS),
            "spread-around-zero": base / np.sqrt((x**2).mean() + EPS),
            "mean-added": (x + shift) / np.sqrt(1 + EPS),
            "min-max": (x - x.min()) / (np.ptp(x) + EPS),
        },
    )


@question(
    NORM.format(4),
    lesson="out      = gamma · (x - mean) / sqrt(variance + eps) + beta",
)
def gamma_and_beta(draw: Draw) -> Case:
    """First gamma multiplies the normalised entries, then beta is added."""
    x = draw.random.permutation([-1.0, -1.0, 1.0, 1.0])
    gamma, beta = draw.random.permutation([1.0, 2, 3, 4]), draw.random.permutation([0.0, 1, 2, 3])
    normed = x / np.sqrt(1 + EPS)
    return Case(
        f"The vector {_row(x)} has mean 0 and variance 1. gamma is {_row(gamma)}, beta is "
        f"{_row(beta)}. What comes out?",
        {"x": x, "weights": {"gamma": gamma, "beta": beta}},
        layer_norm(x, {"gamma": gamma, "beta": beta}),
        {
            "beta-before-gamma": gamma * (normed + beta),
            "gamma-and-beta-swapped": beta * normed + gamma,
            "gamma-unused": normed + beta,
            "beta-unused": gamma * normed,
            "beta-subtracted": gamma * normed - beta,
            "gamma-plus-one": (1 + gamma) * normed + beta,
        },
    )


@question(
    NORM.format(4),
    lesson="If all entries of a vector are equal, the variance is 0, and 0 / 0 is NaN. So eps is "
    "added to the variance, *inside* the square root.",
)
def equal_entries(draw: Draw) -> Case:
    """After the mean is subtracted nothing is left, and eps prevents 0 / 0."""
    entry = float(draw.one(2, 3, 4, 5))
    x = np.full(4, entry)
    return Case(
        f"All four entries of a vector are {entry:g}. gamma is 1, beta is 0. What comes out?",
        {"x": x, "weights": _plain(4)},
        layer_norm(x, _plain(4)),
        {
            "no-eps": np.full(4, np.nan),
            "no-mean": x / np.sqrt(EPS),
            "rms-norm": x / np.sqrt(entry**2 + EPS),
            "mean-added": 2 * x / np.sqrt(EPS),
            "precedence": x - x / np.sqrt(EPS),
        },
    )


@question(
    "norm = load(LayerNorm(4), weights)\nanswer = moved(norm, x, (0, token, 0)).any(-1).flatten()",
    lesson="Layer normalisation treats each token alone.",
)
def vectors_that_change(draw: Draw) -> Case:
    """Each vector has a mean and a variance of its own, so no other vector changes."""
    x, token = draw.normal(2, 2, 4), draw.one(0, 1)

    def over(*axes: int) -> Array:
        def of(x: Array) -> Array:
            return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + EPS)

        return moved(of, x, (0, token, 0)).any(-1).flatten()

    return Case(
        f"A batch has sentences A and B, of 2 tokens each. One entry of token {token} of sentence "
        "A changes. Which outputs change?",
        {"x": x, "weights": _plain(4), "token": token},
        moved(lambda x: layer_norm(x, _plain(4)), x, (0, token, 0)).any(-1).flatten(),
        {
            "over-sequence": over(1),
            "over-batch": over(0),
            "over-everything": over(0, 1, 2),
        },
        among("token 0 of A", "token 1 of A", "token 0 of B", "token 1 of B"),
    )


@question(
    "answer = sum(p.numel() for p in LayerNorm(dim_vector).parameters())",
    lesson="gamma, beta: (dim_vector,), ones and zeros at the start",
    typed=True,
)
def how_many_parameters(draw: Draw) -> Case:
    """gamma and beta have one entry for each feature."""
    dim_vector = draw.one(4, 6, 8, 64, 512)
    return Case(
        f"dim_vector is {dim_vector}. How many numbers does a layer norm learn?",
        {"dim_vector": dim_vector},
        count(layer_norm_shapes(dim_vector)),
        {
            "scalar-gamma-and-beta": 2,
            "scalar-beta": dim_vector + 1,
            "plain-tensors": 0,
            "beta-missing": dim_vector,
            "learned-eps": 2 * dim_vector + 1,
        },
    )
