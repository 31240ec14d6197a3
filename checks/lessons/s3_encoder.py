"""The number tables of stage 3."""

import json
import math

import numpy as np

from checks.contents import COURSE
from checks.lessons.layout import grid, names, table
from checks.lessons.shared import (
    SRC,
    THREE_TOKENS,
    count,
    ledger,
    normed,
    second_token,
    straight,
    sublayers,
    walk,
)
from checks.s3_encoder.bert_encoder import truth as bert
from checks.truth import models, paper


@table
def encoder_layer() -> str:
    attend, _, widen = sublayers(models.encoder_layer_shapes(6, 3))
    x, seen = THREE_TOKENS, [1, 1, 0]
    first = normed(x + attend(x, seen))
    return walk(
        {
            "x": x,
            "self_attention": attend(x, seen),
            "add_norm1": first,
            "feed_forward": widen(first),
            "add_norm2": normed(first + widen(first)),
        }
    )


@table
def encoder_layer_mistakes() -> str:
    attend, _, widen = sublayers(models.encoder_layer_shapes(6, 3))
    x, seen = THREE_TOKENS, [1, 1, 0]
    first, unmasked = normed(x + attend(x, seen)), normed(x + attend(x, None))
    pre = x + attend(normed(x), seen)
    return second_token(
        {
            "right": normed(first + widen(first)),
            "the mask is not used": normed(unmasked + widen(unmasked)),
            "second shortcut starts at x": normed(x + widen(first)),
            "no shortcuts": normed(widen(normed(attend(x, seen)))),
            "second norm missing": first + widen(first),
            "norm before each sublayer": pre + widen(normed(pre)),
        },
    )


@table
def encoder() -> str:
    weights, seen = straight(models.encoder_shapes(10, 6, 3, 2)), models.src_mask(SRC, 0)
    stacks = [models.encoder(SRC, weights, 2, n, seen)[0, :3] for n in range(3)]
    return "\n\n".join(
        f"num_layer = {n}\n{grid(rows, names('position', 3))}" for n, rows in enumerate(stacks)
    )


@table
def encoder_count() -> str:
    def rows(vocab_size: int, dim_vector: int, dim_hidden: int, num_layer: int) -> dict[str, int]:
        layer = models.encoder_layer_shapes(dim_vector, dim_hidden)
        stack = models.encoder_shapes(vocab_size, dim_vector, dim_hidden, num_layer)
        return {
            "self_attention": count(layer, "self_attention."),
            "feed_forward": count(layer, "feed_forward."),
            "each of the 2 AddNorms": count(layer, "add_norm1."),
            "one EncoderLayer": count(layer),
            "all layers": count(stack, "layers."),
            "embedding": count(stack, "embedding."),
            "the Encoder": count(stack),
        }

    return ledger(rows)


@table
def pre_norm_encoder_layer() -> str:
    attend, _, widen = sublayers(models.encoder_layer_shapes(6, 3))
    x, seen = THREE_TOKENS, [1, 1, 0]
    attended = attend(normed(x), seen)
    first = x + attended
    return walk(
        {
            "x": x,
            "norm1": normed(x),
            "self_attention": attended,
            "sum": first,
            "norm2": normed(first),
            "feed_forward": widen(normed(first)),
            "out": first + widen(normed(first)),
        }
    )


@table
def through_the_shortcuts() -> str:
    """What is left of x: sublayers add random numbers, as large as their input."""
    draw = np.random.default_rng(0)
    x, share, shares = draw.normal(size=512), 1.0, [1.0]
    for _ in range(2 * 24):
        total = x + draw.normal(size=512)
        share /= total.std()
        x = (total - total.mean()) / total.std()
        shares.append(share)
    rows = {n: [shares[2 * n], 1.0] for n in (1, 3, 6, 12, 24)}
    titles = [f"num_layer = {n}" for n in rows]
    return grid(list(rows.values()), titles, ["post-norm", "pre-norm"], decimals=8)


@table
def gelu() -> str:
    x = np.array([-3, -2, -1, -0.5, 0, 0.5, 1, 2, 3])
    inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
    columns = {
        "x": x,
        "relu": np.maximum(0, x),
        "gelu": bert.gelu(x),
        "with a tanh": x * (1 + np.tanh(inner)) / 2,
        "silu": x / (1 + np.exp(-x)),
    }
    return grid(np.stack(list(columns.values())).T, [""] * len(x), list(columns))


# Two tokens of the same word, in two segments.
BERT_TABLES = {
    "token_embedding.weight": np.array([[0.0] * 6, [1, 2, 3, 0, 0, 0]]),
    "position_embedding.weight": np.array([[1.0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]]),
    "segment_embedding.weight": np.array([[0.0] * 6, [0, 0, 0, 0, 0, 5]]),
}


@table
def bert_embedding() -> str:
    tokens, segments = np.array([[1, 1]]), np.array([[0, 1]])
    norm = {"norm.gamma": np.ones(6), "norm.beta": np.zeros(6)}
    words, places, parts = (
        table[rows][None]
        for table, rows in zip(BERT_TABLES.values(), (tokens[0], np.arange(2), segments[0]))
    )
    return walk(
        {
            "token_embedding": words,
            "position_embedding": places,
            "segment_embedding": parts,
            "sum": words + places + parts,
            "norm": bert.bert_encoder(tokens, BERT_TABLES | norm, 2, 0, segments),
        }
    )


@table
def sentence_vectors() -> str:
    out = np.array([[[3.0, 1], [1, 3], [0, 0]], [[8, 1], [-2, 5], [6, -6]]])
    mask = np.array([[1, 1, 0], [1, 1, 0]])

    def long(x: paper.Array) -> paper.Array:
        return np.asarray(x / np.sqrt((x**2).sum(-1, keepdims=True)))

    versions = {
        "right": bert.sentence_vectors(out, mask),
        "padding counted": long(out.mean(1)),
        "first token": long(out[:, 0]),
        "not divided by its norm": out[:, :2].mean(1),
    }
    rows = [[*a, *b, a @ b] for a, b in versions.values()]
    return grid(rows, list(versions), ["A, 0", "A, 1", "B, 0", "B, 1", "A · B"])


@table
def alike() -> str:
    """What versions of step 3.4 make of a real model: `python -m checks.speaking.alike`."""
    found = json.loads((COURSE / "checks/speaking/alike.json").read_text("utf-8"))["versions"]
    titles = ["food and meal", "cat and kitten", "others, at most"]
    rows = [[*row["like"], row["others"]] for row in found]
    return grid(rows, [row["says"] for row in found], titles, decimals=2)
