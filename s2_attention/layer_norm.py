"""Layer normalisation (Ba et al. 2016, which the paper cites in section 3.1).

Lesson: README.md, "2.3 Layer normalisation"        Check: python run_step.py 2.3
"""

import torch
from torch import Tensor, nn


class LayerNorm(nn.Module):
    """Give each token's vector mean 0 and variance 1, then scale and shift every feature.

        out = gamma * (x - mean) / sqrt(variance + eps) + beta

    Mean and variance are taken over the last axis; the variance divides by dim_vector,
    not by dim_vector - 1. No ready-made norm of PyTorch is allowed here (`nn.LayerNorm`,
    `F.group_norm` …).
    """

    def __init__(self, dim_vector: int, eps: float = 1e-5):
        super().__init__()
        # TODO: Make the parameters `gamma` (ones at first) and `beta` (zeros), (dim_vector,) each.
        # TODO: Keep eps.
        raise NotImplementedError("LayerNorm.__init__")

    def forward(self, x: Tensor) -> Tensor:
        """(…, dim_vector) -> (…, dim_vector)."""
        # TODO: Take the mean and the variance of each vector.
        # TODO: Return the normalised vectors, scaled and shifted.
        raise NotImplementedError("LayerNorm.forward")
