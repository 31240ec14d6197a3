"""From answers to results: each check's expectations are looked at in order."""

from __future__ import annotations

import json
import traceback
from itertools import islice

import numpy as np

from checks.engine.asking import roles
from checks.engine.asking.compare import differs
from checks.engine.asking.learner import Files
from checks.engine.asking.received import Received
from checks.engine.hosting.host import Host
from checks.engine.judging.results import at_fault, passing, stopped_by
from checks.engine.planning.answers import Answers
from checks.engine.planning.ask import Asking, Done
from checks.engine.planning.module import Probe
from checks.engine.planning.plan import Plan, Planned
from checks.engine.verdicts import CheckResult, Stopped

Choices = dict[str, int]  # Of several readings of parameters, the number of the right one.


def result_of(check: Planned, answers: Answers) -> CheckResult:
    """The result of a check. It passes if every question has an answer and nothing is unmet."""
    printed = answers.printed.get(check.name, "")
    try:
        if not check.is_needless(answers):
            check.judge(answers)
    except Stopped as stopped:
        return stopped_by(check.check, stopped, printed)
    except Exception:  # The checker's own fault is never a fail.
        return at_fault(check.check, traceback.format_exc(limit=-4))
    return passing(check.check, printed)


def explained(plan: Plan, answers: Answers) -> Choices:
    """For parameters that can be read in several ways: the reading that explains an answer."""
    choices: Choices = {}
    for probe in plan.probes:
        weighed, asked = answers.found[probe.weighed], answers.found[probe.asked]
        if not (_is_ok(weighed) and _is_ok(asked)) or weighed["ok"]["ways"] < 2:
            continue
        built = _built(plan, answers, probe)
        key = json.dumps(built)
        if key not in choices and asked["ok"]:
            which = _which(built, probe, Received(asked["ok"]["value"], "", "", "").first)
            if which is not None:
                choices[key] = which
    return choices


def _is_ok(answer: object) -> bool:
    return isinstance(answer, dict) and "ok" in answer


def _built(plan: Plan, answers: Answers, probe: Probe) -> list[object]:
    """Names and shapes of the parameters, the roles, and sizes: what a reading depends on."""
    weigh = plan.questions[probe.weighed].arguments
    number = next(
        n
        for n in range(probe.weighed, -1, -1)
        if plan.questions[n].do == "build"
        and plan.questions[n].arguments["handle"] == weigh["handle"]
    )
    named = [[name, report["shape"]] for name, report in answers.ok(number)["parameters"]]
    return [named, weigh["roles"], weigh["sizes"]]


def _which(built: list[object], probe: Probe, got: Received) -> int | None:
    """The number of the first reading under which this answer is right; None if there is none.

    The worker has set the weights by the first one.
    """
    named, wanted, sizes = (tuple((n, _fixed(s)) for n, s in part) for part in built)  # type: ignore[attr-defined]
    if got.array is None:
        return None
    long = np.zeros(roles.size_of(named))
    for number, reading in enumerate(islice(roles.readings(named, wanted, sizes), roles.MOST)):
        if number == 0:
            for role, places in reading.items():
                long[places] = probe.weights[role]
        weights = {role: long[places] for role, places in reading.items()}
        right = probe.truth(weights, *probe.args)
        right = right[0] if isinstance(right, tuple) else right
        if got.shape == right.shape and not differs(got.array, right).any():
            return number
    return None


def _fixed(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def answers_to(
    host: Host,
    plan: Plan,
    files: Files,
    seconds: float,
    checks: list[Planned] | None = None,
    done: Done = lambda check, answers: False,
) -> Answers:
    """The answers to a plan; with the right reading of the parameters, if a check fails without."""
    asked = plan.checks if checks is None else checks
    answers = Asking(host, plan, files, seconds).ask(asked, done)
    return answers
