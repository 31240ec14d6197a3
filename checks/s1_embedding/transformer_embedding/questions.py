"""Questions about s1_embedding/transformer_embedding.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Array, Case, Draw, count, question
from checks.truth.paper import (
    positional_embedding,
    transformer_embedding,
    transformer_embedding_shapes,
)

LAYER = "layer = load(TransformerEmbedding(10, 4, 8), weights)\n"
TABLE = "token_embedding.embedding.weight"
SUM = "out = dropout(token embedding + positional embedding)"
ROWS = "In row t of the token table every entry is t (row 3: 3 3 3 3)."


def drawn(draw: Draw, length: int) -> tuple[Array, Array]:
    """A sentence, and the table of its tokens."""
    x = draw.random.integers(1, 8, (1, length))
    return x, np.arange(10.0)[:, None] + np.zeros(4)


@question(LAYER + "answer = layer(x)[0, 0]", lesson=SUM)
def the_first_token(draw: Draw) -> Case:
    """At position 0 the sines are 0 and the cosines 1, and they are added to the token's row."""
    x, table = drawn(draw, 3)
    weights, row, places = {TABLE: table}, table[x[0, 0]], positional_embedding(8, 4)
    return Case(
        f"{ROWS} In eval mode, what is the result for token {x[0, 0]} at position 0?",
        {"x": x, "weights": weights},
        transformer_embedding(x, weights)[0, 0],
        {
            "no-positions": row,
            "only-positions": places[0],
            "multiplied": row * places[0],
            "subtracted": row - places[0],
            "averaged": (row + places[0]) / 2,
            "root-on-words": row * 2 + places[0],
            "root-on-sum": (row + places[0]) * 2,
            "positions-twice": row + 2 * places[0],
            "positions-backwards": row + places[2],
        },
    )


@question(
    LAYER + "answer = (layer(x)[0, 1] - layer(x)[0, 0])[:2]",
    lesson="By hand, second row: 1.0 + sin(1) = 1.8415 and 1.1 + cos(1) = 1.6403.",
)
def the_same_token_again(draw: Draw) -> Case:
    """The two vectors differ by their positions: by sin(1) - sin(0) and cos(1) - cos(0)."""
    token, other = draw.sizes(2, 1, 7)
    x = np.array([[token, token, other]])
    weights = {TABLE: draw.normal(10, 4)}
    places = positional_embedding(8, 4)
    apart = (places[1] - places[0])[:2]
    return Case(
        f"In the sentence [{token}, {token}, {other}] the same token stands at positions 0 and 1. "
        "What is the second vector minus the first in columns 0 and 1? sin(1) is 0.84, cos(1) is "
        "0.54.",
        {"x": x, "weights": weights},
        (transformer_embedding(x, weights)[0, 1] - transformer_embedding(x, weights)[0, 0])[:2],
        {
            "no-positions": np.zeros(2),
            "subtracted": -apart,
            "averaged": apart / 2,
            "positions-twice": 2 * apart,
            "positions-backwards": (places[1] - places[2])[:2],
        },
    )


@question(
    "layer = load(TransformerEmbedding(10, 4, 8, 1.0), weights, training=True)\n"
    "answer = layer(x)[0, 0]",
    lesson="A dropped entry removes a number of the word and of its position together.",
)
def everything_is_dropped(draw: Draw) -> Case:
    """Dropout acts on the sum of word and position, so nothing is left of either."""
    x, table = drawn(draw, 2)
    row, place = table[x[0, 0]], positional_embedding(8, 4)[0]
    return Case(
        f"{ROWS} Dropout 1.0 drops every entry. In train mode, what is the result for token "
        f"{x[0, 0]} at position 0?",
        {"x": x, "weights": {TABLE: table}},
        np.zeros(4),
        {
            "no-dropout": row + place,
            "drops-words-only": place,
            "drops-positions-only": row,
        },
    )


def an_embedding(draw: Draw) -> tuple[str, dict[str, int], int]:
    """How many numbers an embedding learns: the question, its sizes, and the size of its table."""
    vocab_size, dim_vector, max_len = draw.one(10, 20, 50), draw.one(4, 6), draw.one(30, 40)
    return (
        f"vocab_size is {vocab_size}, dim_vector is {dim_vector}, max_len is {max_len}. How many "
        "numbers does the embedding learn?",
        {"vocab_size": vocab_size, "dim_vector": dim_vector, "max_len": max_len},
        count(transformer_embedding_shapes(vocab_size, dim_vector)),
    )


@question(
    "answer = numel(TransformerEmbedding(vocab_size, dim_vector, max_len))",
    lesson=SUM,
    typed=True,
)
def how_many_parameters(draw: Draw) -> Case:
    """The token table is learned, the positions are not."""
    text, sizes, size = an_embedding(draw)
    dim_vector = sizes["dim_vector"]
    return Case(
        text,
        sizes,
        size,
        {
            "trainable-waves": size + sizes["max_len"] * dim_vector,
            "two-token-tables": 2 * size,
            "layer-norm-added": size + 2 * dim_vector,
            "unused-projection": size + dim_vector**2 + dim_vector,
        },
    )
