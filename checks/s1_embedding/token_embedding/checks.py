"""Checks for s1_embedding/token_embedding.py."""

from typing import Any

import numpy as np

from checks.engine.language import (
    Crossed,
    Fail,
    Module,
    Received,
    Submission,
    check,
    expect,
    expect_form,
    expect_gradients,
    expect_manners,
    expect_sized,
    expect_that,
    trains,
)
from checks.scenes.embeddings import expect_rows_learn
from checks.truth import paper

VOCAB_SIZE, DIM_VECTOR = 13, 6
PADS = (4, 0)


def a_layer(submission: Submission, dtype: str = "float32", **kwargs: Any) -> Module:
    layer = submission.build(
        "TokenEmbedding", vocab_size=VOCAB_SIZE, dim_vector=DIM_VECTOR, dtype=dtype, **kwargs
    )
    table = submission.normal(VOCAB_SIZE, DIM_VECTOR)
    if "padding_idx" in kwargs:
        table[kwargs["padding_idx"]] = 0
    layer.draw(
        paper.token_embedding_shapes(VOCAB_SIZE, DIM_VECTOR),
        lambda weights, tokens: paper.token_embedding(tokens, weights),
        np.arange(VOCAB_SIZE)[None],
        embedding__weight=table,
    )
    return layer


@check
def each_token_gets_its_row(submission: Submission) -> None:
    """Each token id gives its own row of the table, unchanged."""
    layer = a_layer(submission)
    tokens = submission.tokens(VOCAB_SIZE, 2, 5)

    rows = layer(tokens)

    expect(rows, paper.token_embedding(tokens, layer.weights))


@check
def tokens_may_be_a_view(submission: Submission) -> None:
    """The tokens need not be contiguous: step 5.3 leaves out the last token of each target."""
    layer = a_layer(submission)
    tokens = submission.tokens(VOCAB_SIZE, 3, 5).view(Crossed)

    out = layer(tokens)

    expect(out, paper.token_embedding(np.asarray(tokens), layer.weights))


@check
def padding_is_a_zero_row(submission: Submission) -> None:
    """Only the vector of padding_idx is zero from the start. Without padding_idx, no vector is."""
    tokens = np.arange(VOCAB_SIZE)[None]
    for pad in (*PADS, None):
        layer = submission.build(
            "TokenEmbedding", vocab_size=VOCAB_SIZE, dim_vector=DIM_VECTOR, padding_idx=pad
        )

        rows = layer(tokens)

        expect_form(rows, (1, VOCAB_SIZE, DIM_VECTOR))
        expect_that(_expect_zero_row, rows, pad)


def _expect_zero_row(rows: Received, pad: int | None) -> None:
    """Fail unless just the row of padding is zero."""
    assert rows.array is not None
    silent = np.flatnonzero(~rows.array[0].any(-1)).tolist()
    if silent != ([] if pad is None else [pad]):
        these = f"these tokens have a zero row: {silent}" if silent else "no token has a zero row"
        raise Fail("values", rows.say(f"padding_idx={pad}, but {these}."))


@check
def every_row_learns(submission: Submission) -> None:
    """Without padding_idx, every row of the table learns, including rows 0 and 1."""
    layer = a_layer(submission, dtype="float64")

    expect_gradients(trains(layer), submission.rng.permutation(VOCAB_SIZE)[None])


@check
def padding_does_not_learn(submission: Submission) -> None:
    """The row of padding_idx gets no gradient; all other rows get one."""
    for pad in PADS:
        layer = a_layer(submission, dtype="float64", padding_idx=pad)
        tokens = np.array([[pad, 3, 7, pad], [1, pad, 3, 2]])
        weighting = submission.normal(2, 4, DIM_VECTOR)

        found = layer.gradients([weighting], tokens)

        expected = np.zeros((VOCAB_SIZE, DIM_VECTOR))
        np.add.at(expected, tokens, weighting)
        expect_that(expect_rows_learn, found, "embedding.weight", expected, pad)


@check
def sizes_are_arguments(submission: Submission) -> None:
    """vocab_size and dim_vector are arguments: with other values the table has another shape."""
    expect_sized(
        submission,
        "TokenEmbedding",
        paper.token_embedding_shapes(17, 4),
        lambda weights, tokens: paper.token_embedding(tokens, weights),
        submission.rng.permutation(17)[None],
        vocab_size=17,
        dim_vector=4,
    )


@check
def large_tables_work_too(submission: Submission) -> None:
    """Large sizes work too: thousands of words, hundreds of features, hundreds of tokens."""
    for vocab_size, dim_vector in ((40_000, 3), (5, 8), (4, 600)):
        tokens = submission.rng.permutation(np.arange(vocab_size)[-8:])
        expect_sized(
            submission,
            "TokenEmbedding",
            paper.token_embedding_shapes(vocab_size, dim_vector),
            lambda weights, tokens: paper.token_embedding(tokens, weights),
            np.resize(tokens, (1, 520)) if vocab_size > 5 else tokens[:, None],
            vocab_size=vocab_size,
            dim_vector=dim_vector,
        )


@check
def it_has_manners(submission: Submission) -> None:
    """Two calls give the same result; the input is not changed; it works on any device."""
    tokens = submission.tokens(VOCAB_SIZE, 3, 4)
    expect_manners(a_layer(submission), tokens)
    tokens[:, 1] = 4
    expect_manners(a_layer(submission, padding_idx=4), tokens)
