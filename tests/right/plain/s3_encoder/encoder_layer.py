from torch import nn

from s2_attention.add_norm import AddNorm
from s2_attention.feed_forward import FeedForward
from s2_attention.multi_head_attention import MultiHeadAttention


class EncoderLayer(nn.Module):
    def __init__(self, dim_vector, n_head, dim_hidden, dropout=0.1):
        super().__init__()
        self.attn = MultiHeadAttention(dim_vector, n_head)
        self.norm_1 = AddNorm(dim_vector, dropout)
        self.ffn = FeedForward(dim_vector, dim_hidden, dropout)
        self.norm_2 = AddNorm(dim_vector, dropout)

    def forward(self, x, src_mask=None):
        x = self.norm_1(x, self.attn(x, x, x, src_mask))
        return self.norm_2(x, self.ffn(x))
