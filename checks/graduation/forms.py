"""The form that an honest worker gives the answer of a lesson."""

from __future__ import annotations

from typing import Any

from checks.engine.asking.forms import NAME, TEXT, is_array


def form_of(lesson: str, given: dict[str, Any]) -> Any:
    """The form of the answer to this lesson (checks/extensions/school.py) with these arguments."""
    if lesson.startswith("train_"):
        return (float,) * len(given["batches"])
    if lesson in ("translate", "write", "reread", "told", "spell"):
        return (TEXT,) * len(given["texts"])
    if lesson in ("teach", "classify"):
        asked = given["trg"].shape if lesson == "teach" else given["tokens"].shape[:1]
        return lambda ids: is_array(ids) and ids.dtype == "int64" and ids.shape == asked
    return [(NAME, is_array)] if lesson == "keep" else None
