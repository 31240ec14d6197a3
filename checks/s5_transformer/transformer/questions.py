"""Questions about s5_transformer/transformer.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from checks.questions.kinds import Array, Case, Draw, among, count, differ, question
from checks.truth.models import (
    decoder,
    encoder,
    src_mask,
    transformer,
    transformer_shapes,
    trg_mask,
)
from checks.truth.paper import part

SIZES = "src_pad_idx=0, trg_pad_idx=0, encoder_vocab_size={}, decoder_vocab_size={}"
MODEL = f"model = Transformer({SIZES}, dim_vector={{}}, n_head=2, max_len=20, dim_hidden=6, "


@question(
    MODEL.format("src_words", "trg_words", "dim_vector") + "num_layer=1)\n"
    "answer = tuple(model(src, trg).shape)",
    lesson="The model gives one row of logits for each target token that it gets.",
)
def shape_of_the_logits(draw: Draw) -> Case:
    """There is a row for each target token, with a score for each word of the target's language."""
    batch_size, src_len, trg_len = draw.sizes(3)
    src_words, trg_words, dim_vector = draw.one(20, 30), draw.one(40, 50), draw.one(8, 12)
    src, trg = np.ones((batch_size, src_len), int), np.ones((batch_size, trg_len), int)
    weights = draw.weights(transformer_shapes(src_words, trg_words, dim_vector, 6, 1))
    return Case(
        f"src has shape {src.shape}, trg has shape {trg.shape}. encoder_vocab_size is {src_words}, "
        f"decoder_vocab_size is {trg_words}, dim_vector is {dim_vector}. Which shape do the logits "
        "have?",
        dict(src=src, trg=trg, src_words=src_words, trg_words=trg_words, dim_vector=dim_vector),
        transformer(src, trg, weights, 2, 1, 0, 0).shape,
        {
            "target-shifted-inside": (batch_size, trg_len - 1, trg_words),
            "decode-last-position-only": (batch_size, trg_words),
            "vocabularies-swapped": (batch_size, trg_len, src_words),
            "axes-swapped": (batch_size, trg_words, trg_len),
            "forward-returns-words": (batch_size, trg_len),
            "forward-arguments-swapped": (batch_size, src_len, trg_words),
        },
    )


@question(
    f"model = load({MODEL.removeprefix('model = ').format(10, 10, 4)}num_layer=1), weights)\n"
    "def of(src, trg):\n    return model(src, trg)[0, query]\n"
    "answer = differ(of, (src, trg), *others)",
    lesson="The source affects every position. Padding affects none. A target token affects its "
    "own "
    "position and all later ones.",
)
def what_has_an_effect(draw: Draw) -> Case:
    """The masks hide padding and the future, and nothing else."""
    src, trg = draw.random.integers(1, 8, (1, 3)), draw.random.integers(1, 8, (1, 4))
    query, padded = draw.one(1, 2), np.append(src, [[0]], 1)
    pairs = []
    for other, place in ((trg, 0), (trg, 3), (src, 1)):
        changed = other.copy()
        changed[0, place] += 1
        pairs.append([changed, trg] if other is src else [src, changed])
    pairs.append([padded, trg])
    weights = draw.weights(transformer_shapes(10, 10, 4, 6, 1))

    def effects(open_to: str) -> Array:
        """What counts if the decoder reads both masks, or all but one."""

        def of(src: Array, trg: Array) -> Array:
            seen: Any = src_mask(src, 0)
            past: Any = None if open_to == "target" else trg_mask(trg, 0)
            source = encoder(src, part(weights, "encoder"), 2, 1, seen)
            seen = None if open_to == "source" else seen
            return decoder(trg, source, part(weights, "decoder"), 2, 1, past, seen)[0, query]

        return differ(of, (src, trg), *pairs)

    numbers = {"src": src, "trg": trg, "others": pairs, "weights": weights, "query": query}
    return Case(
        f"The source has 3 tokens, the target has 4, and 0 is padding. What changes the logits at "
        f"position {query} of the target?\n"
        "  past: another target token 0\n  future: another target token 3\n"
        "  source: another source token 1\n  padding: one more padding behind the source",
        numbers,
        effects("nothing"),
        {
            "decoder-without-target-mask": effects("target"),
            "decoder-without-source-mask": effects("source"),
            "encoder-reads-target": np.array([True, True, False, False]),
        },
        among("past", "future", "source", "padding"),
    )


@question(
    MODEL.format("src_words", "trg_words", 4) + "num_layer=num_layer)\nanswer = numel(model)",
    lesson="The paper uses one matrix for source, target and output, and this course uses three.",
)
def how_many_parameters(draw: Draw) -> Case:
    """Each side has its own embedding, and the last linear layer is a third matrix."""
    src_words, trg_words, num_layer = draw.one(10, 20), draw.one(30, 40), draw.one(2, 3)
    size = count(transformer_shapes(src_words, trg_words, 4, 6, num_layer))
    layers = size - 4 * src_words - 9 * trg_words
    return Case(
        f"All layers together learn {layers} numbers. dim_vector is 4, encoder_vocab_size is "
        f"{src_words}, decoder_vocab_size is {trg_words}. How many does the whole model learn?",
        {"src_words": src_words, "trg_words": trg_words, "num_layer": num_layer},
        size,
        {
            "shared-embedding": size - 4 * trg_words,
            "no-output-bias": size - trg_words,
            "encoder-with-target-vocabulary": size + 4 * (trg_words - src_words),
            "encoder-closing-norm": size + 8,
        },
    )
