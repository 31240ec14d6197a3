"""Compare what came with what was expected: kind, shape, dtype, device, finiteness, values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from checks.machine.asking.values import widened
from checks.machine.verdicts import Fail, Unsure
from checks.receipts import receipt

TOLERANCE = 5e-5  # The one tolerance: |got - expected| <= TOLERANCE * (1 + |expected|).
MOST_ROWS = 5
MOST_COLUMNS = 7
MOST_DIGITS = 6  # Of a number, where there are so many columns, in 80 characters.


class Received:
    """A value that came from the learner's code.

    `kind` is "tensor" or the name of a Python type, `tried` the call that gave it, `unsure` the
    sentence to say instead of "your values are wrong" when parameters cannot be told apart.
    """

    def __init__(self, report: Any, name: str, tried: str, dtype: str, unsure: str | None = None):
        report = report if isinstance(report, dict) else {}
        self.kind = str(report.get("kind", "nothing"))
        self.name, self.tried, self.wanted_dtype, self.unsure = name, tried, dtype, unsure
        self.dtype = str(report.get("dtype"))
        self.device = str(report.get("device"))
        self.layout = str(report.get("layout"))
        self.requires_grad = report.get("requires_grad") is True
        self.plain = report.get("plain")
        self.shape = tuple(report.get("shape") or ())
        self.args: tuple[Any, ...] = ()  # What was asked, as far as it is known here.
        self.names: list[str] = []  # Of these, where they are known.
        self.function: Any = None  # Of which it was asked.
        self.truth: NDArray[Any] | None = None  # What it should have been.
        self.array = _numbers(report.get("array"), self.shape)
        self.items = [
            Received(item, name, tried, dtype, unsure) for item in report.get("items") or []
        ]

    def parts(self, *names: str) -> list[Received]:
        """The members of a tuple, with a name each. Fails if there are more or fewer."""
        if self.kind not in ("tuple", "list") or len(self.items) != len(names):
            was = self.describe()
            raise Fail("values", self.say(f"returned {was}, expected a pair: {', '.join(names)}"))
        for item, name in zip(self.items, names):
            item.name, item.function = name, self.function
            item.args, item.names = self.args, self.names
        return self.items

    def describe(self) -> str:
        if self.kind == "tensor":
            return f"a tensor {self.shape} of {self.dtype}"
        if self.kind in ("tuple", "list"):
            return f"a {self.kind} of {len(self.items)}"
        return "None" if self.kind == "NoneType" else f"a {self.kind}"

    def say(self, sentence: str) -> str:
        return f"Tried {self.tried}\n{sentence}"


def _numbers(array: Any, shape: tuple[int, ...]) -> NDArray[Any] | None:
    """The numbers of a wire array, if it is what it says it is."""
    if array is None or getattr(array, "dtype", None) not in _WIDTH or array.shape != shape:
        return None
    if len(array.data) != _WIDTH[array.dtype] * int(np.prod(shape, dtype=np.int64)):
        return None
    return np.frombuffer(array.data, array.dtype).reshape(shape)


_WIDTH = {"float32": 4, "float64": 8, "int64": 8, "int32": 4, "uint8": 1, "bool": 1}


def expect(
    got: Received, expected: Any, dtype: str | None = None, only: NDArray[np.bool_] | None = None
) -> None:
    """Fail unless `got` is a tensor with the shape, the dtype and the values of `expected`.

    `only`, over the leading axes, says where the values count (elsewhere they are open).
    """
    truth = np.asarray(expected)
    expect_form(got, truth.shape, dtype)
    assert got.array is not None
    if only is not None:
        counts = only.reshape(only.shape + (1,) * (truth.ndim - only.ndim))
        got.array = np.where(counts, got.array, truth.astype(got.array.dtype))
    if not np.isfinite(got.array).all():
        got.truth = truth
        raise Fail("non_finite", got.say(_not_finite(got)), got=got)
    wrong = differs(got.array, truth)
    if wrong.any():
        got.truth = truth
        lines = [_difference(got, truth, wrong), *_written_out(got, truth, wrong)]
        fail = Fail("values", got.say("\n".join(lines)), got=got)
        raise fail if got.unsure is None else Unsure(got.say(got.unsure), fail)


def expect_number(got: Received, expected: float, rounding: float = 0.0) -> None:
    """Fail unless `got` is a plain number, and this one up to rounding, relative to it.

    `rounding`: what it may differ besides, however small it is.
    """
    if got.kind == "tensor" and got.shape == ():
        sentence = f"{got.name} is a tensor, expected a plain Python number."
        raise Fail("values", got.say(sentence), shows="tensor-for-number")
    if got.kind not in ("float", "int"):
        hint = " Is a return missing?" if got.kind == "NoneType" else ""
        sentence = f"{got.name} is {got.describe()}, expected a number.{hint}"
        raise Fail("values", got.say(sentence), shows="nothing-returned" if hint else None)
    if type(got.plain) not in (int, float) or not np.isfinite(got.plain):
        raise Fail("non_finite", got.say(f"{got.name} is {got.plain or 'nan'}."))
    if not abs(got.plain - expected) <= TOLERANCE * abs(expected) + rounding:
        sentence = f"{got.name}: expected {expected:.6g}, got {got.plain:.6g}."
        raise Fail("values", got.say(sentence))


def expect_text(got: Received, expected: str, facts: str) -> None:
    """Fail unless `got` is this text; `facts` are said if it is another."""
    if got.kind != "str":
        hint = " Is a return missing?" if got.kind == "NoneType" else ""
        sentence = f"{got.name} is {got.describe()}, expected a str.{hint}"
        raise Fail("values", got.say(sentence), shows="nothing-returned" if hint else None)
    if got.plain != expected:
        sentence = f'{got.name}: expected "{expected}", got "{str(got.plain)[:200]}".'
        raise Fail("values", got.say(f"{sentence}\n{facts}"))


def expect_form(got: Received, shape: tuple[int, ...], dtype: str | None = None) -> None:
    """Fail unless `got` is an ordinary tensor of that shape and dtype."""
    dtype = dtype or got.wanted_dtype
    if got.kind != "tensor":
        hint = " Is a return missing?" if got.kind == "NoneType" else ""
        sentence = f"{got.name} is {got.describe()}, expected a tensor.{hint}"
        raise Fail("values", got.say(sentence), shows="nothing-returned" if hint else None)
    if got.layout != "strided":
        raise Fail("values", got.say(f"{got.name} is a tensor of layout {got.layout}."))
    if got.shape != shape:
        raise Fail("shape", got.say(f"{got.name} has shape {got.shape}, expected {shape}."))
    if got.dtype != dtype:
        raise Fail("dtype", got.say(f"{got.name} has dtype {got.dtype}, expected {dtype}."))
    if got.device != "cpu":
        raise Fail("device", got.say(f"{got.name} is on device {got.device}, its input on cpu."))
    if got.array is None:
        raise Fail("values", got.say(f"{got.name} is a tensor whose numbers cannot be read."))


def differs(got: NDArray[Any], truth: NDArray[Any]) -> NDArray[np.bool_]:
    """Where the numbers differ by more than the tolerance. NaN differs from everything."""
    got, truth = widened(got), widened(truth)
    with np.errstate(invalid="ignore"):
        return ~(np.abs(got - truth) <= TOLERANCE * (1 + np.abs(truth)))


def _not_finite(got: Received) -> str:
    assert got.array is not None
    bad = ~np.isfinite(got.array)
    first = tuple(int(n) for n in np.argwhere(bad)[0])
    return (
        f"{got.name} holds {got.array[first]} at {_at(first)}, "
        f"and {int(bad.sum())} of its {bad.size} numbers are not finite."
    )


def _difference(got: Received, truth: NDArray[Any], wrong: NDArray[np.bool_]) -> str:
    """The slice with the first difference, expected and got, differing numbers marked."""
    assert got.array is not None
    first = tuple(int(n) for n in np.argwhere(wrong)[0])
    asked = _asked(got, first[0], len(truth)) if truth.ndim > 1 else []
    share = f"{int(wrong.sum())} of {wrong.size} numbers differ"
    if truth.ndim == 0:
        return f"{got.name}: expected {truth:.4f}, got {got.array:.4f}."
    lead, row, column = first[:-2], first[-2] if truth.ndim > 1 else 0, first[-1]
    place = f"{got.name}{_at(lead)}" if lead else got.name
    tables = [np.atleast_2d(a[lead]) for a in (truth, got.array, wrong)]
    rows = range(max(0, min(row, len(tables[0]) - MOST_ROWS)), len(tables[0]))[:MOST_ROWS]
    width = tables[0].shape[1]
    left = max(0, min(column - 1, width - MOST_COLUMNS)) if width > MOST_COLUMNS else 0
    columns = range(left, min(width, left + MOST_COLUMNS))
    numbers = [table[r, c] for table in tables[:2] for r in rows for c in columns]
    wide = max(len(_digits(number)) for number in numbers)
    if len(columns) == MOST_COLUMNS and wide > MOST_DIGITS:
        columns = columns[1:] if column == columns[-1] else columns[:-1]
    here = f"{place}, rows {rows[0]} to {rows[-1]}"
    if width > len(columns):
        here += f", columns {columns[0]} to {columns[-1]}"
    lines = [*asked, f"{share}, the first at {_at(first)}. Here: {here}:"]
    for title, table in (("expected", tables[0]), ("got", tables[1])):
        for r in rows:
            stars = [title == "got" and tables[2][r, c] for c in columns]
            cells = [
                f" {_digits(table[r, c]):>{wide}}{'*' if star else ' '}"
                for c, star in zip(columns, stars)
            ]
            label = title if r == rows[0] else ""
            lines.append(f"{label:<8} row {r:>{len(str(rows[-1]))}}" + "".join(cells))
    lines.append("A * marks a number that differs.")
    return "\n".join(lines)


def _written_out(got: Received, truth: NDArray[Any], wrong: NDArray[np.bool_]) -> list[str]:
    """The first number that differs as arithmetic to be done again by hand, where it is short."""
    if got.function is None or truth.ndim == 0 or truth.dtype == bool:
        return []
    assert got.array is not None
    at = tuple(int(n) for n in np.argwhere(wrong)[0])
    made = got.function.made.partition("(")[0]
    weights = {**got.function.weights, "n_head": np.asarray(getattr(got.function, "n_head", 1))}
    written = receipt(made, got.name, weights, got.args, at)
    for digits in (3, 4, 5, 6):  # As many as it takes to see the difference.
        right, yours = f"{truth[at]:.{digits}f}", f"{got.array[at]:.{digits}f}"
        if right != yours:
            break
    return [f"{got.name}{_at(at)}: {written} = {right}, yours {yours}."] if written else []


def _asked(got: Received, sentence: int, batch_size: int) -> list[str]:
    """The tokens of a sentence, and what its mask shows: what is needed to follow its numbers."""
    lines = []
    for arg, name in zip(got.args, got.names):
        if not isinstance(arg, np.ndarray) or arg.dtype.kind not in "bi" or arg.ndim < 2:
            continue
        own = arg[min(sentence, len(arg) - 1)] if arg.ndim in (2, 4) else arg
        if arg.dtype.kind == "i" and arg.ndim == 2 and len(arg) == batch_size:
            lines.append(f"{name or 'tokens'}[{sentence}]: {' '.join(map(str, own))}")
        elif arg.dtype.kind == "b":
            rows = own[0] if own.ndim == 3 else np.atleast_2d(own)
            shown = " ".join("".join(str(int(key)) for key in row) for row in rows[:MOST_ROWS])
            legend = "(1 may be looked at, one group a query)"
            lines.append(f"{name or 'mask'}[{sentence}] {legend}: {shown}")
    return lines


def _digits(value: Any) -> str:
    if isinstance(value, (np.bool_, np.integer)):
        return f"{int(value):>3}"
    return f"{value:.3f}" if abs(value) < 1000 else f"{value:.1e}"


def _at(index: tuple[int, ...]) -> str:
    return "[" + ", ".join(map(str, index)) + "]"
