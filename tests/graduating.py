"""A graduation, asked in this process."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from conftest import EVERYTHING

from checks.contents import STEPS
from checks.engine.files.source import Source
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import Judge
from checks.engine.verdicts import CheckResult
from checks.graduation.graduate import TASKS, graduate
from checks.graduation.live import Silent
from checks.graduation.task import Sample

STEP = {step.name: step for step in STEPS}


class Kept(Silent):
    """A view that keeps what it is told."""

    def __init__(self) -> None:
        self.losses: list[float] = []
        self.samples: list[Sample] = []

    def trained(self, step: int, losses: list[float]) -> None:
        self.losses = list(losses)

    def end(self, samples: list[Sample]) -> None:
        self.samples = samples


def graduation(
    host: Host,
    root: Path,
    name: str = "translate",
    seconds: float = 3.0,
    seed: int = 7,
    **sizes: int,
) -> tuple[CheckResult, Kept]:
    """Of one step; with fewer training steps and questions, if they are given."""
    judge, view = Judge(host, Source(root), seed, seconds, EVERYTHING), Kept()
    task = TASKS[name](np.random.default_rng(seed), **sizes)
    return graduate(judge, STEP[name], view, task), view
