"""The answers to a plan's questions, as far as they have come, and what stopped them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from checks.engine.asking.forms import error_of, fits, form_of
from checks.engine.asking.learner import Files, LearnerError
from checks.engine.hosting.outcomes import Died
from checks.engine.verdicts import Fail, Stopped, Verdict

Refusal = tuple[str, tuple[int | str, ...]]  # An expected error: its type, and what it should name.


@dataclass
class Question:
    """One question to the worker. `doing` says in words when it is asked.

    `may_fail`: an exception is an answer, too. `form`: of an answer that the engine does not know.
    """

    do: str
    doing: str
    arguments: dict[str, Any]
    refusal: Refusal | None = None
    may_fail: bool = False
    form: Any = None
    roles: dict[str, tuple[int, ...]] | None = None  # Of a module that is made: its parameters.


class Answers:
    """What a submission answered: one entry of `found` for each question of the plan.

    An entry is {"ok": …}, or {"error": …}, or how the worker ended; None: it was not asked.
    `loaded` is the answer to the import of the step.
    """

    def __init__(self, questions: list[Question], files: Files, seconds: float):
        self.questions, self.files, self.seconds = questions, files, seconds
        self.loaded: Any = None
        self.found: list[Any] = [None] * len(questions)
        self.printed: dict[str, str] = {}  # By check.
        self.values: dict[Any, Any] = {}  # What was read at the places, and is known.
        self.asked_more = 0  # Questions that were asked after the plan.
        self.live: Any = None  # A Conversation with a worker that has given these answers.

    @property
    def is_loaded(self) -> bool:
        """Whether the step could be imported."""
        return isinstance(self.loaded, dict) and "names" in self.loaded.get("ok", {})

    def ok(self, number: int) -> Any:
        return self.found[number]["ok"]

    def error(self, number: int) -> dict[str, Any] | None:
        """The exception that the question ended with, if it did."""
        error: dict[str, Any] | None = self.found[number].get("error")
        return error

    def expect_loaded(self) -> None:
        """Raises Stopped unless the step could be imported."""
        expect_loaded(self.loaded, self.files, self.seconds)

    def expect(self, number: int) -> None:
        """Raises Stopped unless this question has an answer that is no exception."""
        doing = self.questions[number].doing
        expect_ok(self.found[number], self.files, doing, self.seconds)

    def expect_alive(self, number: int) -> None:
        """Raises Stopped if the worker has ended. An exception is an answer, too."""
        if not isinstance(self.found[number], dict):
            self.expect(number)

    def raised(self, number: int) -> Stopped:
        """The exception that this question ended with, in words."""
        doing = self.questions[number].doing
        return _raised(self.found[number]["error"], self.files, doing)


def expect_loaded(answer: Any, files: Files, seconds: float) -> None:
    """Raises Stopped unless this answer says that the step was imported."""
    loaded = expect_ok(answer, files, "while the file was being imported", seconds)
    if "forbidden" in loaded:
        raise took_answers(loaded["forbidden"])


def expect_ok(answer: Any, files: Files, doing: str, seconds: float) -> Any:
    """What was answered. Raises Stopped for an exception, or the end of the worker.

    `doing` says in words when it was asked. seconds: the time limit.
    """
    if answer is None:
        raise AssertionError(f"no answer, {doing}")
    if isinstance(answer, Died):
        raise _death(answer, files, doing, seconds)
    if "error" in answer:
        raise _raised(answer["error"], files, doing)
    return answer["ok"]


def _raised(error: dict[str, Any], files: Files, doing: str) -> Stopped:
    if error["type"] == "Forbidden":
        return took_answers(error["message"])
    if error["ours"]:
        return Stopped("infra", f"The checker stopped {doing}: {error['type']}: {error['message']}")
    return LearnerError(error, files, doing)


def _death(death: Died, files: Files, doing: str, seconds: float) -> Stopped:
    place = None
    for path, line in re.findall(r'File "(.+?)", line (\d{1,9})\b', death.trace):
        place = place or files.place(path, int(line))
    limit = f"{seconds:g} s"
    ends: dict[str, tuple[Verdict, str]] = {
        "timeout": ("timeout", f"Your code did not finish within {limit} {doing}."),
        "output_limit": ("output_limit", f"Your code printed without end {doing} ({limit})."),
        "memory": ("memory", f"Your code was stopped {doing}: {death.detail}."),
        "crash": ("crash", f"Your code crashed the Python process {doing} ({death.detail})."),
        "no_result": (
            "no_result",
            f"Your code ended the Python process {doing} ({death.detail}).",
        ),
        "garbled": ("no_result", f"No valid answer came back {doing}."),
        "starved": ("infra", f"Other programs left it no time to finish {doing}."),
    }
    verdict, sentence = ends[death.how]
    if place is not None:
        sentence += f"\n  it was at {place.file}:{place.line}\n    {files.line(place)}"
    return Stopped(verdict, sentence, place)


def checked(answer: Any, question: Question | None) -> Any:
    """An answer in its form: {"ok": …}, or {"error": …}, cut to size. `question`: None for the
    import. A forged answer is a worker that ended.
    """
    try:
        if error := error_of(answer):
            return {"error": error}
        do, arguments = (question.do, question.arguments) if question else ("load", {})
        form = (
            form_of(do, arguments) if question is None or question.form is None else question.form
        )
        if fits(answer["ok"], form):
            return {"ok": answer["ok"]}
    except (TypeError, ValueError, KeyError, AttributeError, IndexError):
        pass
    return Died("garbled")


def took_answers(how: object) -> Fail:
    return Fail("rule", f"This step {how}: write it yourself.")
