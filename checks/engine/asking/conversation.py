"""The talk with a worker, question by question: for examples, graduations and a closer look.

Checks do not talk: they are planned, and asked all at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from checks.contents import COURSE
from checks.engine.asking.answers import Question, checked, expect_loaded, expect_ok
from checks.engine.asking.learner import Files, frames
from checks.engine.hosting.outcomes import Died
from checks.engine.hosting.process import Worker

ANSWERS = ("solutions", "checks")  # Folders that a step must not import, or read.


class Conversation:
    """Questions to one worker that holds a learner's step."""

    def __init__(self, worker: Worker, files: Files):
        self.worker, self.files = worker, files

    def load(self, module: str, seed: int) -> None:
        """Import the step. Raises Stopped if the import fails."""
        try:
            answer = checked(self.worker.ask("load", **to_load(self.files, module, seed)), None)
        except Died as death:
            answer = death
        expect_loaded(answer, self.files, self.worker.seconds)

    def ask(self, do: str, doing: str, form: Any = None, **arguments: Any) -> Any:
        """Ask the worker one question. Raises Stopped for anything but an answer.

        `form` is that of an answer to a question that the engine does not know.
        """
        question = Question(do, doing, arguments, form=form)
        try:
            answer = checked(self.worker.ask(do, **arguments), question)
        except Died as death:
            answer = death
        return expect_ok(answer, self.files, doing, self.worker.seconds)


def to_load(files: Files, module: str, seed: int) -> dict[str, Any]:
    """What a worker needs to import a step of a submission."""
    return {
        "root": files.root,
        "files": frames(files.contents),
        "helpers": frames(files.helpers),
        "module": module,
        "banned": list(ANSWERS),
        "guarded": _guarded(files.root),
        "seed": seed,
    }


def _guarded(root: str) -> list[str]:
    """Folders with solutions, unless they are the submission that is checked."""
    folders = [COURSE / name for name in ANSWERS]
    return [str(folder) for folder in folders if not Path(root).is_relative_to(folder)]
