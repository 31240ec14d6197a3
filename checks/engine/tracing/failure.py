"""The numbers of a failing check in pictures: expected, the learner's, and their difference."""

from __future__ import annotations

import numpy as np

from checks.course import DISTRIBUTIONS
from checks.engine.asking.compare import Received, WrongNumbers, differs
from checks.engine.asking.values import Array, widened
from checks.engine.naming.names import axis_of
from checks.engine.tracing.drawing import Cell, Row, cells, table_of
from checks.engine.tracing.example import Kind, Picture
from checks.engine.verdicts import CheckResult

MOST_ROWS, MOST_COLUMNS = 5, 8
TITLES = ["expected", "yours (* is wrong)", "yours - expected"]


def pictures_of_failure(result: CheckResult, width: int) -> list[Row]:
    """The table with the first wrong number, three times; nothing if no table is wrong."""
    stopped = result.stopped
    if isinstance(stopped, WrongNumbers) and stopped.got.truth is not None:
        return _three(stopped.got, stopped.got.truth, width)
    return []


def _three(got: Received, truth: Array, width: int) -> list[Row]:
    assert got.array is not None
    wrong = differs(got.array, truth)
    if not truth.ndim or not wrong.any():  # It is a single number.
        return []
    first = tuple(int(n) for n in np.argwhere(wrong)[0])
    counts = np.ones(truth.shape, dtype=bool) if got.counts is None else got.counts
    tables = [np.atleast_2d(all_of[first[:-2]]) for all_of in (truth, got.array, wrong, counts)]
    start = [max(0, at - most + 2) for at, most in zip((0, *first)[-2:], (MOST_ROWS, MOST_COLUMNS))]
    rows, columns = (slice(at, at + most) for at, most in zip(start, (MOST_ROWS, MOST_COLUMNS)))
    right, yours, marks, counted = (table[rows, columns] for table in tables)
    names = [" ", *(axis_of(got, truth.ndim, axis)[0] for axis in range(truth.ndim))]
    kind: Kind = "share" if got.name in DISTRIBUTIONS else "exact"
    if truth.dtype.kind in "bi":
        kind = "mask" if truth.dtype == bool else "tokens"
    picture = Picture("", "", names[-2], names[-1], kind)
    place = f"{got.name}[{', '.join(map(str, first[:-2]))}]" if first[:-2] else got.name
    found = [[Cell(place)]]
    tables_shown = [(TITLES[0], right, np.zeros_like(marks)), (TITLES[1], yours, marks)]
    if truth.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            difference = widened(yours) - widened(right)
        tables_shown.append((TITLES[2], difference, np.zeros_like(marks)))
    for title, numbers, marked in tables_shown:
        texts = [
            [
                Cell(f"{cell.text}*" if m else cell.text, cell.shade) if c else Cell("any")
                for cell, m, c in zip(line, ms, cs)
            ]
            for line, ms, cs in zip(cells(picture, numbers), marked, counted)
        ]
        found += [[], *table_of(picture, title, texts, (start[0], start[1]))]
    return found
