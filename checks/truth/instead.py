"""What mistakes put in the place of the right thing: other masks, and weights without effect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

NEUTRAL = {"bias": 0.0, "beta": 0.0, "gamma": 1.0}  # With these numbers a weight has no effect.
RIGHT = "these numbers would be right."


def other_masks(mask: Any, name: str, tokens: Any) -> Iterator[tuple[Any, str]]:
    """Other masks, and a sentence for numbers that are right with it.

    mask: an array, or None. `tokens`: ids (batch_size, length), or (..., length, features).
    """
    if isinstance(mask, np.ndarray):
        yield from _changed(mask != 0, name)
    if not isinstance(tokens, np.ndarray) or tokens.ndim < 2:
        return
    length = tokens.shape[1 if tokens.dtype.kind == "i" else -2]
    shown = np.ones((1, 1, 1, length), bool) if mask is None else mask != 0
    if shown.shape[-1] != length:
        return
    causal = np.tril(np.ones((length, length), bool))
    yield shown & causal, f"If no token could see a later one, {RIGHT}"
    yield shown & causal.T, f"If no token could see an earlier one, {RIGHT}"
    yield shown & ~np.eye(length, dtype=bool), f"If no token could see itself, {RIGHT}"


def _changed(visible: Any, name: str) -> Iterator[tuple[Any, str]]:
    turned = visible.swapaxes(-1, -2)
    union = visible.any(axis=0, keepdims=True)
    yield None, f"These are the right numbers without {name}: it has no effect in this call."
    yield ~visible, f"With 0 for visible and 1 for hidden in {name}, {RIGHT}"
    yield visible[:1], f"With the {name} of sentence 0 for all sentences, {RIGHT}"
    yield union, f"With one {name} for all, which shows what any sentence shows, {RIGHT}"
    yield turned, f"With the last two axes of {name} exchanged, {RIGHT}"
    yield visible & turned, f"If {name} hid hidden tokens as queries, too, {RIGHT}"
