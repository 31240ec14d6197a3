"""The language model in NumPy float64: a decoder alone, with the parts of steps 6.1 to 6.4.

The order of the parts is that of Touvron et al. 2023 (arXiv 2302.13971), section 2.2.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from checks.engine.notes import note, noting
from checks.s6_today.gated_feed_forward.truth import gated_feed_forward, gated_feed_forward_shapes
from checks.s6_today.grouped_attention.truth import (
    Cache,
    grouped_attention,
    grouped_attention_shapes,
)
from checks.s6_today.rms_norm.truth import rms_norm, rms_norm_shapes
from checks.s6_today.rotary.truth import rotary_table
from checks.truth.paper import EPS, Array, Shapes, Weights, part, whole


class Sizes(NamedTuple):
    """What the equations need to know beside the weights."""

    n_head: int
    n_kv_head: int
    num_layer: int
    base: float = 10000.0
    eps: float = EPS


@noting
def layer(
    x: Array,
    weights: Weights,
    sizes: Sizes,
    table: tuple[Array, Array],
    start: int = 0,
    mask: ArrayLike | None = None,
    cache: Cache | None = None,
) -> tuple[Array, Cache]:
    """x + attention(norm(x)), then x + feed_forward(norm(x))."""
    normed = rms_norm(x, part(weights, "norm1"), sizes.eps)
    heads = sizes.n_head, sizes.n_kv_head
    inside = part(weights, "attention")
    attended, longer = grouped_attention(normed, inside, heads, *table, start, mask, cache)
    x = x + attended
    note(norm1=normed, attention=attended, sum=x)
    normed = rms_norm(x, part(weights, "norm2"), sizes.eps)
    widened = gated_feed_forward(normed, part(weights, "feed_forward"))
    note(norm2=normed, feed_forward=widened)
    return x + widened, longer


@noting
def language_model(
    tokens: ArrayLike, weights: Weights, sizes: Sizes, caches: list[Cache] | None = None
) -> tuple[Array, list[Cache]]:
    """Logits for every token, and the keys and values of every layer.

    Token i of the new ones attends to what is cached, and to the new ones up to itself.
    """
    tokens = np.asarray(tokens)
    start = caches[0][0].shape[2] if caches else 0
    rows, columns = np.arange(tokens.shape[1])[:, None], np.arange(start + tokens.shape[1])
    mask = columns <= start + rows
    table = weights["embedding.weight"]
    dim_split = table.shape[1] // sizes.n_head
    turns = rotary_table(dim_split, start + tokens.shape[1], sizes.base)
    x, longer = table[tokens], []
    note(embedding=x, mask=mask)
    for n in range(sizes.num_layer):
        own = part(weights, f"layers.{n}")
        x, cache = layer(x, own, sizes, turns, start, mask, caches[n] if caches else None)
        note(**{f"layers.{n}": x})
        longer.append(cache)
    x = rms_norm(x, part(weights, "norm"), sizes.eps)
    note(norm=x)
    return x @ table.T, longer


def layer_shapes(dim_vector: int, n_head: int, n_kv_head: int, dim_hidden: int) -> Shapes:
    """The roles of the parameters of one layer, with their shapes."""
    return whole(
        norm1=rms_norm_shapes(dim_vector),
        attention=grouped_attention_shapes(dim_vector, n_head, n_kv_head),
        norm2=rms_norm_shapes(dim_vector),
        feed_forward=gated_feed_forward_shapes(dim_vector, dim_hidden),
    )


def language_model_shapes(
    vocab_size: int, dim_vector: int, n_head: int, n_kv_head: int, dim_hidden: int, num_layer: int
) -> Shapes:
    """The roles of all parameters: one table, which is used twice, and no biases."""
    one = layer_shapes(dim_vector, n_head, n_kv_head, dim_hidden)
    return {
        "embedding.weight": (vocab_size, dim_vector),
        **whole(**{f"layers__{n}": one for n in range(num_layer)}),
        **whole(norm=rms_norm_shapes(dim_vector)),
    }
