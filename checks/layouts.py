"""What the engine is told of numbers: how weights are drawn, one number as arithmetic."""

from __future__ import annotations

import math

from checks.truth.receipts import receipt as receipt

SIZES = ("dim_vector", "n_head")  # Arguments of a module that its layout may depend on.


def spread(role: str, shape: tuple[int, ...]) -> tuple[float, float]:
    """The mean and the standard deviation with which weights of a role are drawn. They are large
    enough for every mistake to show.
    """
    if role.endswith("gamma"):
        return 1.0, 0.5
    if len(shape) <= 1:
        return 0.0, 0.7
    return 0.0, 1.0 if "embedding" in role else 1.3 / math.sqrt(max(1, shape[-1]))
