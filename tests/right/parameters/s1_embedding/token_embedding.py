import torch
from torch import Tensor, nn


class TokenEmbedding(nn.Module):
    """A bare table. The padding row is stored like any other and hidden on the way out."""

    def __init__(self, vocab_size: int, dim_vector: int, padding_idx: int | None = None):
        super().__init__()
        self.table = nn.Parameter(torch.randn(vocab_size, dim_vector))
        self.padding_idx = padding_idx

    def forward(self, x: Tensor) -> Tensor:
        vectors = self.table[x]
        if self.padding_idx is None:
            return vectors
        return vectors.masked_fill((x == self.padding_idx).unsqueeze(-1), 0.0)
