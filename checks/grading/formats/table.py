"""csv: a row for each submission, for a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

from checks.grading.formats.facts import (
    NOT_GRADED,
    Run,
    cause_of,
    first_not_passing,
    in_brief,
    is_graded,
    line,
    number,
    steps_of,
    verdict_of,
)

# Spreadsheets take a cell with such a beginning as a formula. If ";" separates the cells (Excel, in
# much of Europe), so is the text after a ";", even inside quotes. Tabs and line ends do not get
# here.
FORMULA = re.compile(r"""(^|;)([\s"']*)(?=[=+\-@＝＋－＠])""")


def table(run: Run) -> str:
    """name, source, status, points, max_points, first_failing_step, message, and a column per step
    with its verdict. Every cell is quoted. An ungraded submission has the status infra and no
    points.
    """
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(
        [
            *("name", "source", "status", "points", "max_points", "first_failing_step", "message"),
            *(f"{step['step']} {step['name']}" for step in run["steps"]),
        ]
    )
    for submission in run["submissions"]:
        graded = is_graded(run, submission)
        row = [
            *(submission["name"], submission["source"], verdict_of(run, submission)),
            number(submission["points"]) if graded else "",
            number(submission["max_points"]),
            *_first_failure(run, submission),
            *(step["verdict"] for step in steps_of(run, submission)),
        ]
        writer.writerow([_guarded(cell) for cell in row])
    return text.getvalue()


def _first_failure(run: Run, submission: dict[str, Any]) -> tuple[str, str]:
    """The id of the first step that does not pass, and why."""
    if submission["problem"]:
        return "", in_brief({**submission["problem"], "mistake": None})
    wrong = first_not_passing(run, submission)
    if wrong is None:
        return "", ""
    check = cause_of(wrong) if is_graded(run, submission) else None
    return wrong["step"], in_brief(check) if check else NOT_GRADED


def _guarded(cell: str) -> str:
    """The cell on one line, and never a formula: a ' precedes a text that would be one."""
    return FORMULA.sub(r"\1\2'", line(cell))
