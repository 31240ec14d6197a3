from torch import Tensor, nn

from s2_attention.add_norm import AddNorm
from s2_attention.feed_forward import FeedForward
from s2_attention.multi_head_attention import MultiHeadAttention


class EncoderLayer(nn.Module):
    def __init__(self, dim_vector: int, n_head: int, dim_hidden: int, dropout: float = 0.1):
        super().__init__()
        self.attention = MultiHeadAttention(dim_vector, n_head)
        self.attention_norm = AddNorm(dim_vector, dropout)
        self.network = FeedForward(dim_vector, dim_hidden, dropout)
        self.network_norm = AddNorm(dim_vector, dropout)

    def forward(self, x: Tensor, src_mask: Tensor | None = None) -> Tensor:
        attended = self.attention(x, x, x, src_mask)
        x = self.attention_norm(x, attended)
        return self.network_norm(x, self.network(x))
