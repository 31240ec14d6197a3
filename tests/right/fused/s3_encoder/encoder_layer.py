from torch import Tensor, nn

from s2_attention.add_norm import AddNorm
from s2_attention.feed_forward import FeedForward
from s2_attention.multi_head_attention import MultiHeadAttention


class EncoderLayer(nn.Module):
    def __init__(self, dim_vector: int, n_head: int, dim_hidden: int, dropout: float = 0.1):
        super().__init__()
        self.mixer = MultiHeadAttention(dim_vector, n_head)
        self.thinker = FeedForward(dim_vector, dim_hidden, dropout)
        self.after_mixer = AddNorm(dim_vector, dropout)
        self.after_thinker = AddNorm(dim_vector, dropout)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        x = self.after_mixer(x, self.mixer(x, x, x, mask))
        return self.after_thinker(x, self.thinker(x))
