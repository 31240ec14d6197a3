"""What a graduation is made of: learning in slices, looks on the way, an exam, and a reason."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

Ask = Callable[..., Any]  # ask(lesson, doing, **arguments): one question to the worker.


class Sample(NamedTuple):
    """One question of the exam, the learner's answer, and the right one."""

    question: str
    answer: str
    wanted: str

    @property
    def right(self) -> bool:
        return self.answer == self.wanted


class Reason(NamedTuple):
    """Why it was not enough: words, and what they point to, as (file, a line's beginning)."""

    says: str
    place: tuple[str, str] | None = None
    mistake: str | None = None


class Task(ABC):
    """What is to be learned. The right answers of the exam never leave this process."""

    does: str  # "Your … learns …", for people.
    sentence: str
    bar = 0.95  # The share of the exam that has to be right.
    batch_size = 64

    def __init__(self, rng: np.random.Generator, steps: int):
        self.rng, self.steps = rng, steps

    @abstractmethod
    def enrol(self, ask: Ask, seed: int) -> None:
        """Have the model made, with first values that come from the seed."""

    @abstractmethod
    def train(self, ask: Ask, first: int, count: int) -> list[float]:
        """So many steps, the first of this number (from 1); their losses."""

    @abstractmethod
    def look(self, ask: Ask) -> list[Sample]:
        """A few questions on the way, about what is not learned from; the exam has other ones."""

    @abstractmethod
    def exam(self, ask: Ask) -> list[Sample]:
        """The questions that count."""

    @abstractmethod
    def reason(self, ask: Ask, share: float, losses: list[float]) -> Reason:
        """Why only this share of the exam was right."""

    def shuffled(self, count: int) -> Iterator[list[int]]:
        """Batches of the numbers from 0 to count - 1, round after round, each mixed anew."""
        size = min(self.batch_size, count)
        while True:
            mixed = self.rng.permutation(count).tolist()
            yield from (mixed[at : at + size] for at in range(0, count - size + 1, size))

    def share(self, step: int, last: float = 0.4) -> float:
        """Of the learning rate: 1, then evenly down to almost 0 in the `last` part of all steps."""
        return min(1.0, (self.steps - step + 1) / (last * self.steps))
