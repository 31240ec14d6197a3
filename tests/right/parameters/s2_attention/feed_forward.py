import torch
import torch.nn.functional as F
from torch import Tensor, nn


class FeedForward(nn.Module):
    """Bare matrices, (in, out)."""

    def __init__(self, dim_vector: int, dim_hidden: int, dropout: float = 0.1):
        super().__init__()
        self.w_1 = nn.Parameter(torch.randn(dim_vector, dim_hidden) / dim_vector**0.5)
        self.b_1 = nn.Parameter(torch.zeros(dim_hidden))
        self.w_2 = nn.Parameter(torch.randn(dim_hidden, dim_vector) / dim_hidden**0.5)
        self.b_2 = nn.Parameter(torch.zeros(dim_vector))
        self.rate = dropout

    def forward(self, x: Tensor) -> Tensor:
        hidden = (x @ self.w_1 + self.b_1).clamp(min=0)
        hidden = F.dropout(hidden, self.rate, self.training)
        return hidden @ self.w_2 + self.b_2
