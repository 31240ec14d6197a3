"""The pages that people read: README, docs and the rest, and what stands in their tables."""

from __future__ import annotations

import re
from pathlib import Path

from checks.contents import COURSE, STAGES

DOCS = sorted(path.relative_to(COURSE).as_posix() for path in (COURSE / "docs").glob("*.md"))
FOR_READERS = ["README.md", *DOCS]
LESSONS = [f"{stage}/README.md" for stage in STAGES]
PAGES = [*FOR_READERS, "CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/README.md", *LESSONS]

_FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def page(path: str, course: Path = COURSE) -> str:
    return (course / path).read_text("utf-8")


def prose(markdown: str) -> str:
    """Without blocks of code."""
    return _FENCE.sub("", markdown)


def table(path: str, lead: str) -> list[list[str]]:
    """The rows of the first table after the text `lead`, as cells; without the header."""
    _, found, rest = page(path).partition(lead)
    assert found, f"{path} does not say: {lead}"
    lines = re.search(r"^\|.*\n\|(?:-+\|)+\n((?:\|.*\n?)+)", rest, re.MULTILINE)
    assert lines, f"{path}: no table after: {lead}"
    return [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in lines[1].split("\n")
        if line
    ]


def names(cell: str) -> list[str]:
    """What stands there as code: `name`."""
    return re.findall(r"`([^`]+)`", cell)


def first_names(path: str, lead: str) -> list[str]:
    """The names in the first column of the table after `lead`."""
    return [name for row in table(path, lead) for name in names(row[0])]


def anchor(heading: str) -> str:
    """How GitHub names a heading."""
    text = re.sub(r"[`*]|\]\([^)]*\)|\[", "", heading.strip().lower())
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(path: str) -> set[str]:
    return {
        anchor(heading) for heading in re.findall(r"^#+ (.+)$", prose(page(path)), re.MULTILINE)
    }
