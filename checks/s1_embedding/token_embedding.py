"""Checks for s1_embedding/token_embedding.py."""

from typing import Any

import numpy as np

from checks import paper
from checks.machine.language import (
    Fail,
    Module,
    Submission,
    check,
    expect,
    expect_form,
    expect_gradients,
    expect_manners,
    expect_sized,
)

HINTS = [
    "How many rows does the table need, and how long is each row?",
    "Looking up a row by its number is what one layer of torch.nn does; it has a word for padding.",
    "In: (batch_size, seq_length) whole numbers. Out: one row for each, so one axis more.",
    "self.embedding = nn.Embedding(____, dim_vector, padding_idx=padding_idx)",
]
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
    """Each token id becomes its own row of the table, unchanged."""
    layer = a_layer(submission)
    tokens = submission.tokens(VOCAB_SIZE, 2, 5)

    rows = layer(tokens)

    expect(rows, paper.token_embedding(tokens, layer.weights))


@check
def padding_is_a_zero_row(submission: Submission) -> None:
    """With padding_idx the vector of that token is zero from the start, and no other is."""
    tokens = np.arange(VOCAB_SIZE)[None]
    for pad in (*PADS, None):
        layer = submission.build(
            "TokenEmbedding", vocab_size=VOCAB_SIZE, dim_vector=DIM_VECTOR, padding_idx=pad
        )

        rows = layer(tokens)

        expect_form(rows, (1, VOCAB_SIZE, DIM_VECTOR))
        assert rows.array is not None
        silent = np.flatnonzero(~rows.array[0].any(-1)).tolist()
        if silent != ([] if pad is None else [pad]):
            rule = f"padding_idx={pad}, but the tokens with a zero row are {silent or 'none'}."
            raise Fail("values", rows.say(rule))


@check
def every_row_learns(submission: Submission) -> None:
    """Without padding_idx every row of the table learns, also row 0 and row 1."""
    layer = a_layer(submission, dtype="float64")

    expect_gradients(layer, submission.rng.permutation(VOCAB_SIZE)[None])


@check
def padding_does_not_learn(submission: Submission) -> None:
    """The row of padding_idx gets no gradient, the other rows get theirs."""
    for pad in PADS:
        layer = a_layer(submission, dtype="float64", padding_idx=pad)
        tokens = np.array([[pad, 3, 7, pad], [1, pad, 3, 2]])
        weighting = submission.normal(2, 4, DIM_VECTOR)

        found = layer.gradients([weighting], tokens)["parameters"]["embedding.weight"]

        expected = np.zeros((VOCAB_SIZE, DIM_VECTOR))
        np.add.at(expected, tokens, weighting)
        expected[pad] = 0
        wrong = np.abs(found - expected).max(-1) > 1e-6
        if wrong.any():
            row = int(wrong.argmax())
            who = "padding, and should get none" if row == pad else "an ordinary token"
            raise Fail("gradient", f"The gradient of row {row} is wrong: it is {who}.")


@check
def sizes_are_arguments(submission: Submission) -> None:
    """vocab_size and dim_vector are arguments: with other ones the table has another shape."""
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
def it_has_manners(submission: Submission) -> None:
    """Asked twice it says the same; it leaves its input alone and works on any device."""
    tokens = submission.tokens(VOCAB_SIZE, 3, 4)
    expect_manners(a_layer(submission), tokens)
    tokens[:, 1] = 4
    expect_manners(a_layer(submission, padding_idx=4), tokens)
