"""The search for the place of a mistake without a name: changed files are judged like any other."""

from __future__ import annotations

import time

from checks.contents import Step
from checks.engine.asking.learner import Files
from checks.engine.judging.runner import Runner
from checks.engine.locating.places import find_places
from checks.engine.naming.properties import in_words
from checks.engine.verdicts import CheckResult, Place

LONGEST = 30.0  # Seconds of a search, on any computer.


def name_place(runner: Runner, step: Step, files: Files, results: list[CheckResult]) -> None:
    """Name the lines of the mistake in the first failing check, if they can be proven."""
    failing = [check for check in results if check.verdict in ("fail", "error")]
    quick = min(failing, key=lambda check: check.seconds)
    written = [check.name for check in results if check.verdict != "untouched"]
    start = time.monotonic()

    def passes(source: str, everything: bool) -> bool:
        if time.monotonic() - start > LONGEST:
            return False
        changed = files.instead({step.module: source.encode()})
        return runner.passes(step, changed, written if everything else [quick.name])

    where = failing[0].where
    stopped = where.line if where and where.file == step.path else None
    if found := find_places(step, files, passes, stopped):
        failing[0].mistake = in_words("one-place", found.says)
        failing[0].where = Place(step.path, found.line)
