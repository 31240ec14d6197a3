"""Whether the answer of a lesson has the form that an honest worker gives it."""

from __future__ import annotations

from typing import Any

from checks.engine.asking.answers import TEXT, is_array, is_list, is_text


def well_formed(lesson: str, given: dict[str, Any], answer: Any) -> bool:
    """`answer` is the answer to this lesson (checks/extensions/school.py) with these arguments."""
    if lesson.startswith("train_"):
        losses = is_list(answer, lambda loss: type(loss) is float)
        return losses and len(answer) == len(given["batches"])
    if lesson in ("translate", "write", "reread", "told", "spell"):
        texts = is_list(answer, lambda text: is_text(text, TEXT))
        return texts and len(answer) == len(given["texts"])
    if lesson in ("teach", "classify"):
        asked = given["trg"].shape if lesson == "teach" else given["tokens"].shape[:1]
        return is_array(answer) and answer.dtype == "int64" and answer.shape == asked
    if lesson == "keep":
        return is_list(answer, lambda p: len(p) == 2 and is_text(p[0]) and is_array(p[1]))
    return True
