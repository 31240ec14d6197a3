"""All questions of a step's checks for one seed, and what is expected of the answers."""

from __future__ import annotations

import traceback
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from checks.contents import Step
from checks.engine.asking.answers import Question
from checks.engine.planning.planned import Planned, Redraw
from checks.engine.planning.submission import Submission
from checks.engine.shared import wire

MOST_REDRAWS = 50  # Of a check whose draw leaves its own truth in doubt. One is rare.
Check = Callable[[Submission], None]


class Plan:
    """All questions of these checks for one seed. It is the same for every submission."""

    def __init__(self, step: Step, checks: list[Check], seed: int, draws: int = 1):
        self.step, self.seed = step, seed
        self.questions: list[Question] = []
        self.checks: list[Planned] = []
        self.probes: list[Any] = []  # Calls that may tell how parameters are arranged.
        for check in checks:
            self.checks += [self._planned(check, draw) for draw in range(draws)]

    def _planned(self, check: Check, draw: int) -> Planned:
        """The check on this draw, with its questions added to the plan."""
        first, probes = len(self.questions), len(self.probes)
        for attempt in range(MOST_REDRAWS):
            planned = Planned(check, self.step.path, self.questions, self.probes)
            try:
                check(Submission(planned, self._rng(check, draw, attempt)))
                return planned
            except Redraw:
                del self.questions[first:], self.probes[probes:]
            except Exception:
                planned.fault = traceback.format_exc(limit=-4)
                return planned
        planned.fault = f"None of {MOST_REDRAWS} draws is certain."
        return planned

    def _rng(self, check: Check, draw: int, attempt: int) -> np.random.Generator:
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

    def question(self, number: int, operands: bool) -> Question:
        """A question as it is put. operands: a call that fails says what it failed with."""
        question = self.questions[number]
        if not operands or question.do != "call":
            return question
        return replace(question, arguments={**question.arguments, "operands": True})

    def _sent(self, number: int, operands: bool) -> list[Any]:
        question = self.question(number, operands)
        return [number, question.do, question.arguments, question.may_fail]
