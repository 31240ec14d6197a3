from torch import nn

from s1_embedding.transformer_embedding import TransformerEmbedding
from s2_attention.feed_forward import FeedForward
from s2_attention.layer_norm import LayerNorm
from s2_attention.multi_head_attention import MultiHeadAttention


class PreNormEncoderLayer(nn.Module):
    def __init__(self, dim_vector, n_head, dim_hidden, dropout=0.1):
        super().__init__()
        self.attn = MultiHeadAttention(dim_vector, n_head)
        self.norm_1 = LayerNorm(dim_vector)
        self.ffn = FeedForward(dim_vector, dim_hidden, dropout)
        self.norm_2 = LayerNorm(dim_vector)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, src_mask=None):
        normed = self.norm_1(x)
        x = x + self.drop(self.attn(normed, normed, normed, src_mask))
        normed = self.norm_2(x)
        x = x + self.drop(self.ffn(normed))
        return x


class PreNormEncoder(nn.Module):
    def __init__(
        self,
        vocab_size,
        dim_vector,
        max_len,
        n_head,
        dim_hidden,
        num_layer,
        dropout=0.1,
        padding_idx=None,
    ):
        super().__init__()
        self.emb = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)
        self.stack = nn.ModuleList(
            [PreNormEncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)]
        )
        self.final_norm = LayerNorm(dim_vector)

    def forward(self, src, src_mask=None):
        x = self.emb(src)
        for layer in self.stack:
            x = layer(x, src_mask)
        return self.final_norm(x)
