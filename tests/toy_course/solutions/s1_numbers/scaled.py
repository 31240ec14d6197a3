"""Scaled: a factor that is learned.

Lesson: README.md, "1.2 Scaled"        Check: python run_step.py 1.2
"""

import torch
from s1_numbers.double import double
from torch import Tensor, nn


class Scaled(nn.Module):
    """double(x) * factor."""

    def __init__(self, width: int):
        super().__init__()
        # Make the parameter `factor`, ones at first: (width,).
        self.factor = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        """(…, width) -> (…, width)."""
        # Double x, then multiply by the factor.
        return double(x) * self.factor
