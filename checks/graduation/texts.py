"""Numbers in words, by the library num2words, and their tokens."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np

from checks.engine.shared import wire

NUMBERS = 10_000  # From 0 up to 9,999.
FAMILIAR = 345  # Never learned from: a number that is easy to read.
SPECIAL = ["<pad>", "<bos>", "<eos>"]  # Tokens 0, 1 and 2 of every vocabulary.
PAD, BOS, EOS = range(3)


def spelled(number: int, language: str) -> str:
    """345 -> "dreihundertfünfundvierzig", "three hundred forty five"."""
    from num2words import num2words  # type: ignore[import-untyped]

    text = str(num2words(number, lang=language))
    if language == "en":  # American style: without "and", hyphens and commas.
        text = text.replace(" and ", " ").replace("-", " ").replace(",", "")
    return text


def split(rng: np.random.Generator, *sizes: int) -> list[list[int]]:
    """Groups of numbers of these sizes, and the rest, without overlap. The first has FAMILIAR."""
    others = [int(number) for number in rng.permutation(NUMBERS) if number != FAMILIAR]
    mixed = [FAMILIAR, *others]
    ends = [0, *np.cumsum(sizes), NUMBERS]
    return [mixed[start:end] for start, end in pairwise(ends)]


class Vocabulary:
    """The tokens of some texts. `joint` is the text between two tokens: "", or a space."""

    def __init__(self, texts: Iterable[str], joint: str, begins: bool):
        self.joint, self.begins = joint, begins
        self.tokens = [*SPECIAL, *sorted({part for text in texts for part in self._parts(text)})]
        self.ids = {token: number for number, token in enumerate(self.tokens)}

    def __len__(self) -> int:
        return len(self.tokens)

    def encode(self, text: str) -> list[int]:
        """The ids of a text, from bos if it `begins`, to eos."""
        ids = [self.ids[part] for part in self._parts(text)]
        return [*([BOS] if self.begins else []), *ids, EOS]

    def for_worker(self) -> list[Any]:
        return [self.tokens, self.joint, self.begins]

    def _parts(self, text: str) -> Iterable[str]:
        return text.split(self.joint) if self.joint else text


def padded(rows: list[list[int]]) -> wire.Array:
    """Rows of ids as one array, (len(rows), longest), int64, filled up with padding."""
    filled = np.full((len(rows), max(map(len, rows))), PAD, np.int64)
    for line, row in zip(filled, rows):
        line[: len(row)] = row
    return on_the_wire(filled)


def on_the_wire(numbers: np.ndarray[Any, Any]) -> wire.Array:
    return wire.Array("int64", numbers.shape, numbers.astype("<i8").tobytes())


def received_as_they_are(array: wire.Array) -> np.ndarray[Any, Any]:
    """The numbers in the dtype in which they came."""
    return np.frombuffer(array.data, np.dtype(array.dtype).newbyteorder("<")).reshape(array.shape)


def received(array: wire.Array) -> np.ndarray[Any, Any]:
    return np.frombuffer(array.data, "<i8").reshape(array.shape)
