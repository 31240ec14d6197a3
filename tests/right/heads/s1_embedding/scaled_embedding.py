import math

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
        self.tokens = TokenEmbedding(vocab_size, dim_vector, padding_idx)
        self.positions = PositionalEmbedding(dim_vector, max_len)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        vectors = self.tokens(x)
        vectors = vectors * math.sqrt(vectors.size(-1))
        return self.dropout(vectors + self.positions(x).expand_as(vectors))
