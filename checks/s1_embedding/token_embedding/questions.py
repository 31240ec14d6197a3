"""Questions about s1_embedding/token_embedding.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Array, Case, Draw, question, which
from checks.truth.paper import token_embedding, token_embedding_shapes

LAYER = "layer = load(TokenEmbedding(vocab_size, dim_vector, pad), weights)\n"


@question(
    "answer = tuple(TokenEmbedding(vocab_size, dim_vector)(x).shape)",
    lesson="(batch_size, seq_length) ids, int64   ->   (batch_size, seq_length, dim_vector)",
)
def shape_of_the_vectors(draw: Draw) -> Case:
    """Each id is replaced by a vector of dim_vector entries."""
    batch_size, seq_length, dim_vector = draw.sizes(3)
    x, vocab_size = draw.random.integers(0, 2, (batch_size, seq_length)), draw.one(10, 20, 30)
    weights = {"embedding.weight": draw.normal(vocab_size, dim_vector)}
    return Case(
        f"{batch_size} sentences of {seq_length} tokens. vocab_size is {vocab_size}, dim_vector is "
        f"{dim_vector}. Which shape does the result have?",
        {"x": x, "vocab_size": vocab_size, "dim_vector": dim_vector},
        token_embedding(x, weights).shape,
        {
            "arguments-swapped": (batch_size, seq_length, vocab_size),
            "features-before-tokens": (batch_size, dim_vector, seq_length),
            "summed-over-tokens": (batch_size, dim_vector),
        },
    )


@question(
    "answer = sum(p.numel() for p in TokenEmbedding(vocab_size, dim_vector).parameters())",
    lesson="table: (vocab_size, dim_vector)",
    typed=True,
)
def how_many_parameters(draw: Draw) -> Case:
    """The table has a row for each token, and a column for each number of its vector."""
    vocab_size, dim_vector = draw.one(10, 20, 30, 100), draw.one(4, 5, 6)
    (shape,) = token_embedding_shapes(vocab_size, dim_vector).values()
    return Case(
        f"vocab_size is {vocab_size}, dim_vector is {dim_vector}. How many numbers does the layer "
        "learn?",
        {"vocab_size": vocab_size, "dim_vector": dim_vector},
        int(np.prod(shape)),
        {
            "square-table": vocab_size**2,
            "one-row-short": (vocab_size - 1) * dim_vector,
            "one-row-too-many": (vocab_size + 1) * dim_vector,
            "table-is-a-buffer": 0,
        },
    )


@question(
    LAYER + "answer = layer(x)[0]",
    lesson='That is all. There is no multiplication, only "take row number id".',
)
def rows_of_a_sentence(draw: Draw) -> Case:
    """Every id takes its own row of the table, as it is."""
    table = np.arange(5)[:, None] + np.arange(4) / 10 + 1
    x, weights = draw.random.permutation(5)[None, :2], {"embedding.weight": table}
    rows = table[x[0]]

    def length_one(rows: Array) -> Array:
        return rows / np.sqrt((rows**2).sum(-1, keepdims=True))

    lines = "\n".join(
        f"  row {n}: " + "  ".join(f"{v:.1f}" for v in row) for n, row in enumerate(table)
    )
    return Case(
        f"The table has 5 rows and 4 columns:\n{lines}\n"
        f"What are the vectors of the sentence [{x[0, 0]}, {x[0, 1]}]?",
        {"x": x, "vocab_size": 5, "dim_vector": 4, "pad": None, "weights": weights},
        token_embedding(x, weights)[0],
        {
            "times-root": rows * 2,
            "divided-by-root": rows / 2,
            "next-row": table[(x[0] + 1) % 5],
            "ids-lowered-by-one": table[(x[0] - 1) % 5],
            "normalised-rows": length_one(rows),
        },
    )


@question(
    LAYER + "def of(table):\n"
    "    return torch.func.functional_call(layer, {'embedding.weight': table}, (x,))\n"
    "answer = reached(of, weights['embedding.weight'])[0].any(-1)",
    lesson="The row of this id is zero and gets no gradient.",
)
def rows_with_a_gradient(draw: Draw) -> Case:
    """Only rows that are read can learn, and the row of padding never does."""
    pad = draw.one(1, 2, 3)
    others = [n for n in range(5) if n != pad]
    first, second = draw.random.permutation(others)[:2].tolist()
    x = np.array([[first, second, pad, pad]])
    used = np.isin(np.arange(5), x)
    learns = used & (np.arange(5) != pad)
    weights = {"embedding.weight": draw.normal(5, 3)}
    return Case(
        f"vocab_size is 5 and padding_idx is {pad}. The sentence is [{first}, {second}, {pad}, "
        f"{pad}]. Which rows of the table get a gradient?",
        {"x": x, "vocab_size": 5, "dim_vector": 3, "pad": pad, "weights": weights},
        learns,
        {
            "padding-dropped": used,
            "padding-fixed-0": used & (np.arange(5) != 0),
            "padding-last-row": used & (np.arange(5) != 4),
            "detached": np.zeros(5, bool),
        },
        which("row"),
    )
