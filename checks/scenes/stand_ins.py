"""Stand-ins for large arguments of a learner's function: a model, an optimizer, a vocabulary …

The judge knows their answers by formulas. In the worker each is a class of the same name:
checks/extensions/stand_ins.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from checks.engine.asking.values import Array, to_wire
from checks.engine.language import Place, Submission, attribute
from checks.engine.planning.stand_ins import StandIn
from checks.truth.decoding import Next

SOURCES, STATES = 11, 23  # States of an ToyModel: primes, so that every token counts.


class ToyDropout(StandIn):
    """For a dropout module: in train mode it squares its input, in eval mode it takes the cube."""

    def __init__(self, trains: bool = True) -> None:
        self.trains = trains
        self.described = f"a test module for dropout (it returns {'x²' if trains else 'x³'})"

    def sent(self, dtype: str) -> dict[str, Any]:
        return {"stand_in": "toydropout", "with": {}, "handle": None, "train": self.trains}

    def truth(self, x: Array) -> Array:
        return x**2 if self.trains else x**3


class ToyModel(StandIn):
    """For a Transformer: a table of scores for every source, every beginning of a target and every
    next token. Train mode and eval mode have different tables.

    Each row of scores has a constant of its own, which changes no probability. `rare` tokens have
    almost no probability. `left`: the number that all gradients hold at first. `shift`: the one
    weight of its encoder, which changes the state of a source. `src_max_len`: the longest source
    that it can read. `frozen`: its bonus does not learn.
    """

    described = "a toy model"
    FROZEN = ("decoder.bonus", "encoder.shared")  # The bonus has two names.

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
        frozen: bool = False,
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
            frozen=frozen,
        )
        self.frozen = frozen
        self.src_pad_idx, self.trg_pad_idx = src_pad_idx, trg_pad_idx

    def source(self, src: Array, training: bool = False) -> int:
        """The state of one source sentence; in train mode it reads other tokens."""
        known = 0
        for at, token in enumerate(src.tolist()):
            if token != self.src_pad_idx:
                token, place = token + self.shift + training, at + self.shift
                known = (known * 7 + token * 3 + place + 1) % SOURCES
        return known

    def states(self, trg: Sequence[int]) -> list[int]:
        """The state of a target after each of its tokens."""
        found = [0]
        for token in trg:
            found.append((found[-1] * 5 + int(token) + 1) % STATES)
        return found[1:]

    def reading(self, src: Array) -> Next:
        """The scores after each beginning of the target, in eval mode, when it has read `src`."""
        scores = self.scores[1, self.source(src)] + self.bonus[1]

        def after(trg: Sequence[int]) -> Array:
            state = 0
            for token in trg:
                state = (state * 5 + token + 1) % STATES
            return np.asarray(scores[state])

        return after

    def places(self, src: Array, trg: Array) -> tuple[Array, Array]:
        """The source and the state of each token of a batch in train mode, (batch_size, trg_len)
        each.
        """
        states = np.array([self.states(row.tolist()) for row in trg])
        sources = np.array([self.source(row, training=True) for row in src])
        return np.broadcast_to(sources[:, None], states.shape), states

    def logits(self, src: Array, trg: Array) -> Array:
        """(batch_size, trg_len, vocab_size), in train mode."""
        return np.asarray(self.scores[0][self.places(src, trg)] + self.bonus[0])

    def gradients(self, src: Array, trg: Array, of_logits: Array) -> dict[str, Array]:
        """The gradients of both parameters, from those of the logits that `logits` gives."""
        scores, bonus = np.zeros_like(self.scores), np.zeros_like(self.bonus)
        np.add.at(scores[0], self.places(src, trg), of_logits)
        if not self.frozen:
            bonus[0] = of_logits.sum((0, 1))
        return {"decoder.scores": scores, "decoder.bonus": bonus}

    def becomes(self, other: ToyModel) -> None:
        """Take over the numbers of another ToyModel, as after a training."""
        self.scores, self.bonus, self.shift = other.scores, other.bonus, other.shift
        numbers = {**self.parameters, "encoder.weight": np.array([self.shift])}
        shapes = [[name, list(array.shape)] for name, array in numbers.items()]
        long = np.concatenate([array.ravel() for array in numbers.values()])
        values = {"shapes": shapes, "long": to_wire(long, "float32")}
        self.submission.ask("assign", "as the model changed", handle=self.handle, values=values)

    @property
    def parameters(self) -> dict[str, Array]:
        """The parameters that have a gradient."""
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

    described = "a toy vocabulary"

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


class Generator(StandIn):
    """A torch.Generator that begins with this seed. Sent again, it goes on where it was."""

    described = "a generator"

    def __init__(self, submission: Submission, seed: int):
        super().__init__(submission, seed=seed)


class Speaker(StandIn):
    """For a LanguageModel: a table of scores for every state of a text and every next token.

    The scores of a state are `gap` apart, so that rounding decides nothing. `rounded`: it answers
    in bfloat16, in which scores with a gap of 2 are exact. `limit`: more tokens are an error.
    """

    described = "a toy model"

    def __init__(
        self,
        submission: Submission,
        vocab_size: int,
        rounded: bool = False,
        gap: float = 2.0,
        limit: int | None = None,
    ):
        order = [submission.rng.permutation(vocab_size) for _ in range(STATES)]
        self.scores = np.array(order) * gap
        if not rounded:
            self.scores += submission.normal(STATES, vocab_size, scale=0.1)
        super().__init__(submission, scores=self.scores, rounded=rounded, limit=limit)

    def states(self, tokens: Sequence[int]) -> list[int]:
        """The state of a text after each of its tokens."""
        found = [0]
        for token in tokens:
            found.append((5 * found[-1] + int(token) + 1) % STATES)
        return found[1:]

    def logits(self, tokens: Array) -> Array:
        """(batch_size, length) -> (batch_size, length, vocab_size)."""
        return np.array([self.scores[self.states(row)] for row in tokens.tolist()])

    def goes_on(self, tokens: Sequence[int], count: int) -> list[int]:
        """The best tokens that follow."""
        text = list(tokens)
        for _ in range(count):
            text.append(int(self.scores[self.states(text)[-1]].argmax()))
        return text[len(tokens) :]

    def kept(self, name: str) -> Place:
        """What it has kept of its calls: `read` or `recorded`."""
        return attribute(self, name)


class Weights(StandIn):
    """A dictionary of tensors, as a file of weights gives them."""

    def __init__(self, submission: Submission, tensors: dict[str, Array], dtype: str = "float32"):
        self.dtype = dtype
        super().__init__(submission, **tensors)

    @property
    def described(self) -> str:  # type: ignore[override]
        return f"a dictionary of {len(self.settings)} tensors"

    def sent(self, dtype: str) -> dict[str, Any]:
        return super().sent(self.dtype)
