"""The parts of a graduation: training in slices, looks on the way, an exam, and a reason."""

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
    """Why it was not enough: words, and the place they mean, as (file, a line's beginning)."""

    says: str
    place: tuple[str, str] | None = None
    mistake: str | None = None


class Task(ABC):
    """A task to learn. The right answers of the exam never leave this process."""

    does: str  # "Your … learns …", for readers.
    sentence: str
    bar = 0.95  # The fraction of the exam that must be right.
    batch_size = 64

    def __init__(self, rng: np.random.Generator, steps: int):
        self.rng, self.steps = rng, steps

    @abstractmethod
    def enrol(self, ask: Ask, seed: int) -> None:
        """Have the model made, with first values from the seed."""

    @abstractmethod
    def train(self, ask: Ask, first: int, count: int) -> list[float]:
        """Train `count` steps from step `first` (counted from 1); their losses."""

    @abstractmethod
    def look(self, ask: Ask) -> list[Sample]:
        """Ask a few questions on the way, not from the training and not from the exam."""

    @abstractmethod
    def exam(self, ask: Ask) -> list[Sample]:
        """Ask the questions that count."""

    @abstractmethod
    def about(self) -> dict[str, Any]:
        """The facts that are needed to use the model later, for kept.py."""

    @abstractmethod
    def reason(self, ask: Ask, share: float, losses: list[float]) -> Reason:
        """Why only this fraction of the exam was right."""

    def shuffled(self, count: int) -> Iterator[list[int]]:
        """Batches of the numbers from 0 to count - 1, round after round, each in a new random
        order.
        """
        size = min(self.batch_size, count)
        while True:
            mixed = self.rng.permutation(count).tolist()
            yield from (mixed[at : at + size] for at in range(0, count - size + 1, size))

    def share(self, step: int, last: float = 0.4) -> float:
        """The factor of the learning rate: 1, then linearly to almost 0 in the `last` part of all
        steps.
        """
        return min(1.0, (self.steps - step + 1) / (last * self.steps))
