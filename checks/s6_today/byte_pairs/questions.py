"""Questions about s6_today/byte_pairs.py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise

import numpy as np

from checks.questions.kinds import Array, Case, Draw, question
from checks.s6_today.byte_pairs.truth import PIECE, Pair, encode, merged

Pairs = Callable[[list[int]], Iterable[Pair]]
FIRST = "answer = decode([256], learn(text, 1)).replace(' ', '_')"
TOKENS = "answer = '·'.join(decode([id], merges) for id in encode(text, merges))"


def _text(draw: Draw) -> str:
    """Some words of two or three letters; several stand there more than once."""
    words = ["".join(draw.random.choice(list("abn"), draw.one(2, 3, 4))) for _ in range(3)]
    return " ".join(words[n] for n in draw.random.permutation([0, 0, 1, 1, 2]))


def _counts(pieces: Iterable[tuple[str, int]], pairs: Pairs = pairwise) -> Counter[Pair]:
    """How often each pair stands in pieces, each of which comes so many times."""
    counts: Counter[Pair] = Counter()
    for piece, times in pieces:
        for pair in pairs(list(piece.encode())):
            counts[pair] += times
    return counts


def _each_once(ids: list[int]) -> Iterable[Pair]:
    return dict.fromkeys(pairwise(ids))


def _token(pair: Pair) -> str:
    return bytes(pair).decode().replace(" ", "_")


def _best(counts: Counter[Pair]) -> str:
    return _token(max(counts, key=counts.__getitem__))


@question(
    FIRST,
    lesson="The pair of neighbours that is most frequent becomes a new token.",
)
def the_first_merge(draw: Draw) -> Case:
    """Each occurrence inside a piece counts, and of equally frequent pairs the first is taken."""
    text = _text(draw)
    pieces = Counter(PIECE.findall(text))
    counts = _counts(pieces.items())
    return Case(
        f"The text is {text!r}. Which token does the first merge make? The sign _ stands for a "
        "blank.",
        {"text": text},
        _best(counts),
        {
            "pieces-counted-once": _best(_counts((piece, 1) for piece in pieces)),
            "once-per-piece": _best(_counts(pieces.items(), _each_once)),
            "last-of-equals": _token(max(reversed(list(counts)), key=counts.__getitem__)),
            "smallest-of-equals": _token(min(counts, key=lambda pair: (-counts[pair], pair))),
            "rarest": _token(min(counts, key=counts.__getitem__)),
            "across-words": _best(_counts([(text, 1)])),
            "blanks-split-away": _best(_counts(Counter(text.split()).items())),
        },
    )


def _shown(ids: Array) -> str:
    return "[" + ", ".join(str(int(n)) for n in np.asarray(ids).flatten()) + "]"


@question(
    "answer = torch.tensor(merged(ids, pair, 9))",
    lesson="Pairs are replaced from left to right, and each id belongs to one pair only.",
)
def equal_neighbours(draw: Draw) -> Case:
    """A pair is replaced, and the search goes on behind it: an id is in one pair only."""
    count = draw.one(3, 5)
    ids = [*draw.random.integers(1, 5, draw.one(1, 2)).tolist(), *[7] * count, draw.one(5, 6)]
    pair, at = (7, 7), ids.index(7)
    return Case(
        f"The ids are {ids}. The pair (7, 7) becomes 9. What is left?",
        {"ids": [int(n) for n in ids], "pair": pair},
        np.array(merged(ids, pair, 9)),
        {
            "second-kept": np.array([*ids[:at], *[9] * (count - 1), *ids[at + count - 1 :]]),
            "first-only": np.array([*ids[:at], 9, *ids[at + 2 :]]),
            "from-the-right": np.array(merged(ids[::-1], pair, 9)[::-1]),
            "last-id-lost": np.array(merged(ids, pair, 9)[:-1]),
        },
        _shown,
    )


def _words(merges: list[Pair]) -> list[bytes]:
    words = [bytes([byte]) for byte in range(256)]
    for left, right in merges:
        words.append(words[left] + words[right])
    return words


def _joined(ids: Iterable[int], merges: list[Pair]) -> str:
    words = _words(merges)
    return "·".join(words[id].decode() for id in ids)


def _repeated(text: str, merges: list[Pair], choose: Callable[[list[int]], int | None]) -> str:
    """The tokens, if `choose` says the rank of the next merge, until it says None."""
    ids = list(text.encode())
    while (rank := choose(ids)) is not None:
        ids = merged(ids, merges[rank], 256 + rank)
    return _joined(ids, merges)


def _longest(text: str, merges: list[Pair]) -> str:
    rest, words, out = text.encode(), _words(merges), []
    while rest:
        best = max((w for w in words if rest.startswith(w)), key=len)
        out.append(best.decode())
        rest = rest[len(best) :]
    return "·".join(out)


@question(TOKENS, lesson="It repeats the merges in the order in which they were learned.")
def which_tokens(draw: Draw) -> Case:
    """Of all pairs that stand there, the one that was learned first is merged first."""
    a, b, c = map(ord, draw.random.permutation(list("abc")))
    merges = draw.one([(b, c), (c, a), (a, b)], [(b, c), (a, b), (c, a)])
    text = bytes(draw.one([a, b, c, a, b], [a, b, c, a, b, a], [a, a, b, c, a, b])).decode()
    names = [f"{_words(merges)[x].decode()} + {_words(merges)[y].decode()}" for x, y in merges]

    def known(ids: list[int]) -> list[int]:
        return [merges.index(pair) for pair in pairwise(ids) if pair in merges]

    def once(ids: list[int]) -> int | None:
        return min(known(ids), default=None) if max(ids) < 256 else None

    return Case(
        f"These merges were learned, in this order: {', then '.join(names)}. Which tokens does "
        f"encode make of {text!r}?",
        {"text": text, "merges": merges},
        _joined(encode(text, merges), merges),
        {
            "leftmost-first": _repeated(text, merges, lambda ids: next(iter(known(ids)), None)),
            "longest-first": _longest(text, merges),
            "one-merge-per-piece": _repeated(text, merges, once),
        },
    )


@question(
    "answer = torch.tensor(encode(text, []))",
    lesson="A character beyond ASCII has two bytes or more.",
)
def without_merges(draw: Draw) -> Case:
    """Without merges the ids are the bytes, and each character beyond ASCII has several."""
    text = draw.one(" Öl", " für", " Ärger", "Über ", " café")
    characters = list(map(ord, text))
    return Case(
        f"There are no merges. A letter like 'ä' has two bytes, an ASCII letter has one. What are "
        f"the ids of {text!r}? (A blank is 32.)",
        {"text": text},
        np.array(encode(text, [])),
        {
            "encoded-characters": np.array(characters),
            "encoded-ascii": np.array([n for n in characters if n < 128]),
            "encoded-stripped": np.array(encode(text.strip(), [])),
            "encoded-small": np.array(encode(text.lower(), [])),
            "encoded-blank-before": np.array(encode(" " + text, [])),
        },
        _shown,
    )
