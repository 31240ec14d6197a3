"""The model of a graduation, kept in one file: `translate` and `classify` use it.

models/graduation/translate.npz has the weights by name and, under "about", the sizes and
vocabularies as JSON. `train` uses other places, so neither replaces the other's model.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from checks.contents import COURSE, Step
from checks.engine.files.progress import write_whole
from checks.engine.files.told import said_if_not_kept
from checks.graduation.texts import received_as_they_are

ABOUT = "about"
# The graduation that makes the model of a task, and a text for it.
STEPS = {"translate": "5.5", "classify": "5.6", "count": "6.8"}
TEXTS = {"5.5": "siebenundzwanzig", "5.6": "trois cent quarante"}


def place(task: str) -> Path:
    return COURSE / "models" / "graduation" / f"{task}.npz"


def save(about: dict[str, Any], weights: list[tuple[str, Any]]) -> None:
    """Write the model to its file, completely, and replace an earlier one.

    If it cannot be written, this is said, and the graduation counts all the same.
    """
    content = io.BytesIO()
    arrays: dict[str, Any] = {name: received_as_they_are(array) for name, array in weights}
    np.savez(content, **{ABOUT: np.array(json.dumps(about)), **arrays})
    file = place(about["task"])
    with said_if_not_kept("The model of your graduation is", file):
        write_whole(file, content.getvalue())


def learned(task: str) -> dict[str, Any] | None:
    """The score, answers and losses of the graduation; None without them (older models have
    none).
    """
    try:
        with np.load(place(task), allow_pickle=False) as file:
            about = json.loads(str(file[ABOUT]))
        losses = [float(loss) for loss in about["losses"]]
        exam = [
            (str(question), str(answer), bool(right)) for question, answer, right in about["exam"]
        ]
        return {"task": task, "score": str(about["score"]), "exam": exam, "losses": losses}
    except (OSError, ValueError, KeyError, TypeError):
        return None


def example(step: Step) -> str:
    """The command to use the model of a step's graduation; "" without a model or a command."""
    task = next((task for task, id in STEPS.items() if id == step.id), "")
    if step.id not in TEXTS or not place(task).exists():
        return ""
    return f"echo {TEXTS[step.id]} | python run_step.py {task}"
