"""github: workflow commands on stdout, which GitHub Actions shows as annotations."""

from __future__ import annotations

from typing import Any

from checks.grading.formats.facts import (
    NOT_GRADED,
    Run,
    cause_of,
    explain_step,
    is_graded,
    line,
    number,
    plain,
    points_of,
    verdict_of,
)
from checks.machine.commands.report import WORDS

SHOWN = 10  # Errors, and warnings, that a job's step shows; what follows is dropped.
QUIET = ("pass", "untouched", "blocked", "infra")  # Of these there is no error.


def github(run: Run) -> str:
    """One error for each step that fails, at most ten, the last of which counts the rest; a
    warning for each submission that was not graded; a notice with the points. No error for what
    is blocked or untouched: the summary has those, and all the rest. Each is one line.
    """
    several = len(run["submissions"]) > 1
    errors, warnings = [], []
    for submission in run["submissions"]:
        who = f"{line(submission['name'], 80)}: " if several else ""
        problem = submission["problem"]
        if not is_graded(run, submission):
            warnings.append(_command("warning", f"{who}not graded", NOT_GRADED))
        elif problem:
            title = f"{who}the submission cannot be graded"
            errors.append(_command("error", title, plain(problem["message"], 2_000)))
        errors += [
            _error(who, step) for step in submission["steps"] if step["verdict"] not in QUIET
        ]
    lines = [*_capped("error", errors), *_capped("warning", warnings)]
    return "".join(f"{text}\n" for text in [*lines, _notice(run)])


def github_outputs(run: Run) -> str:
    """The outputs of the workflow's step, one a line, if there is one submission and it has points:
    `points` and `max_points`. Numbers only: nothing that a learner can write.
    """
    if len(run["submissions"]) != 1 or not is_graded(run, run["submissions"][0]):
        return ""
    (submission,) = run["submissions"]
    facts = {"points": submission["points"], "max_points": submission["max_points"]}
    return "".join(f"{name}={number(value)}\n" for name, value in facts.items())


def _error(who: str, step: dict[str, Any]) -> str:
    check = cause_of(step)
    where = (check or {}).get("where") or {"file": step["path"]}
    title = f"{who}{step['step']} {step['name']} {WORDS[step['verdict']]}"
    return _command("error", title, plain(explain_step(step), 2_000), where)


def _capped(kind: str, commands: list[str]) -> list[str]:
    if len(commands) <= SHOWN:
        return commands
    more = len(commands) - SHOWN + 1
    text = "They stand in the summary of this job."
    return [*commands[: SHOWN - 1], _command(kind, f"and {more} more", text)]


def _notice(run: Run) -> str:
    if len(run["submissions"]) == 1:
        return _command("notice", "Points", points_of(run, run["submissions"][0]))
    verdicts = [verdict_of(run, submission) for submission in run["submissions"]]
    right, ours = verdicts.count("pass"), verdicts.count("infra")
    counts = f"{right} pass, {len(verdicts) - right - ours} do not, {ours} were not graded"
    return _command("notice", "Points", f"{len(verdicts)} submissions: {counts}")


def _command(kind: str, title: str, message: str, where: dict[str, Any] | None = None) -> str:
    """A command as GitHub's runner reads it: it looks for :: at the start of a line, for the next
    ::, and parts what is between at commas; only then are %3A, %2C, %0A and the like undone.
    """
    properties: dict[str, Any] = {**(where or {}), "title": title}
    named = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{kind} {named}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(line(text)).replace(":", "%3A").replace(",", "%2C")
