"""The numbers of a failing check in pictures: expected, the learner's, and their difference."""

from __future__ import annotations

import numpy as np

from checks.course import DISTRIBUTIONS
from checks.engine.asking.compare import Received, WrongNumbers, differs
from checks.engine.asking.values import Array, widened
from checks.engine.naming.names import axis_of
from checks.engine.tracing.drawing import Cell, Row, drawn
from checks.engine.tracing.example import Picture
from checks.engine.verdicts import CheckResult

MOST_ROWS, MOST_COLUMNS = 8, 12
TITLES = ["expected", "yours", "yours - expected"]


def pictures_of_failure(result: CheckResult, width: int) -> list[Row]:
    """The table with the first wrong number, three times; nothing if no numbers are wrong."""
    stopped = result.stopped
    if isinstance(stopped, WrongNumbers) and stopped.got.truth is not None:
        return _three(stopped.got, stopped.got.truth, width)
    return []


def _three(got: Received, truth: Array, width: int) -> list[Row]:
    assert got.array is not None
    first = tuple(int(n) for n in np.argwhere(differs(got.array, truth))[0])
    if not first:  # It is a single number.
        return []
    tables = [np.atleast_2d(numbers[first[:-2]]) for numbers in (truth, got.array)]
    starts = [
        max(0, at - most + 2) for at, most in zip((0, *first)[-2:], (MOST_ROWS, MOST_COLUMNS))
    ]
    right, yours = (
        table[starts[0] : starts[0] + MOST_ROWS, starts[1] : starts[1] + MOST_COLUMNS]
        for table in tables
    )
    names = [" ", *(axis_of(got, truth.ndim, axis)[0] for axis in range(truth.ndim))]
    entries = Picture("", "", names[-2], names[-1])
    numbers = entries._replace(
        kind="mask" if truth.dtype == bool else "share" if got.name in DISTRIBUTIONS else "entry"
    )
    changes = entries if truth.dtype == bool else numbers
    with np.errstate(invalid="ignore"):
        difference = widened(yours) - widened(right)
    place = f"{got.name}[{', '.join(map(str, first[:-2]))}]" if first[:-2] else got.name
    return [
        [
            Cell(
                place + (f", from row {starts[0]} and column {starts[1]} on" if any(starts) else "")
            )
        ],
        *drawn(numbers, np.stack([right, yours]), width, TITLES[:2]),
        [],
        *drawn(changes, difference, width, TITLES[2:]),
    ]
