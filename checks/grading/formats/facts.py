"""Facts about a run for every format, decided once: verdicts, points, words, caps."""

from __future__ import annotations

from typing import Any

from checks.engine.commands.screen import clean

Run = dict[str, Any]
NOTE = 50  # The most characters of the note about left-out text.
NOT_GRADED = "Not graded: the checker itself failed. No fault of the submission; this is not a 0."


def steps_of(run: Run, submission: dict[str, Any]) -> list[dict[str, Any]]:
    """A result for each step of the run.

    A step without a result gets the problem's verdict, or else infra: it has not passed, but a lost
    result is not the learner's fault.
    """
    results = {result["step"]: result for result in submission["steps"]}
    lost = (submission["problem"] or {"verdict": "infra"})["verdict"]
    return [
        results.get(step["step"]) or {**step, "verdict": lost, "seconds": 0.0, "checks": []}
        for step in run["steps"]
    ]


def verdict_of(run: Run, submission: dict[str, Any]) -> str:
    """pass if every step passes; infra if one was not graded; else that of the first failure."""
    if submission["problem"]:
        return str(submission["problem"]["verdict"])
    verdicts = [step["verdict"] for step in steps_of(run, submission)]
    if not verdicts or "infra" in verdicts or submission["points"] is None:
        return "infra"
    return next((str(verdict) for verdict in verdicts if verdict != "pass"), "pass")


def is_graded(run: Run, submission: dict[str, Any]) -> bool:
    """Whether the submission has points: there is no sum if the checker failed to grade a step."""
    return verdict_of(run, submission) != "infra"


def points_of(run: Run, submission: dict[str, Any]) -> str:
    if not is_graded(run, submission):
        return "not graded"
    return f"{number(submission['points'])} of {number(submission['max_points'])} points"


def first_not_passing(run: Run, submission: dict[str, Any]) -> dict[str, Any] | None:
    """The first step that is itself wrong; else the first that could not be checked."""
    wrong = [step for step in steps_of(run, submission) if step["verdict"] != "pass"]
    itself = (step for step in wrong if step["verdict"] not in ("infra", "blocked"))
    return next(itself, next(iter(wrong), None))


def the_one(run: Run, format: str) -> dict[str, Any]:
    """The only submission of a run. Raises ValueError if there are more or none."""
    submissions: list[dict[str, Any]] = run["submissions"]
    if len(submissions) != 1:
        raise ValueError(
            f"The format {format} describes one submission; this run has {len(submissions)}."
        )
    return submissions[0]


def cause_of(step: dict[str, Any]) -> dict[str, Any] | None:
    """The check to show: the one with a named mistake, else the first that does not pass."""
    wrong = [check for check in step["checks"] if check["verdict"] != "pass"]
    return next((check for check in wrong if check["mistake"]), next(iter(wrong), None))


def explain_step(step: dict[str, Any]) -> str:
    """Why a step does not pass, in lines for the learner. The checker's own faults are named as
    such.
    """
    check = cause_of(step)
    if step["verdict"] == "infra":
        return NOT_GRADED
    if check is None:
        return ""
    same = all(other["message"] == check["message"] for other in step["checks"])
    says = [] if same and check["verdict"] != "fail" else [f"Expected: {check['sentence']}"]
    passed = sum(other["verdict"] == "pass" for other in step["checks"])
    count = f"{passed} of {len(step['checks'])} checks pass."
    return "\n".join([*says, explain_check(check), *([] if same else [count])])


def explain_check(check: dict[str, Any]) -> str:
    """Why a check does not pass, in lines for the learner."""
    if check["verdict"] == "infra":
        return NOT_GRADED
    mistake = [f"Mistake: {check['mistake']['says']}"] if check["mistake"] else []
    return plain("\n".join([*mistake, check["message"]]))


def in_brief(check: dict[str, Any]) -> str:
    """The mistake, or else the first line of the message."""
    says = check["mistake"]["says"] if check["mistake"] else check["message"].strip()
    return NOT_GRADED if check["verdict"] == "infra" else line(says.partition("\n")[0])


def plain(text: str, limit: int = 4_000) -> str:
    """The text without control characters and lone surrogates, and without the middle if it is
    long.
    """
    text = text.replace("\r\n", "\n")
    if len(text) > limit:
        kept = limit - NOTE
        tail = kept // 3
        note = f" [… {len(text) - kept:,} characters left out …] "
        text = text[: kept - tail] + note + text[-tail:]
    return clean(text)


def line(text: str, limit: int = 200) -> str:
    """The plain text on one line."""
    return plain(" ".join(text.split()), limit)


def number(value: float) -> str:
    """The number as text; 3.0 is "3"."""
    return f"{value:.10g}"
