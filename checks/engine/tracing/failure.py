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


def pictures_of_failure(result: CheckResult) -> tuple[str, list[Row]]:
    """What was asked, and the table with the first wrong number, three times. No rows: none is
    wrong.
    """
    stopped = result.stopped
    if not isinstance(stopped, WrongNumbers) or stopped.got.truth is None:
        return "", []
    return stopped.asked, _three(stopped.got, stopped.got.truth)


def _three(got: Received, truth: Array) -> list[Row]:
    assert got.array is not None and got.counts is not None
    wrong = got.counts & differs(got.array, truth)
    if not truth.ndim:  # It is a single number.
        return []
    first = tuple(int(n) for n in np.argwhere(wrong)[0])
    row, column = (0, *first)[-2:]
    top, left = max(0, row - MOST_ROWS + 2), max(0, column - MOST_COLUMNS + 2)
    right, yours, marks, counted = (
        np.atleast_2d(table[first[:-2]])[top : top + MOST_ROWS, left : left + MOST_COLUMNS]
        for table in (truth, got.array, wrong, got.counts)
    )
    names = [" ", *(axis_of(got, truth.ndim, axis)[0] for axis in range(truth.ndim))]
    kind: Kind = "share" if got.name in DISTRIBUTIONS else "exact"
    if truth.dtype.kind in "bi":
        kind = "mask" if truth.dtype == bool else "tokens"
    picture, none = Picture("", "", names[-2], names[-1], kind), np.zeros_like(marks)
    tables = [(TITLES[0], right, none), (TITLES[1], yours, marks)]
    if truth.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            tables.append((TITLES[2], widened(yours) - widened(right), none))
    found = [[Cell(got.name + (str([*first[:-2]]) if first[:-2] else ""))]]
    for title, numbers, marked in tables:
        inside = _marked(cells(picture, numbers), marked, counted)
        found += [[], *table_of(picture, title, inside, (top, left))]
    return found


def _marked(rows: list[Row], wrong: Array, counted: Array) -> list[Row]:
    """The cells, with a mark on what is wrong. Where nothing counts, any value is right."""
    return [
        [
            Cell(f"{cell.text}*" if is_wrong else cell.text, cell.shade) if counts else Cell("any")
            for cell, is_wrong, counts in zip(*line)
        ]
        for line in zip(rows, wrong, counted)
    ]
