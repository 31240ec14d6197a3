"""github: workflow commands on stdout, which GitHub Actions shows as annotations."""

from __future__ import annotations

from typing import Any

from checks.engine.commands.report import WORDS
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

SHOWN = 10  # Errors, and warnings, that a job's step shows; further ones are dropped.
QUIET = ("pass", "untouched", "blocked", "infra")  # Verdicts without an error.


def github(run: Run) -> str:
    """Errors, warnings and a notice with the points, one per line.

    There is one error for each failing step, at most ten, and the last counts the rest. There is
    one warning for each submission that was not graded. Blocked and untouched steps have no error;
    the summary shows them, and everything else.
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
    """The outputs of the workflow's step, `points` and `max_points`, one per line.

    There are outputs only for a single submission with points. They are numbers, with no text that
    a learner can write.
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
    """A command in the form that GitHub's runner reads.

    The runner looks for :: at the start of a line, then for the next ::, and splits the text
    between them at commas. Only then does it decode %3A, %2C, %0A and the like.
    """
    properties: dict[str, Any] = {**(where or {}), "title": title}
    named = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{kind} {named}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(line(text)).replace(":", "%3A").replace(",", "%2C")
