"""What `author check` says of a promise that is not kept, and what it reads for that."""

from __future__ import annotations

from typing import NamedTuple

from checks.contents import COURSE, Step


class Fault(NamedTuple):
    """A promise that is not kept: where, and what to write."""

    file: str
    line: int | None
    says: str


def room_of(step: Step) -> str:
    """The folder of all that is about the step."""
    return f"checks/{step.stage}/{step.name}"


def read(file: str) -> str:
    """The text of a file of the course."""
    return (COURSE / file).read_text("utf-8")


def line_of(file: str, text: str) -> int | None:
    """The first line of a file in which a text stands."""
    lines = read(file).splitlines()
    return next((n for n, line in enumerate(lines, 1) if text in line), None)
