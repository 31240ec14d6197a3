"""What a learner's function is given in the place of something large, as the judge knows it.

In the worker each is a class of the same name: checks/machine/worker/stand_ins.py. The first time
it is sent with its settings, later by its handle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from checks.machine.asking.values import Array, to_wire
from checks.machine.verdicts import Stopped

if TYPE_CHECKING:
    from checks.machine.asking.submission import Submission

SOURCES, STATES = 11, 23  # That an Oracle tells apart: primes, so that every token counts.


class StandIn:
    """`settings` are sent once; `trains`, train or eval mode, whenever it is not None."""

    described = ""

    def __init__(self, submission: Submission, **settings: Any):
        self.submission, self.settings = submission, settings
        self.trains: bool | None = None
        self.handle: int | None = None

    def sent(self, dtype: str) -> Any:
        if self.handle is not None:
            return {"at_hand": self.handle, "train": self.trains}
        self.submission.handles += 1
        self.handle = self.submission.handles
        return {
            "stand_in": type(self).__name__.lower(),
            "with": {name: to_wire(value, dtype) for name, value in self.settings.items()},
            "handle": self.handle,
            "train": self.trains,
        }


class Square(StandIn):
    """For a dropout module: it squares what it gets, whatever its shape."""

    described = "a dropout that squares"

    def __init__(self) -> None:
        self.trains = None

    def sent(self, dtype: str) -> Any:
        return {"stand_in": "square", "with": {}, "handle": None, "train": None}


class Oracle(StandIn):
    """For a Transformer: a table of scores for every source, every beginning of a target and every
    next token; one for train mode and one for eval mode.

    Each row of scores has a constant of its own, which no probability depends on. `rare` tokens
    have next to no probability. `left`: what all gradients hold at first. `shift`: the one weight
    of its encoder, which changes what it knows of a source. `src_max_len`: the longest source that
    it can read.
    """

    described = "a model"

    def __init__(
        self,
        submission: Submission,
        vocab_size: int,
        src_pad_idx: int,
        trg_pad_idx: int,
        rare: Sequence[int] = (),
        left: float | None = None,
        shift: int = 0,
        src_max_len: int | None = None,
    ):
        self.shift = shift
        self.scores = submission.normal(2, SOURCES, STATES, vocab_size, scale=1.5)
        self.scores += submission.normal(2, SOURCES, STATES, 1, scale=4.0)
        self.scores[1] += submission.normal(SOURCES, STATES, 1, scale=20.0).clip(-40, 40)
        self.bonus = submission.normal(2, vocab_size)
        self.bonus[:, list(rare)] = -40
        super().__init__(
            submission,
            scores=self.scores,
            bonus=self.bonus,
            src_pad_idx=src_pad_idx,
            trg_pad_idx=trg_pad_idx,
            left=left,
            shift=shift,
            src_max_len=src_max_len,
        )
        self.src_pad_idx, self.trg_pad_idx = src_pad_idx, trg_pad_idx

    def source(self, src: Array, training: bool = False) -> int:
        """What it knows of one source sentence; in train mode it reads other tokens."""
        known = 0
        for at, token in enumerate(src.tolist()):
            if token != self.src_pad_idx:
                token, place = token + self.shift + training, at + self.shift
                known = (known * 7 + token * 3 + place + 1) % SOURCES
        return known

    def states(self, trg: Sequence[int]) -> list[int]:
        """What it knows of a target after each of its tokens."""
        found = [0]
        for token in trg:
            found.append((found[-1] * 5 + int(token) + 1) % STATES)
        return found[1:]

    def next(self, src: Array, trg: Sequence[int]) -> Array:
        """(vocab_size,) scores, in eval mode, of what follows a beginning of the target."""
        return np.asarray(self.scores[1, self.source(src), self.states(trg)[-1]] + self.bonus[1])

    def places(self, src: Array, trg: Array) -> tuple[Array, Array]:
        """Of each token of a batch: its source and its state, (batch_size, trg_len) each; in train
        mode.
        """
        states = np.array([self.states(row.tolist()) for row in trg])
        sources = np.array([self.source(row, training=True) for row in src])
        return np.broadcast_to(sources[:, None], states.shape), states

    def logits(self, src: Array, trg: Array) -> Array:
        """(batch_size, trg_len, vocab_size), in train mode."""
        return np.asarray(self.scores[0][self.places(src, trg)] + self.bonus[0])

    def gradients(self, src: Array, trg: Array, of_logits: Array) -> dict[str, Array]:
        """Of both parameters, from those of the logits that `logits` gives."""
        scores, bonus = np.zeros_like(self.scores), np.zeros_like(self.bonus)
        np.add.at(scores[0], self.places(src, trg), of_logits)
        bonus[0] = of_logits.sum((0, 1))
        return {"decoder.scores": scores, "decoder.bonus": bonus}

    def becomes(self, other: Oracle) -> None:
        """Take over the numbers of another: what training makes of a model."""
        self.scores, self.bonus, self.shift = other.scores, other.bonus, other.shift
        numbers = {**self.parameters, "encoder.weight": np.array([self.shift])}
        shapes = [[name, list(array.shape)] for name, array in numbers.items()]
        long = np.concatenate([array.ravel() for array in numbers.values()])
        values = {"shapes": shapes, "long": to_wire(long, "float32")}
        self.submission.ask("assign", "as the model changed", handle=self.handle, values=values)

    @property
    def parameters(self) -> dict[str, Array]:
        """Those that have a gradient."""
        return {"decoder.scores": self.scores, "decoder.bonus": self.bonus}


class Descent(StandIn):
    """For an optimizer: gradient descent with momentum on all parameters of a model.

    velocity = momentum * velocity + gradient,    parameter -= lr * velocity
    """

    described = "an optimizer"

    def __init__(self, submission: Submission, model: Any, lr: float, momentum: float = 0.5):
        super().__init__(submission, model=model, lr=lr, momentum=momentum)
        self.lr, self.momentum = lr, momentum


class Words(StandIn):
    """For a vocabulary. `around`: the ids that encode puts before and after those of the words."""

    described = "a vocabulary"

    def __init__(
        self,
        submission: Submission,
        words: list[str],
        pad_idx: int,
        bos_idx: int,
        eos_idx: int,
        around: tuple[list[int], list[int]] = ([], []),
    ):
        super().__init__(
            submission,
            words=words,
            pad_idx=pad_idx,
            bos_idx=bos_idx,
            eos_idx=eos_idx,
            around=[list(ids) for ids in around],
        )
        self.words, self.around = words, around

    def encode(self, text: str) -> list[int]:
        before, after = self.around
        return [*before, *map(self.words.index, text.split(" ")), *after]

    def decode(self, ids: Sequence[int]) -> str:
        return "to <" + "·".join(self.words[token] for token in ids) + ">."


class State(NamedTuple):
    """Of a model: whether it is in train mode, and its parameters by name, as they are reported.

    `training`: None where some of its parts are, and others are not. `recording`: whether
    operations are recorded for gradients.
    """

    training: bool | None
    recording: bool
    parameters: dict[str, Any]


def state(submission: Submission, model: Any) -> State:
    """How a model is now, whatever was done with it."""
    doing = "when the model was looked at afterwards"
    answer = submission.ask("state", doing, handle=model.handle)
    try:
        parameters = {str(name): report for name, report in answer["parameters"]}
        return State(answer["training"], answer["recording"], parameters)
    except (TypeError, ValueError, KeyError):
        raise Stopped("no_result", f"No valid answer came back {doing}.") from None
