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
        self.scale = dim_vector**0.5
        self.regularise = nn.Dropout(p=dropout)
        self.where = PositionalEmbedding(dim_vector=dim_vector, max_len=max_len)
        self.what = TokenEmbedding(vocab_size, dim_vector, padding_idx=padding_idx)

    def forward(self, ids: Tensor) -> Tensor:
        return self.regularise(self.where(ids).unsqueeze(0).add(self.what(ids), alpha=self.scale))
