"""Checks for s1_embedding/scaled_embedding.py."""

import math
from typing import Any

import numpy as np

from checks.engine.language import (
    SHARES,
    Fail,
    Module,
    Submission,
    check,
    dropped,
    expect,
    expect_gradients,
    expect_independent,
    expect_manners,
    expect_one_of,
    expect_own_chance,
    expect_share,
    expect_sized,
    raises,
    trains,
)
from checks.scenes import dropout
from checks.truth import paper

VOCAB_SIZE, DIM_VECTOR, MAX_LEN = 13, 6, 11
PLACE = dropped("to the sum")


def a_layer(submission: Submission, dtype: str = "float32", **kwargs: Any) -> Module:
    layer = submission.build(
        "ScaledEmbedding",
        vocab_size=VOCAB_SIZE,
        dim_vector=DIM_VECTOR,
        max_len=MAX_LEN,
        dtype=dtype,
        **kwargs,
    )
    layer.draw(
        paper.transformer_embedding_shapes(VOCAB_SIZE, DIM_VECTOR),
        lambda weights, tokens: paper.scaled_embedding(tokens, weights),
        submission.tokens(VOCAB_SIZE, 2, 5),
    )
    return layer


@check
def only_the_words_are_scaled(submission: Submission) -> None:
    """The output is the token's vector times sqrt(dim_vector), plus its position's vector."""
    layer = a_layer(submission, dropout=0.5)
    for batch_size, seq_length in ((3, 5), (3, 1), (1, 1)):
        tokens = submission.tokens(VOCAB_SIZE, batch_size, seq_length)

        out = layer(tokens)

        expect(out, paper.scaled_embedding(tokens, layer.weights))


@check
def only_the_table_learns(submission: Submission) -> None:
    """The gradient reaches every row of the token table, and nothing else learns."""
    layer = a_layer(submission, dtype="float64", dropout=0.0)
    if len(layer.parameters) != 1:
        raise Fail("params", f"Expected one table to learn, found {', '.join(layer.parameters)}.")

    expect_gradients(trains(layer), np.resize(submission.rng.permutation(VOCAB_SIZE), (3, 5)))


@check
def the_sum_is_dropped_in_training(submission: Submission) -> None:
    """In train mode, dropout (default 0.1) is applied to the sum of both."""
    for kwargs, p in SHARES:
        layer = a_layer(submission, **kwargs)
        layer.train()
        tokens = submission.tokens(VOCAB_SIZE, 40, 5)

        out = layer(tokens)

        truth = paper.scaled_embedding(tokens, layer.weights)
        drops = dropout.all_drops(DIM_VECTOR, p)
        found = expect_one_of(out, truth[..., None, :] * drops, PLACE)
        if kwargs:
            expect_independent(out, drops[found])
            expect_share(out, drops[found] == 0, p)
            expect_own_chance(out, drops[found] == 0)


@check
def max_len_is_the_limit(submission: Submission) -> None:
    """A sentence of max_len tokens works; one more token raises the ValueError of step 1.2."""
    layer = a_layer(submission)
    tokens = submission.tokens(VOCAB_SIZE, 2, MAX_LEN + 1)

    expect(layer(tokens[:, :MAX_LEN]), paper.scaled_embedding(tokens[:, :MAX_LEN], layer.weights))

    with raises(ValueError, MAX_LEN + 1, MAX_LEN):
        layer(tokens)


@check
def padding_has_no_vector_of_its_own(submission: Submission) -> None:
    """padding_idx reaches the token embedding: a padding token gives its position alone."""
    for pad in (4, 0):
        layer = submission.build(
            "ScaledEmbedding",
            vocab_size=VOCAB_SIZE,
            dim_vector=DIM_VECTOR,
            max_len=MAX_LEN,
            padding_idx=pad,
        )

        out = layer(np.full((2, 5), pad))

        expect(out, np.broadcast_to(paper.positional_embedding(5, DIM_VECTOR), (2, 5, DIM_VECTOR)))


@check
def padding_does_not_learn(submission: Submission) -> None:
    """The row of padding_idx gets no gradient; the rows of all other tokens get one."""
    for pad in (4, 0):
        layer = a_layer(submission, dtype="float64", padding_idx=pad)
        tokens = np.array([[pad, 3, 7, pad], [1, pad, 3, 2]])
        weighting = submission.normal(2, 4, DIM_VECTOR)

        learns = layer.gradients([weighting], tokens)["parameters"]

        expected = np.zeros((VOCAB_SIZE, DIM_VECTOR))
        np.add.at(expected, tokens, math.sqrt(DIM_VECTOR) * weighting)
        expected[pad] = 0
        wrong = np.abs(learns["token_embedding.embedding.weight"] - expected).max(-1) > 1e-6
        if wrong.any():
            row = int(wrong.argmax())
            who = "padding, and should get none" if row == pad else "an ordinary token"
            raise Fail("gradient", f"The gradient of row {row} is wrong: it is {who}.")


@check
def sizes_are_arguments(submission: Submission) -> None:
    """vocab_size, dim_vector and max_len are arguments: other values work too."""
    expect_sized(
        submission,
        "ScaledEmbedding",
        paper.transformer_embedding_shapes(17, 4),
        lambda weights, tokens: paper.scaled_embedding(tokens, weights),
        submission.tokens(17, 2, 14),
        vocab_size=17,
        dim_vector=4,
        max_len=14,
    )


@check
def large_sizes_work_too(submission: Submission) -> None:
    """Large sizes work too: hundreds of tokens and words, and fewer words than features."""
    for vocab_size, dim_vector, max_len in ((600, 4, 600), (5, 8, 9)):
        expect_sized(
            submission,
            "ScaledEmbedding",
            paper.transformer_embedding_shapes(vocab_size, dim_vector),
            lambda weights, tokens: paper.scaled_embedding(tokens, weights),
            submission.tokens(vocab_size, 1, max_len),
            vocab_size=vocab_size,
            dim_vector=dim_vector,
            max_len=max_len,
        )


@check
def it_has_manners(submission: Submission) -> None:
    """In eval mode two calls give the same result, in train mode other ones; the input is not
    changed; it works on any device.
    """
    layer = a_layer(submission, dropout=0.5)
    expect_manners(layer, submission.tokens(VOCAB_SIZE, 3, 4), drops=True)
