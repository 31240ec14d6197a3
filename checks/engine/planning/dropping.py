"""Dropout: what it may give in train mode, and which entries it drops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from checks.engine.asking.compare import differs, expect_form
from checks.engine.asking.received import Received
from checks.engine.asking.values import Array
from checks.engine.verdicts import Fail

# Arguments for a dropout and the probability that they ask for: 0.1 is the default everywhere.
SHARES: tuple[tuple[dict[str, Any], float], ...] = (({"dropout": 0.6}, 0.6), ({}, 0.1))


def dropped(where: str) -> str:
    """The sentence for a dropout that is not applied there, or not as it should be."""
    return (
        f"In train mode dropout should be applied {where}. Each entry there becomes 0 (with "
        "probability dropout) or is divided by 1 - dropout. Your output is something else."
    )


def expect_one_of(got: Received, candidates: Array, sentence: str) -> Array:
    """The number of the candidate that each vector of `got` equals.

    got: (…, d), candidates: (…, many, d). Fails if a vector equals none of its candidates.
    """
    expect_form(got, candidates.shape[:-2] + candidates.shape[-1:])
    assert got.array is not None
    close = ~differs(got.array[..., None, :], candidates).any(-1)
    if not close.any(-1).all():
        raise Fail("params" if got.unsure else "mode", got.say(got.unsure or sentence))
    return close.argmax(-1)


def expect_single(got: Received, candidates: Array) -> None:
    """Fail if every vector of `got` is its first candidate (all entries dropped) or its last (no
    entry dropped).
    """
    assert got.array is not None
    all_or_none = candidates[..., [0, -1], :]
    if (~differs(got.array[..., None, :], all_or_none).any(-1)).any(-1).all():
        raise Fail("mode", got.say("Whole vectors are dropped; it should be single entries."))


def expect_independent(
    got: Received, drops: Array, axes: tuple[str, ...] = ("sentence of the batch", "token")
) -> None:
    """Fail unless entries are dropped one by one.

    drops: 0 where an entry was dropped, (batch_size, length, d), or with other leading axes.
    """
    kept = drops != 0
    if (kept.all(-1) | ~kept.any(-1)).all():
        raise Fail("mode", got.say("Whole vectors are dropped; it should be single entries."))
    for axis, name in enumerate(axes):
        others = kept.take(range(1, kept.shape[axis]), axis)
        same = others == kept.take([0], axis)  # A few may be so by chance, or be read wrongly.
        if same.size and same.mean() > 0.95:
            raise Fail("mode", got.say(f"Every {name} loses the same entries, as if drawn once."))


def expect_share(got: Received, drops: Array, p: float) -> None:
    """Fail unless about a fraction p of the entries is dropped: more than 7 standard deviations
    away is no chance. drops: 0 where an entry was dropped.
    """
    dropped = drops == 0
    share, deviation = float(dropped.mean()), math.sqrt(p * (1 - p) / dropped.size)
    if abs(share - p) > 7 * deviation:
        says = f"With dropout={p} about {p:.0%} of the entries should be dropped"
        raise Fail("mode", got.say(f"{says}; here {share:.0%} are."))


def expect_own_chance(got: Received, drops: Array) -> None:
    """Fail if two entries are dropped together in all of many vectors.

    drops: 0 where an entry was dropped, (…, d).
    """
    dropped = drops == 0
    by_entry = dropped.reshape(-1, dropped.shape[-1]).T
    if len(np.unique(by_entry, axis=0)) < len(by_entry):
        raise Fail("mode", got.say("Some entries are always dropped together."))


def expect_kept(got: Received, shape: tuple[int, ...], first: int | None = None) -> None:
    """Fail unless about half of the `first` entries of each vector are above 0: one dropout, not
    two.
    """
    expect_form(got, shape)
    assert got.array is not None
    kept = float((got.array[..., :first] > 0).mean())
    if kept < 0.4:  # With two thousand entries: 9 standard deviations from a half.
        left = f"With dropout=0.5 about half of the numbers should be left; here {kept:.0%} are."
        why = "Something is dropped once more before the closing norm."
        raise Fail("mode", got.say(f"{left}\n{why}"))
