"""Write the number tables of the lessons into them, computed from the paper's equations.

In a lesson a table stands between two comments:

    <!-- table: positional_embedding -->
    (here comes what the function `positional_embedding` in s1_embedding.py returns)
    <!-- end -->

To add a table, write its function into the file of its stage beside this one, put the two
comments into the lesson, and run

    python -m checks.lessons

which rewrites the tables of all lessons in place. No torch here.

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

_BLOCK = re.compile(r"<!-- table: (?P<name>\S+) -->\n(?P<old>.*?)<!-- end -->", re.DOTALL)

for _stage in STAGES:
    importlib.import_module(f"checks.lessons.{_stage}")  # Fills TABLES.


def render(markdown: str) -> str:
    """The lesson with every table up to date. Raises ValueError for an unknown or open table."""

    def fill(block: re.Match[str]) -> str:
        name = block["name"]
        if name not in TABLES:
            raise ValueError(f"no table is called {name!r}; there are: {', '.join(sorted(TABLES))}")
        if "<!-- table:" in block["old"]:
            raise ValueError(f"the table {name!r} has no <!-- end --> of its own")
        return f"<!-- table: {name} -->\n```text\n{TABLES[name]()}\n```\n<!-- end -->"

    filled, found = _BLOCK.subn(fill, markdown)
    if found != markdown.count("<!-- table:"):
        raise ValueError("a table's comment is not written <!-- table: NAME --> … <!-- end -->")
    return filled


def lessons() -> Iterator[Path]:
    """The README.md of every stage, in order."""
    yield from sorted(COURSE.glob("s[0-9]_*/README.md"))
