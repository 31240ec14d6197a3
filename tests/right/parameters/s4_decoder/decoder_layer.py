from torch import Tensor, nn

from s2_attention.add_norm import AddNorm
from s2_attention.feed_forward import FeedForward
from s2_attention.multi_head_attention import MultiHeadAttention


class DecoderLayer(nn.Module):
    def __init__(self, dim_vector: int, n_head: int, dim_hidden: int, dropout: float = 0.1):
        super().__init__()
        self.attention_to_target = MultiHeadAttention(dim_vector, n_head)
        self.attention_to_source = MultiHeadAttention(dim_vector, n_head)
        self.network = FeedForward(dim_vector, dim_hidden, dropout)
        self.target_norm = AddNorm(dim_vector, dropout)
        self.source_norm = AddNorm(dim_vector, dropout)
        self.network_norm = AddNorm(dim_vector, dropout)

    def forward(
        self,
        x: Tensor,
        encoder_output: Tensor,
        trg_mask: Tensor | None = None,
        src_mask: Tensor | None = None,
    ) -> Tensor:
        x = self.target_norm(x, self.attention_to_target(x, x, x, trg_mask))
        answer = self.attention_to_source(x, encoder_output, encoder_output, src_mask)
        x = self.source_norm(x, answer)
        return self.network_norm(x, self.network(x))
