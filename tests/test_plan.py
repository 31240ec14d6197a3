"""A step is planned without a worker, asked in one request, and passes only by its answers."""

from __future__ import annotations

import subprocess
import sys

import pytest
from conftest import EVERYTHING, STEP, Make
from oddities import NORM, RIGHT, forward

from checks.contents import COURSE
from checks.engine.asking.learner import Files
from checks.engine.files.source import Source, solutions
from checks.engine.hosting.host import Host
from checks.engine.hosting.process import Worker
from checks.engine.judging.ask import Asking
from checks.engine.judging.judge import Judge
from checks.engine.judging.results import checks_of_step, result_of
from checks.engine.judging.runner import Runner
from checks.engine.planning import gradients
from checks.engine.planning.plan import Plan

PLANS = """
import sys
from checks.contents import STEPS
from checks.engine.judging.results import checks_of_step
from checks.engine.planning.plan import Plan

for step in STEPS[4:8]:
    assert all(not check.fault for check in Plan(step, checks_of_step(step), 7).checks)
assert "torch" not in sys.modules
"""


def test_planning_needs_neither_torch_nor_a_worker() -> None:
    subprocess.run([sys.executable, "-c", PLANS], cwd=COURSE, check=True)


def test_what_was_not_answered_is_no_pass(host: Host) -> None:
    plan = Plan(STEP["2.3"], checks_of_step(STEP["2.3"]), 7)
    files = Files.of(solutions(), plan.step)
    answers = Asking(host, plan, files, 3.0, {}).ask(plan.checks)
    check = plan.checks[0]
    assert result_of(check, answers).verdict == "pass"
    for number in range(check.first, check.end):
        kept, answers.found[number] = answers.found[number], None
        answers.values.clear()
        assert result_of(check, answers).verdict == "infra"
        answers.found[number] = kept


def test_a_draw_in_doubt_is_drawn_again_and_never_a_fail(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if every relu were near its kink: then no draw is certain, and that is our fault."""
    monkeypatch.setattr(gradients, "KINK", 1e9)
    results = Runner(host, 8, 3.0).all(STEP["2.5"], Files.of(solutions(), STEP["2.5"]))
    verdicts = {result.name: result.verdict for result in results.values()}
    assert verdicts.pop("gradients_flow") == "infra" and set(verdicts.values()) == {"pass"}


def test_the_second_hang_stands_for_the_rest(
    host: Host, submission: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = []
    allow = Worker.allow

    def counted(self: Worker, seconds: float) -> None:
        started.append(self)
        allow(self, seconds)

    monkeypatch.setattr(Worker, "allow", counted)
    root = submission({NORM: forward("while True: pass")})
    judge = Judge(host, Source(root), 7, 0.3, EVERYTHING)
    (result,) = judge.run([STEP["2.3"]])
    assert {check.verdict for check in result.checks} == {"timeout"}
    assert len(set(started)) == 3  # Two for all checks, and one that makes sure.


def test_the_second_answer_counts(host: Host, submission: Make) -> None:
    wrong = RIGHT.replace("x - mean", "x + mean")
    files = Files.of(Source(submission({NORM: wrong})), STEP["2.3"])
    runner = Runner(host, 7, 3.0)
    results = runner.all(STEP["2.3"], files)
    right = Files.of(solutions(), STEP["2.3"])
    assert "fail" in {result.verdict for result in results.values()}
    confirmed = runner.confirmed(STEP["2.3"], right, results)
    assert {result.verdict for result in confirmed} == {"pass"}
