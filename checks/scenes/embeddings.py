"""What the two embeddings with positions are asked, 1.3 and 1.4: each is declared once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from checks.engine.language import (
    SHARES,
    Array,
    Crossed,
    Fail,
    Gradients,
    Made,
    Module,
    Submission,
    dropped,
    expect,
    expect_gradients,
    expect_independent,
    expect_manners,
    expect_one_of,
    expect_own_chance,
    expect_share,
    expect_sized,
    expect_that,
    trains,
)
from checks.scenes import dropout
from checks.truth import paper

VOCAB_SIZE, DIM_VECTOR, MAX_LEN = 13, 6, 11
TABLE = "token_embedding.embedding.weight"
PLACE = dropped("to the sum")


class Embedding:
    """A class that adds a token's vector, times `scale`, and its position's vector.

    `right(tokens, weights)` is its formula.
    """

    def __init__(self, name: str, right: Callable[..., Array], scale: float):
        self.name, self.right, self.scale = name, right, scale

    def truth(self, weights: paper.Weights, tokens: Array) -> Array:
        return self.right(tokens, weights)

    def build(self, submission: Submission, dtype: str = "float32", **kwargs: Any) -> Module:
        layer = submission.build(
            self.name,
            vocab_size=VOCAB_SIZE,
            dim_vector=DIM_VECTOR,
            max_len=MAX_LEN,
            dtype=dtype,
            **kwargs,
        )
        shapes = paper.transformer_embedding_shapes(VOCAB_SIZE, DIM_VECTOR)
        layer.draw(shapes, self.truth, submission.tokens(VOCAB_SIZE, 2, 5))
        return layer

    def expect_formula(self, submission: Submission) -> None:
        layer = self.build(submission, dropout=0.5)
        for batch_size, seq_length in ((3, 5), (3, 1), (1, 1)):
            tokens = submission.tokens(VOCAB_SIZE, batch_size, seq_length)

            out = layer(tokens)

            expect(out, self.right(tokens, layer.weights))

    def expect_view(self, submission: Submission) -> None:
        """Fail unless tokens work that are not contiguous."""
        layer = self.build(submission)
        tokens = submission.tokens(VOCAB_SIZE, 3, 5).view(Crossed)

        out = layer(tokens)

        expect(out, self.right(np.asarray(tokens), layer.weights))

    def expect_only_the_table_learns(self, submission: Submission) -> None:
        layer = self.build(submission, dtype="float64", dropout=0.0)
        expect_that(_expect_one_table, layer.report)

        words = np.resize(submission.rng.permutation(VOCAB_SIZE), (3, 5))
        expect_gradients(trains(layer), words)

    def expect_dropped_sum(self, submission: Submission) -> None:
        for kwargs, p in SHARES:
            layer = self.build(submission, **kwargs)
            layer.train()
            tokens = submission.tokens(VOCAB_SIZE, 40, 5)

            out = layer(tokens)

            drops = dropout.all_drops(DIM_VECTOR, p)
            truth = self.right(tokens, layer.weights)[..., None, :] * drops
            drawn = expect_one_of(out, truth, PLACE, drops)
            if kwargs:
                expect_independent(out, drawn)
                expect_share(out, drawn, p)
                expect_own_chance(out, drawn)

    def expect_limit(self, submission: Submission) -> None:
        """Fail unless max_len tokens work, and one more raises a ValueError with both numbers."""
        layer = self.build(submission)
        tokens = submission.tokens(VOCAB_SIZE, 2, MAX_LEN + 1)

        out = layer(tokens[:, :MAX_LEN])

        expect(out, self.right(tokens[:, :MAX_LEN], layer.weights))
        with submission.raises(ValueError, MAX_LEN + 1, MAX_LEN):
            layer(tokens)

    def expect_padding_without_vector(self, submission: Submission) -> None:
        """Fail unless padding gives its position's vector alone, as soon as the layer is made."""
        for pad in (4, 0):
            layer = submission.build(
                self.name,
                vocab_size=VOCAB_SIZE,
                dim_vector=DIM_VECTOR,
                max_len=MAX_LEN,
                padding_idx=pad,
            )

            out = layer(np.full((2, 5), pad))

            positions = paper.positional_embedding(5, DIM_VECTOR)
            expect(out, np.broadcast_to(positions, (2, 5, DIM_VECTOR)))

    def expect_padding_does_not_learn(self, submission: Submission) -> None:
        """Fail unless every row of the table gets its gradient, and the row of padding none."""
        for pad in (4, 0):
            layer = self.build(submission, dtype="float64", padding_idx=pad)
            tokens = np.array([[pad, 3, 7, pad], [1, pad, 3, 2]])
            weighting = submission.normal(2, 4, DIM_VECTOR)

            found = layer.gradients([weighting], tokens)

            expected = np.zeros((VOCAB_SIZE, DIM_VECTOR))
            np.add.at(expected, tokens, self.scale * weighting)
            expect_that(expect_rows_learn, found, TABLE, expected, pad)

    def expect_sizes(self, submission: Submission) -> None:
        self._expect_sized(submission, 17, 5, 14)

    def expect_large_sizes(self, submission: Submission) -> None:
        self._expect_sized(submission, 600, 4, 600)
        self._expect_sized(submission, 40_000, 4, 9)
        self._expect_sized(submission, 5, 600, 9)

    def _expect_sized(
        self, submission: Submission, vocab_size: int, dim_vector: int, max_len: int
    ) -> None:
        expect_sized(
            submission,
            self.name,
            paper.transformer_embedding_shapes(vocab_size, dim_vector),
            self.truth,
            submission.tokens(vocab_size, 2, max_len, low=max(0, vocab_size - 600)),
            vocab_size=vocab_size,
            dim_vector=dim_vector,
            max_len=max_len,
        )

    def expect_manners(self, submission: Submission) -> None:
        layer = self.build(submission, dropout=0.5)
        expect_manners(layer, submission.tokens(VOCAB_SIZE, 3, 4), drops=True)


def _expect_one_table(made: Made) -> None:
    if len(made.parameters) != 1:
        found = ", ".join(made.parameters) or "none"
        raise Fail("params", f"Expected one table to learn, found {found}.")


def expect_rows_learn(found: Gradients, role: str, expected: Array, pad: int) -> None:
    """Fail unless each row of a table has its gradient, and the row of padding none."""
    expected = np.array(expected)
    expected[pad] = 0
    wrong = np.abs(found["parameters"][role] - expected).max(-1) > 1e-6
    if wrong.any():
        row = int(wrong.argmax())
        who = "padding, and should get none" if row == pad else "an ordinary token"
        raise Fail("gradient", f"The gradient of row {row} is wrong: it is {who}.")
