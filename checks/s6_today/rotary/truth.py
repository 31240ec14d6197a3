"""The equations of rotary embedding in NumPy float64 (Su et al. 2021, arXiv 2104.09864)."""

from __future__ import annotations

import numpy as np

from checks.engine.notes import note, noting
from checks.truth.paper import Array


def rotary_table(dim_split: int, max_len: int, base: float = 10000.0) -> tuple[Array, Array]:
    """The cosines and the sines of m θ_i, (max_len, dim_split // 2) each (section 3.2.2).

    θ_i = base^(-2i/d), with i from 0 on. The paper counts it from 1 and writes 2(i - 1).
    """
    angle = np.empty((max_len, dim_split // 2))
    for position in range(max_len):
        for i in range(dim_split // 2):
            angle[position, i] = position * base ** (-2 * i / dim_split)
    return np.cos(angle), np.sin(angle)


@noting
def rotate(x: Array, cos: Array, sin: Array, start: int = 0) -> Array:
    """Equation 15: each pair of neighbours is multiplied by the matrix of its rotation."""
    rows = np.arange(start, start + x.shape[2])
    c, s = np.asarray(cos)[rows], np.asarray(sin)[rows]
    pairs = x.reshape(*x.shape[:-1], -1, 2)
    note(cos=c, sin=s, first=pairs[..., 0], second=pairs[..., 1])
    turns = np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)  # (length, pairs, 2, 2)
    turned = np.einsum("lprc,bhlpc->bhlpr", turns, pairs)
    note(turned=turned)
    return turned.reshape(x.shape)
