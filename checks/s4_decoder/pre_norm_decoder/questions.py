"""Questions about s4_decoder/pre_norm_decoder.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from checks.questions.kinds import Array, Case, Draw, among, count, differ, question
from checks.s4_decoder.decoder_layer.questions import EFFECTS, SETTING, sentences
from checks.truth.paper import EPS
from checks.truth.pre_norm import decoder_layer, decoder_layer_shapes, decoder_shapes

LAYER = "layer = load(PreNormDecoderLayer(4, 2, 6), weights)\n"


@question(LAYER + EFFECTS.format("query"), lesson="norm2 is for the queries alone.")
def what_has_an_effect(draw: Draw) -> Case:
    """Another order of the norms changes nothing here: the masks say who may attend to whom."""
    given, query = sentences(draw), draw.one(1, 2)
    weights = draw.weights(decoder_layer_shapes(4, 6))
    trg_mask, src_mask = given["trg_mask"], given["src_mask"]

    def effects(*masks: Any, cut: str = "") -> Array:
        own = {role: w * (not cut or not role.startswith(cut)) for role, w in weights.items()}

        def of(x: Array, source: Array) -> Array:
            return decoder_layer(x, source, own, 2, *masks)[0, query]

        return differ(of, (given["x"], given["source"]), *given["others"])

    return Case(
        f"A pre-norm layer. {SETTING.format(query)}",
        {**given, "weights": weights, "query": query},
        effects(trg_mask, src_mask),
        {
            "no-mask-on-target": effects(None, src_mask),
            "no-mask-on-source": effects(trg_mask, None),
            "no-cross-attention": effects(trg_mask, src_mask, cut="cross_attention"),
        },
        among("past", "future", "source", "padding"),
    )


@question(
    LAYER + "answer = layer(x, x)[0, 0]",
    lesson="x = x + dropout(feed_forward(norm3(x)))",
)
def sublayers_of_zeros(draw: Draw) -> Case:
    """Zeros are added to x itself, and x goes through unchanged."""
    mean, size = draw.one(2, 3, 5), draw.one(2, 3)
    row = mean + size * draw.random.permutation([-1.0, -1.0, 1.0, 1.0])
    weights = {role: np.zeros(shape) for role, shape in decoder_layer_shapes(4, 6).items()}
    for n in (1, 2, 3):
        weights[f"norm{n}.gamma"] = np.full(4, n + 1.0)
    normed = (row - row.mean()) / np.sqrt(row.var() + EPS)
    return Case(
        f"x is {' '.join(f'{n:g}' for n in row)}. All three sublayers give only zeros. gamma is 2 "
        "in norm1, 3 in norm2 and 4 in norm3, and every beta is 0. What does a pre-norm layer make "
        "of x?",
        {"x": row[None, None], "weights": weights},
        decoder_layer(row[None, None], row[None, None], weights, 2)[0, 0],
        {
            "first-shortcut-is-normed": 2 * normed,
            "second-shortcut-is-normed": 3 * normed,
            "third-shortcut-is-normed": 4 * normed,
            "layer-ends-in-a-norm": normed,
            "no-last-shortcut": np.zeros(4),
        },
    )


@question(
    "answer = numel(PreNormDecoder(vocab_size, 4, 8, 2, 6, num_layer))",
    lesson="Second, the **closing norm** stands between the last layer and the scores:",
)
def how_many_parameters(draw: Draw) -> Case:
    """A pre-norm decoder has all parts of step 4.2, and one closing norm."""
    vocab_size, num_layer = draw.one(10, 20, 30), draw.one(2, 3)
    one, size = (
        count(decoder_layer_shapes(4, 6)),
        count(decoder_shapes(vocab_size, 4, 6, num_layer)),
    )
    return Case(
        f"The embedding learns {vocab_size * 4} numbers, each layer {one}, a norm 8, and the last "
        f"linear layer {vocab_size * 5}. How many does a pre-norm decoder learn, with num_layer "
        f"{num_layer}?",
        {"vocab_size": vocab_size, "num_layer": num_layer},
        size,
        {
            "closing-norm-not-made": size - 8,
            "source-has-a-norm": size + 8 * num_layer,
            "norms-are-one-layer": size - 16 * num_layer,
            "attentions-are-one-layer": size - 80 * num_layer,
            "same-layer-repeated": size - (num_layer - 1) * one,
        },
    )
