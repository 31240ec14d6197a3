"""One check on one draw: its questions, and what is expected of the answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from checks.engine.asking.answers import Answers, Question
from checks.engine.verdicts import Stopped

Look = Callable[[Answers], None]

# Checks that are needed only while a function of the step is unwritten, with its name.
UNTIL: dict[Callable[[Any], None], str] = {}


class Redraw(Exception):
    """The draw leaves in doubt what is right: another one is needed."""


class Planned:
    """One check on one draw: its questions, and what is expected, in order."""

    def __init__(
        self, check: Callable[[Any], None], path: str, questions: list[Question], probes: list[Any]
    ):
        """path: of the step's file. questions, probes: those of the whole plan."""
        self.check, self.path, self.questions, self.probes = check, path, questions, probes
        self.fault = ""  # Of the check itself.
        self.until = UNTIL.get(check)
        self.first = self.end = len(questions)
        self.looks: list[tuple[int, Look]] = []  # Each after so many questions of the plan.

    @property
    def name(self) -> str:
        return self.check.__name__

    def note(self, look: Look) -> None:
        """Note what is expected: a function that raises Stopped if it is not met."""
        self.looks.append((self.end, look))

    def ask(self, question: Question) -> int:
        """Note a question; its number."""
        self.questions.append(question)
        self.end = len(self.questions)
        return self.end - 1

    def judge(self, answers: Answers) -> None:
        """Raises Stopped at the first expectation that is not met.

        It returns only if every question has an answer: only then has the check passed.
        """
        needless = self.is_needless(answers)
        if answers.loaded is not None or not needless:
            answers.expect_loaded()
        if needless:
            return
        for _, look in self.looks:
            look(answers)
        for number in range(self.first, self.end):
            answers.expect_alive(number)

    def told_by(self, answers: Answers) -> range:
        """The questions up to the first expectation that is not met. All, if the check passes.

        What is asked later says nothing new. But several mistakes have the same wrong parameters:
        of these, one more call tells which it is.
        """
        for end, look in self.looks if answers.is_loaded else []:
            try:
                look(answers)
            except Stopped as stopped:
                later = range(end, self.end if stopped.kind == "params" else end)
                calls = (n + 1 for n in later if self.questions[n].do == "call")
                return range(self.first, next(calls, end))
        return range(self.first, self.end if answers.is_loaded else self.first)

    def was_asked(self, answers: Answers) -> bool:
        """Whether its questions were put, as far as they were needed."""
        if answers.loaded is None:
            return self.is_needless(answers)
        needs_none = self.first == self.end or self.is_needless(answers) or not answers.is_loaded
        return needs_none or answers.found[self.first] is not None

    def is_needless(self, answers: Answers) -> bool:
        """Whether the check asks only while a function is unwritten, and it is written."""
        if self.until is None:
            return False
        return f'raise NotImplementedError("{self.until}")' not in answers.files.text(
            answers.files.step
        )
