"""The numbers of a failing check in pictures: expected, the learner's, and their difference."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from checks.course import DISTRIBUTIONS
from checks.engine.asking.compare import differs
from checks.engine.asking.received import Received, WrongNumbers
from checks.engine.asking.values import Array, widened
from checks.engine.drawing.characters import Cell, Row, cells, table_of
from checks.engine.drawing.example import Kind, Picture
from checks.engine.drawing.sketch import GAP, Sketch
from checks.engine.naming.names import axis_of
from checks.engine.verdicts import CheckResult

MOST_ROWS, MOST_COLUMNS = 5, 8
TITLES = ["expected", "yours (* is wrong)", "yours - expected"]


class Part(NamedTuple):
    """A window on one of the three tables: its cells with their marks, and which are wrong."""

    title: str
    picture: Picture
    cells: list[Row]
    wrong: Array


class Failure(NamedTuple):
    """What was asked, the value with the first wrong number, and three tables of it."""

    asked: str
    value: str
    parts: list[Part]

    def rows(self) -> list[Row]:
        """All as characters."""
        found = [[Cell(self.value)]]
        for part in self.parts:
            found += [[], *table_of(part.picture, part.title, part.cells)]
        return found

    def add_to(self, sketch: Sketch) -> None:
        """Draw the tables below all that is there."""
        for part in self.parts:
            top = sketch.height + (GAP if sketch.height else 0)
            title = f"{self.value}, {part.title}"
            sketch.cells(8, top, part.picture, title, part.cells, part.wrong)


def failure_of(result: CheckResult) -> Failure | None:
    """The tables of a failing check; None: no number of a table is wrong."""
    stopped = result.stopped
    if not isinstance(stopped, WrongNumbers) or stopped.got.truth is None:
        return None
    got, truth = stopped.got, stopped.got.truth
    return _three(stopped.asked, got, truth) if truth.ndim else None


def _three(asked: str, got: Received, truth: Array) -> Failure:
    assert got.array is not None and got.counts is not None
    wrong = got.counts & differs(got.array, truth)
    first = tuple(int(n) for n in np.argwhere(wrong)[0])
    row, column = (0, *first)[-2:]
    top, left = max(0, row - MOST_ROWS + 2), max(0, column - MOST_COLUMNS + 2)
    right, yours, marks, counted = (
        np.atleast_2d(table[first[:-2]])[top : top + MOST_ROWS, left : left + MOST_COLUMNS]
        for table in (truth, got.array, wrong, got.counts)
    )
    axes = [" ", *(axis_of(got, truth.ndim, axis) for axis in range(truth.ndim))]
    kind: Kind = "share" if got.name in DISTRIBUTIONS else "exact"
    if truth.dtype.kind in "bi":
        kind = "mask" if truth.dtype == bool else "tokens"
    picture, none = Picture("", "", axes[-2], axes[-1], kind), np.zeros_like(marks)
    names = picture.names(len(marks), marks.shape[1], (top, left))
    picture = picture._replace(row_names=" ".join(names[0]), column_names=" ".join(names[1]))
    tables = [(TITLES[0], right, none), (TITLES[1], yours, marks)]
    if truth.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            tables.append((TITLES[2], widened(yours) - widened(right), none))
    parts = [
        Part(title, picture, _marked(cells(picture, numbers), marked, counted), marked)
        for title, numbers, marked in tables
    ]
    value = got.name + (str([*first[:-2]]) if first[:-2] else "")
    return Failure(asked, f"{value}, in %" if kind == "share" else value, parts)


def _marked(rows: list[Row], wrong: Array, counted: Array) -> list[Row]:
    """The cells, with a mark on what is wrong. Where nothing counts, any value is right."""
    return [
        [
            Cell(f"{cell.text}*" if is_wrong else cell.text, cell.shade) if counts else Cell("any")
            for cell, is_wrong, counts in zip(*line)
        ]
        for line in zip(rows, wrong, counted)
    ]
