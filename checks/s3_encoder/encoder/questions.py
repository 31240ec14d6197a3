"""Questions about s3_encoder/encoder.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from checks.questions.kinds import Array, Case, Draw, among, count, differ, question, which
from checks.truth.models import encoder, encoder_layer, encoder_layer_shapes, encoder_shapes
from checks.truth.paper import Weights, part, transformer_embedding

MODEL = "model = load({}(10, 4, 8, 2, 6, num_layer), weights)\n"
OWN = "Each layer has weights of its own."


def learning(of: Callable[[Weights], Array], weights: Weights, num_layer: int) -> Array:
    """Whether the weights of each layer have an effect on the output."""
    before, found = of(weights), []
    for n in range(num_layer):
        changed = {
            role: w + 0.5 * w[::-1] * role.startswith(f"layers.{n}.") for role, w in weights.items()
        }
        found.append(not np.allclose(of(changed), before, rtol=0, atol=1e-9))
    return np.array(found)


def through(
    src: Array, order: Sequence[int], layer: Callable[[Array, Weights], Array]
) -> Callable[[Weights], Array]:
    """A stack that goes through the layers in this order."""

    def of(weights: Weights) -> Array:
        x = transformer_embedding(src, part(weights, "embedding"))
        for n in order:
            x = layer(x, part(weights, f"layers.{n}"))
        return x

    return of


@question(MODEL.format("Encoder") + "answer = learn(model(src), model.layers)", lesson=OWN)
def layers_that_learn(draw: Draw) -> Case:
    """Each layer reads what the one before it has made, so all of them get a gradient."""
    num_layer = draw.one(3, 4)
    weights, src = draw.weights(encoder_shapes(10, 4, 6, num_layer)), np.array([[1, 4, 2]])
    every = list(range(num_layer))

    def in_order(order: list[int]) -> Array:
        def layer(x: Array, own: Weights) -> Array:
            return encoder_layer(x, own, 2)

        return learning(through(src, order, layer), weights, num_layer)

    return Case(
        f"An encoder has {num_layer} layers, layer 0 to layer {num_layer - 1}. Which layers get a "
        "gradient in training?",
        {"src": src, "weights": weights, "num_layer": num_layer},
        learning(lambda own: encoder(src, own, 2, num_layer), weights, num_layer),
        {
            "layers-not-chained": in_order(every[-1:]),
            "returns-in-the-loop": in_order(every[:1]),
            "last-layer-skipped": in_order(every[:-1]),
            "first-layer-skipped": in_order(every[1:]),
            "layers-skipped": in_order([]),
        },
        which("layer"),
    )


@question(
    "answer = numel(Encoder(vocab_size, 4, 8, 2, 6, num_layer))",
    lesson=OWN,
)
def how_many_parameters(draw: Draw) -> Case:
    """Every layer has its own weights, and the embedding comes in front of them."""
    vocab_size, num_layer = draw.one(10, 20, 30), draw.one(2, 3, 4)
    one, words = count(encoder_layer_shapes(4, 6)), vocab_size * 4
    return Case(
        f"The embedding learns {words} numbers, an encoder layer learns {one}. How many does an "
        f"encoder with num_layer {num_layer} learn?",
        {"vocab_size": vocab_size, "num_layer": num_layer},
        count(encoder_shapes(vocab_size, 4, 6, num_layer)),
        {
            "same-layer-repeated": words + one,
            "one-layer-too-few": words + (num_layer - 1) * one,
            "one-layer-too-many": words + (num_layer + 1) * one,
            "six-layers": words + 6 * one,
            "python-list": words,
        },
    )


@question(
    MODEL.format("Encoder") + "def of(src):\n    return model(src, mask)[0, 0]\n"
    "answer = differ(of, (src,), *((other,) for other in others))",
    lesson="One vector for each token comes out, and it depends on the whole sentence.",
)
def what_has_an_effect(draw: Draw) -> Case:
    """Token 0 attends to all real tokens, and each of them carries its position."""
    a, b, c, d, e = draw.sizes(5, 1, 9)
    src, mask = np.array([[a, b, c, 0]]), (np.arange(4) < 3)[None, None, None]
    others = [np.array([[a, c, b, 0]]), np.array([[a, b, d, 0]]), np.array([[a, b, c, e]])]
    weights = draw.weights(encoder_shapes(10, 4, 6, 2))

    def effects(mask: Array | None = mask, places: bool = True) -> Array:
        def of(src: Array) -> Array:
            own = dict(weights)
            x = transformer_embedding(src, part(own, "embedding"))
            if not places:
                x = own["embedding.token_embedding.embedding.weight"][src]
            for n in (0, 1):
                x = encoder_layer(x, part(own, f"layers.{n}"), 2, mask)
            return x[0, 0]

        return differ(of, (src,), *((other,) for other in others))

    return Case(
        f"The sentence is [{a}, {b}, {c}, 0], and src_mask hides the padding 0 at its end. What "
        "changes the encoder's output for token 0?\n"
        f"  swap: the ids {b} and {c} change places\n"
        f"  later: another id in place of {c}\n"
        "  padding: another id in place of 0, still hidden",
        {"src": src, "mask": mask, "others": others, "weights": weights, "num_layer": 2},
        differ(
            lambda src: encoder(src, weights, 2, 2, mask)[0, 0], (src,), *((o,) for o in others)
        ),
        {
            "mask-ignored": effects(None),
            "no-positions": effects(places=False),
            "always-causal": effects(mask & np.tri(4, dtype=bool)),
        },
        among("swap", "later", "padding"),
    )
