"""The expected result of one training step: known scores, and gradient descent."""

from __future__ import annotations

from typing import Any

import numpy as np

from checks.engine.language import (
    Array,
    Fail,
    Function,
    Place,
    Received,
    State,
    Submission,
    attribute,
    chosen,
    differs,
    expect,
    expect_number,
    expectation,
    state,
)
from checks.scenes.stand_ins import Descent, ToyModel
from checks.truth import learning

LARGE = 20.0  # For max_norm: longer than the gradient of any ToyModel, so no gradient is clipped.
ROUNDING = 5e-6  # In a loss in float32, from scores of about 10, however small the loss.
Batch = tuple[Array, Array]  # src and trg.
Step = tuple[Place, dict[str, Place]]  # The loss, and the parameters afterwards.


def train_step(submission: Submission, dtype: str = "float32") -> Function:
    return submission.function("train_step", dtype=dtype)


class Training:
    """A model with known scores, an optimizer, and the expected result of one step."""

    def __init__(
        self,
        submission: Submission,
        vocab_size: int,
        src_pad_idx: int,
        trg_pad_idx: int,
        lr: float = 1.0,
        left: float | None = None,
        frozen: bool = False,
    ):
        self.submission, self.trg_pad_idx = submission, trg_pad_idx
        self.model = ToyModel(
            submission, vocab_size, src_pad_idx, trg_pad_idx, left=left, frozen=frozen
        )
        self.optimizer = Descent(submission, self.model, lr)
        self.step = train_step(submission)
        self.expected = self.model.parameters
        self.velocity = {name: np.zeros_like(w) for name, w in self.expected.items()}

    def on(self, src: Array, trg: Array, *more: float) -> Step:
        """The result of one train_step, and the parameters after it."""
        got = self.step(self.model, self.optimizer, src, trg, *more)
        expect_batch_kept(got)
        expect_settings_kept(got, attribute(self.optimizer, "is_as_it_came"))
        now = state(self.submission, self.model)
        return got, {name: chosen(parameter, got, now, name) for name in self.expected}

    def foretell(
        self, src: Array, trg: Array, smoothing: float = 0.0, max_norm: float = LARGE, **how: Any
    ) -> float:
        """Update the expected parameters by one step; the expected loss."""
        factor = min(1, max_norm / self.norm(src, trg, smoothing, how.get("spread", "all")))
        mass, lr = self.optimizer.momentum, self.optimizer.lr
        loss = learning.sequence_loss(self.logits, trg[:, 1:], self.trg_pad_idx, smoothing, **how)
        self.velocity = {n: mass * v + factor * self.slopes[n] for n, v in self.velocity.items()}
        self.expected = {n: w - lr * self.velocity[n] for n, w in self.expected.items()}
        return float(loss)

    def norm(self, src: Array, trg: Array, smoothing: float = 0.0, spread: str = "all") -> float:
        """The norm of all gradients together."""
        self.model.scores, self.model.bonus = self.expected.values()
        self.logits = self.model.logits(src, trg[:, :-1])
        of_logits = learning.sequence_loss_gradient(
            self.logits, trg[:, 1:], self.trg_pad_idx, smoothing, spread
        )
        self.slopes = self.model.gradients(src, trg[:, :-1], of_logits)
        return float(np.sqrt(sum((slope**2).sum() for slope in self.slopes.values())))

    def expect(self, after: dict[str, Place]) -> None:
        """Fail unless every parameter has its expected value after the step."""
        for name, got in after.items():
            expect(got, self.expected[name])

    def expect_steps(
        self, batches: list[Batch], steps: list[Step], max_norm: float = LARGE
    ) -> None:
        """Fail unless several steps, one after the other, give the expected results."""
        for (src, trg), (loss, after) in zip(batches, steps):
            expect_number(loss, self.foretell(src, trg, max_norm=max_norm), ROUNDING)
            self.expect(after)


@expectation
def expect_batch_kept(got: Received) -> None:
    if got.changed:
        sentence = "The call changed the batch that it was given in place."
        raise Fail("mutation", got.say(sentence), shows="argument-changed")


@expectation
def expect_settings_kept(got: Received, is_as_it_came: Received) -> None:
    if is_as_it_came.plain is not True:
        sentence = "After the call the settings of the optimizer are others: its lr, or another."
        raise Fail("values", got.say(f"{sentence} They belong to the caller."))


def parameter(got: Received, now: State, name: str) -> Received:
    """A parameter of the toy model after a step."""
    tried = f"{got.tried}, then read the parameters"
    return Received(now.parameters.get(name), f"the toy model's {name}", tried, "float32")


def is_at(after: dict[str, Received], expected: dict[str, Array]) -> bool:
    """Whether the received parameters have these values."""
    arrays = {name: got.array for name, got in after.items()}
    return all(
        array is not None
        and array.shape == expected[name].shape
        and not differs(array, expected[name]).any()
        for name, array in arrays.items()
    )
