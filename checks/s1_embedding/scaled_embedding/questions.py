"""Questions about s1_embedding/scaled_embedding.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Case, Draw, question
from checks.s1_embedding.transformer_embedding.questions import ROWS, TABLE, an_embedding, drawn
from checks.truth.paper import positional_embedding, scaled_embedding

LAYER = "layer = load(ScaledEmbedding(vocab_size, dim_vector, max_len), weights)\n"
FORMULA = "out = dropout(sqrt(dim_vector) * token embedding + positional embedding)"


@question(LAYER + "answer = layer(x)[0, 0]", lesson=FORMULA)
def the_first_token(draw: Draw) -> Case:
    """The token's row is multiplied by √dim_vector, then the position is added."""
    x, table = drawn(draw, 3)
    row, place, weights = table[x[0, 0]], positional_embedding(9, 4)[0], {TABLE: table}
    return Case(
        f"{ROWS} In eval mode, what is the result for token {x[0, 0]} at position 0?",
        {"x": x, "weights": weights, "vocab_size": 10, "dim_vector": 4, "max_len": 9},
        scaled_embedding(x, weights)[0, 0],
        {
            "no-factor": row + place,
            "factor-on-sum": 2 * (row + place),
            "factor-on-positions": row + 2 * place,
            "divided": row / 2 + place,
            "no-root": 4 * row + place,
            "no-positions": 2 * row,
        },
    )


@question(
    LAYER + "answer = layer(x)[0, 0, 0] / weights['token_embedding.embedding.weight'][0, 0]",
    lesson=FORMULA,
)
def the_factor(draw: Draw) -> Case:
    """The factor is the square root of dim_vector, the width of a vector."""
    roots = draw.random.permutation([2, 3, 4, 5])
    dim_vector, vocab_size, max_len, seq_length = (int(n) for n in roots**2)
    weights = {TABLE: 1 + abs(draw.normal(vocab_size, dim_vector))}
    x = np.zeros((1, min(seq_length, max_len)), int)
    return Case(
        f"dim_vector is {dim_vector}, vocab_size is {vocab_size}, max_len is {max_len}. By which "
        "number are the token vectors multiplied?",
        dict(x=x, weights=weights, vocab_size=vocab_size, dim_vector=dim_vector, max_len=max_len),
        scaled_embedding(x, weights)[0, 0, 0] / weights[TABLE][0, 0],
        {
            "no-factor": 1.0,
            "no-root": float(dim_vector),
            "root-of-vocabulary": vocab_size**0.5,
            "root-of-max-len": max_len**0.5,
            "divided": dim_vector**-0.5,
        },
    )


@question(
    "layer = load(ScaledEmbedding(10, 4, 9, 1.0), weights, training=True)\nanswer = layer(x)[0, 0]",
    lesson=FORMULA,
)
def everything_is_dropped(draw: Draw) -> Case:
    """Dropout acts on the sum of word and position, so nothing is left of either."""
    x, table = drawn(draw, 2)
    row, place = table[x[0, 0]], positional_embedding(9, 4)[0]
    return Case(
        f"{ROWS} Dropout 1.0 drops every entry. In train mode, what is the result for token "
        f"{x[0, 0]} at position 0?",
        {"x": x, "weights": {TABLE: table}},
        np.zeros(4),
        {
            "no-dropout": 2 * row + place,
            "drops-words-only": place,
            "drops-positions-only": 2 * row,
        },
    )


@question(
    "answer = numel(ScaledEmbedding(vocab_size, dim_vector, max_len))",
    lesson="It is not learned: it is known as soon as the layer is made.",
    typed=True,
)
def how_many_parameters(draw: Draw) -> Case:
    """The factor and the positions are not learned, only the token table is."""
    text, sizes, size = an_embedding(draw)
    dim_vector = sizes["dim_vector"]
    return Case(
        text,
        sizes,
        size,
        {
            "factor-learned": size + 1,
            "learned-positions": size + sizes["max_len"] * dim_vector,
            "layer-norm-added": size + 2 * dim_vector,
        },
    )
