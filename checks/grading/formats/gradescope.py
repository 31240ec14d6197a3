"""gradescope: the results.json of its autograders, for one submission."""

from __future__ import annotations

import json
from typing import Any

from checks.grading.formats.facts import (
    NOT_GRADED,
    Run,
    cause_of,
    explain_step,
    first_not_passing,
    is_graded,
    line,
    plain,
    points_of,
    steps_of,
    the_one,
)


def gradescope(run: Run) -> str:
    """A test for each step.

    If grading itself failed, no test has a score, because any number would become a grade; a
    visible row says so. Every text has the format "text", in which Gradescope renders nothing.
    Raises ValueError unless there is one submission.
    """
    submission = the_one(run, "gradescope")
    graded = is_graded(run, submission)
    problem = submission["problem"]
    steps = steps_of(run, submission) if graded or not problem else []
    tests = [_test(run, step, graded) for step in steps]
    if not graded:
        tests.insert(0, _row("Not graded", "failed", NOT_GRADED))
    elif problem:
        tests.insert(
            0, _row("The submission cannot be graded", "failed", plain(problem["message"]))
        )
    results = {
        **({"score": submission["points"]} if graded else {}),
        "execution_time": round(submission["seconds"], 3),
        "output": _summary(run, submission, graded),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {key: run[key] for key in ("torch", "seed", "isolation")},
        "tests": tests,
    }
    return json.dumps(results, indent=1, allow_nan=False) + "\n"


def _row(name: str, status: str, output: str) -> dict[str, Any]:
    return {"status": status, "name": name, "output": output, "visibility": "visible"}


def _test(run: Run, step: dict[str, Any], graded: bool) -> dict[str, Any]:
    passes = step["verdict"] == "pass"
    points = next(asked["points"] for asked in run["steps"] if asked["step"] == step["step"])
    score = {"score": points if passes else 0.0, "max_score": points} if graded else {}
    name = f"{step['step']} {step['name']}"
    cause = cause_of(step)
    printed = plain(cause["printed"].strip("\n"), 2_000) if cause else ""
    output = [explain_step(step), *(["", "Your code printed:", printed] if printed else [])]
    return {
        **score,
        **_row(name, "passed" if passes else "failed", "\n".join(output)),
        "number": step["step"],
        "tags": [step["path"].split("/")[0], step["verdict"]],
    }


def _summary(run: Run, submission: dict[str, Any], graded: bool) -> str:
    if not graded:
        return f"{NOT_GRADED} Please tell your instructor, who can have it graded again."
    if submission["problem"]:
        return line(submission["problem"]["message"], 1_000)
    steps = steps_of(run, submission)
    passed = sum(step["verdict"] == "pass" for step in steps)
    says = [f"{points_of(run, submission)}: {passed} of {len(steps)} steps pass."]
    wrong = first_not_passing(run, submission)
    if wrong:
        says.append(f"The first that does not: {wrong['step']} {wrong['name']}.")
    return "\n".join(says)
