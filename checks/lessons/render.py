"""Write tables of numbers and pictures into the lessons, computed from the paper's equations.

In a lesson a table stands between two comments:

    <!-- table: positional_embedding -->
    (here comes what the function `positional_embedding` in s1_embedding.py returns)
    <!-- end -->

To add a table, write its function into the file of its stage beside this one, put the two
comments into the lesson, and run

    python -m checks.lessons

which rewrites the tables of all lessons in place. Pictures (see pictures/) go the same way: each is
a file in the folder `pictures` of its stage. No torch here.

A code block under the comment <!-- prints: NAME --> promises to print numbers of that table;
tests/test_lessons.py runs it and looks.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path

from checks.contents import COURSE, STAGES
from checks.lessons.layout import TABLES
from checks.lessons.pictures import PICTURES

_PICTURE = re.compile(r"<!-- picture: (?P<name>\S+) -->\n(?P<old>.*?)<!-- end -->", re.DOTALL)
_BLOCK = re.compile(r"<!-- table: (?P<name>\S+) -->\n(?P<old>.*?)<!-- end -->", re.DOTALL)

for _stage in STAGES:
    importlib.import_module(f"checks.lessons.{_stage}")  # Fills TABLES.
    importlib.import_module(f"checks.lessons.pictures.{_stage}")  # Fills PICTURES.
importlib.import_module("checks.lessons.speaking")


def render(markdown: str) -> str:
    """The lesson with every table and every picture's words up to date. Raises ValueError for an
    unknown or open one.
    """

    def fill(block: re.Match[str]) -> str:
        name = block["name"]
        if name not in TABLES:
            raise ValueError(f"no table is called {name!r}; there are: {', '.join(sorted(TABLES))}")
        if "<!-- table:" in block["old"]:
            raise ValueError(f"the table {name!r} has no <!-- end --> of its own")
        return f"<!-- table: {name} -->\n```text\n{TABLES[name]()}\n```\n<!-- end -->"

    def show(block: re.Match[str]) -> str:
        name = block["name"]
        if name not in PICTURES:
            raise ValueError(f"no picture is called {name!r}: {', '.join(sorted(PICTURES))}")
        line = f"![{PICTURES[name].says}](pictures/{name}.svg)"
        return f"<!-- picture: {name} -->\n{line}\n<!-- end -->"

    filled, found = _BLOCK.subn(fill, markdown)
    filled, shown = _PICTURE.subn(show, filled)
    if found != markdown.count("<!-- table:") or shown != markdown.count("<!-- picture:"):
        raise ValueError("a comment is not written <!-- table: NAME --> … <!-- end -->")
    return filled


def svg_files() -> Iterator[tuple[Path, str]]:
    """Every picture: its file, and its content."""
    for name, drawn in PICTURES.items():
        yield COURSE / drawn.stage / "pictures" / f"{name}.svg", drawn.draw().svg(drawn.says)


def lessons() -> Iterator[Path]:
    """The README.md of every stage, in order."""
    yield from sorted(COURSE.glob("s[0-9]_*/README.md"))
