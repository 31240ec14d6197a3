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
        # Make the parameters `gamma` (ones at first) and `beta` (zeros), (dim_vector,) each.
        self.gamma = nn.Parameter(torch.ones(dim_vector))
        self.beta = nn.Parameter(torch.zeros(dim_vector))
        # Keep eps.
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        """(…, dim_vector) -> (…, dim_vector)."""
        # Take the mean and the variance of each vector.
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, unbiased=False, keepdim=True)
        # Return the normalised vectors, scaled and shifted.
        return self.gamma * (x - mean) / torch.sqrt(variance + self.eps) + self.beta
