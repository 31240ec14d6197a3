"""The Markdown that `--format github` appends to the summary of a job."""

from __future__ import annotations

import re
from typing import Any

from checks.engine.commands.report import WORDS
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
    verdict_of,
)

BYTES = 900_000  # GitHub refuses a summary of more than 1 MiB as a whole.


def github_summary(run: Run) -> str:
    """A table of the class (or of the steps of a single submission), then every step that does not
    pass.

    Learner's text is in code, where nothing is markup. A step that does not fit is left out as a
    whole, and counted.
    """
    submissions = run["submissions"]
    if len(submissions) == 1:
        pieces = [f"## {points_of(run, submissions[0]).capitalize()}\n"]
    else:
        pieces = [f"## {len(submissions)} submissions\n\n", *_class_table(run)]
    for submission in submissions:
        pieces += _one(run, submission, len(submissions) > 1)
    facts = f"torch {run['torch']}, seed {run['seed']}, isolation {run['isolation']}"
    return _fitted(pieces, f"\n{facts}\n")


def _class_table(run: Run) -> list[str]:
    rows = ["| submission | verdict | points | first that does not pass |\n|---|---|---|---|\n"]
    for submission in run["submissions"]:
        wrong = None if submission["problem"] else first_not_passing(run, submission)
        rows.append(
            f"| {_code(submission['name'])} | {verdict_of(run, submission)} "
            f"| {points_of(run, submission)} | {_title(wrong) if wrong else ''} |\n"
        )
    return rows


def _one(run: Run, submission: dict[str, Any], several: bool) -> list[str]:
    pieces = (
        [f"\n### {_code(submission['name'])}: {points_of(run, submission)}\n"] if several else []
    )
    if not is_graded(run, submission):
        pieces.append(f"\n{NOT_GRADED}\n")
    elif submission["problem"]:
        pieces.append(_block("The submission cannot be graded", submission["problem"]["message"]))
    if submission["problem"]:
        return pieces
    steps = steps_of(run, submission)
    if several:
        pieces.append("\n" + ", ".join(f"{s['step']} {s['verdict']}" for s in steps) + "\n")
    else:
        rows = (f"| {_title(step)} | {step['verdict']} |\n" for step in steps)
        pieces.append("\n| step | verdict |\n|---|---|\n" + "".join(rows))
    for step in steps:
        check = cause_of(step)
        if check is not None and step["verdict"] not in ("untouched", "blocked", "infra"):
            where = check["where"]
            place = f" ({_code(where['file'] + ':' + str(where['line']))})" if where else ""
            title = f"{_title(step)} {WORDS[step['verdict']]}{place}"
            pieces.append(_block(title, explain_step(step), check["printed"]))
    return pieces


def _title(step: dict[str, Any]) -> str:
    return f"{step['step']} {step['name']}"


def _block(title: str, text: str, printed: str = "") -> str:
    """A heading that unfolds; below it the text, and the output of the learner's code."""
    shown = _fenced(plain(text))
    if printed.strip():
        shown += f"\nIt printed:\n\n{_fenced(plain(printed.strip(), 2_000))}"
    return f"\n<details><summary>{title}</summary>\n\n{shown}\n</details>\n"


def _fenced(text: str) -> str:
    """A block of code. Its fence is longer than any run of backticks in it, so nothing ends it."""
    fence = "`" * (1 + max([2, *(len(run) for run in re.findall("`+", text))]))
    return f"{fence}text\n{text}\n{fence}\n"


def _code(text: str) -> str:
    """The text on one line. All but letters and digits are escaped, so that nothing is markup."""
    plainly = (c if c.isalnum() or c == " " else f"&#{ord(c)};" for c in line(text))
    return f"<code>{''.join(plainly)}</code>"


def _fitted(pieces: list[str], end: str) -> str:
    kept: list[str] = []
    size = len(end.encode())
    for piece in pieces:
        size += len(piece.encode())
        if size > BYTES:
            left = len(pieces) - len(kept)
            return "".join([*kept, f"\n{left} parts did not fit; --format json has all.\n", end])
        kept.append(piece)
    return "".join([*kept, end])
