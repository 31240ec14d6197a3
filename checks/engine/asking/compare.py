"""Compare a value with the expected one: kind, shape, dtype, device, finiteness, values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from checks.engine.asking.answers import is_array
from checks.engine.asking.learner import Files
from checks.engine.asking.places import Sizes
from checks.engine.asking.values import Array, widened
from checks.engine.verdicts import Fail, Unsure
from checks.layouts import receipt

TOLERANCE = 5e-5  # The one tolerance: |got - expected| <= TOLERANCE * (1 + |expected|).
MOST_ROWS, FEW_ROWS = 5, 2
MOST_COLUMNS = 7
CELLS = 62  # Characters of a row for its numbers: the row has 80 at most.


class Asked(Protocol):
    """A function or a module of the learner's whose value is compared, with the right answer."""

    made: str
    built_with: Sizes
    weights: dict[str, Array]
    truth: Callable[..., Any] | None
    trains: bool | None

    @property
    def files(self) -> Files:
        """The learner's files."""

    def __call__(self, *args: Any) -> Received:
        """Call it once more."""

    def called(
        self, *args: Any, method: str | None = None, **options: Any
    ) -> tuple[Received, dict[str, Any]]:
        """Call it once more: the value, and what else the worker saw."""


class Received:
    """A value that came from the learner's code.

    `kind` is "tensor" or the name of a Python type. `tried` is the call that gave the value.
    `unsure` replaces "your values are wrong" if the roles of the parameters are not certain.
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
        self.bits = report.get("bits")  # The bits of a whole number that is too large to send.
        self.shape = tuple(report.get("shape") or ())
        self.args: tuple[Any, ...] = ()  # The arguments of the call, if they are known here.
        self.names: list[str] = []  # The names of the arguments, if they are known.
        self.changed: list[int] = []  # The arguments that came back with other numbers.
        self.function: Asked | None = None
        self.is_kept = False  # True for an attribute, which no call returned.
        self.truth: NDArray[Any] | None = None  # The value that it should have.
        self.counts: NDArray[np.bool_] | None = None  # Where its values count.
        self.array = _numbers(report.get("array"), self.shape)
        self.items = [
            Received(item, name, tried, dtype, unsure) for item in report.get("items") or []
        ]

    def parts(self, *names: str) -> list[Received]:
        """The members of a tuple, each with a name. Fails if there are more or fewer."""
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
        if self.bits is not None:
            return f"an int of about {math.ceil(self.bits * math.log10(2))} digits"
        if self.kind == "NoneType":
            return "None"
        return f"an {self.kind}" if self.kind == "int" else f"a {self.kind}"

    def say(self, sentence: str) -> str:
        return f"Example: {self.tried}\n{sentence}"


def _numbers(array: Any, shape: tuple[int, ...]) -> NDArray[Any] | None:
    """The numbers of a wire array, if the bytes agree with its shape."""
    if not is_array(array) or array.shape != shape:
        return None
    return np.frombuffer(array.data, array.dtype).reshape(shape)


class WrongNumbers(Fail):
    """The values of `got` differ from its `truth`. `asked`: the question alone, in words."""

    def __init__(
        self, kind: str, message: str, got: Received, shorter: tuple[str, ...] = (), asked: str = ""
    ):
        super().__init__(kind, message, shorter=shorter)
        self.got, self.asked = got, asked


def expect(
    got: Received, expected: Any, dtype: str | None = None, only: NDArray[np.bool_] | None = None
) -> None:
    """Fail unless `got` is a tensor with the shape, the dtype and the values of `expected`.

    `only`, over the leading axes, says where the values count. Elsewhere any value is right.
    """
    truth = np.asarray(expected)
    expect_form(got, truth.shape, dtype)
    assert got.array is not None
    counts = np.ones(truth.shape, dtype=bool)
    if only is not None:
        counts &= only.reshape(only.shape + (1,) * (truth.ndim - only.ndim))
        truth = np.where(counts, truth, got.array)  # Any value is right where none is expected.
    got.counts = counts
    bad = counts & ~np.isfinite(got.array)
    if bad.any():
        got.truth = truth
        raise WrongNumbers("non_finite", got.say(_not_finite(got, bad)), got)
    wrong = counts & differs(got.array, truth)
    if wrong.any():
        got.truth = truth
        written = _written_out(got, truth, wrong)
        first = int(np.argwhere(wrong)[0][0]) if truth.ndim > 1 else 0
        inputs = _asked(got, first, len(truth)) if truth.ndim > 1 else []
        full, *shorter = (
            got.say("\n".join([*inputs, *_difference(got, truth, wrong, rows), *more]))
            for rows, more in ((MOST_ROWS, written), (FEW_ROWS, written), (1, written), (1, []))
        )
        shorter.append("\n".join(_difference(got, truth, wrong, 1)))  # The numbers alone.
        asked = got.say("\n".join(inputs)).rstrip()
        fail = WrongNumbers("values", full, got, tuple(shorter), asked)
        raise fail if got.unsure is None else Unsure(got.say(got.unsure), fail)


def expect_number(got: Received, expected: float, rounding: float = 0.0) -> None:
    """Fail unless `got` is this plain number, up to a relative rounding error.

    `rounding`: an absolute difference that is allowed as well.
    """
    if got.kind == "tensor" and got.shape == ():
        sentence = f"{got.name} is a tensor, expected a plain Python number."
        raise Fail("values", got.say(sentence), shows="tensor-for-number")
    if got.kind not in ("float", "int"):
        raise _another_kind(got, "a number")
    if got.bits is not None:
        sentence = f"{got.name} is {got.describe()}, expected {expected:.6g}."
        raise Fail("values", got.say(sentence))
    if type(got.plain) not in (int, float) or not np.isfinite(got.plain):
        raise Fail("non_finite", got.say(f"{got.name} is {got.plain or 'nan'}."))
    if not abs(got.plain - expected) <= TOLERANCE * abs(expected) + rounding:
        sentence = f"{got.name}: expected {expected:.6g}, got {got.plain:.6g}."
        raise Fail("values", got.say(sentence))


def expect_text(got: Received, expected: str, facts: str) -> None:
    """Fail unless `got` is this text. `facts` are shown if it is another one."""
    if got.kind != "str":
        raise _another_kind(got, "a str")
    if got.plain != expected:
        sentence = f'{got.name}: expected "{expected}", got "{str(got.plain)[:200]}".'
        raise Fail("values", got.say(f"{sentence}\n{facts}"))


def expect_form(got: Received, shape: tuple[int, ...], dtype: str | None = None) -> None:
    """Fail unless `got` is an ordinary tensor of that shape and dtype."""
    dtype = dtype or got.wanted_dtype
    if got.kind != "tensor":
        raise _another_kind(got, "a tensor")
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


def _another_kind(got: Received, expected: str) -> Fail:
    """The failure for a value of another kind. Only the result of a call can lack a return."""
    if got.kind != "NoneType":
        return Fail("values", got.say(f"{got.name} is {got.describe()}, expected {expected}."))
    if got.is_kept:
        return Fail("values", got.say(f"{got.name} is still None, expected {expected}."))
    sentence = f"{got.name} is None, expected {expected}. Is a return missing?"
    return Fail("values", got.say(sentence), shows="nothing-returned")


def differs(got: NDArray[Any], truth: NDArray[Any]) -> NDArray[np.bool_]:
    """The places where numbers differ by more than the tolerance. NaN differs from everything."""
    got, truth = widened(got), widened(truth)
    with np.errstate(invalid="ignore"):
        return ~(np.abs(got - truth) <= TOLERANCE * (1 + np.abs(truth)))


def _not_finite(got: Received, bad: NDArray[np.bool_]) -> str:
    assert got.array is not None
    first = tuple(int(n) for n in np.argwhere(bad)[0])
    return (
        f"{got.name} holds {got.array[first]} at {_at(first)}, "
        f"and {int(bad.sum())} of its {bad.size} numbers are not finite."
    )


def _difference(
    got: Received, truth: NDArray[Any], wrong: NDArray[np.bool_], most_rows: int
) -> list[str]:
    """The slice with the first difference, expected and yours; differing numbers are marked."""
    assert got.array is not None
    first = tuple(int(n) for n in np.argwhere(wrong)[0])
    share = f"{int(wrong.sum())} of {wrong.size} numbers differ"
    if truth.ndim == 0:
        digits = max(4, _enough(truth, got.array))
        return [f"{got.name}: expected {truth:.{digits}f}, got {got.array:.{digits}f}."]
    lead, row, column = first[:-2], first[-2] if truth.ndim > 1 else 0, first[-1]
    place = f"{got.name}{_at(lead)}" if lead else got.name
    tables = [np.atleast_2d(a[lead]) for a in (truth, got.array, wrong)]
    rows = range(max(0, min(row, len(tables[0]) - most_rows)), len(tables[0]))[:most_rows]
    width, digits = tables[0].shape[1], _enough(truth[first], got.array[first])

    def around(most: int) -> range:
        """So many columns at most, among them the one with the difference."""
        left = max(0, min(column - 1, width - most))
        return range(left, min(width, left + most))

    numbers = [table[r, c] for table in tables[:2] for r in rows for c in around(MOST_COLUMNS)]
    wide = max(len(_digits(number, digits)) for number in numbers)
    columns = around(min(MOST_COLUMNS, CELLS // (wide + 2)))
    here = f"{place}, rows {rows[0]} to {rows[-1]}" if len(rows) > 1 else f"{place}, row {rows[0]}"
    if width > len(columns):
        here += f", columns {columns[0]} to {columns[-1]}"
    lines = [f"{share} (marked *). {_capital(here)}:"]
    for title, table in (("expected", tables[0]), ("yours", tables[1])):
        for r in rows:
            stars = [title == "yours" and tables[2][r, c] for c in columns]
            cells = [
                f" {_digits(table[r, c], digits):>{wide}}{'*' if star else ' '}"
                for c, star in zip(columns, stars)
            ]
            label = title if r == rows[0] else ""
            lines.append(f"{label:<8} row {r:>{len(str(rows[-1]))}}" + "".join(cells))
    return lines


def _written_out(got: Received, truth: NDArray[Any], wrong: NDArray[np.bool_]) -> list[str]:
    """The first number that differs, as arithmetic to do by hand, if that is short."""
    if got.function is None or truth.ndim == 0 or truth.dtype == bool:
        return []
    assert got.array is not None
    at = tuple(int(n) for n in np.argwhere(wrong)[0])
    made = got.function.made.partition("(")[0]
    sizes = {name: np.asarray(size) for name, size in got.function.built_with}
    weights = got.function.weights | sizes
    digits = _enough(truth[at], got.array[at])
    right, yours = f"{truth[at]:.{digits}f}", f"{got.array[at]:.{digits}f}"
    written = receipt(made, got.name, weights, got.args, at, right)
    return [f"{got.name}{_at(at)}: {written} = {right}, yours {yours}."] if written else []


def _asked(got: Received, sentence: int, batch_size: int) -> list[str]:
    """The tokens of a sentence and its mask: the inputs behind its numbers."""
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
            blocks = "one block per query" if len(rows) > 1 else "the same for all queries"
            legend = f"(1 visible, 0 hidden; {blocks})"
            lines.append(f"{name or 'mask'}[{sentence}] {legend}: {shown}")
    return lines


def _digits(value: Any, digits: int) -> str:
    if isinstance(value, (np.bool_, np.integer)):
        return f"{int(value):>3}"
    return f"{value:.{digits}f}" if abs(value) < 1000 else f"{value:.{digits - 2}e}"


def _enough(one: Any, other: Any) -> int:
    """The digits that show the difference of two numbers: 3 to 6."""
    return next((n for n in (3, 4, 5) if _digits(one, n) != _digits(other, n)), 6)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _at(index: tuple[int, ...]) -> str:
    return "[" + ", ".join(map(str, index)) + "]"
