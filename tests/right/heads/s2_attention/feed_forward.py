import torch
from torch import Tensor, nn


class FeedForward(nn.Module):
    """Two convolutions of width 1 are two linear layers, applied to every token alike."""

    def __init__(self, dim_vector: int, dim_hidden: int, dropout: float = 0.1):
        super().__init__()
        self.widen = nn.Conv1d(dim_vector, dim_hidden, kernel_size=1)
        self.narrow = nn.Conv1d(dim_hidden, dim_vector, kernel_size=1)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        tokens = x.reshape(-1, x.size(-1), 1)
        hidden = self.widen(tokens)
        hidden = torch.maximum(hidden, torch.zeros_like(hidden))
        return self.narrow(self.dropout(hidden)).reshape(x.shape)
