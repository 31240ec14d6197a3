"""Questions about s6_today/language_model.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Array, Case, Draw, count, moved, question, which
from checks.s6_today.language_model.truth import (
    Sizes,
    language_model,
    language_model_shapes,
    layer,
    layer_shapes,
)
from checks.s6_today.rms_norm.truth import rms_norm
from checks.s6_today.rotary.truth import rotary_table
from checks.truth.paper import Weights, part, softmax

SMALL = (8, 2, 1, 6)  # dim_vector, n_head, n_kv_head, dim_hidden.
READS = """\
model = load(LanguageModel(9, 8, 2, 1, 6, 1, 20), weights)
def scores(tokens):
    _, caches = model(tokens[:, :old])
    return model(tokens[:, old:], caches)[0][0, new]
places = range(tokens.size(1))
answer = torch.stack([moved(scores, tokens, (0, n)).any() for n in places])
"""
STANDS = """\
model, found = LanguageModel(9, 8, 2, 1, 6, 2, 40), []
_, caches = model(torch.zeros(1, old, dtype=torch.int64))
first = model.layers[0].attention
first.register_forward_pre_hook(lambda part, given: found.append(given[3]))
model(torch.zeros(1, new, dtype=torch.int64), caches)
answer = found[0] + new - 1
"""


@question(
    "model = load(LanguageModel(3, 4, 1, 1, 1, 0, 5), weights)\n"
    "answer = model(torch.tensor([[0]]))[0][0, 0]",
    lesson="One closing norm follows the last layer.",
)
def scores_without_layers(draw: Draw) -> Case:
    """The row is normalised, and each score is its product with a row of the same table."""
    size = draw.one(2, 3, 4)
    signs = draw.random.permutation([1.0, 1, 1, -1])
    table = np.stack([size * signs, draw.whole(4, low=0, high=3), draw.whole(4, low=-2, high=2)])
    weights = {"embedding.weight": table, "norm.gamma": np.ones(4)}
    right = language_model(np.array([[0]]), weights, Sizes(1, 1, 0))[0][0, 0]
    rows = ", ".join("(" + ", ".join(f"{n:g}" for n in row) + ")" for row in table)
    return Case(
        f"A model has no layers. Its table has the rows {rows}. gamma is 1. Token 0 is read. Which "
        "scores do the three tokens get?",
        {"weights": weights},
        right,
        {
            "no-closing-norm": table[0] @ table.T,
            "scaled-on-the-way-out": right / 2,
            "probabilities": softmax(right),
        },
    )


@question(
    READS,
    lesson="Row 0 belongs to the first new token: it may see the cached tokens and itself.",
)
def what_a_new_token_sees(draw: Draw) -> Case:
    """It sees all that is cached, and the new tokens up to itself."""
    old, (several, new) = draw.one(2, 3, 4), draw.one((2, 0), (3, 0), (3, 1))
    weights = draw.weights(language_model_shapes(9, *SMALL, 1))
    tokens = draw.random.permutation(8)[None, : old + several]
    rows, columns = old + np.arange(several)[:, None], np.arange(old + several)
    masks = {
        "right": columns <= rows,
        "mask-begins-at-row-0": columns <= rows - old,
        "no-mask-with-cache": columns < old + several + 0 * rows,
        "mask-hides-the-cache": (columns <= rows) & (columns >= old),
    }
    seen = {name: _moves(weights, tokens, old, new, mask) for name, mask in masks.items()}
    return Case(
        f"{old} tokens are cached. {several} new ones are read at once: tokens {old} to "
        f"{old + several - 1}. You replace one token of the text and look at the scores after "
        f"token {old + new}. For which replaced tokens do they change?",
        {"weights": weights, "tokens": tokens, "old": old, "new": new},
        seen.pop("right"),
        seen,
        which("token"),
    )


def _moves(weights: Weights, tokens: Array, old: int, new: int, mask: Array) -> Array:
    """Which tokens have an effect on the scores after a new one. The mask is that of the new."""
    sizes, turns = Sizes(2, 1, 1), rotary_table(4, tokens.size)
    table = weights["embedding.weight"]

    def scores(tokens: Array) -> Array:
        _, (cache,) = language_model(tokens[:, :old], weights, sizes)
        own = part(weights, "layers.0")
        x, _ = layer(table[tokens[:, old:]], own, sizes, turns, old, mask, cache)
        logits: Array = rms_norm(x, part(weights, "norm"))[0, new] @ table.T
        return logits

    return np.array([moved(scores, tokens, (0, n)).any() for n in range(tokens.size)])


@question(
    STANDS,
    lesson="They stand behind all cached ones, so the first new token has the position `start`, "
    "the number of cached tokens.",
    typed=True,
)
def where_the_last_stands(draw: Draw) -> Case:
    """Positions go on from the number of cached tokens."""
    old, new = draw.one(5, 8, 11, 17), draw.one(2, 3, 4)
    return Case(
        f"{old} tokens are cached. {new} new ones are read at once. At which position does the "
        "last of them stand? Positions count from 0.",
        {"old": old, "new": new},
        old + new - 1,
        {
            "position-stays": new - 1,
            "position-one-too-far": old + new,
            "position-of-the-last": old + new - 2,
        },
    )


@question(
    "answer = numel(LanguageModel(vocab_size, 8, 2, 1, 6, num_layer, 9))",
    lesson="Here they are the same tensor.",
    typed=True,
)
def how_many_parameters(draw: Draw) -> Case:
    """The table counts once, and there is one closing norm after the layers."""
    vocab_size, num_layer = draw.one(10, 20, 30, 50), draw.one(2, 3, 4)
    size = count(language_model_shapes(vocab_size, *SMALL, num_layer))
    one = count(layer_shapes(*SMALL))
    return Case(
        f"dim_vector is 8 and vocab_size {vocab_size}. A layer learns {one} numbers. How many does "
        f"a whole language model learn, with num_layer {num_layer}?",
        {"vocab_size": vocab_size, "num_layer": num_layer},
        size,
        {
            "untied": size + 8 * vocab_size,
            "output-with-bias": size + vocab_size,
            "closing-norm-not-made": size - 8,
            "same-layer-repeated": size - (num_layer - 1) * one,
        },
    )
