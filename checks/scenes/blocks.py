"""What the layers of all encoders and decoders are asked: each is declared once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from checks.engine.language import (
    Array,
    Module,
    Submission,
    expect,
    expect_gradients,
    expect_manners,
    expect_sized,
    trains,
)
from checks.truth.paper import Weights

DIM_VECTOR, N_HEAD, DIM_HIDDEN = 6, 3, 11
BATCH_SIZE, LONG = 2, 520


class Block:
    """An encoder, a decoder, or one layer of theirs.

    `right(*read, weights, *sizes, *masks)` is its formula. It reads one input; a decoder reads the
    encoder's output as well. `lengths` are those of the inputs, and there is a mask for each.
    """

    def __init__(
        self,
        name: str,
        right: Callable[..., Array],
        shapes: Callable[..., dict[str, tuple[int, ...]]],
        *lengths: int,
    ):
        self.name, self.right, self.shapes, self.lengths = name, right, shapes, lengths

    def truth(self, *sizes: int) -> Callable[..., Array]:
        """The formula with the weights first, as a module is asked."""

        def right(weights: Weights, *args: Any) -> Array:
            inputs = len(self.lengths)
            return self.right(*args[:inputs], weights, *sizes, *args[inputs:])

        return right

    def masks(
        self,
        submission: Submission,
        *lengths: int,
        batch_size: int = BATCH_SIZE,
        whole: int | None = None,
    ) -> list[Array]:
        """A mask of the keys for the last length, and for a decoder's own tokens a causal one that
        hides more. `whole`: a sentence in which no key is hidden.
        """
        keys = [submission.mask(batch_size, 1, 1, n, whole=whole) for n in lengths or self.lengths]
        for n in range(len(keys) - 1):
            rows = np.arange(keys[n].shape[-1])
            keys[n] = keys[n] & np.tril(np.ones((len(rows), len(rows)), bool))
            keys[n][..., rows, rows] = True  # A row that sees nothing has no right value.
        return keys

    def expect(self, module: Module, args: list[Array], *masks: Any, dtype: str = "bool") -> None:
        """Fail unless the module gives the values of the formula. `dtype`: of the masks."""
        assert module.truth is not None
        given = [None if mask is None else mask.astype(dtype) for mask in masks]
        truth = module.truth(module.weights, *args, *masks)
        expect(module(*args, *given), truth, only=self.counts(*masks))

    def counts(self, *masks: Any) -> Array | None:
        """Which outputs have one right value, if not all."""
        return None

    def expect_masks(
        self, submission: Submission, module: Module, question: Callable[..., list[Array]]
    ) -> None:
        """Fail unless each mask hides what it should, alone as well, in zeros and ones as well."""
        for whole in (None, 0, 1):
            args, masks = question(), self.masks(submission, whole=whole)
            self.expect(module, args, *masks)
            for dtype in ("int64", "float32"):
                self.expect(module, args, *masks, dtype=dtype)
            for n in range(len(masks)) if len(masks) > 1 else ():
                self.expect(module, args, *(m if k == n else None for k, m in enumerate(masks)))
            if len(masks) > 1:  # One token, as decoding begins.
                self.expect(module, [args[0][:, :1], args[1]], None, masks[1])
        if len(self.lengths) > 1:
            self._expect_one_mask_for_all(submission, module, question())
        self.expect(module, args)  # Those masks must leave nothing behind.

    def _expect_one_mask_for_all(
        self, submission: Submission, module: Module, args: list[Array]
    ) -> None:
        """Fail unless a decoder's own mask may have two axes, for all sentences and heads."""
        length = self.lengths[0]
        own = submission.mask(length, length) | np.eye(length, dtype=bool)
        given = [own, *(None for _ in self.lengths[1:])]
        assert module.truth is not None
        expect(module(*args, *given), module.truth(module.weights, *args, *given))


class Layer(Block):
    """One layer. `wide`: its inputs are larger than normalised ones, which shows the norms."""

    wide = False

    def build(self, submission: Submission, dtype: str = "float32", **kwargs: Any) -> Module:
        layer = submission.build(
            self.name,
            dim_vector=DIM_VECTOR,
            n_head=N_HEAD,
            dim_hidden=DIM_HIDDEN,
            dtype=dtype,
            **kwargs,
        )
        shapes = self.shapes(DIM_VECTOR, DIM_HIDDEN)
        layer.draw(shapes, self.truth(N_HEAD), *self.inputs(submission))
        return layer

    def inputs(
        self, submission: Submission, *lengths: int, batch_size: int = BATCH_SIZE
    ) -> list[Array]:
        """x; for a decoder, the encoder's output as well."""
        drawn = [submission.normal(batch_size, n, DIM_VECTOR) for n in lengths or self.lengths]
        return [3 * x + 1 for x in drawn] if self.wide else drawn

    def expect_formula(self, submission: Submission) -> None:
        """Fail unless the numbers are right: for one token and one sentence, too, and with the same
        tensor in every place.
        """
        layer = self.build(submission)
        args = self.inputs(submission)
        self.expect(layer, args)
        self.expect(layer, [args[0][:, :1], *args[1:]])
        self.expect(layer, [part[:1, :1] for part in args])
        self.expect(layer, [args[0] for _ in args])

    def expect_every_mask(self, submission: Submission) -> None:
        """Fail unless the masks hide what they should."""
        layer = self.build(submission)
        self.expect_masks(submission, layer, lambda: self.inputs(submission))
        longest = max(self.lengths)
        equal = [longest for _ in self.lengths]  # Masks in the wrong place do not even crash then.
        self.expect(layer, self.inputs(submission, *equal), *self.masks(submission, *equal))
        rows = submission.mask(BATCH_SIZE, 1, longest, longest)  # A mask for each query.
        others = [None for _ in self.lengths[1:]]
        self.expect(layer, self.inputs(submission, *equal), rows, *others)

    def expect_gradients(self, submission: Submission) -> None:
        layer = trains(self.build(submission, "float64", dropout=0.0))
        expect_gradients(layer, *self.inputs(submission), *self.masks(submission))
        expect_gradients(layer, *self.inputs(submission))

    def expect_sizes(self, submission: Submission) -> None:
        self._expect_sized(submission, 8, 4, 5, *range(3, 3 + len(self.lengths)))
        self._expect_sized(submission, 4, 4, 5, *(4 for _ in self.lengths))

    def expect_large_sizes(self, submission: Submission) -> None:
        """Hundreds of tokens in each place, and hundreds of features in the middle."""
        for place, _ in enumerate(self.lengths):
            long = [LONG if n == place else 3 for n, _ in enumerate(self.lengths)]
            self._expect_sized(submission, 4, 2, 5, *long)
        self._expect_sized(submission, 4, 2, LONG, *range(3, 3 + len(self.lengths)))

    def _expect_sized(
        self, submission: Submission, dim_vector: int, n_head: int, dim_hidden: int, *lengths: int
    ) -> None:
        expect_sized(
            submission,
            self.name,
            self.shapes(dim_vector, dim_hidden),
            self.truth(n_head),
            *(submission.normal(1, n, dim_vector) for n in lengths),
            *self.masks(submission, *lengths, batch_size=1),
            dim_vector=dim_vector,
            n_head=n_head,
            dim_hidden=dim_hidden,
        )

    def expect_manners(self, submission: Submission) -> None:
        layer = self.build(submission, dropout=0.5)
        expect_manners(layer, *self.inputs(submission), *self.masks(submission), drops=True)


class PreNormLayer(Layer):
    wide = True
