"""How numbers are laid out as the text of a lesson's table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

TABLES: dict[str, Callable[[], str]] = {}


def table(function: Callable[[], str]) -> Callable[[], str]:
    """Make the function's text available to the lessons under the function's name."""
    TABLES[function.__name__] = function
    return function


def grid(
    values: ArrayLike,
    rows: Sequence[str],
    columns: Sequence[str] = (),
    decimals: int = 4,
    corner: str = "",
) -> str:
    """A matrix as aligned text: one name per row, and, if given, one name per column."""
    numbers = np.round(np.asarray(values, dtype=float), decimals) + 0.0  # No "-0.0000".
    cells = [[f"{number:.{decimals}f}" for number in row] for row in numbers]
    if columns:
        cells.insert(0, list(columns))
        rows = [corner, *rows]
    margin = max(map(len, rows))
    width = max(len(cell) for row in cells for cell in row)
    lines = [
        name.ljust(margin) + "".join("  " + cell.rjust(width) for cell in row)
        for name, row in zip(rows, cells, strict=True)
    ]
    return "\n".join(line.rstrip() for line in lines)


def names(word: str, count: int) -> list[str]:
    """["token 0", "token 1", …]."""
    return [f"{word} {n}" for n in range(count)]


def drawn(matrices: dict[str, ArrayLike]) -> str:
    """Matrices of zeros and ones, each under its title."""
    blocks = [
        [title, *(" ".join(map(str, row)) for row in np.asarray(matrix, dtype=int))]
        for title, matrix in matrices.items()
    ]
    widths = [max(map(len, block)) for block in blocks]
    lines = zip(*blocks, strict=True)
    return "\n".join(
        "   ".join(cell.ljust(n) for cell, n in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
