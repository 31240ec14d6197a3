"""Frames between the judge and a worker: JSON and raw bytes, never pickle.

A frame is two lengths, a JSON header and a body. The bytes of an array are in the body; its place
in the header has {"array": [dtype, shape, offset, size]}.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import Any

LENGTHS = struct.Struct(">IQ")
HEADER_LIMIT = 4 << 20
BODY_LIMIT = 256 << 20  # For answers of known versions, and for all requests of the judge.
NUMEL_LIMIT, MOST_ITEMS = 1_000_000, 8  # Numbers of one tensor; values of one tuple.
ANSWER_LIMIT = MOST_ITEMS * NUMEL_LIMIT * 8  # For answers of learner code: so many float64.
MOST_NOTED = 400  # Lines and calls that are noted of one run.
ROUNDS = 3  # Times that a line of a loop is noted, in one call of its function.
MOST_BITS = 63  # For a whole number.
RUNS, UNKNOWN = -1, -2  # They take the place of a wait status.


@dataclass(frozen=True)
class Array:
    """Numbers on the wire. The receiver decides which dtypes are allowed."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes


class BadFrame(Exception):
    """The received bytes are not a frame."""


class TooLarge(Exception):
    """A message does not fit into a frame."""


def encode(message: Any, limit: int = BODY_LIMIT) -> bytes:
    """A message of dictionaries, lists, plain values and Arrays -> the bytes of its frame.

    limit: the most bytes of its body.
    """
    body: list[bytes] = []
    size = 0

    def place(value: Any) -> Any:
        nonlocal size
        if not isinstance(value, Array):
            raise TypeError(f"a {type(value).__name__} cannot be sent")
        found = [value.dtype, value.shape, size, len(value.data)]
        body.append(value.data)
        size += len(value.data)
        if size > limit:
            raise TooLarge(f"more than {limit / 1e6:.0f} MB are too much to be sent")
        return {"array": found}

    header = json.dumps(message, default=place).encode()
    if len(header) > HEADER_LIMIT:
        raise TooLarge(f"{len(header) / 1e6:.0f} MB of text are too much to be sent")
    return b"".join([LENGTHS.pack(len(header), size), header, *body])


def lengths(prefix: bytes, limit: int = BODY_LIMIT) -> tuple[int, int]:
    """The lengths of header and body, from the first LENGTHS.size bytes of a frame."""
    header, body = LENGTHS.unpack(prefix)
    if header > HEADER_LIMIT or body > limit:
        raise BadFrame(f"a frame of {header} + {body} bytes")
    return header, body


def decode(header: bytes, body: bytes) -> Any:
    """The message of a frame. Raises BadFrame for anything that is not well formed."""

    taken = 0

    def rich(value: dict[str, Any]) -> Any:
        nonlocal taken
        if value.keys() != {"array"}:
            return value
        array = _array(value["array"], body)
        taken += len(array.data)
        if taken > len(body):
            raise BadFrame("two arrays in the same place")
        return array

    try:
        return json.loads(header, object_hook=rich, parse_int=_whole)
    except (ValueError, TypeError, RecursionError) as error:
        raise BadFrame(str(error)) from None


def _whole(text: str) -> int:
    number = int(text) if len(text) <= 20 else 1 << MOST_BITS
    if number.bit_length() > MOST_BITS:
        raise BadFrame("a whole number without end")
    return number


def packed(message: Any) -> Array:
    """A message that is sent many times: encoded once, as an array."""
    frame = encode(message)
    return Array("bytes", (len(frame),), frame)


def unpacked(array: Array) -> Any:
    start = LENGTHS.size
    end = start + lengths(array.data[:start])[0]
    return decode(array.data[start:end], array.data[end:])


def _array(place: Any, body: bytes) -> Array:
    dtype, shape, offset, size = place
    whole_numbers = [offset, size, *shape]
    if not all(isinstance(n, int) and n >= 0 for n in whole_numbers):
        raise BadFrame("lengths must be whole numbers")
    if not isinstance(dtype, str) or offset + size > len(body):
        raise BadFrame("an array outside the body")
    return Array(dtype, tuple(shape), body[offset : offset + size])
