"""The number tables of stage 4."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from checks.lessons.layout import grid, names, table
from checks.lessons.shared import (
    SOURCE,
    THREE_TOKENS,
    TRG,
    count,
    ledger,
    moved,
    normed,
    random_weights,
    second_token,
    straight,
    sublayers,
    walk,
)
from checks.truth import models, paper


@table
def decoder_layer() -> str:
    attend, ask, widen = sublayers(models.decoder_layer_shapes(6, 3))
    x, past, seen = THREE_TOKENS, np.tri(3), [1, 1, 0, 0]
    first = normed(x + attend(x, past))
    second = normed(first + ask(first, SOURCE, seen))
    return walk(
        {
            "x": x,
            "self_attention": attend(x, past),
            "add_norm1": first,
            "cross_attention": ask(first, SOURCE, seen),
            "add_norm2": second,
            "feed_forward": widen(second),
            "add_norm3": normed(second + widen(second)),
        }
    )


@table
def decoder_layer_weights() -> str:
    weights = straight(models.decoder_layer_shapes(6, 3), silent="w_q")
    roles = paper.part(weights, "self_attention")
    own = paper.multi_head_weights(THREE_TOKENS, THREE_TOKENS, roles, 2, np.tri(3))
    across = paper.multi_head_weights(THREE_TOKENS, SOURCE, roles, 2, [1, 1, 0, 0])
    return (
        "self_attention, keys: the target\n"
        + grid(own[0, 0], names("query", 3), names("key", 3))
        + "\n\ncross_attention, keys: the source\n"
        + grid(across[0, 0], names("query", 3), names("key", 4))
    )


@table
def decoder_layer_mistakes() -> str:
    attend, ask, widen = sublayers(models.decoder_layer_shapes(6, 3))
    x, past, seen = THREE_TOKENS, np.tri(3), [1, 1, 0, 0]

    def layer(trg_mask: ArrayLike | None = past, src_mask: ArrayLike | None = seen) -> paper.Array:
        y = normed(x + attend(x, trg_mask))
        y = normed(y + ask(y, SOURCE, src_mask))
        return normed(y + widen(y))

    first = normed(x + attend(x, past))
    itself, stale = normed(first + attend(first, past)), normed(x + ask(first, SOURCE, seen))
    return second_token(
        {
            "right": layer(),
            "trg_mask is not used": layer(trg_mask=None),
            "src_mask is not used": layer(src_mask=None),
            "cross-attention reads the target": normed(itself + widen(itself)),
            "second shortcut starts at x": normed(stale + widen(stale)),
        },
    )


@table
def decoder_moves() -> str:
    weights = random_weights(models.decoder_shapes(10, 6, 3, 2))
    trg, source, past = np.array(TRG[1:]), SOURCE[:, :3], np.tri(4)
    before = models.decoder(trg, source, weights, 2, 2, past)
    rows = []
    for position in range(4):
        other = trg.copy()
        other[0, position] = 1
        rows.append(moved(before, models.decoder(other, source, weights, 2, 2, past)))
    return grid(rows, names("token", 4), names("logits", 4), 0, "changed")


@table
def softmax_twice() -> str:
    score = np.array([0, 2, 5, 20])
    logits = np.zeros((4, 10))
    logits[:, 0] = score
    once = paper.softmax(logits)
    losses = np.stack([-np.log(once[:, 0]), -np.log(paper.softmax(once)[:, 0])], axis=1)
    return grid(losses, [f"score {n}" for n in score], ["loss", "loss, softmax twice"])


@table
def decoder_count() -> str:
    def rows(vocab_size: int, dim_vector: int, dim_hidden: int, num_layer: int) -> dict[str, int]:
        layer = models.decoder_layer_shapes(dim_vector, dim_hidden)
        stack = models.decoder_shapes(vocab_size, dim_vector, dim_hidden, num_layer)
        return {
            "self_attention": count(layer, "self_attention."),
            "cross_attention": count(layer, "cross_attention."),
            "feed_forward": count(layer, "feed_forward."),
            "each of the 3 AddNorms": count(layer, "add_norm1."),
            "one DecoderLayer": count(layer),
            "all layers": count(stack, "layers."),
            "embedding": count(stack, "embedding."),
            "linear": count(stack, "linear."),
            "the Decoder": count(stack),
        }

    return ledger(rows)


@table
def pre_norm_decoder_layer() -> str:
    attend, ask, widen = sublayers(models.decoder_layer_shapes(6, 3))
    x, past, seen = THREE_TOKENS, np.tri(3), [1, 1, 0, 0]
    attended = attend(normed(x), past)
    first = x + attended
    asked = ask(normed(first), SOURCE, seen)
    second = first + asked
    return walk(
        {
            "x": x,
            "self_attention": attended,
            "first sum": first,
            "cross_attention": asked,
            "second sum": second,
            "norm3": normed(second),
            "feed_forward": widen(normed(second)),
            "out": second + widen(normed(second)),
        }
    )
