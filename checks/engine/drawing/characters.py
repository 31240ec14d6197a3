"""Tables of numbers as pictures of characters: digits, and a shade where there is colour."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from checks.engine.asking.values import Array
from checks.engine.drawing.example import Picture

GAP = "   "  # Between pictures that stand side by side.
BAR = 50  # Columns of the longest bar of a curve.
GREYS = (255, 252, 249, 246, 243, 240)  # Backgrounds, from the smallest number to the largest.
DARK = 3  # From this grey on, the digits are white.


class Cell(NamedTuple):
    """Some characters, and how dark it is behind them: from 0 to 1, or None for plain text."""

    text: str
    shade: float | None = None


Row = list[Cell]


def drawn(
    picture: Picture, numbers: Array, width: int, titles: list[str] | None = None
) -> list[Row]:
    """The rows of a picture, or of all its pictures: as many side by side as fit.

    titles: one for each table; without them, the picture's own title with the table's number.
    """
    if picture.kind == "curve":
        return [[Cell(picture.title)], *_curve(np.ravel(numbers))]
    tables = numbers if numbers.ndim == 3 else numbers[None]
    titles = titles or [picture.title.format(number) for number in range(len(tables))]
    blocks = [table_of(picture, t, cells(picture, table)) for t, table in zip(titles, tables)]
    wide = max(sum(len(cell.text) for cell in row) for block in blocks for row in block)
    beside = max(1, (width + len(GAP)) // (wide + len(GAP)))
    rows: list[Row] = []
    for start in range(0, len(blocks), beside):
        if start:
            rows.append([])
        for parts in zip(*blocks[start : start + beside]):
            rows.append(_beside(list(parts), wide))
    return rows


def _beside(parts: list[Row], wide: int) -> Row:
    row: Row = []
    for number, part in enumerate(parts):
        row += [Cell(GAP)] if number else []
        used = sum(len(cell.text) for cell in part)
        row += [*part, Cell(" " * (wide - used))]
    return row


def cells(picture: Picture, table: Array) -> list[Row]:
    """The numbers of a table as text, each with its shade."""
    table = np.atleast_2d(table)
    whole = bool((table[np.isfinite(table)] == np.round(table[np.isfinite(table)])).all())
    finite = np.abs(table[np.isfinite(table)].astype(float))
    largest = 1.0 if picture.kind == "share" else max(finite.max(initial=0), 1e-9)
    return [
        [
            Cell(
                _text(picture, value, whole),
                min(abs(float(value)) / largest, 1.0) if np.isfinite(value) else None,
            )
            for value in line
        ]
        for line in table
    ]


def table_of(picture: Picture, title: str, inside: list[Row]) -> list[Row]:
    """The title, the names of the columns, and the rows of cells."""
    names, columns = picture.names(len(inside), len(inside[0]))
    wide = max(len(text) for text in [*columns, *(c.text for row in inside for c in row)]) + 1
    side = max(map(len, names))
    rows = [[Cell(title)]]
    rows.append([Cell(" " * side + "".join(f"{name:>{wide}}" for name in columns))])
    for name, row in zip(names, inside):
        padded = [Cell(f"{cell.text:>{wide}}", cell.shade) for cell in row]
        rows.append([Cell(f"{name:>{side}}"), *padded])
    return rows


def _text(picture: Picture, value: float, whole: bool) -> str:
    if picture.kind == "mask":
        return "#" if value else "."
    if picture.kind == "tokens":
        return str(int(value)) if value >= 0 else "-"
    if not np.isfinite(value):
        return "nan" if np.isnan(value) else "inf" if value > 0 else "-inf"
    if picture.kind == "share":
        return f"{round(100 * float(value)) + 0:.0f}" if value else "."
    if picture.kind == "exact":
        return f"{round(float(value), 3) + 0.0:.3f}"
    return str(int(value)) if whole else f"{round(float(value), 1) + 0.0:.1f}"  # No "-0.0".


def _curve(numbers: Array) -> list[Row]:
    largest = max(float(np.abs(numbers[np.isfinite(numbers)]).max(initial=0)), 1e-12)
    side = len(str(len(numbers)))
    return [
        [Cell(f"{n:>{side}} {'#' * round(BAR * abs(float(value)) / largest)} {_short(value)}")]
        for n, value in enumerate(numbers, 1)
    ]


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
