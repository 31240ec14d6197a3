"""Grouped-query attention in NumPy float64 (Ainslie et al. 2023, arXiv 2305.13245, section 2.2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from checks.engine.notes import note, noting
from checks.s6_today.rotary.truth import rotate
from checks.truth.paper import Array, Shapes, Weights, calculate_attention

Cache = tuple[Array, Array]  # Keys and values, (batch_size, n_kv_head, length, dim_split) each.


@noting
def grouped_attention(
    x: Array,
    weights: Weights,
    sizes: tuple[int, int],
    cos: Array,
    sin: Array,
    start: int = 0,
    mask: ArrayLike | None = None,
    cache: Cache | None = None,
) -> tuple[Array, Cache]:
    """The output, and the keys and values of all tokens. sizes: n_head, n_kv_head.

    Query heads form n_kv_head groups of neighbours. Each group has one head of keys and values.
    """
    n_head, n_kv_head = sizes
    dim_split = x.shape[-1] // n_head

    def heads(role: str, count: int) -> Array:
        made = x @ weights[f"{role}.weight"].T
        note(**{role: made})
        cut = [made[..., h * dim_split : (h + 1) * dim_split] for h in range(count)]
        return np.stack(cut, axis=1)

    q = rotate(heads("w_q", n_head), cos, sin, start)
    keys, values = rotate(heads("w_k", n_kv_head), cos, sin, start), heads("w_v", n_kv_head)
    note(turned_q=q, turned_k=keys)
    if cache is not None:
        keys, values = (np.concatenate(pair, axis=2) for pair in zip(cache, (keys, values)))
    group = n_head // n_kv_head
    shared_keys, shared_values = (np.repeat(each, group, axis=1) for each in (keys, values))
    note(keys=keys, values=values, shared_keys=shared_keys, shared_values=shared_values)
    masks = None if mask is None else np.broadcast_to(mask, (len(x), n_head, *_rows(q, keys)))
    found = []
    for head in range(n_head):
        seen = None if masks is None else masks[:, head]
        own = (q[:, head], shared_keys[:, head], shared_values[:, head])
        found.append(calculate_attention(*own, seen)[0])
    merged = np.concatenate(found, axis=-1)
    note(heads=np.stack(found, axis=1), merged=merged)
    return merged @ weights["linear.weight"].T, (keys, values)


def _rows(q: Array, keys: Array) -> tuple[int, int]:
    return q.shape[2], keys.shape[2]


def grouped_attention_shapes(dim_vector: int, n_head: int, n_kv_head: int) -> Shapes:
    """The roles of the parameters, with their shapes: no biases."""
    narrow = (n_kv_head * (dim_vector // n_head), dim_vector)
    square = (dim_vector, dim_vector)
    return {
        "w_q.weight": square,
        "w_k.weight": narrow,
        "w_v.weight": narrow,
        "linear.weight": square,
    }
