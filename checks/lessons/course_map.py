"""The map in README.md: a row for each step, made of its summary and its heading."""

from __future__ import annotations

import re
from collections.abc import Iterable

from checks.contents import STEPS, Step
from checks.lessons.parts import title_of

_HEAD = re.compile(r"\| (?:\*\*)?(\d|★)(?: ★)?(?:\*\*)? \|")
_ROW = re.compile(r"\| \d+\.\d+ \|")


def with_map(readme: str, steps: Iterable[Step] = STEPS) -> str:
    """README.md with the row of each step below the row of its part, and no other rows of steps."""
    rows: dict[str, list[Step]] = {}
    starred = {step.stage for step in steps} - {step.stage for step in steps if not step.bonus}
    for step in sorted(steps, key=lambda step: [*map(int, step.id.split("."))]):
        part = "★" if step.bonus and step.stage not in starred else step.id[0]
        rows.setdefault(part, []).append(step)
    lines = [line for line in readme.splitlines(keepends=True) if not _ROW.match(line)]
    return "".join(line + _below(line, rows) for line in lines)


def _below(line: str, rows: dict[str, list[Step]]) -> str:
    """The rows that follow this line, if it is the row of a part."""
    head = _HEAD.match(line)
    return "".join(map(row_of, rows.get(head[1], []))) if head else ""


def row_of(step: Step) -> str:
    """The step's row, with a link to its part of the lesson."""
    heading = title_of(step)
    if not heading:
        raise ValueError(f"{step.lesson} has no heading: ## {step.id} and its title")
    anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    name = heading.removeprefix(f"{step.id} ").removeprefix("★ ")
    return f"| {step.id} | {step.summary} | [{name}]({step.lesson}#{anchor}) |\n"
