"""RMS norm: the layer norm without the mean (Zhang and Sennrich 2019, equation 4).

Lesson: README.md, "6.1 ★ RMS norm"        Check: python run_step.py 6.1
"""

import torch
from torch import Tensor, nn


class RMSNorm(nn.Module):
    """Divide each token's vector by the square root of its mean square, then scale every feature.

        out = gamma * x / sqrt(mean(x²) + eps)

    The mean is taken over the last axis, in float32: in float16 the square of 256 is infinite. x,
    gamma and the result have one dtype. No ready-made norm of PyTorch is allowed here
    (`nn.RMSNorm`, `F.rms_norm` …).
    """

    def __init__(self, dim_vector: int, eps: float = 1e-5):
        super().__init__()
        # TODO: Make the parameter `gamma`, (dim_vector,), ones at first. Keep eps.
        raise NotImplementedError("RMSNorm.__init__")

    def forward(self, x: Tensor) -> Tensor:
        """(…, dim_vector) -> (…, dim_vector)."""
        # TODO: Take the mean of the squares of each vector, in float32.
        # TODO: Divide x by the square root (with eps). Return to x's dtype. Scale every feature.
        raise NotImplementedError("RMSNorm.forward")
