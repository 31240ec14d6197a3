"""Byte pairs: a text becomes tokens, often whole words (Sennrich et al. 2016, section 3.2).

Lesson: README.md, "6.7 ★ Byte pairs"        Check: python run_step.py 6.7
"""

import re
from collections import Counter
from itertools import pairwise

Pair = tuple[int, int]

# Pieces of a text: the end of a short form ('s), a word or signs with the blank before them,
# a digit, blanks. No pair reaches from one piece into the next.
PIECE = re.compile(r"'(?:[sdmt]|ll|ve|re)| ?[^\W\d_]+|\d| ?(?:[^\s\w]|_)+|\s+(?![^\s\d])|\s+")


def merged(ids: list[int], pair: Pair, new: int) -> list[int]:
    """A new list: the ids with `new` in place of every such pair, from left to right."""
    # TODO: Go from left to right: append `new` and skip two ids where the pair stands, else one id.
    raise NotImplementedError("merged")


def learn(text: str, num_merge: int) -> list[Pair]:
    """The merges, in the order in which they are learned: at most num_merge pairs of ids.

    The ids from 0 to 255 are the bytes of UTF-8. Merge n makes the id 256 + n. Each merge is the
    pair of neighbours that is most frequent in the pieces of the text. If several are, it is the
    one that is met first. Pairs may overlap: "aaa" has two. It ends early if no pair is left.
    """
    # TODO: Count the pieces of the text, and turn each into its bytes.
    # TODO: Repeat: count all pairs of neighbours, and merge the most frequent one in every piece.
    raise NotImplementedError("learn")


def encode(text: str, merges: list[Pair]) -> list[int]:
    """The ids of a text. Each piece begins as bytes; then it is merged as it was learned.

    The rank of a pair is its first place in the merges.
    """
    rank: dict[Pair, int] = {}
    for n, pair in enumerate(merges):
        rank.setdefault(pair, n)
    tokens: list[int] = []
    # TODO: In each piece, merge the pair that was learned first, until no pair is known.
    raise NotImplementedError("encode")


def decode(ids: list[int], merges: list[Pair]) -> str:
    """The text of the ids. Bytes that are no valid UTF-8 become the sign �."""
    # TODO: Make the bytes of every token: those of the two that it was merged from.
    # TODO: Join the bytes of the ids, then decode them all at once.
    raise NotImplementedError("decode")
