"""All questions of a step's checks for one seed, and what is expected of the answers."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from checks.contents import Step
from checks.engine.planning.answers import Answers, Question
from checks.engine.shared import wire
from checks.engine.verdicts import Fail

# Checks that are needed only while a function of the step is unwritten, with its name.
UNTIL: dict[Callable[[Any], None], str] = {}
MOST_REDRAWS = 50  # Of a check whose draw leaves its own truth in doubt. One is rare.


class Redraw(Exception):
    """The draw leaves in doubt what is right: another one is needed."""


class Planned:
    """One check on one draw: its questions, and what is looked at, in which order."""

    def __init__(self, plan: Plan, check: Callable[[Any], None], draw: int):
        self.plan, self.check, self.draw = plan, check, draw
        self.until = UNTIL.get(check)
        self.first = self.end = len(plan.questions)
        self.looks: list[Callable[[Answers], None]] = []

    @property
    def name(self) -> str:
        return self.check.__name__

    def note(self, look: Callable[[Answers], None]) -> None:
        """Note what is looked at when the answers have come. It raises Stopped if it is not met."""
        self.looks.append(look)

    def ask(self, question: Question) -> int:
        """Note a question; its number."""
        self.plan.questions.append(question)
        self.end = len(self.plan.questions)
        return self.end - 1

    def judge(self, answers: Answers) -> None:
        """Raises Stopped at the first expectation that is not met.

        It returns only if every question has an answer: only then has the check passed.
        """
        answers.expect_loaded()
        for look in self.looks:
            look(answers)
        for number in range(self.first, self.end):
            answers.expect_alive(number)

    def is_needless(self, answers: Answers) -> bool:
        """Whether the check asks only while a function is unwritten, and it is written."""
        if self.until is None:
            return False
        return f'raise NotImplementedError("{self.until}")' not in answers.files.text(
            answers.files.step
        )


class Plan:
    """All questions of these checks for one seed. It is the same for every submission."""

    def __init__(self, step: Step, checks: list[Callable[[Any], None]], seed: int, draws: int = 1):
        from checks.engine.planning.submission import Submission

        self.step, self.seed = step, seed
        self.questions: list[Question] = []
        self.checks: list[Planned] = []
        self.probes: list[Any] = []  # Calls that may tell how parameters are arranged.
        for check in checks:
            for draw in range(draws):
                for attempt in range(MOST_REDRAWS):
                    planned, probes = Planned(self, check, draw), len(self.probes)
                    try:
                        check(Submission(planned, self._rng(check, draw, attempt)))
                        break
                    except Redraw:
                        del self.questions[planned.first :], self.probes[probes:]
                    except Fail as fail:
                        raise AssertionError(
                            f"{check.__name__} judges while it plans: {fail}"
                        ) from fail
                else:
                    raise AssertionError(f"{check.__name__}: no draw is certain")
                self.checks.append(planned)

    def _rng(self, check: Callable[[Any], None], draw: int, attempt: int) -> np.random.Generator:
        key = zlib.crc32(f"{self.step.name}.{check.__name__}".encode())
        return np.random.default_rng([self.seed, key, draw, *([attempt] if attempt else [])])

    @cached_property
    def packed(self) -> wire.Array:
        """The questions of all checks, encoded once."""
        return self.part(self.checks)

    def part(
        self, checks: list[Planned], until: int | None = None, operands: bool = False
    ) -> wire.Array:
        """The questions of some checks, for each check a list of numbers and questions.

        until: the last question. operands: a call that fails says what it failed with.
        """
        return wire.packed(
            [
                [
                    self._sent(number, operands)
                    for number in range(check.first, check.end)
                    if until is None or number <= until
                ]
                for check in checks
            ]
        )

    def _sent(self, number: int, operands: bool) -> list[Any]:
        question = self.questions[number]
        arguments = question.arguments
        if operands and question.do == "call":
            arguments = {**arguments, "operands": True}
        return [number, question.do, arguments, question.may_fail]
