"""What `filtered` keeps, by the definitions of its filters: one row at a time."""

from __future__ import annotations

import numpy as np

from checks.truth.paper import Array, softmax

NEAR = 1e-4  # So near to a limit, rounding may decide what is cut.


def filtered(
    logits: Array,
    temperature: float = 1.0,
    top_k: int = 0,
    top_p: float = 1.0,
    min_p: float = 0.0,
) -> Array:
    """Temperature; top-k (Fan et al. 2018); top-p (Holtzman et al. 2020); min-p (Nguyen et al.
    2024).
    """
    return np.stack([_filtered(row, temperature, top_k, top_p, min_p) for row in logits])


def _filtered(row: Array, temperature: float, top_k: int, top_p: float, min_p: float) -> Array:
    stays = np.argsort(-row, kind="stable")  # Places, the best token first.
    if temperature == 0:
        scaled, stays = row, stays[:1]
    else:
        scaled = row / temperature
        if top_k > 0:
            stays = stays[:top_k]
        if top_p < 1:
            stays = stays[: _until(softmax(scaled[stays]), top_p)]
        share = softmax(scaled[stays])
        stays = stays[share >= min_p * share[0]]
    out = np.full(row.shape, -np.inf)
    out[stays] = scaled[stays]
    return out


def _until(share: Array, limit: float) -> int:
    """How many of these, from the first on, are needed to reach the limit: at least one."""
    total = 0.0
    for count, one in enumerate(share.tolist(), 1):
        total += one
        if total >= limit:
            return count
    return len(share)


def is_clear(
    logits: Array, temperature: float, top_k: int = 0, top_p: float = 1.0, min_p: float = 0.0
) -> bool:
    """Whether rounding cannot change what is cut: limits nearby cut the same tokens."""

    def stays(change: float) -> Array:
        p = top_p + change if 0 < top_p < 1 else top_p
        least = min_p * (1 + change) if min_p < 1 else min_p
        return np.isfinite(filtered(logits, temperature, top_k, p, least))

    return bool((stays(NEAR) == stays(-NEAR)).all())
