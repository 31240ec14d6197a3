import torch
from torch import Tensor, nn

from s2_attention.layer_norm import LayerNorm


class AddNorm(nn.Module):
    """The dropout is written by hand."""

    def __init__(self, dim_vector: int, dropout: float = 0.1):
        super().__init__()
        self.norm = LayerNorm(dim_vector)
        self.rate = dropout

    def drop(self, x: Tensor) -> Tensor:
        if not self.training or self.rate == 0:
            return x
        kept = torch.rand_like(x) >= self.rate
        # what survives grows, so that the mean stays; at rate 1 nothing survives
        growth = 1 / (1 - self.rate) if self.rate < 1 else 0.0
        return x * kept * growth

    def forward(self, x: Tensor, sublayer_output: Tensor) -> Tensor:
        return self.norm(x + self.drop(sublayer_output))
