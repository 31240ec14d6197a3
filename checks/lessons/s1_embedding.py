"""The number tables of stage 1."""

import numpy as np

from checks.lessons.layout import grid, names, table
from checks.truth import paper

SENTENCE = [1, 1, 4, 0]  # The first source sentence of the tiny example; 0 is padding.


def coded_table() -> paper.Array:
    """Row t, column c holds t + c / 10, so that a number shows its place; row 0 is padding."""
    rows = np.arange(10)[:, None] + np.arange(6) / 10
    rows[0] = 0
    return rows


@table
def token_embedding() -> str:
    out = paper.token_embedding(SENTENCE, {"embedding.weight": coded_table()})
    return grid(out, [f"token {token}" for token in SENTENCE], decimals=1)


@table
def wavelength() -> str:
    two_i = np.arange(0, 6, 2)
    unit = 10000 ** (two_i / 6)
    rows = ["2i", "10000^(2i / dim_vector)", "tokens for a full turn"]
    columns = [f"columns {even}, {even + 1}" for even in two_i]
    return grid([two_i, unit, 2 * np.pi * unit], rows, columns, decimals=2)


@table
def positional_embedding() -> str:
    columns = ["sin", "cos"] * 3
    return grid(paper.positional_embedding(4, 6), names("position", 4), columns)


@table
def positional_similarity() -> str:
    pe = paper.positional_embedding(5, 6)
    return grid(pe @ pe.T, names("position", 5), names("with", 5))


@table
def transformer_embedding() -> str:
    weights = {"token_embedding.embedding.weight": coded_table()}
    out = paper.transformer_embedding(SENTENCE, weights)
    rows = [f"token {token} at {position}" for position, token in enumerate(SENTENCE)]
    return grid(out, rows)


@table
def scaled_embedding() -> str:
    weights = {"token_embedding.embedding.weight": coded_table()}
    out = paper.scaled_embedding(SENTENCE, weights)
    rows = [f"token {token} at {position}" for position, token in enumerate(SENTENCE)]
    return grid(out, rows)


@table
def lengths() -> str:
    dim_vector = 512
    place = np.linalg.norm(paper.positional_embedding(1, dim_vector))
    stds = np.array([1, dim_vector**-0.5])
    words = stds * dim_vector**0.5  # About the length of a vector whose entries have this std.
    rows = ["a word", "a word, scaled", "a position"]
    columns = ["std 1", "std 1 / sqrt(512)"]
    return grid([words, words * dim_vector**0.5, [place, place]], rows, columns, decimals=1)
