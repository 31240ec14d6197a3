"""The pictures of a step, from the learner's own code, as tables for the page."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from checks.contents import STEPS, Step
from checks.engine.asking.values import Array
from checks.engine.commands.work import Work
from checks.engine.drawing.characters import Cell, cells
from checks.engine.drawing.example import Picture, example_of
from checks.engine.drawing.sketch import Sketch, inside
from checks.engine.hosting.host import Host
from checks.engine.tracing.run import pictured
from checks.engine.tracing.saved import add

NUMBERED = re.compile(r"\w+ \{0\}[,:]? ?")  # As "head {0}, " in "head {0}, weights in %".


class Table(NamedTuple):
    """The names of its columns, and each row with its name."""

    title: str
    columns: list[str]
    rows: list[tuple[str, list[Cell]]]


class Shown(NamedTuple):
    """A picture: tables, or the address of a drawn curve. `share`: its rows sum to 1."""

    title: str
    rows: str
    columns: str
    share: bool
    tables: list[Table]
    curve: str = ""


class Pictures(NamedTuple):
    """Of which step, on which example, and why there are no more."""

    step: Step
    code: str
    shown: list[Shown]
    stopped: str


def pictures(host: Host, work: Work, step: Step) -> Pictures | None:
    """Those of the step; before its file is begun, or without any, of the last one passed."""
    for one in (step, *(s for s in reversed(STEPS) if work.has_passed(s))):
        found, example = pictured(host, work.source, one), example_of(one)
        if found is not None and example is not None:
            return Pictures(one, example.code, [_shown(*shown) for shown in found[0]], found[1])
    return None


def _shown(picture: Picture, numbers: Array) -> Shown:
    if picture.kind == "curve":
        return Shown(picture.title, "", "", False, [], drawn(picture, numbers))
    tables = numbers if numbers.ndim == 3 else numbers[None]
    found = [_table(picture, n, np.atleast_2d(table)) for n, table in enumerate(tables)]
    title = NUMBERED.sub("", picture.title).strip(" ,:")  # Each table has its own number.
    return Shown(title, picture.rows, picture.columns, picture.kind == "share", found)


def _table(picture: Picture, number: int, table: Array) -> Table:
    rows = cells(picture, table)
    sides, heads = picture.names(len(rows), len(rows[0]))
    return Table(picture.title.format(number), heads, [*zip(sides, rows)])


def drawn(picture: Picture, numbers: Array) -> str:
    """The address of a curve as a picture."""
    sketch = Sketch()
    add(sketch, picture, numbers)
    return inside(sketch.svg(picture.title))
