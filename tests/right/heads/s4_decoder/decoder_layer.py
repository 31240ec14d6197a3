from torch import Tensor, nn

from s2_attention.feed_forward import FeedForward
from s2_attention.multi_head_attention import MultiHeadAttention


class DecoderLayer(nn.Module):
    """Attention and network are modules, the shortcuts and norms are written out."""

    def __init__(self, dim_vector: int, n_head: int, dim_hidden: int, dropout: float = 0.1):
        super().__init__()
        self.masked_attention = MultiHeadAttention(dim_vector, n_head, dropout)
        self.source_attention = MultiHeadAttention(dim_vector, n_head, dropout)
        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)
        self.norms = nn.ModuleList(nn.LayerNorm(dim_vector) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        x: Tensor,
        encoder_output: Tensor,
        trg_mask: Tensor | None = None,
        src_mask: Tensor | None = None,
    ) -> Tensor:
        sublayers = [
            lambda y: self.masked_attention(y, y, y, trg_mask),
            lambda y: self.source_attention(y, encoder_output, encoder_output, src_mask),
            self.feed_forward,
        ]
        for sublayer, norm in zip(sublayers, self.norms, strict=True):
            x = norm(x + self.dropout(sublayer(x)))
        return x
