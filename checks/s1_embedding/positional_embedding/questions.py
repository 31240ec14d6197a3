"""Questions about s1_embedding/positional_embedding.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Array, Case, Draw, question
from checks.truth.paper import positional_embedding

FORMULA = "pe[position, 2i]     = sin(position / 10000^(2i / dim_vector))"


def _table(max_len: int, wavelength: Array, first: int = 0, turn: float = 1) -> Array:
    """A table with these wavelengths, whose positions count from `first`."""
    angle = turn * (first + np.arange(max_len)[:, None]) / wavelength
    return np.stack([np.sin(angle), np.cos(angle)], -1).reshape(max_len, -1)


@question("answer = PositionalEmbedding(4, 10).pe[position]", lesson=FORMULA)
def a_row(draw: Draw) -> Case:
    """The pairs have the wavelengths 1 and 100; the sine comes first."""
    position, row = draw.one(1, 2, 3), positional_embedding(10, 4)
    pairs = np.array([0, 2])
    own = _table(10, 10000 ** (pairs / 4))[position]
    return Case(
        f"dim_vector is 4, so 10000^(2i / dim_vector) is 1 and 100. sin({position}) is "
        f"{np.sin(position):.2f}, and cos({position}) is {np.cos(position):.2f}. What is the "
        f"row of position {position}?",
        {"position": position},
        row[position],
        {
            "exponent-halved": _table(10, 10000 ** (pairs / 8))[position],
            "power-before-division": _table(10, 4 * 10000.0**pairs)[position],
            "sine-and-cosine-swapped": own[[1, 0, 3, 2]],
            "halves": own[[0, 2, 1, 3]],
            "positions-from-one": row[position + 1],
            "all-sines": own[[0, 0, 2, 2]],
            "multiplied-by-wavelength": _table(10, 10000 ** (-pairs / 4))[position],
        },
    )


@question(
    "answer = PositionalEmbedding(dim_vector, 10).pe[0]",
    lesson="By hand: row 0 is sin(0) = 0 and cos(0) = 1, three times.",
)
def the_first_row(draw: Draw) -> Case:
    """Positions count from 0, and there every sine is 0 and every cosine is 1."""
    dim_vector = draw.one(4, 6, 8)
    row = positional_embedding(10, dim_vector)
    swapped = row[0].reshape(-1, 2)[:, ::-1].flatten()
    return Case(
        f"dim_vector is {dim_vector}. What is the row of position 0?",
        {"dim_vector": dim_vector},
        row[0],
        {
            "sine-and-cosine-swapped": swapped,
            "positions-from-one": row[1],
            "all-sines": np.zeros(dim_vector),
            "halves": np.sort(row[0]),
            "sign-of-cosine": -row[0],
        },
    )


@question(
    "x = torch.zeros(batch_size, seq_length, dtype=torch.int64)\n"
    "answer = tuple(PositionalEmbedding(dim_vector, max_len)(x).shape)",
    lesson="All sentences of the batch have the same positions, so the result has no batch axis.",
)
def shape_of_the_rows(draw: Draw) -> Case:
    """There is a row for each position of the sentence, the same for all sentences."""
    batch_size, seq_length = draw.sizes(2)
    dim_vector, max_len = draw.one(8, 10, 12), draw.one(20, 30)
    return Case(
        f"A batch of {batch_size} sentences of {seq_length} tokens. dim_vector is {dim_vector}, "
        f"max_len is {max_len}. Which shape does the result have?",
        dict(batch_size=batch_size, seq_length=seq_length, dim_vector=dim_vector, max_len=max_len),
        positional_embedding(max_len, dim_vector)[:seq_length].shape,
        {
            "whole-table": (max_len, dim_vector),
            "rows-of-the-batch": (batch_size, dim_vector),
            "repeated-for-the-batch": (batch_size, seq_length, dim_vector),
            "batch-axis-first": (1, seq_length, dim_vector),
            "one-row": (dim_vector,),
            "cuts-columns": (max_len, seq_length),
        },
    )


@question(
    "x = torch.zeros(1, seq_length, dtype=torch.int64)\n"
    "answer = PositionalEmbedding(4, max_len)(x)[:, 0]",
    lesson="Positions count from 0. Angles are in radians.",
)
def the_first_column(draw: Draw) -> Case:
    """The first column is the sine of the position itself, from position 0 on."""
    seq_length, max_len = 3, draw.one(6, 8, 10)
    wave, short = np.sin(np.arange(30)), 2 * np.pi * np.arange(3)
    table = ", ".join(f"sin({n}) = {wave[n]:.2f}" for n in range(1, 4))
    return Case(
        f"A sentence of 3 tokens, max_len is {max_len}, dim_vector is 4. {table}. Which numbers "
        "stand in column 0 of the result?",
        {"seq_length": seq_length, "max_len": max_len},
        positional_embedding(max_len, 4)[:3, 0],
        {
            "positions-from-one": wave[1:4],
            "last-rows": wave[max_len - 3 : max_len],
            "sine-and-cosine-swapped": np.cos(np.arange(3)),
            "one-row-repeated": np.full(3, wave[2]),
            "two-pi": np.sin(short),
            "scaled-down": wave[:3] / 2,
            "positions-as-fractions": np.sin(np.arange(3) / max_len),
        },
    )
