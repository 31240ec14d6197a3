"""Frames between the judge and a worker: JSON and raw bytes, never pickle.

A frame is two lengths, a JSON header and a body. Arrays stand in the header as
{"array": [dtype, shape, offset, size]} and their bytes in the body.
"""

import json
import struct
from dataclasses import dataclass
from typing import Any

LENGTHS = struct.Struct(">IQ")
HEADER_LIMIT = 4 << 20
BODY_LIMIT = 256 << 20


@dataclass(frozen=True)
class Array:
    """Numbers on the wire. Which dtypes are allowed is the receiver's business."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes


class BadFrame(Exception):
    """What came is not a frame."""


def encode(message: Any) -> bytes:
    """A message of dictionaries, lists, plain values and Arrays -> the bytes of its frame."""
    body: list[bytes] = []
    size = 0

    def place(value: Any) -> Any:
        nonlocal size
        if not isinstance(value, Array):
            raise TypeError(f"a {type(value).__name__} cannot be sent")
        found = [value.dtype, value.shape, size, len(value.data)]
        body.append(value.data)
        size += len(value.data)
        return {"array": found}

    header = json.dumps(message, default=place).encode()
    return b"".join([LENGTHS.pack(len(header), size), header, *body])


def lengths(prefix: bytes) -> tuple[int, int]:
    """The lengths of header and body, from the first LENGTHS.size bytes of a frame."""
    header, body = LENGTHS.unpack(prefix)
    if header > HEADER_LIMIT or body > BODY_LIMIT:
        raise BadFrame(f"a frame of {header} + {body} bytes")
    return header, body


def decode(header: bytes, body: bytes) -> Any:
    """The message of a frame. Raises BadFrame for anything that is not well formed."""

    def rich(value: dict[str, Any]) -> Any:
        return _array(value["array"], body) if value.keys() == {"array"} else value

    try:
        return json.loads(header, object_hook=rich)
    except (ValueError, TypeError, RecursionError) as error:
        raise BadFrame(str(error)) from None


def packed(message: Any) -> Array:
    """A message that is sent again and again: encoded once, on its way like a file."""
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
