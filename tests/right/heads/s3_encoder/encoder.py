from torch import Tensor, nn

from s1_embedding.positional_embedding import PositionalEmbedding
from s3_encoder.encoder_layer import EncoderLayer


class Encoder(nn.Module):
    """The embedding of step 1.3 is written out."""

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
        self.word_vectors = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)
        self.positions = PositionalEmbedding(dim_vector, max_len)
        self.dropout = nn.Dropout(dropout)
        self.encoder_layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )

    def forward(self, src: Tensor, src_mask: Tensor | None = None) -> Tensor:
        out = self.dropout(self.word_vectors(src) + self.positions(src))
        for encoder_layer in self.encoder_layers:
            out = encoder_layer(out, src_mask)
        return out
