"""Questions about s3_encoder/encoder_layer.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Array, Case, Draw, among, count, moved, question, which
from checks.truth.models import encoder_layer, encoder_layer_shapes
from checks.truth.paper import Weights

LAYER = "layer = load(EncoderLayer(4, 2, 8), weights)\n"
MASKED = "The mask marks padding, so that no token attends to it."
VECTORS = [f"{name}{n}" for name in "AB" for n in range(4)]


def _drawn(draw: Draw) -> tuple[Array, Weights]:
    """Two sentences of four tokens, and weights."""
    return draw.normal(2, 4, 4), draw.weights(encoder_layer_shapes(4, 8))


@question(
    LAYER + "def of(x):\n    return layer(x, mask)\n"
    "answer = moved(of, x, (1, token)).any(-1).flatten()",
    lesson="In it every token attends to all tokens, itself included.",
)
def outputs_that_a_token_moves(draw: Draw) -> Case:
    """Every token of the sentence attends to every real one, before and after it."""
    (x, weights), token = _drawn(draw), 2
    real = draw.one(1, 2)
    mask = np.array([np.arange(4) < real, np.ones(4, bool)])[:, None, None]

    def with_mask(mask: Array) -> Array:
        def of(x: Array) -> Array:
            return encoder_layer(x, weights, 2, mask)

        return moved(of, x, (1, token)).any(-1).flatten()

    def across(x: Array) -> Array:
        return encoder_layer(x.swapaxes(0, 1), weights, 2).swapaxes(0, 1)

    return Case(
        f"Sentence A has {real} real token{'s' * (real > 1)} and padding, sentence B has 4 real "
        "tokens. src_mask hides the padding. The vector of B2 (token 2 of B) changes. Which "
        "outputs change?",
        {"x": x, "weights": weights, "mask": mask, "token": token},
        with_mask(mask),
        {
            "mask-of-first-sentence": with_mask(mask[:1]),
            "always-causal": with_mask(mask & np.tri(4, dtype=bool)),
            "words-attend-across-batch": moved(across, x, (1, token)).any(-1).flatten(),
        },
        among(*VECTORS),
    )


@question(
    LAYER + "def of(x):\n    return layer(x, mask)[0, query]\n"
    "answer = reached(of, x)[0][0].any(-1)",
    lesson=MASKED,
)
def tokens_with_a_gradient(draw: Draw) -> Case:
    """The output of a token depends on itself and on all keys that it may attend to."""
    (x, weights), query = _drawn(draw), draw.one(0, 1)
    mask = (np.arange(4) < 3)[None, None, None]

    def with_mask(mask: Array | None) -> Array:
        def of(x: Array) -> Array:
            return encoder_layer(x, weights, 2, mask)[0, query]

        return np.array([moved(of, x, (0, token)).any() for token in range(4)])

    own = np.arange(4) == query
    return Case(
        f"A sentence of 3 tokens, and one padding behind them, which src_mask hides. The loss "
        f"reads only the output of token {query}. To which vectors of the input does a gradient "
        "go back?",
        {"x": x, "weights": weights, "mask": mask, "query": query},
        with_mask(mask),
        {
            "mask-ignored": with_mask(None),
            "mask-inverted": with_mask(~mask),
            "attention-detached": own,
            "middle-detached": own & False,
        },
        which("token"),
    )


@question(
    "answer = numel(EncoderLayer(dim_vector, 2, dim_hidden))",
    lesson="**Why two norms and not one?** Each learns its own gamma and beta.",
)
def how_many_parameters(draw: Draw) -> Case:
    """The layer has an attention, a feed-forward network, and two norms."""
    dim_vector, dim_hidden = draw.one((4, 10), (6, 20), (8, 20))
    size = count(encoder_layer_shapes(dim_vector, dim_hidden))
    attention = 4 * dim_vector * (dim_vector + 1)
    return Case(
        f"dim_vector is {dim_vector}, dim_hidden is {dim_hidden}. An attention learns {attention} "
        f"numbers, a feed-forward network {size - attention - 4 * dim_vector}, a norm "
        f"{2 * dim_vector}. How many does an encoder layer learn?",
        {"dim_vector": dim_vector, "dim_hidden": dim_hidden},
        size,
        {
            "one-norm-shared": size - 2 * dim_vector,
            "unused-norm": size + 2 * dim_vector,
            "unused-attention": size + attention,
            "hidden-width-is-width": attention + 2 * dim_vector * (dim_vector + 1) + 4 * dim_vector,
        },
    )
