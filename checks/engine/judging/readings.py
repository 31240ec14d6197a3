"""Which parameter plays which role, where names and shapes leave it open: an answer tells."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

import numpy as np

from checks.engine.asking import roles
from checks.engine.asking.answers import Answers
from checks.engine.asking.compare import differs
from checks.engine.asking.layout import size_of
from checks.engine.asking.learner import Files
from checks.engine.asking.received import Received
from checks.engine.judging.ask import Asking, Done, Workers
from checks.engine.judging.results import result_of
from checks.engine.planning.module import Probe
from checks.engine.planning.plan import Plan
from checks.engine.planning.planned import Planned

Choices = dict[str, int]  # Of several readings of parameters, the number of the right one.


def answers_to(
    workers: Workers,
    plan: Plan,
    files: Files,
    seconds: float,
    choices: Choices,
    checks: list[Planned] | None = None,
    done: Done = lambda check, answers: False,
) -> Answers:
    """The answers to a plan, or to some of its checks. See Asking.

    Parameters with other names or arrangements can often be read in several ways. If a check fails
    then, the reading is searched that explains an answer. It is added to `choices`, and all is
    asked once more.
    """
    asked = plan.checks if checks is None else checks

    def enough(check: Planned, answers: Answers) -> bool:
        return done(check, answers) and not _is_open(check, answers)

    answers = Asking(workers, plan, files, seconds, choices).ask(asked, enough)
    fails = any(_is_open(check, answers) and _fails(check, answers) for check in asked)
    if not fails or not _explain(plan, answers, choices):
        return answers
    return Asking(workers, plan, files, seconds, choices).ask(asked, done)


def _fails(check: Planned, answers: Answers) -> bool:
    return check.was_asked(answers) and result_of(check, answers).verdict != "pass"


def _is_open(check: Planned, answers: Answers) -> bool:
    """Whether parameters in this check can be read in several ways."""
    asked = (answers.found[n] for n in range(check.first, check.end))
    return any(_is_ok(answer) and (answer["ok"] or {}).get("ways") == 2 for answer in asked)


def _explain(plan: Plan, answers: Answers, choices: Choices) -> bool:
    """Add the readings that explain an answer to `choices`. Whether there are new ones."""
    found: Choices = {}
    for probe in plan.probes:
        weighed, asked = answers.found[probe.weighed], answers.found[probe.asked]
        if not (_is_ok(weighed) and _is_ok(asked)) or weighed["ok"]["ways"] < 2 or not asked["ok"]:
            continue
        read = _read(plan, answers, probe)
        key = json.dumps(read)
        if key in found:
            continue
        got = Received(asked["ok"]["value"], "", "", "").first
        which = _which(read, choices.get(key, 0), probe, got)
        if which is not None:
            found[key] = which
    is_new = any(choices.get(key, 0) != which for key, which in found.items())
    choices.update(found)
    return is_new


def _is_ok(answer: object) -> bool:
    return isinstance(answer, dict) and "ok" in answer


def _read(plan: Plan, answers: Answers, probe: Probe) -> list[Any]:
    """Names and shapes of the parameters, the roles, and sizes: what a reading depends on."""
    weigh = plan.questions[probe.weighed].arguments
    built = next(
        n
        for n in range(probe.weighed, -1, -1)
        if plan.questions[n].do == "build"
        and plan.questions[n].arguments["handle"] == weigh["handle"]
    )
    named = [[name, report["shape"]] for name, report in answers.ok(built)["parameters"]]
    return [named, weigh["roles"], weigh["sizes"]]


def _which(read: list[Any], used: int, probe: Probe, got: Received) -> int | None:
    """The number of the first reading under which this answer is right; None if there is none.

    used: the number of the reading by which the worker has set the weights.
    """
    named, wanted, sizes = (tuple((n, _fixed(s)) for n, s in part) for part in read)
    if got.array is None:
        return None
    long = np.zeros(size_of(named))
    for role, places in next(islice(roles.readings(named, wanted, sizes), used, None)).items():
        long[places] = probe.weights[role]
    for number, reading in enumerate(roles.readings(named, wanted, sizes)):
        weights = {role: long[places] for role, places in reading.items()}
        right = probe.truth(weights, *probe.args)
        right = right[0] if isinstance(right, tuple) else right
        if got.shape == right.shape and not differs(got.array, right).any():
            return number
    return None


def _fixed(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
