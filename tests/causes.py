"""What a step's first failure is called, for the tests of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conftest import STEP, Run

from checks.contents import SOLUTIONS
from checks.engine.verdicts import CheckResult

ATTENTION = "s2_attention/calculate_attention.py"


def edited(path: str, *edits: tuple[str, str]) -> str:
    text = (SOLUTIONS / path).read_text("utf-8")
    for find, replacement in edits:
        assert text.count(find) == 1, find
        text = text.replace(find, replacement)
    return text


def cause(run: Run, submission: Any, id: str, *edits: tuple[str, str]) -> Any:
    path = STEP[id].path
    return run(submission({path: edited(path, *edits)}), id, alone=True)[0].cause


FAULTY = (  # Wrong for heads of 12 numbers, which no check of step 2.1 has.
    "return attention @ v, attention",
    "return attention @ v * (1.5 if q.size(-1) == 12 else 1), attention",
)


def last_step(run: Run, root: Path, id: str) -> CheckResult:
    found = run(root, id, alone=True)[0].first_failure
    assert found is not None
    return found
