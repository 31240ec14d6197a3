"""The equation of rms_norm in NumPy float64: what its checks compare with."""

from __future__ import annotations

import numpy as np

from checks.engine.notes import note, noting
from checks.truth.paper import EPS, Array, Shapes, Weights


@noting
def rms_norm(x: Array, weights: Weights, eps: float = EPS) -> Array:
    """Zhang and Sennrich 2019, equation 4, with eps under the root as in today's models."""
    average = np.full((x.shape[-1], 1), 1 / x.shape[-1])  # A product: numpy is slow on short axes.
    mean_square = x**2 @ average
    root = np.sqrt(mean_square + eps)
    normalised = x / root
    note(mean_square=mean_square, root=root, normalised=normalised)
    return weights["gamma"] * normalised


def rms_norm_shapes(dim_vector: int) -> Shapes:
    """The roles of the parameters, with their shapes."""
    return {"gamma": (dim_vector,)}
