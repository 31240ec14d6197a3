"""Questions about s3_encoder/pre_norm_encoder.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Array, Case, Draw, count, question, which
from checks.s3_encoder.encoder.questions import MODEL, learning, through
from checks.truth.paper import EPS, Weights, layer_norm, part
from checks.truth.pre_norm import encoder, encoder_layer, encoder_layer_shapes, encoder_shapes

LAYER = "layer = load(PreNormEncoderLayer(4, 2, 6), weights)\n"


def _no_effect() -> dict[str, Array]:
    """Weights of a layer whose sublayers give zeros. Every norm has gamma 1 and beta 0."""
    shapes = encoder_layer_shapes(4, 6)
    return {r: (np.ones if r.endswith("gamma") else np.zeros)(shape) for r, shape in shapes.items()}


@question(
    LAYER + "answer = layer(x)[0, 0]",
    lesson="The sublayer's output is added to x itself, not to a normalised x.",
)
def sublayers_of_zeros(draw: Draw) -> Case:
    """Zeros are added to x itself, and x goes through unchanged."""
    mean, size = draw.one(2, 3, 5), draw.one(2, 3)
    row = mean + size * draw.random.permutation([-1.0, -1.0, 1.0, 1.0])
    x, weights = row[None, None], _no_effect()
    normed = (row - row.mean()) / np.sqrt(row.var() + EPS)
    return Case(
        f"x is {' '.join(f'{n:g}' for n in row)}. Both sublayers give only zeros. Every norm has "
        "gamma 1 and beta 0. What does a pre-norm layer make of x?",
        {"x": x, "weights": weights},
        encoder_layer(x, weights, 2)[0, 0],
        {
            "post-norm": (normed - normed.mean()) / np.sqrt(normed.var() + EPS),
            "no-first-shortcut": np.zeros(4),
            "double-shortcut": 2 * row,
        },
    )


@question(
    MODEL.format("PreNormEncoder") + "answer = learn(model(src), model.layers)",
    lesson="So x is never normalised on its way through the stack.",
)
def layers_that_learn(draw: Draw) -> Case:
    """Each layer adds to x, so all of them get a gradient."""
    num_layer = draw.one(4, 5)
    weights, src = draw.weights(encoder_shapes(10, 4, 6, num_layer)), np.array([[1, 4, 2]])
    every = list(range(num_layer))

    def in_order(order: list[int]) -> Array:
        def layer(x: Array, own: Weights) -> Array:
            return encoder_layer(x, own, 2)

        def of(weights: Weights) -> Array:
            return layer_norm(through(src, order, layer)(weights), part(weights, "norm"))

        return learning(of, weights, num_layer)

    return Case(
        f"A pre-norm encoder has {num_layer} layers, layer 0 to layer {num_layer - 1}. Which "
        "layers get a gradient in training?",
        {"src": src, "weights": weights, "num_layer": num_layer},
        learning(lambda own: encoder(src, own, 2, num_layer), weights, num_layer),
        {
            "layers-not-chained": in_order(every[-1:]),
            "returns-in-the-loop": in_order(every[:1]),
            "last-layer-skipped": in_order(every[:-1]),
            "middle-layers-skipped": in_order([0, 1, num_layer - 1]),
        },
        which("layer"),
    )


@question(
    "answer = numel(PreNormEncoder(vocab_size, 4, 8, 2, 6, num_layer))",
    lesson="The parts are the same, and they have the same numbers of parameters.",
)
def how_many_parameters(draw: Draw) -> Case:
    """A pre-norm encoder has the embedding, the layers and one closing norm."""
    vocab_size, num_layer = draw.one(10, 20, 30), draw.one(2, 3, 4)
    one, words = count(encoder_layer_shapes(4, 6)), vocab_size * 4
    size = count(encoder_shapes(vocab_size, 4, 6, num_layer))
    return Case(
        f"The embedding learns {words} numbers, a pre-norm layer {one}, a norm 8. How many does "
        f"the whole pre-norm encoder learn, with num_layer {num_layer}?",
        {"vocab_size": vocab_size, "num_layer": num_layer},
        size,
        {
            "closing-norm-not-made": size - 8,
            "layer-ends-in-a-norm": size + 8 * num_layer,
            "one-norm-shared": size - 8 * num_layer,
            "same-layer-repeated": size - (num_layer - 1) * one,
        },
    )
