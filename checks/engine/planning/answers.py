"""The answers to a plan's questions, as far as they have come, and what stopped them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from checks.engine.asking.answers import error_of, fits, form_of
from checks.engine.asking.learner import Files, LearnerError
from checks.engine.hosting.outcomes import Died
from checks.engine.verdicts import Fail, Stopped, Verdict

if TYPE_CHECKING:
    from checks.engine.planning.plan import Plan, Question


class Answers:
    """What a submission answered: one entry of `found` for each question of the plan.

    An entry is {"ok": …}, or {"error": …}, or how the worker ended; None: it was not asked. `loaded`
    is the answer to the import of the step.
    """

    def __init__(self, plan: Plan, files: Files, seconds: float):
        self.plan, self.files, self.seconds = plan, files, seconds
        self.loaded: Any = None
        self.found: list[Any] = [None] * len(plan.questions)
        self.printed: dict[str, str] = {}  # By check.
        self.values: dict[Any, Any] = {}  # What was read at the places, and is known.
        self.live: Any = None  # A worker that has given these answers, and can be asked more.

    def ok(self, number: int) -> Any:
        return self.found[number]["ok"]

    def error(self, number: int) -> dict[str, Any] | None:
        """The exception that the question ended with, if it did."""
        error: dict[str, Any] | None = self.found[number].get("error")
        return error

    def expect_loaded(self) -> None:
        """Raises Stopped unless the step could be imported."""
        doing = "while the file was being imported"
        self._expect(self.loaded, doing)
        if "forbidden" in self.loaded["ok"]:
            raise took_answers(self.loaded["ok"]["forbidden"])

    def expect(self, number: int) -> None:
        """Raises Stopped unless this question has an answer that is no exception."""
        self._expect(self.found[number], self.plan.questions[number].doing)

    def expect_alive(self, number: int) -> None:
        """Raises Stopped if the worker has ended. An exception is an answer, too."""
        if not isinstance(self.found[number], dict):
            self.expect(number)

    def raised(self, number: int) -> Stopped:
        """The exception that this question ended with, in words."""
        return self._raised(self.found[number]["error"], self.plan.questions[number].doing)

    def _expect(self, answer: Any, doing: str) -> None:
        if answer is None:
            raise AssertionError(f"no answer, {doing}")
        if isinstance(answer, Died):
            raise self._death(answer, doing)
        if "error" in answer:
            raise self._raised(answer["error"], doing)

    def _raised(self, error: dict[str, Any], doing: str) -> Stopped:
        if error["type"] == "Forbidden":
            return took_answers(error["message"])
        return LearnerError(error, self.files, doing)

    def _death(self, death: Died, doing: str) -> Stopped:
        place = None
        for path, line in re.findall(r'File "(.+?)", line (\d{1,9})\b', death.trace):
            place = place or self.files.place(path, int(line))
        seconds = f"{self.seconds:g} s"
        ends: dict[str, tuple[Verdict, str]] = {
            "timeout": ("timeout", f"Your code did not finish within {seconds} {doing}."),
            "output_limit": ("output_limit", f"Your code printed without end {doing} ({seconds})."),
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
            sentence += f"\n  it was at {place.file}:{place.line}\n    {self.files.line(place)}"
        return Stopped(verdict, sentence, place)


def checked(answer: Any, question: Question | None) -> Any:
    """An answer in its form: {"ok": …}, or {"error": …}, cut to size. `question`: None for the
    import. A forged answer is a worker that ended.
    """
    try:
        if error := error_of(answer):
            return {"error": error}
        do, arguments = (question.do, question.arguments) if question else ("load", {})
        form = form_of(do, arguments) if question is None or question.form is None else question.form
        if fits(answer["ok"], form):
            return {"ok": answer["ok"]}
    except (TypeError, ValueError, KeyError, AttributeError, IndexError):
        pass
    return Died("garbled")


def took_answers(how: object) -> Fail:
    return Fail("rule", f"This step {how}: write it yourself.")
