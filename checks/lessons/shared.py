"""Shared parts of the tables of stages 3 to 5: weights to compute by hand, and counts."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from checks.lessons.layout import grid
from checks.truth import paper

SRC, TRG = [[1, 1, 4, 0], [4, 3, 2, 9]], [[5, 2, 5, 0], [6, 7, 9, 8]]  # The tiny example.
THREE_TOKENS = np.array([[[1.0, 1, 1, -1, -1, -1], [1, -1, 1, -1, 1, -1], [9, 0, 0, 0, 0, 0]]])
SOURCE = np.array([[[2.0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, -2], [0, 0, 9, 0, 0, 0], [0] * 6]])


def straight(shapes: paper.Shapes, silent: str = "none") -> dict[str, paper.Array]:
    """Weights to compute by hand: biases and betas are 0, gammas are 1.

    Every matrix passes its input on unchanged, or gives zeros if `silent` is part of its role.
    """

    def weight(role: str, shape: tuple[int, ...]) -> paper.Array:
        if len(shape) == 2:
            return np.zeros(shape) if silent in role else np.eye(*shape)
        return np.ones(shape) if role.endswith("gamma") else np.zeros(shape)

    return {role: weight(role, shape) for role, shape in shapes.items()}


def normed(x: paper.Array) -> paper.Array:
    """A layer normalisation that has not learned yet."""
    return paper.layer_norm(x, {"gamma": np.ones(6), "beta": np.zeros(6)})


def sublayers(shapes: paper.Shapes) -> tuple[Callable[..., paper.Array], ...]:
    """Uniform self-attention, uniform cross-attention and the feed-forward network, without
    shortcuts.
    """
    weights = straight(shapes, silent="w_q")
    attention = paper.part(weights, "self_attention")

    def attend(x: paper.Array, mask: ArrayLike | None) -> paper.Array:
        return paper.multi_head_attention(x, x, x, attention, 2, mask)

    def ask(x: paper.Array, source: paper.Array, mask: ArrayLike | None) -> paper.Array:
        return paper.multi_head_attention(x, source, source, attention, 2, mask)

    def widen(x: paper.Array) -> paper.Array:
        return paper.feed_forward(x, paper.part(weights, "feed_forward"))

    return attend, ask, widen


def walk(steps: dict[str, paper.Array]) -> str:
    """The values of the first two tokens after each step."""
    margin = max(map(len, steps))
    rows = [f"{name:{margin}}  token {n}" for step in steps for n, name in enumerate([step, ""])]
    return grid([x[0, token] for x in steps.values() for token in (0, 1)], rows)


def second_token(versions: dict[str, paper.Array]) -> str:
    return grid([x[0, 1] for x in versions.values()], list(versions))


def moved(before: paper.Array, after: paper.Array) -> NDArray[np.bool_]:
    """Whether the logits of the one sentence have changed, for each position."""
    return np.asarray(np.abs(before - after)[0].max(axis=-1) > 1e-9)


def random_weights(shapes: paper.Shapes) -> dict[str, paper.Array]:
    draw = np.random.default_rng(0)
    return {role: draw.normal(size=shape) for role, shape in shapes.items()}


def count(shapes: paper.Shapes, part: str = "") -> int:
    """How many numbers the part holds."""
    return sum(math.prod(shape) for role, shape in shapes.items() if role.startswith(part))


Ledger = Callable[[int, int, int, int], dict[str, int]]  # vocab_size … num_layer -> counts


def ledger(rows: Ledger) -> str:
    """The counts of the tiny example and of the paper's base model, side by side."""
    tiny, base = rows(10, 6, 3, 9), rows(37000, 512, 2048, 6)
    margin = max(map(len, tiny))
    lines = [f"{'':{margin}}  {'tiny':>6}  {'base':>11}"]
    lines += [f"{name:{margin}}  {tiny[name]:6,}  {base[name]:11,}" for name in tiny]
    return "\n".join(lines)
