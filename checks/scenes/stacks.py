"""What the stacks of all encoders and decoders are asked: each is declared once."""

from __future__ import annotations

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
from checks.scenes.blocks import BATCH_SIZE, DIM_HIDDEN, DIM_VECTOR, LONG, N_HEAD, Block
from checks.truth import models

VOCAB_SIZE, MAX_LEN = 13, 9
DEEP = 7  # Layers: the paper has 6.


class Stack(Block):
    """An embedding and layers; for a decoder, the scores of the words as well."""

    def build(
        self, submission: Submission, num_layer: int = 2, dtype: str = "float32", **kwargs: Any
    ) -> Module:
        stack = submission.build(
            self.name,
            vocab_size=VOCAB_SIZE,
            dim_vector=DIM_VECTOR,
            max_len=MAX_LEN,
            n_head=N_HEAD,
            dim_hidden=DIM_HIDDEN,
            num_layer=num_layer,
            dtype=dtype,
            **kwargs,
        )
        shapes = self.shapes(VOCAB_SIZE, DIM_VECTOR, DIM_HIDDEN, num_layer)
        words = submission.tokens(VOCAB_SIZE, BATCH_SIZE, self.lengths[0], low=1)  # 0: padding?
        stack.draw(shapes, self.truth(N_HEAD, num_layer), words, *self.source(submission))
        return stack

    def tokens(self, submission: Submission, length: int = 0) -> Array:
        return submission.tokens(VOCAB_SIZE, BATCH_SIZE, length or self.lengths[0])

    def inputs(self, submission: Submission) -> list[Array]:
        """The tokens; for a decoder, the encoder's output as well."""
        return [self.tokens(submission), *self.source(submission)]

    def source(self, submission: Submission, batch_size: int = BATCH_SIZE) -> list[Array]:
        """The encoder's output, if it reads one."""
        return [submission.normal(batch_size, n, DIM_VECTOR) for n in self.lengths[1:]]

    def counts(self, *masks: Any) -> Array | None:
        """In an encoder, the values at padding are open."""
        return masks[0][:, 0, 0] if masks and len(self.lengths) == 1 else None

    def expect_formula(self, submission: Submission, *depths: int) -> None:
        """Fail unless the numbers are right for so many layers. One token, one sentence and other
        weights are asked for, too.
        """
        for num_layer in depths:
            stack = self.build(submission, num_layer, "float64", dropout=0.5)
            args = self.inputs(submission)
            self.expect(stack, args)
            self.expect(stack, [args[0][:, :1], *args[1:]])
            self.expect(stack, [part[:1, :1] for part in args])
            stack.assign({role: stack.drawn(role, w.shape) for role, w in stack.weights.items()})
            self.expect(stack, args)

    def expect_every_mask(self, submission: Submission) -> None:
        """Fail unless every layer hides what the masks hide."""
        stack = self.build(submission, 3, "float64")
        self.expect_masks(submission, stack, lambda: self.inputs(submission))

    def expect_padding_idx(self, submission: Submission) -> None:
        """Fail unless real tokens get their values beside padding, with and without masks."""
        stack = self.build(submission, dtype="float64", padding_idx=0)
        table = np.array(stack.weights["embedding.token_embedding.embedding.weight"])
        table[0] = 0
        stack.assign({"embedding.token_embedding.embedding.weight": table})
        words = submission.rng.permutation(np.arange(1, VOCAB_SIZE))  # Every real token.
        tokens, source = np.insert(words, [3, 7], 0).reshape(BATCH_SIZE, 7), self.source(submission)
        assert stack.truth is not None
        padding = models.trg_mask(tokens, 0) if source else models.src_mask(tokens, 0)
        for masks in ([padding, *self.masks(submission)[1:]], []):
            out = stack(tokens, *source, *masks)

            truth = stack.truth(stack.weights, tokens, *source, *masks)
            expect(out, truth, only=tokens != 0)

    def expect_gradients(self, submission: Submission) -> None:
        """Fail unless the gradients are right; every word stands where it is visible."""
        for num_layer in (DEEP, 1):  # Through many layers that of a single row may be tiny.
            stack = trains(self.build(submission, num_layer, "float64", dropout=0.0))
            source = self.source(submission)
            masks = self.masks(submission, MAX_LEN, *self.lengths[1:])
            if not source:  # A mask that hides few: two words at the beginning, or at the end.
                masks[0][:] = True
                masks[0][0, ..., :2] = masks[0][1, ..., -2:] = False
            tokens = self.tokens(submission, MAX_LEN)
            seen = np.ones_like(tokens, bool) if source else masks[0][:, 0, 0]
            tokens[seen] = np.resize(submission.rng.permutation(VOCAB_SIZE), seen.sum())
            expect_gradients(stack, tokens, *source, *masks, only=self.counts(*masks))

    def expect_limit(self, submission: Submission) -> None:
        """Fail unless max_len tokens work, and one more raises a ValueError with both numbers."""
        stack = self.build(submission, 1, dropout=0.5)
        tokens, source = self.tokens(submission, MAX_LEN + 1), self.source(submission)
        self.expect(stack, [tokens[:, :MAX_LEN], *source])
        with submission.raises(ValueError, MAX_LEN + 1, MAX_LEN):
            stack(tokens, *source)

    def expect_sizes(self, submission: Submission) -> None:
        self._expect_sized(submission, 17, 8, 4, 12, 1)

    def expect_large_sizes(self, submission: Submission) -> None:
        """Hundreds of tokens and words; fewer words than features, and many layers."""
        for vocab_size, max_len, num_layer in ((LONG, LONG, 1), (3, 4, 5), (3, 4, 13)):
            self._expect_sized(submission, vocab_size, 4, 2, max_len, num_layer)

    def _expect_sized(
        self,
        submission: Submission,
        vocab_size: int,
        dim_vector: int,
        n_head: int,
        max_len: int,
        num_layer: int,
    ) -> None:
        lengths = [max_len for _ in self.lengths]
        masks = self.masks(submission, *lengths, batch_size=1)
        expect_sized(
            submission,
            self.name,
            self.shapes(vocab_size, dim_vector, 5, num_layer),
            self.truth(n_head, num_layer),
            submission.tokens(vocab_size, 1, max_len),
            *(submission.normal(1, n, dim_vector) for n in lengths[1:]),
            *masks,
            only=self.counts(*masks),
            vocab_size=vocab_size,
            dim_vector=dim_vector,
            max_len=max_len,
            n_head=n_head,
            dim_hidden=5,
            num_layer=num_layer,
        )

    def expect_manners(self, submission: Submission) -> None:
        stack = self.build(submission, 1, dropout=0.5)
        expect_manners(stack, *self.inputs(submission), *self.masks(submission), drops=True)
