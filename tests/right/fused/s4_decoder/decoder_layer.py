from torch import Tensor, nn

from s2_attention.add_norm import AddNorm
from s2_attention.feed_forward import FeedForward
from s2_attention.multi_head_attention import MultiHeadAttention


class DecoderLayer(nn.Module):
    """The sublayers are registered from the last to the first."""

    def __init__(self, dim_vector: int, n_head: int, dim_hidden: int, dropout: float = 0.1):
        super().__init__()
        self.after_thinker = AddNorm(dim_vector, dropout)
        self.thinker = FeedForward(dim_vector, dim_hidden, dropout)
        self.after_cross = AddNorm(dim_vector, dropout)
        self.cross_mixer = MultiHeadAttention(dim_vector, n_head)
        self.after_self = AddNorm(dim_vector, dropout)
        self.self_mixer = MultiHeadAttention(dim_vector, n_head)

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        trg_mask: Tensor | None = None,
        src_mask: Tensor | None = None,
    ) -> Tensor:
        x = self.after_self(x, self.self_mixer(x, x, x, trg_mask))
        x = self.after_cross(x, self.cross_mixer(x, memory, memory, src_mask))
        return self.after_thinker(x, self.thinker(x))
