"""Questions about s3_encoder/bert_encoder.py."""

from __future__ import annotations

import math

import numpy as np

from checks.questions.kinds import Array, Case, Draw, count, question
from checks.s3_encoder.bert_encoder.truth import (
    bert_encoder,
    bert_encoder_shapes,
    gelu,
    sentence_vectors,
)


@question(
    "answer = BertEncoder(5, 4, 2, 6, 1, 3).layers[0].feed_forward.relu(x)",
    lesson="gelu(x) is x times the probability that a standard normal number is below x.",
)
def below_zero(draw: Draw) -> Case:
    """A GELU multiplies x by a probability, so a negative x stays negative, and is small."""
    x = draw.one(-1.0, -0.5, -1.5)
    below = gelu(x) / x
    return Case(
        f"A standard normal number is below {x:g} with probability {below:.4f}. What does the "
        f"exact GELU make of {x:g}?",
        {"x": np.array(x)},
        gelu(x),
        {
            "relu-left": 0.0,
            "silu": x / (1 + math.exp(-x)),
            "gelu-without-x": below,
            "tanh": math.tanh(x),
        },
    )


@question(
    "answer = load(BertEncoder(3, 4, 2, 6, 0, 4), weights)(tokens)[0, 1]",
    lesson="The three rows are added, and a layer norm makes their sum ready for the first layer.",
)
def three_rows(draw: Draw) -> Case:
    """The rows of the token, of its position and of segment 0 are added and normalised."""
    weights = {
        "token_embedding.weight": draw.whole(3, 4),
        "position_embedding.weight": draw.whole(4, 4),
        "segment_embedding.weight": draw.whole(2, 4),
        "norm.gamma": np.ones(4),
        "norm.beta": np.zeros(4),
    }
    token, mean, size = draw.one(0, 1, 2), draw.one(0, 1, 2), draw.one(2, 3)
    place, segment = weights["position_embedding.weight"], weights["segment_embedding.weight"]
    total = mean + size * draw.random.permutation([-1.0, -1.0, 1.0, 1.0])
    weights["token_embedding.weight"][token] = total - place[1] - segment[0]
    tokens = np.array([[token, token]])

    def normed(x: Array) -> Array:
        return (x - x.mean()) / np.sqrt(x.var() + 1e-12)

    def row(array: Array) -> str:
        return " ".join(f"{number:g}" for number in array)

    return Case(
        "A text has the same token twice. The token's row is "
        f"{row(total - place[1] - segment[0])}. The rows of positions 0, 1, 2 are "
        f"{row(place[0])}, {row(place[1])}, {row(place[2])}, and that of segment 0 is "
        f"{row(segment[0])}. gamma is 1 and beta is 0. No segments are given, and num_layer is 0. "
        "What is the vector of the second token?",
        {"tokens": tokens, "weights": weights},
        bert_encoder(tokens, weights, 2, 0)[0, 1],
        {
            "no-norm": total,
            "nothing-without-segments": normed(total - segment[0]),
            "positions-from-1": normed(total - place[1] + place[2]),
            "position-0-for-all": normed(total - place[1] + place[0]),
        },
    )


@question(
    "answer = numel(BertEncoder(vocab_size, 4, 2, 6, num_layer, max_len))",
    lesson="Each of the three is a table of weights.",
)
def how_many_parameters(draw: Draw) -> Case:
    """Three tables learn, and their norm; the layers are those of step 3.1."""
    vocab_size, num_layer, max_len = draw.one(10, 20, 30), draw.one(2, 3), draw.one(5, 7)
    shapes = bert_encoder_shapes(vocab_size, 4, 6, num_layer, max_len)
    size, layer = count(shapes), count(bert_encoder_shapes(1, 4, 6, 1, 1)) - 4 * 6
    return Case(
        f"vocab_size is {vocab_size}, max_len is {max_len}, num_layer is {num_layer}, dim_vector "
        f"is 4, and there are two segments. A layer learns {layer} numbers, a norm 8. How many "
        "does the whole encoder learn?",
        {"vocab_size": vocab_size, "num_layer": num_layer, "max_len": max_len},
        size,
        {
            "sinusoids": size - 4 * max_len,
            "segments-not-made": size - 8,
            "closing-norm": size + 8,
            "same-layer-repeated": size - (num_layer - 1) * layer,
        },
    )


@question(
    "answer = sentence_vectors(out, mask)[0]",
    lesson="Its vector is the mean of its real tokens, divided by the length (norm) of this mean.",
)
def a_sentence(draw: Draw) -> Case:
    """Padding does not count, and the result has norm 1."""
    total = 2.0 * np.array(draw.one((3, 4), (4, 3), (-3, 4), (4, -3), (-4, 3)))
    first = draw.whole(2, low=1, high=5)
    padding = draw.whole(2, low=4, high=9)
    out, mask = np.array([[first, total - first, padding]]), np.array([[1, 1, 0]])

    def long(x: Array) -> Array:
        return x / np.sqrt((x**2).sum())

    rows = ", ".join(f"({x:g}, {y:g})" for x, y in out[0])
    return Case(
        f"The encoder gives {rows} for two tokens and one padding. What is the vector of the "
        "sentence?",
        {"out": out, "mask": mask},
        sentence_vectors(out, mask)[0],
        {
            "padding-counted": long(total + padding),
            "first-token": long(first),
            "not-normalised": total / 2,
            "divided-by-sum": total / np.abs(total).sum(),
        },
    )
