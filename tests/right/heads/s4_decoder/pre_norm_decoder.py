from torch import Tensor, nn

from s1_embedding.transformer_embedding import TransformerEmbedding
from s2_attention.feed_forward import FeedForward
from s2_attention.multi_head_attention import MultiHeadAttention


class PreNormDecoderLayer(nn.Module):
    """Three norms in a list; the attention weights are dropped, too."""

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
            x = self.dropout(sublayer(norm(x))).add(x)
        return x


class PreNormDecoder(nn.Module):
    def __init__(
        self,
        vocab_size: int,
        dim_vector: int,
        max_len: int,
        n_head: int,
        dim_hidden: int,
        num_layer: int,
        dropout: float = 0.1,
        padding_idx: int | None = None,
    ):
        super().__init__()
        self.embeddings = TransformerEmbedding(
            vocab_size, dim_vector, max_len, dropout, padding_idx
        )
        self.decoder_layers = nn.ModuleList()
        for _ in range(num_layer):
            self.decoder_layers.append(PreNormDecoderLayer(dim_vector, n_head, dim_hidden, dropout))
        self.last_norm = nn.LayerNorm(dim_vector)
        self.word_scores = nn.Linear(dim_vector, vocab_size)

    def forward(
        self,
        trg: Tensor,
        encoder_output: Tensor,
        trg_mask: Tensor | None = None,
        src_mask: Tensor | None = None,
    ) -> Tensor:
        out = self.embeddings(trg)
        for decoder_layer in self.decoder_layers:
            out = decoder_layer(out, encoder_output, trg_mask, src_mask)
        return self.word_scores(self.last_norm(out))
