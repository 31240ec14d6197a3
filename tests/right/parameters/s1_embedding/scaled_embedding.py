import torch.nn.functional as F
from torch import Tensor, nn

from s1_embedding.positional_embedding import PositionalEmbedding
from s1_embedding.token_embedding import TokenEmbedding


class ScaledEmbedding(nn.Module):
    def __init__(
        self,
        vocab_size: int,
        dim_vector: int,
        max_len: int,
        dropout: float = 0.1,
        padding_idx: int | None = None,
    ):
        super().__init__()
        self.token = TokenEmbedding(vocab_size, dim_vector, padding_idx)
        self.position = PositionalEmbedding(dim_vector, max_len)
        self.rate = dropout
        self.root = dim_vector**0.5

    def forward(self, x: Tensor) -> Tensor:
        return F.dropout(self.position(x) + self.root * self.token(x), self.rate, self.training)
