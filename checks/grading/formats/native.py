"""json: the run as it is, but harmless for every reader of JSON."""

from __future__ import annotations

import json
from typing import Any

from checks.grading.formats.facts import Run, is_graded


def native(run: Run) -> str:
    """One object, in escaped ASCII, so that no control character acts on a terminal.

    Unknown points are null. Half a surrogate pair, which strict readers refuse, becomes a "?".
    """
    submissions = [
        submission if is_graded(run, submission) else {**submission, "points": None}
        for submission in run["submissions"]
    ]
    known = {**run, "submissions": submissions}
    return json.dumps(_unpaired(known), indent=1, allow_nan=False) + "\n"


def _unpaired(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {key: _unpaired(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_unpaired(inner) for inner in value]
    return value
