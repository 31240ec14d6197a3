"""Questions about s4_decoder/decoder_layer.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from checks.questions.kinds import Array, Case, Draw, among, count, differ, question
from checks.truth.models import decoder_layer, decoder_layer_shapes
from checks.truth.paper import (
    Weights,
    add_norm,
    feed_forward,
    multi_head_attention,
    multi_head_weights,
    part,
)

LAYER = "layer = load(DecoderLayer(4, 2, 6), weights)\n"
EFFECTS = (
    "def of(x, source):\n    return layer(x, source, trg_mask, src_mask)[0, {}]\n"
    "answer = differ(of, (x, source), *others)"
)
SETTING = (
    "The target has 4 tokens, and the source has 3 real ones and one padding. trg_mask hides the "
    "future, src_mask hides the padding. What changes the output of target token {}?\n"
    "  past: target token 0\n  future: target token 3\n"
    "  source: source token 1\n  padding: the padding of the source"
)


def sentences(draw: Draw) -> dict[str, Any]:
    """A target and a source with their masks, and other ones with one vector changed in each."""
    x, source = draw.normal(1, 4, 4), draw.normal(1, 4, 4)
    others = []
    for target, place in ((True, 0), (True, 3), (False, 1), (False, 3)):
        pair = x.copy(), source.copy()
        pair[not target][0, place] = draw.normal(4)
        others.append(list(pair))
    masks = {"trg_mask": np.tri(4, dtype=bool), "src_mask": (np.arange(4) < 3)[None, None, None]}
    return {"x": x, "source": source, "others": others, **masks}


def _layer(
    x: Array,
    source: Array,
    weights: Weights,
    masks: tuple[Any, Any],
    own: bool = True,
    reads: str = "",
) -> Array:
    """A decoder layer without its self-attention, or with a cross-attention that reads another
    sentence.
    """
    if own:
        attended = multi_head_attention(x, x, x, part(weights, "self_attention"), 2, masks[0])
        x = add_norm(x, attended, part(weights, "add_norm1"))
    source, mask = (x, masks[0]) if reads == "target" else (source, masks[1])
    attended = multi_head_attention(x, source, source, part(weights, "cross_attention"), 2, mask)
    x = add_norm(x, attended, part(weights, "add_norm2"))
    return add_norm(x, feed_forward(x, part(weights, "feed_forward")), part(weights, "add_norm3"))


@question(
    LAYER + EFFECTS.format("query"),
    lesson="The target attends to itself, then to the source, and then each token passes through "
    "the feed-forward network.",
)
def what_has_an_effect(draw: Draw) -> Case:
    """A target token reads the target up to itself, and all real tokens of the source."""
    given, query = sentences(draw), draw.one(1, 2)
    weights = draw.weights(decoder_layer_shapes(4, 6))
    pairs, masks = given["others"], (given["trg_mask"], given["src_mask"])

    def effects(masks: Any = masks, **changed: Any) -> Array:
        def of(x: Array, source: Array) -> Array:
            return _layer(x, source, weights, masks, **changed)[0, query]

        return differ(of, (given["x"], given["source"]), *pairs)

    def right(x: Array, source: Array) -> Array:
        return decoder_layer(x, source, weights, 2, *masks)[0, query]

    return Case(
        SETTING.format(query),
        {**given, "weights": weights, "query": query},
        differ(right, (given["x"], given["source"]), *pairs),
        {
            "no-mask-on-target": effects((None, masks[1])),
            "no-mask-on-source": effects((masks[0], None)),
            "masks-ignored": effects((None, None)),
            "cross-reads-the-target": effects(reads="target"),
            "self-attention-missing": effects(own=False),
            "source-mask-inverted": effects((masks[0], ~masks[1])),
        },
        among("past", "future", "source", "padding"),
    )


@question(
    "layer = DecoderLayer(n_head * 2, n_head, 6)\nlayer(x, source)\n"
    "answer = tuple(layer.cross_attention.attention_weights.shape)",
    lesson="The weights of cross-attention have the shape `(batch_size, n_head, trg_len, src_len)`:"
    " one row for each target token, one column for each source token.",
)
def shape_of_the_weights(draw: Draw) -> Case:
    """The queries come from the target, the keys from the source."""
    batch_size, trg_len, src_len, n_head = draw.sizes(4)
    x, source = (draw.normal(batch_size, n, n_head * 2) for n in (trg_len, src_len))
    weights = draw.weights(decoder_layer_shapes(n_head * 2, 6))
    own = part(weights, "cross_attention")
    return Case(
        f"{batch_size} sentences, {n_head} heads. The targets have {trg_len} tokens, the sources "
        f"{src_len}. Which shape do the weights of cross-attention have?",
        {"x": x, "source": source, "n_head": n_head},
        multi_head_weights(x, source, own, n_head).shape,
        {
            "cross-reads-the-target-without-mask": multi_head_weights(x, x, own, n_head).shape,
            "one-head-on-source": multi_head_weights(x, source, own, 1).shape,
            "source-and-target-asked": (batch_size, n_head, trg_len, src_len + trg_len),
        },
    )


@question(
    "answer = numel(DecoderLayer(dim_vector, 2, dim_hidden))",
    lesson="**Why three norms?** There are three places. In each of them the numbers have a "
    "different mean and a different size.",
)
def how_many_parameters(draw: Draw) -> Case:
    """The layer has two attentions, a feed-forward network, and three norms."""
    dim_vector, dim_hidden = draw.one((4, 10), (6, 20), (8, 20))
    size = count(decoder_layer_shapes(dim_vector, dim_hidden))
    attention, norm = 4 * dim_vector * (dim_vector + 1), 2 * dim_vector
    return Case(
        f"An attention learns {attention} numbers, a feed-forward network "
        f"{size - 2 * attention - 3 * norm}, a norm {norm}. How many does a decoder layer learn?",
        {"dim_vector": dim_vector, "dim_hidden": dim_hidden},
        size,
        {
            "attentions-are-one-layer": size - attention,
            "third-norm-missing": size - norm,
            "norms-are-one-layer": size - 2 * norm,
            "unused-layer": size + attention,
            "unused-add-norm": size + norm,
        },
    )
