"""The equation of gated_feed_forward in NumPy float64: what its checks compare with."""

from __future__ import annotations

import numpy as np

from checks.engine.notes import note, noting
from checks.truth.paper import Array, Shapes, Weights


def silu(z: Array) -> Array:
    """z times its sigmoid. The exponential of a number above 0 is never taken, so none is
    infinite.
    """
    small = np.exp(-np.abs(z))
    return z * np.where(z >= 0, 1, small) / (1 + small)


@noting
def gated_feed_forward(x: Array, weights: Weights) -> Array:
    """Shazeer 2020, equation 6: (Swish(x W) * x V) W2, with W the gate and V the way up."""
    gate, up = x @ weights["gate.weight"].T, x @ weights["up.weight"].T
    opened = silu(gate)
    note(gate=gate, up=up, silu=opened, product=opened * up)
    return (opened * up) @ weights["down.weight"].T


def gated_feed_forward_shapes(dim_vector: int, dim_hidden: int) -> Shapes:
    """The roles of the parameters, with their shapes."""
    return {
        "gate.weight": (dim_hidden, dim_vector),
        "up.weight": (dim_hidden, dim_vector),
        "down.weight": (dim_vector, dim_hidden),
    }
