"""Gated feed-forward network, SwiGLU (Shazeer 2020, equation 6).

Lesson: README.md, "6.3 ★ Gated feed-forward network"        Check: python run_step.py 6.3
"""

from torch import Tensor, nn
from torch.nn import functional as F


class GatedFeedForward(nn.Module):
    """down(silu(gate(x)) * up(x)), the same small network for every token.

    The gate decides, feature by feature, how much of up(x) goes through. silu(z) = z * sigmoid(z).
    None of the three linear layers has a bias.
    """

    def __init__(self, dim_vector: int, dim_hidden: int):
        super().__init__()
        # Make `gate` and `up`, from dim_vector to dim_hidden, and `down`, back to dim_vector.
        self.gate = nn.Linear(dim_vector, dim_hidden, bias=False)
        self.up = nn.Linear(dim_vector, dim_hidden, bias=False)
        self.down = nn.Linear(dim_hidden, dim_vector, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """(…, dim_vector) -> (…, dim_vector)."""
        # Widen each vector with both layers, let the gate act, and return to dim_vector.
        return self.down(F.silu(self.gate(x)) * self.up(x))
