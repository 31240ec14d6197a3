"""The results of checks: how each kind is made."""

from __future__ import annotations

import importlib
import traceback

from checks.contents import Step
from checks.engine.asking.answers import Answers
from checks.engine.language import Check, checks_of
from checks.engine.planning.planned import Planned
from checks.engine.verdicts import CheckResult, Stopped


def checks_of_step(step: Step) -> list[Check]:
    return checks_of(importlib.import_module(f"{step.room}.checks"))


def passing(check: Check, printed: str = "") -> CheckResult:
    """The result of a check that ran to its end without a failure."""
    return CheckResult(check.__name__, sentence_of(check), "pass", printed=printed)


def sentence_of(check: Check) -> str:
    """The expectation: the line of a check that the learner reads."""
    return " ".join((check.__doc__ or "").split())


def at_fault(check: Check, why: str) -> CheckResult:
    """The result of a check that could not run, by a fault of the checker."""
    return stopped_by(check, Stopped("infra", why))


def stopped_by(check: Check, problem: Stopped, printed: str = "") -> CheckResult:
    """The result of a check that ended with this exception."""
    result = CheckResult(check.__name__, sentence_of(check), problem.verdict)
    result.stopped, result.kind = problem, problem.kind
    for held in (problem, problem.__cause__):
        if held is not None:
            held.__traceback__ = None  # It keeps the whole conversation in memory.
    result.message, result.shorter = problem.message, problem.shorter
    result.where, result.printed = problem.where, printed
    result.sure, result.shows = problem.sure, problem.shows
    return result


def result_of(check: Planned, answers: Answers) -> CheckResult:
    """The result of a check. It passes if every question has an answer and nothing is unmet."""
    printed = answers.printed.get(check.name, "")
    if check.fault:
        return at_fault(check.check, check.fault)
    try:
        check.judge(answers)
    except Stopped as stopped:
        return stopped_by(check.check, stopped, printed)
    except Exception:  # The checker's own fault is never a fail.
        return at_fault(check.check, traceback.format_exc(limit=-4))
    return passing(check.check, printed)
