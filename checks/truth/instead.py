"""What mistakes put in the place of the right thing: other masks, and weights without effect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

NEUTRAL = {"bias": 0.0, "beta": 0.0, "gamma": 1.0}  # With these numbers a weight has no effect.


def other_masks(mask: Any, name: str, tokens: Any) -> Iterator[tuple[Any, str]]:
    """Other masks, each with a clause that says what is changed: "Without src_mask".

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
    yield shown & causal, "If no token could see a later one"
    yield shown & causal.T, "If no token could see an earlier one"
    yield shown & ~np.eye(length, dtype=bool), "If no token could see itself"


def _changed(visible: Any, name: str) -> Iterator[tuple[Any, str]]:
    turned = visible.swapaxes(-1, -2)
    union = visible.any(axis=0, keepdims=True)
    yield None, f"Without {name}"
    yield ~visible, f"With 0 for visible and 1 for masked in {name}"
    yield visible[:1], f"With the {name} of sentence 0 for all sentences"
    yield union, f"With one {name} for all, which shows what any sentence shows"
    yield turned, f"With the last two axes of {name} exchanged"
    yield visible & turned, f"If {name} hid masked tokens as queries, too"
