"""Byte pairs by their definition: a text is one row of ids, with gaps between its pieces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

Pair = tuple[int, int]
# The pattern that the learner is given.
PIECE = re.compile(r"'(?:[sdmt]|ll|ve|re)| ?[^\W\d_]+|\d| ?(?:[^\s\w]|_)+|\s+(?![^\s\d])|\s+")
GAP = -1


def merged(ids: Sequence[int], pair: Pair, new: int) -> list[int]:
    """A new list: the ids with `new` in place of every such pair, from left to right."""
    out: list[int] = []
    fresh = False  # Whether the last id was just made.
    for id in ids:
        if out and not fresh and (out[-1], id) == pair:
            out[-1], fresh = new, True
        else:
            out.append(id)
            fresh = False
    return out


def learn(text: str, num_merge: int) -> list[Pair]:
    """Sennrich et al. 2016, algorithm 1, on bytes; of equally frequent pairs the first one."""
    row, merges = _row(text), list[Pair]()
    for new in range(256, 256 + num_merge):
        pairs = [pair for pair in pairwise(row) if GAP not in pair]
        if not pairs:
            break
        counts = Counter(pairs)
        most = max(counts.values())
        merges.append(next(pair for pair in pairs if counts[pair] == most))
        row = merged(row, merges[-1], new)
    return merges


def encode(text: str, merges: Sequence[Pair]) -> list[int]:
    """Every merge, in the order in which they were learned, wherever its pair stands."""
    row = _row(text)
    for new, pair in enumerate(merges, 256):
        row = merged(row, pair, new)
    return [id for id in row if id != GAP]


def decode(ids: Sequence[int], merges: Sequence[Pair]) -> str:
    return b"".join(bytes_of(id, merges) for id in ids).decode("utf-8", errors="replace")


def bytes_of(id: int, merges: Sequence[Pair]) -> bytes:
    """The bytes that a token stands for."""
    if id < 256:
        return bytes([id])
    left, right = merges[id - 256]
    return bytes_of(left, merges) + bytes_of(right, merges)


def _row(text: str) -> list[int]:
    """The bytes of a text, with a gap after each piece."""
    return [id for piece in PIECE.findall(text) for id in (*piece.encode(), GAP)]
