"""A tiny example of a step, on which one can watch its code, and the pictures of it."""

from __future__ import annotations

import importlib
from typing import Literal, NamedTuple

from checks.contents import Step

Kind = Literal["share", "entry", "exact", "mask", "tokens", "curve"]


class Example(NamedTuple):
    """`code` runs with the names of the step's own file, torch and nn, after torch's seed is set
    to 0. `sizes` gives each axis its name; the sizes differ, so that each is known by its number.
    """

    sizes: dict[str, int]
    code: str


class Picture(NamedTuple):
    """`value`: an expression in the names that the example leaves: a table of numbers, or several
    (three axes), each with its number in `title`. `rows` and `columns` say what stands there;
    `row_names` and `column_names` give each its own name, with blanks between the names.
    `moves(function, x)` says which outputs of a function move when a place of x changes;
    `asked(owner, name, function)` what a method gets while a function runs.

    Kinds: `share`, numbers from 0 to 1, in percent; `entry`, any numbers, and `exact`,
    with three decimals. `mask`: True is visible.
    `tokens`: ids, below 0 is none. `curve`: a row of numbers, as bars.
    """

    title: str
    value: str
    rows: str
    columns: str
    kind: Kind = "entry"
    row_names: str = ""
    column_names: str = ""

    def names(
        self, rows: int, columns: int, start: tuple[int, int] = (0, 0)
    ) -> tuple[list[str], list[str]]:
        """The names of so many rows and columns: their own, or a letter with a number."""
        given = self.row_names.split(), self.column_names.split()
        letters = [
            [f"{axis[:1]}{first + n}" for n in range(count)]
            for axis, first, count in (
                (self.rows, start[0], rows),
                (self.columns, start[1], columns),
            )
        ]
        found = [own if len(own) == len(other) else other for own, other in zip(given, letters)]
        return found[0], found[1]


def example_of(step: Step) -> Example | None:
    """The example that a step shows, if it has one."""
    found: Example | None = getattr(importlib.import_module(f"{step.room}.shown"), "EXAMPLE", None)
    return found


def pictures_of(step: Step) -> list[Picture]:
    """The pictures of that example."""
    found: list[Picture] = getattr(importlib.import_module(f"{step.room}.shown"), "PICTURES", [])
    return found
