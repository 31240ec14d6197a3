"""Reading a GGUF file: facts by name, and tensors, some of them in blocks of small numbers.

The format is that of the `gguf` package of llama.cpp, version 3. Only what files of this course's
model family hold is read. Anything else is refused by name.
"""

from __future__ import annotations

import math
import mmap
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from checks.engine.commands.words import Usage

PLAIN = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
TEXT, LIST = 8, 9
MOST = 1 << 24  # Entries of a list, characters of a text: more is a broken file.
Floats = NDArray[np.float32]


def _f32(raw: NDArray[np.uint8]) -> Floats:
    return raw.view(np.float32)


def _f16(raw: NDArray[np.uint8]) -> Floats:
    return raw.view(np.float16).astype(np.float32)


def _q8_0(raw: NDArray[np.uint8]) -> Floats:
    """Blocks of 32 bytes with a common scale: scale * byte."""
    blocks = raw.reshape(-1, 34)
    scale = blocks[:, :2].copy().view(np.float16).astype(np.float32)
    return (scale * blocks[:, 2:].view(np.int8)).reshape(-1)


def _q4_1(raw: NDArray[np.uint8]) -> Floats:
    """Blocks of 32 numbers of 4 bits: scale * number + least. Low halves of bytes come first."""
    blocks = raw.reshape(-1, 20)
    scale, least = blocks[:, :4].copy().view(np.float16).astype(np.float32).T[..., None]
    numbers = np.concatenate([blocks[:, 4:] & 15, blocks[:, 4:] >> 4], axis=1)
    return (scale * numbers + least).reshape(-1)


# By the number of a kind: numbers in a block, bytes of a block, and how a block is read.
KINDS: dict[int, tuple[int, int, Callable[[NDArray[np.uint8]], Floats]]] = {
    0: (1, 4, _f32),
    1: (1, 2, _f16),
    3: (32, 20, _q4_1),
    8: (32, 34, _q8_0),
}


class Stored(NamedTuple):
    """Where a tensor stands in the file, and how. shape: as in PyTorch, (out, in)."""

    shape: tuple[int, ...]
    kind: int
    at: int

    @property
    def size(self) -> int:
        """Its bytes."""
        numbers, bytes_of_block, _ = KINDS[self.kind]
        return math.prod(self.shape) // numbers * bytes_of_block


class Gguf:
    """A file: `facts` by name, and its tensors one by one. Raises Usage if it cannot be read."""

    def __init__(self, path: Path):
        self.path, self.at = path, 0
        try:
            with path.open("rb") as file:
                self.bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self._read_all()
        except IsADirectoryError:
            raise Usage(f"{path} is a folder, not a file of weights.") from None
        except OSError as error:
            raise Usage(f"{path} cannot be read: {error.strerror}.") from None
        except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError, struct.error):
            raise self._broken() from None

    def _broken(self) -> Usage:
        return Usage(f"{self.path} is no whole GGUF file of version 3. Fetch it again.")

    def _read_all(self) -> None:
        if self.bytes[:4] != b"GGUF" or self._plain("I", skip=4) != 3:
            raise self._broken()
        tensors, facts = self._plain("Q"), self._plain("Q")
        self.facts = {self._text(): self._value(self._plain("I")) for _ in range(facts)}
        found = [self._stored() for _ in range(tensors)]
        unit = self.facts.get("general.alignment", 32)
        start = -(-self.at // unit) * unit
        self.tensors = {name: Stored(shape, kind, start + at) for name, shape, kind, at in found}
        for name, one in self.tensors.items():
            if one.kind not in KINDS:
                raise Usage(f"{self.path}: {name} is of kind {one.kind}, which is not read here.")
            if one.at + one.size > len(self.bytes):
                raise Usage(f"{self.path} is cut: {name} is not whole. Fetch it again.")

    def _plain(self, form: str, skip: int = 0) -> Any:
        self.at += skip
        (value,) = struct.unpack_from("<" + form, self.bytes, self.at)
        self.at += struct.calcsize("<" + form)
        return value

    def _text(self) -> str:
        length = self._plain("Q")
        if length > MOST:
            raise ValueError(length)
        self.at += length
        return self.bytes[self.at - length : self.at].decode("utf-8")

    def _value(self, kind: int) -> Any:
        if kind == TEXT:
            return self._text()
        if kind != LIST:
            return self._plain(PLAIN[kind])
        inner, count = self._plain("I"), self._plain("Q")
        if count > MOST:
            raise ValueError(count)
        return [self._value(inner) for _ in range(count)]

    def _stored(self) -> tuple[str, tuple[int, ...], int, int]:
        """name, shape, kind and place of the next tensor. The file has the last axis first."""
        name, axes = self._text(), self._plain("I")
        if axes > 4:
            raise ValueError(axes)
        shape = tuple(self._plain("Q") for _ in range(axes))[::-1]
        return name, shape, self._plain("I"), self._plain("Q")

    def tensor(self, name: str) -> Floats:
        """The numbers of a tensor, in float32."""
        one = self.tensors[name]
        raw = np.fromfile(self.path, np.uint8, one.size, offset=one.at)
        return KINDS[one.kind][2](raw).reshape(one.shape)
