"""One step of training, foretold: of a model whose scores are known, by gradient descent."""

from __future__ import annotations

from typing import Any

import numpy as np

from checks import learning
from checks.machine.language import (
    Array,
    Descent,
    Fail,
    Function,
    Oracle,
    Received,
    Submission,
    differs,
    expect,
    expect_number,
    state,
)

LARGE = 20.0  # Of max_norm: longer than the gradient of any Oracle, so nothing is clipped.
ROUNDING = 5e-6  # Of a loss in float32: what is left of scores of about 10, however small.
Batch = tuple[Array, Array]  # src and trg.
Step = tuple[Received, dict[str, Received]]  # The loss, and the parameters afterwards.


def train_step(submission: Submission, dtype: str = "float32") -> Function:
    return submission.function("train_step", learning.sequence_loss, dtype)


class Training:
    """A model whose scores are known, an optimizer, and what one step should make of it."""

    def __init__(
        self,
        submission: Submission,
        vocab_size: int,
        src_pad_idx: int,
        trg_pad_idx: int,
        lr: float = 1.0,
        left: float | None = None,
    ):
        self.submission, self.trg_pad_idx = submission, trg_pad_idx
        self.model = Oracle(submission, vocab_size, src_pad_idx, trg_pad_idx, left=left)
        self.optimizer = Descent(submission, self.model, lr)
        self.step = train_step(submission)
        self.expected = self.model.parameters
        self.velocity = {name: np.zeros_like(w) for name, w in self.expected.items()}

    def on(self, src: Array, trg: Array, *more: float) -> Step:
        """The answer of one train_step, and the parameters after it."""
        got, answer = self.step.called(self.model, self.optimizer, src, trg, *more)
        if answer["changed"]:
            sentence = "The call changed the batch that it was given in place."
            raise Fail("mutation", got.say(sentence), shows="argument-changed")
        reports = state(self.submission, self.model).parameters
        tried = f"{got.tried}, then read the parameters"
        after = {
            name: Received(reports.get(name), name, tried, "float32") for name in self.expected
        }
        return got, after

    def foretell(
        self, src: Array, trg: Array, smoothing: float = 0.0, max_norm: float = LARGE, **how: Any
    ) -> float:
        """What one step should make of the parameters that are expected; its loss."""
        factor = min(1, max_norm / self.norm(src, trg, smoothing, how.get("spread", "all")))
        mass, lr = self.optimizer.momentum, self.optimizer.lr
        loss = learning.sequence_loss(self.logits, trg[:, 1:], self.trg_pad_idx, smoothing, **how)
        self.velocity = {n: mass * v + factor * self.slopes[n] for n, v in self.velocity.items()}
        self.expected = {n: w - lr * self.velocity[n] for n, w in self.expected.items()}
        return float(loss)

    def norm(self, src: Array, trg: Array, smoothing: float = 0.0, spread: str = "all") -> float:
        """Of all gradients together."""
        self.model.scores, self.model.bonus = self.expected.values()
        self.logits = self.model.logits(src, trg[:, :-1])
        of_logits = learning.sequence_loss_gradient(
            self.logits, trg[:, 1:], self.trg_pad_idx, smoothing, spread
        )
        self.slopes = self.model.gradients(src, trg[:, :-1], of_logits)
        return float(np.sqrt(sum((slope**2).sum() for slope in self.slopes.values())))

    def expect(self, after: dict[str, Received]) -> None:
        """Every parameter went where the step should have taken it."""
        for name, got in after.items():
            expect(got, self.expected[name])

    def expect_steps(
        self, batches: list[Batch], steps: list[Step], max_norm: float = LARGE
    ) -> None:
        """Several steps, one after the other, were as they should be."""
        for (src, trg), (loss, after) in zip(batches, steps):
            expect_number(loss, self.foretell(src, trg, max_norm=max_norm), ROUNDING)
            self.expect(after)


def is_at(after: dict[str, Received], expected: dict[str, Array]) -> bool:
    """Whether these parameters, as they came, have these values."""
    arrays = {name: got.array for name, got in after.items()}
    return all(
        array is not None
        and array.shape == expected[name].shape
        and not differs(array, expected[name]).any()
        for name, array in arrays.items()
    )
