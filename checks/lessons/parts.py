"""A step's part of its stage's lesson: where it begins and ends, and its title."""

from __future__ import annotations

import re

from checks.contents import COURSE, Step


def part_of(step: Step) -> str:
    """The step's part of the lesson, from its heading on; "" if there is no heading."""
    text = (COURSE / step.lesson).read_text("utf-8")
    found = re.search(rf"^## {re.escape(step.id)} .*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return found[0] if found else ""


def title_of(step: Step) -> str:
    """The heading of the part, without its ##; "" if there is none."""
    return part_of(step).partition("\n")[0].removeprefix("## ")
