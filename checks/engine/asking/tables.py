"""What is shown of wrong numbers: a table, one as arithmetic, and the inputs behind them."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from checks.course import RECEIPT
from checks.engine.asking.received import Received

MOST_ROWS = 5
MOST_TOKENS = 30  # Of a sentence whose tokens or mask are written out.
MOST_COLUMNS = 7
CELLS = 62  # Characters of a row for its numbers: the row has 80 at most.


def difference(
    got: Received, truth: NDArray[Any], wrong: NDArray[np.bool_], most_rows: int
) -> list[str]:
    """The slice with the first difference, expected and yours; differing numbers are marked."""
    assert got.array is not None
    first = tuple(int(n) for n in np.argwhere(wrong)[0])
    share = f"{int(wrong.sum())} of {wrong.size} numbers differ"
    if truth.ndim == 0:
        digits = max(4, enough_digits(truth, got.array))
        return [f"{got.name}: expected {truth:.{digits}f}, got {got.array:.{digits}f}."]
    lead, row, column = first[:-2], first[-2] if truth.ndim > 1 else 0, first[-1]
    place = f"{got.name}{at(lead)}" if lead else got.name
    tables = [np.atleast_2d(a[lead]) for a in (truth, got.array, wrong)]
    rows = range(max(0, min(row, len(tables[0]) - most_rows)), len(tables[0]))[:most_rows]
    width = tables[0].shape[1]

    def around(most: int) -> range:
        """So many columns at most, among them the one with the difference."""
        left = max(0, min(column - 1, width - most))
        return range(left, min(width, left + most))

    cells = [(r, c) for r in rows for c in around(MOST_COLUMNS)]
    digits = max(enough_digits(*(t[cell] for t in tables[:2])) for cell in cells if tables[2][cell])
    numbers = [table[cell] for table in tables[:2] for cell in cells]
    wide = max(len(_digits(number, digits)) for number in numbers)
    columns = around(min(MOST_COLUMNS, CELLS // (wide + 2)))
    here = f"{place}, rows {rows[0]} to {rows[-1]}" if len(rows) > 1 else f"{place}, row {rows[0]}"
    if width > len(columns):
        here += f", columns {columns[0]} to {columns[-1]}"
    lines = [f"{share} (marked *). {here[:1].upper()}{here[1:]}:"]
    for title, table in (("expected", tables[0]), ("yours", tables[1])):
        for r in rows:
            stars = [title == "yours" and tables[2][r, c] for c in columns]
            shown = [
                f" {_digits(table[r, c], digits):>{wide}}{'*' if star else ' '}"
                for c, star in zip(columns, stars)
            ]
            label = title if r == rows[0] else ""
            lines.append(f"{label:<8} row {r:>{len(str(rows[-1]))}}" + "".join(shown))
    return lines


def written_out(got: Received, truth: NDArray[Any], wrong: NDArray[np.bool_]) -> list[str]:
    """The first number that differs, as arithmetic to do by hand, if that is short."""
    if got.function is None or truth.ndim == 0 or truth.dtype == bool or not RECEIPT:
        return []
    assert got.array is not None
    place = tuple(int(n) for n in np.argwhere(wrong)[0])
    made = got.function.made.partition("(")[0]
    sizes = {name: np.asarray(size) for name, size in got.function.built_with}
    weights = got.function.weights | sizes
    digits = enough_digits(truth[place], got.array[place])
    right, yours = f"{truth[place]:.{digits}f}", f"{got.array[place]:.{digits}f}"
    written = _receipt()(made, got.name, weights, got.args, place, right)
    return [f"{got.name}{at(place)}: {written} = {right}, yours {yours}."] if written else []


def _receipt() -> Callable[..., str]:
    """The course's function that writes one number as arithmetic."""
    module, _, name = RECEIPT.partition(":")
    function: Callable[..., str] = getattr(importlib.import_module(f"checks.{module}"), name)
    return function


def inputs_behind(got: Received, sentence: int, batch_size: int) -> list[str]:
    """The tokens of a sentence and its mask, if they are short: the inputs behind its numbers."""
    lines = []
    for arg, name in zip(got.args, got.names):
        if not isinstance(arg, np.ndarray) or arg.dtype.kind not in "bi" or arg.ndim < 2:
            continue
        if arg.shape[-1] > MOST_TOKENS:
            continue
        of_all = arg.ndim == 2 and len(arg) != batch_size  # (queries, keys) for all sentences.
        own = arg[min(sentence, len(arg) - 1)] if arg.ndim in (2, 4) and not of_all else arg
        place = "" if of_all else f"[{sentence}]"
        if arg.dtype.kind == "i" and arg.ndim == 2 and not of_all:
            lines.append(f"{name or 'tokens'}{place}: {' '.join(map(str, own))}")
        elif arg.dtype.kind == "b":
            rows = own[0] if own.ndim == 3 else np.atleast_2d(own)
            shown = " ".join("".join(str(int(key)) for key in row) for row in rows[:MOST_ROWS])
            blocks = "one block per query" if len(rows) > 1 else "the same for all queries"
            legend = f"(1 visible, 0 hidden; {blocks})"
            lines.append(f"{name or 'mask'}{place} {legend}: {shown}")
    return lines


def _digits(value: Any, digits: int) -> str:
    if isinstance(value, (np.bool_, np.integer)):
        return f"{int(value):>3}"
    return f"{value:.{digits}f}" if abs(value) < 1000 else f"{value:.{digits - 2}e}"


def enough_digits(one: Any, other: Any) -> int:
    """The digits that show the difference of two numbers: 3 to 6."""
    return next((n for n in (3, 4, 5) if _digits(one, n) != _digits(other, n)), 6)


def at(index: tuple[int, ...]) -> str:
    return "[" + ", ".join(map(str, index)) + "]"
