"""Runs of `grade` as its native JSON, made by hand: what tests of its formats begin with."""

from __future__ import annotations

from typing import Any

from checks.contents import STEPS
from checks.engine.verdicts import CheckResult, Named, Place, StepResult

VALUES = """Tried calculate_attention with q (2, 3, 4, 2) float32
12 of 48 numbers differ, the first at [0, 0, 1]:
expected  0.118  -0.274
got       0.131* -0.301*"""
RAISES = """ZeroDivisionError: division by zero
  s2_attention/layer_norm.py, line 24, in forward
    return x / 0"""
BROKEN = {"verdict": "unreadable", "message": "The archive carol.zip is broken: no end record."}
LOST = {"verdict": "infra", "message": "RuntimeError: the worker's host went away"}


def check(verdict: str = "pass", message: str = "", **more: Any) -> CheckResult:
    sentence = more.pop("sentence", "Queries mix the values.")
    name = more.pop("name", "queries_mix_the_values")
    return CheckResult(name, sentence, verdict, message=message, **more)


def step(id: str, *checks: CheckResult) -> dict[str, Any]:
    """What the judge says of a step; without checks: that its one check passes."""
    known = next(step for step in STEPS if step.id == id)
    return StepResult(id, known.name, known.path, list(checks or [check()]), 0.25).as_json()


def submission(name: str, *steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    points = float(sum(step["verdict"] == "pass" for step in steps))
    facts = {"name": name, "source": f"{name}.zip", "seconds": 1.5, "problem": None}
    return {**facts, "points": points, "max_points": 3.0, "steps": list(steps), **more}


def run_of(*submissions: dict[str, Any], ids: tuple[str, ...] = ("2.1", "2.2", "2.3")) -> Any:
    asked = [
        {"step": step.id, "name": step.name, "path": step.path, "points": 1.0}
        for step in STEPS
        if step.id in ids
    ]
    facts = {"version": 1, "torch": "2.13.0", "seed": 7, "isolation": "process", "seconds": 12.5}
    return {**facts, "steps": asked, "submissions": list(submissions)}


def alice() -> dict[str, Any]:
    return submission("alice", step("2.1"), step("2.2"), step("2.3"))


def bob() -> dict[str, Any]:
    """A wrong number with a named mistake, what is blocked by it, an exception."""
    scale = Named("no-scale", "The scores are not divided by the square root of dim_split.")
    here = Place("s2_attention/calculate_attention.py", 31)
    wrong = check("fail", VALUES, kind="values", mistake=scale, where=here, printed="q: 4\n")
    waits = check("blocked", "This step builds on 2.1 calculate_attention, which does not pass.")
    stops = check("error", RAISES, where=Place("s2_attention/layer_norm.py", 24))
    return submission("bob", step("2.1", check(), wrong), step("2.2", waits), step("2.3", stops))


def carol() -> dict[str, Any]:
    return submission("carol", problem=BROKEN)


def dave() -> dict[str, Any]:
    return submission("dave", problem=LOST)


def erin() -> dict[str, Any]:
    """One check of ours failed; the rest passes."""
    fault = check("infra", "Traceback: KeyError: 'w_q'")
    return submission("erin", step("2.1"), step("2.2", check(), fault), step("2.3"))


def formula() -> dict[str, Any]:
    """Somebody whose folder is a formula, and who has written nothing yet."""
    waits = check("untouched", "TODOs are left in this file.")
    return submission("=1+1", *(step(id, waits) for id in ("2.1", "2.2", "2.3")))


def class_run() -> Any:
    return run_of(alice(), bob(), carol(), dave(), erin(), formula())
