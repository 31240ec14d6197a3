"""What tests of `recall` share: the steps they take, and a line of one."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

from conftest import STEP

from checks.contents import Step
from checks.engine.files.source import solution
from checks.recalling.items import Gap, gap

NORM = STEP["2.3"]
WRITTEN = ("calculate_attention", "layer_norm")
DAY = date(2026, 3, 30)
MEAN = "mean = x.mean(dim=-1, keepdim=True)"
ONE = timedelta(1)


def after(days: int) -> date:
    return DAY + timedelta(days)


def seeded(step: Step, line: str) -> tuple[str, Gap]:
    """A seed with which this line is missing, and the gap."""
    for seed in range(200):
        one = gap(step, solution(step), lambda text: False, Random(f"{seed} {step.name}"))
        if one is not None and one.own == line:
            return str(seed), one
    raise AssertionError(line)
