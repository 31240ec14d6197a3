"""Arguments on their way to the worker."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from checks.machine.worker import wire

Array = NDArray[Any]
DESCRIBED = {"float64": "", "float32": "", "int64": " int64", "bool": " bool"}


def to_wire(value: Any, dtype: str) -> Any:
    """An argument as the worker takes it; numbers with a fraction in the given dtype."""
    if hasattr(value, "sent"):  # A stand-in, or a module of the learner's.
        return value.sent(dtype)
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype.kind == "f":
        value = value.astype(dtype)
    return wire.Array(str(value.dtype), value.shape, np.ascontiguousarray(value).tobytes())


def plain(array: Any) -> Array:
    return widened(np.frombuffer(array.data, array.dtype).reshape(array.shape))


def widened(numbers: NDArray[Any]) -> Array:
    """In double precision. What memory held before may be a NaN that signals: no warning of it."""
    with np.errstate(invalid="ignore"):
        return numbers.astype(np.float64)


def exact(values: Array) -> Array:
    return values.astype(np.float32).astype(np.float64)


def describe(arg: Any, name: str = "") -> str:
    """An argument for the learner's eyes: its name, and its shape or its value."""
    if hasattr(arg, "described"):
        return str(arg.described)
    if isinstance(arg, np.ndarray):
        return f"{name} {arg.shape}{DESCRIBED.get(str(arg.dtype), '')}".strip()
    return f"{name} {arg!r}".strip()
