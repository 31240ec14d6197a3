"""Which statements of two blocks stand for one another."""

from __future__ import annotations

from collections.abc import Callable
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

BLOCKS = ("body", "orelse", "finalbody")  # Where a statement has others inside.
LEAST = 0.4  # Part of two statements that is the same, if one stands for the other.


def aligned(own: list[Any], other: list[Any], text: Callable[[Any], str]) -> list[tuple[Any, Any]]:
    """The statements of two blocks in order, in pairs that are as similar as possible by their
    texts. A statement without a partner stands beside None.
    """
    texts = [text(statement) for statement in other]
    best: list[tuple[float, list[tuple[Any, Any]]]] = [(0.0, [])]  # For each end of the other.
    for statement in reversed(other):
        best.append((0.0, [(None, statement), *best[-1][1]]))
    for mine in reversed(own):
        before, best = best, [(best[0][0], [(mine, None), *best[0][1]])]
        for n, (theirs, their_text) in enumerate(zip(reversed(other), reversed(texts))):
            share = similar(text(mine), their_text) if type(mine) is type(theirs) else 0.0
            together, rest = before[n]
            alone, with_mine = before[n + 1]
            last, with_theirs = best[n]
            ways = [
                (together + share, [(mine, theirs), *rest] if share else []),
                (alone, [(mine, None), *with_mine]),
                (last, [(None, theirs), *with_theirs]),
            ]
            best.append(max(ways[not share :], key=lambda way: way[0]))
    return best[-1][1]


@lru_cache(20_000)
def similar(one: str, two: str) -> float:
    """How much of two texts is the same: 1 if all is, 0 if it is too little."""
    if one == two:
        return 1.0
    match = SequenceMatcher(None, one, two, autojunk=False)
    share = match.ratio() if match.quick_ratio() >= LEAST else 0.0
    return share if share >= LEAST else 0.0
