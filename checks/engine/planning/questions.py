"""The questions of one check: random numbers, and what is asked with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from checks.engine.asking.answers import Answers, Question, Refusal
from checks.engine.asking.values import Array, exact
from checks.engine.planning.planned import Planned


class Questions:
    """The questions of one check on one draw: drawn at random, and noted.

    `rng` draws the questions. `seeds` is for random numbers in the learner's own code (dropout,
    first values).
    """

    def __init__(self, planned: Planned, rng: np.random.Generator):
        self.planned, self.rng = planned, rng
        self.seeds = rng.spawn(2)[1]
        self.handles = 0  # The handle of the newest object in the worker.
        self.refusal: Refusal | None = None  # The error that is expected now.
        self.required: set[Callable[[Answers], None]] = set()  # Names that the step must have.
        self.made_before: Callable[[], None] | None = None  # Asks the last sized module again.

    # Random questions

    def seed(self) -> int:
        """A seed for random numbers in the learner's code: another one for each question."""
        return int(self.seeds.integers(1 << 31))

    def normal(self, *shape: int, scale: float = 1.0) -> Array:
        """Normal numbers that float32 holds exactly."""
        return exact(self.rng.normal(0, scale, shape))

    def tokens(self, count: int, *shape: int, low: int = 0) -> Array:
        """Random ids: whole numbers from low to count - 1."""
        return self.rng.integers(low, count, shape)

    def mask(self, *shape: int, whole: int | None = None) -> Array:
        """A bool mask in which every row (last axis) has visible and masked entries.

        `whole`: the sentence in which nothing is masked, as in the longest one of a batch.
        """
        mask = self.rng.random(shape) < 0.6
        shown = self.rng.integers(0, shape[-1], shape[:-1])
        hidden = (shown + self.rng.integers(1, shape[-1], shape[:-1])) % shape[-1]
        np.put_along_axis(mask, shown[..., None], True, -1)
        np.put_along_axis(mask, hidden[..., None], False, -1)
        if whole is not None:
            mask[whole] = True
        return mask

    # Questions to the learner's code

    def ask(
        self,
        do: str,
        doing: str,
        form: Any = None,
        may_fail: bool = False,
        **arguments: Any,
    ) -> int:
        """Note one question, and that it has an answer; its number."""
        refused = self.refusal is not None
        question = Question(do, doing, arguments, self.refusal, may_fail or refused, form)
        number = self.planned.ask(question)
        if not question.may_fail:
            self.planned.note(lambda answers: answers.expect(number))
        return number
