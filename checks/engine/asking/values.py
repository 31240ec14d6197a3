"""Arguments on their way to the worker."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from checks.engine.shared import wire

Array = NDArray[Any]
HALF = ("float16", "bfloat16")  # NumPy lacks the second: both are sent as float32.
MOST_SHOWN = 200  # Characters of a text or a list.
DESCRIBED = {"float64": "", "float32": "", "int64": " int64", "bool": " bool"}


class Argument:
    """An argument that is sent in its own form: a stand-in, or a module of the learner's."""

    @property
    def described(self) -> str:
        """The argument in words for the learner."""
        raise NotImplementedError

    def sent(self, dtype: str) -> Any:
        """The argument in the worker's form, with fractions in the given dtype."""
        raise NotImplementedError


class Kept(Argument):
    """An array that is sent in its own dtype, and as a whole: it has no row for each sentence."""

    def __init__(self, name: str, numbers: Array, dtype: str = "float32"):
        self.name, self.numbers, self.dtype = name, numbers, dtype

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return self.numbers.astype(np.float64)

    @property
    def described(self) -> str:
        return f"{self.name} {self.numbers.shape} {self.dtype}"

    def sent(self, dtype: str) -> Any:
        return to_wire(self.numbers, self.dtype)


class Crossed(np.ndarray):
    """An array whose numbers are not in order in memory, like those of a transposed tensor.

    It is made by `array.view(Crossed)`.
    """


def to_wire(value: Any, dtype: str) -> Any:
    """An argument in the worker's form, with fractions in the given dtype."""
    if isinstance(value, Argument):
        return value.sent(dtype)
    if isinstance(value, tuple):
        return [to_wire(item, dtype) for item in value]
    if isinstance(value, list):
        return {"list": [to_wire(item, dtype) for item in value]}
    if isinstance(value, Crossed):
        return {"crossed": to_wire(np.asarray(value), dtype)}
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype.kind == "f" and dtype in HALF:
        return {"half": dtype, "numbers": to_wire(value, "float32")}
    if value.dtype.kind == "f":
        value = value.astype(dtype)
    return wire.Array(str(value.dtype), value.shape, np.ascontiguousarray(value).tobytes())


def changed(sent: list[Any], back: list[Any]) -> list[int]:
    """Which of these arguments, by number, a call has changed: arrays, and lists of arrays or of
    whole numbers.
    """
    pairs = enumerate(zip(map(_in_lists, sent), back))
    return [n for n, (one, two) in pairs if _is_numbers(one) and one != two]


def _in_lists(sent: Any) -> Any:
    """An argument in the form in which the worker sends its numbers back."""
    if isinstance(sent, dict) and "half" in sent:
        return to_wire(rounded(plain(sent["numbers"]), sent["half"]), "float32")
    if isinstance(sent, dict):
        sent = sent.get("list", sent.get("crossed", sent))
    return list(map(_in_lists, sent)) if isinstance(sent, list) else sent


def rounded(numbers: Array, half: str) -> Array:
    """The numbers as float16 or bfloat16 holds them; the second has 8 bits for the digits."""
    if half == "float16":
        with np.errstate(over="ignore"):  # Large numbers become infinite.
            return numbers.astype(np.float16).astype(np.float64)
    digits, exponent = np.frexp(numbers)
    return np.ldexp(np.round(digits * 256) / 256, exponent)


def _is_numbers(sent: Any) -> bool:
    if isinstance(sent, list):
        return all(map(_is_numbers, sent))
    return isinstance(sent, wire.Array) or type(sent) is int


def plain(array: wire.Array) -> Array:
    return widened(np.frombuffer(array.data, array.dtype).reshape(array.shape))


def widened(numbers: NDArray[Any]) -> Array:
    """The numbers in double precision, without a warning of a signalling NaN in new memory."""
    with np.errstate(invalid="ignore"):
        return numbers.astype(np.float64)


def exact(values: Array) -> Array:
    return values.astype(np.float32).astype(np.float64)


def describe(arg: Any, name: str = "") -> str:
    """An argument in words for the learner: its name, and its shape or its value."""
    if isinstance(arg, Argument):
        return arg.described
    if isinstance(arg, np.ndarray):
        how = ", not contiguous" if isinstance(arg, Crossed) else ""
        return f"{name} {arg.shape}{DESCRIBED.get(str(arg.dtype), '')}{how}".strip()
    if isinstance(arg, tuple):
        return f"{name} of {' and '.join(map(describe, arg))}".strip()
    if isinstance(arg, list) and arg and isinstance(arg[0], tuple) and not _is_plain(arg[0]):
        return f"{name}: {len(arg)} times {describe(arg[0]).removeprefix('of ')}"
    shown = repr(arg)
    return f"{name} {shown if len(shown) <= MOST_SHOWN else shown[:MOST_SHOWN] + ' …'}".strip()


def _is_plain(values: tuple[Any, ...]) -> bool:
    return all(isinstance(value, int) for value in values)
