"""exercism: the results.json, version 3, of its test runners, for one submission."""

from __future__ import annotations

import json
from typing import Any

from checks.grading.formats.facts import (
    NOT_GRADED,
    Run,
    explain_check,
    explain_step,
    first_not_passing,
    is_graded,
    plain,
    steps_of,
    the_one,
    verdict_of,
)

LIMIT = 500
NOT_RUN = ("missing", "untouched", "blocked", "unreadable", "infra")


def exercism(run: Run) -> str:
    """A test for each check; its task_id is the place of its step in this run, from 1.

    The status is "error" if no test ran. It is also "error" if the checker failed to grade a step
    and no other step fails. Then neither "pass" nor "fail" would be true, and the message says so.
    Raises ValueError unless there is one submission.
    """
    submission = the_one(run, "exercism")
    steps = steps_of(run, submission)
    status, message = _whole(run, submission)
    tests = [test for place, step in enumerate(steps, 1) for test in _tests(place, step)]
    results = {"version": 3, "status": status, "message": message, "tests": tests}
    return json.dumps(results, indent=1) + "\n"


def _whole(run: Run, submission: dict[str, Any]) -> tuple[str, str | None]:
    verdicts = [check["verdict"] for step in submission["steps"] for check in step["checks"]]
    wrong = first_not_passing(run, submission)
    if verdict_of(run, submission) == "pass":
        return "pass", None
    if not is_graded(run, submission) and set(verdicts) <= {"pass", "infra", "blocked"}:
        return "error", NOT_GRADED
    if submission["problem"]:
        return "error", plain(submission["problem"]["message"], LIMIT)
    if all(verdict in NOT_RUN for verdict in verdicts):
        return "error", plain(explain_step(wrong) if wrong else NOT_GRADED, LIMIT)
    return "fail", None


def _tests(place: int, step: dict[str, Any]) -> list[dict[str, Any]]:
    lost = {"sentence": step["name"], "verdict": step["verdict"], "message": "", "mistake": None}
    return [_test(place, step["step"], check) for check in step["checks"] or [lost]]


def _test(place: int, id: str, check: dict[str, Any]) -> dict[str, Any]:
    verdict = check["verdict"]
    test = {
        "name": f"{id} {check['sentence']}",
        "status": verdict if verdict in ("pass", "fail") else "error",
        "message": None if verdict == "pass" else plain(explain_check(check), LIMIT),
        "task_id": place,
    }
    printed = check.get("printed", "")
    return {**test, "output": plain(printed, LIMIT)} if printed else test
