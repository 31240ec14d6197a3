"""The equation of sampling in NumPy float64: what its checks compare with."""

from __future__ import annotations

from checks.engine.notes import note, noting
from checks.truth.paper import Array, Shapes, Weights


@noting
def sampling(x: Array, weights: Weights) -> Array:
    """AUTHOR: source and number of the equation."""
    scaled = weights["gamma"] * x
    note(scaled=scaled)  # AUTHOR: the values on the way, for learners whose last one is wrong.
    return scaled


def sampling_shapes(dim_vector: int) -> Shapes:
    """The roles of the parameters, with their shapes."""
    return {"gamma": (dim_vector,)}
