from torch import nn

from s1_embedding.transformer_embedding import TransformerEmbedding
from s2_attention.feed_forward import FeedForward
from s2_attention.layer_norm import LayerNorm
from s2_attention.multi_head_attention import MultiHeadAttention


class PreNormDecoderLayer(nn.Module):
    def __init__(self, dim_vector, n_head, dim_hidden, dropout=0.1):
        super().__init__()
        self.norm_1 = LayerNorm(dim_vector)
        self.self_attn = MultiHeadAttention(dim_vector, n_head)
        self.norm_2 = LayerNorm(dim_vector)
        self.cross_attn = MultiHeadAttention(dim_vector, n_head)
        self.norm_3 = LayerNorm(dim_vector)
        self.ffn = FeedForward(dim_vector, dim_hidden, dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, encoder_output, trg_mask=None, src_mask=None):
        normed = self.norm_1(x)
        x = x + self.drop(self.self_attn(normed, normed, normed, trg_mask))
        normed = self.norm_2(x)
        x = x + self.drop(self.cross_attn(normed, encoder_output, encoder_output, src_mask))
        normed = self.norm_3(x)
        x = x + self.drop(self.ffn(normed))
        return x


class PreNormDecoder(nn.Module):
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
            [PreNormDecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)]
        )
        self.final_norm = LayerNorm(dim_vector)
        self.fc_out = nn.Linear(dim_vector, vocab_size)

    def forward(self, trg, encoder_output, trg_mask=None, src_mask=None):
        x = self.emb(trg)
        for layer in self.stack:
            x = layer(x, encoder_output, trg_mask, src_mask)
        return self.fc_out(self.final_norm(x))
