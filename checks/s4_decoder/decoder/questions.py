"""Questions about s4_decoder/decoder.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Array, Case, Draw, count, moved, question, which
from checks.s3_encoder.encoder.questions import learning
from checks.truth.models import decoder, decoder_layer, decoder_layer_shapes, decoder_shapes
from checks.truth.paper import Weights, linear, part, transformer_embedding

MODEL = "model = load(Decoder(10, 4, 8, 2, 6, num_layer), weights)\n"


@question(
    "model = Decoder(vocab_size, dim_vector, 20, 2, 6, 1)\n"
    "trg = torch.ones(batch_size, trg_len, dtype=torch.int64)\n"
    "source = torch.zeros(batch_size, src_len, dim_vector)\n"
    "answer = tuple(model(trg, source).shape)",
    lesson="A linear layer turns each vector into one **score** for each token of the target "
    "vocabulary.",
)
def shape_of_the_logits(draw: Draw) -> Case:
    """Every position of the target gets one score for each word of the vocabulary."""
    batch_size, trg_len, src_len = draw.sizes(3)
    dim_vector, vocab_size = draw.one(12, 16), draw.one(30, 50)
    weights = draw.weights(decoder_shapes(vocab_size, dim_vector, 6, 1))
    trg, source = np.ones((batch_size, trg_len), int), np.zeros((batch_size, src_len, dim_vector))
    sizes = dict(batch_size=batch_size, trg_len=trg_len, src_len=src_len)
    return Case(
        f"{batch_size} sentences. The targets have {trg_len} tokens, the sources {src_len}. "
        f"vocab_size is {vocab_size}, dim_vector is {dim_vector}. Which shape do the logits have?",
        {**sizes, "dim_vector": dim_vector, "vocab_size": vocab_size},
        decoder(trg, source, weights, 2, 1).shape,
        {
            "output-layer-unused": (batch_size, trg_len, dim_vector),
            "last-position-only": (batch_size, vocab_size),
            "best-words": (batch_size, trg_len),
            "axes-swapped": (batch_size, vocab_size, trg_len),
            "target-shifted-inside": (batch_size, trg_len - 1, vocab_size),
            "batch-and-length-joined": (batch_size * trg_len, vocab_size),
        },
    )


@question(
    MODEL + "def of(trg):\n    return model(trg, source, mask)\n"
    "answer = moved(of, trg, (0, token)).any(-1)[0]",
    lesson="A change affects its own position and all later ones, but never an earlier one.",
)
def logits_that_a_token_moves(draw: Draw) -> Case:
    """A target token is read at its own position and at all later ones."""
    token, trg = draw.one(1, 2), draw.random.integers(1, 8, (1, 4))
    source, mask = draw.normal(1, 3, 4), np.tri(4, dtype=bool)
    weights = draw.weights(decoder_shapes(10, 4, 6, 2))

    def with_masks(*masks: Array | None) -> Array:
        def of(trg: Array) -> Array:
            x = transformer_embedding(trg, part(weights, "embedding"))
            for n, mask in enumerate(masks):
                x = decoder_layer(x, source, part(weights, f"layers.{n}"), 2, mask)
            return linear(x, part(weights, "linear"))

        return np.asarray(moved(of, trg, (0, token)).any(-1)[0])

    later = np.arange(4) > token
    return Case(
        f"The target has 4 tokens, and trg_mask hides the future. Target token {token} becomes "
        "another word. At which positions do the logits change?",
        {
            "trg": trg,
            "source": source,
            "mask": mask,
            "weights": weights,
            "num_layer": 2,
            "token": token,
        },
        moved(lambda trg: decoder(trg, source, weights, 2, 2, mask), trg, (0, token)).any(-1)[0],
        {
            "no-target-mask": with_masks(None, None),
            "layers-skipped": with_masks(),
            "vectors-shifted": later,
        },
        which("position"),
    )


@question(
    MODEL + "answer = learn(model(trg, source), model.layers)",
    lesson="The stack is built like the encoder's.",
)
def layers_that_learn(draw: Draw) -> Case:
    """Each layer reads what the one before it has made, so all of them get a gradient."""
    num_layer = draw.one(3, 4)
    weights, trg = draw.weights(decoder_shapes(10, 4, 6, num_layer)), np.array([[1, 4, 2]])
    source, every = draw.normal(1, 3, 4), list(range(num_layer))

    def in_order(order: list[int]) -> Array:
        def of(weights: Weights) -> Array:
            x = transformer_embedding(trg, part(weights, "embedding"))
            for n in order:
                x = decoder_layer(x, source, part(weights, f"layers.{n}"), 2)
            return linear(x, part(weights, "linear"))

        return learning(of, weights, num_layer)

    return Case(
        f"A decoder has {num_layer} layers, layer 0 to layer {num_layer - 1}. Which layers get a "
        "gradient in training?",
        {"trg": trg, "source": source, "weights": weights, "num_layer": num_layer},
        learning(lambda own: decoder(trg, source, own, 2, num_layer), weights, num_layer),
        {
            "layers-not-chained": in_order(every[-1:]),
            "scores-in-the-loop": in_order(every[:1]),
            "last-layer-skipped": in_order(every[:-1]),
            "first-layer-skipped": in_order(every[1:]),
            "layers-skipped": in_order([]),
        },
        which("layer"),
    )


@question(
    "answer = numel(Decoder(vocab_size, 4, 8, 2, 6, num_layer))",
    lesson="Each word w has its own row in the matrix.",
)
def how_many_parameters(draw: Draw) -> Case:
    """The last linear layer has a row and a bias for each word of the vocabulary."""
    vocab_size, num_layer = draw.one(10, 20, 30), draw.one(2, 3)
    one, words, last = count(decoder_layer_shapes(4, 6)), vocab_size * 4, vocab_size * 5
    size = count(decoder_shapes(vocab_size, 4, 6, num_layer))
    return Case(
        f"vocab_size is {vocab_size}, dim_vector is 4, num_layer is {num_layer}. The embedding "
        f"learns {words} numbers, each layer {one}. How many does the whole decoder learn?",
        {"vocab_size": vocab_size, "num_layer": num_layer},
        size,
        {
            "no-output-layer": size - last,
            "no-output-bias": size - vocab_size,
            "tied-output": size - words,
            "closing-norm": size + 8,
            "same-layer-repeated": size - (num_layer - 1) * one,
        },
    )
