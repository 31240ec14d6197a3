"""Reading a safetensors file: a header in JSON, which says where each tensor is, then raw bytes."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from checks.engine.commands.words import Usage

DTYPES = {"F32": np.float32, "F16": np.float16, "I64": np.int64}
MOST = 1 << 24  # Bytes of a header: more is another file.


def read(path: Path) -> dict[str, NDArray[Any]]:
    """All tensors by name. They are mapped, so only what is used is read.

    Raises Usage if the file is cut, or is none of this kind.
    """
    try:
        content = np.memmap(path, np.uint8, "r")
    except (OSError, ValueError) as error:  # An empty file cannot be mapped.
        why = getattr(error, "strerror", None) or error
        raise Usage(f"{path} cannot be read: {why}.") from None
    length = int.from_bytes(content[:8].tobytes(), "little")
    start = 8 + length
    if not 0 < length < MOST:
        raise Usage(f"{path} is no safetensors file: its header would have {length:,} bytes.")
    try:
        header = json.loads(content[8:start].tobytes())
        return {
            name: _tensor(content[start:], entry)
            for name, entry in header.items()
            if name != "__metadata__"
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Usage(f"{path} is cut, or is no safetensors file: {error}") from None


def _tensor(content: NDArray[np.uint8], entry: dict[str, Any]) -> NDArray[Any]:
    begin, end = entry["data_offsets"]
    if end > len(content):
        raise ValueError(f"{end:,} bytes of tensors are promised, {len(content):,} are there")
    raw, shape = content[begin:end], entry["shape"]
    dtype = np.dtype(DTYPES[entry["dtype"]])
    if len(raw) != dtype.itemsize * math.prod(shape):
        raise ValueError(f"{len(raw):,} bytes do not fit the shape {shape}")
    return raw.view(dtype).reshape(shape)
