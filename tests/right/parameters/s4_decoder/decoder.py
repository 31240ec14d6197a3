import torch
import torch.nn.functional as F
from torch import Tensor, nn

from s1_embedding.positional_embedding import PositionalEmbedding
from s4_decoder.decoder_layer import DecoderLayer


class Decoder(nn.Module):
    """The embedding is one-hot rows times a bare table, the scores a convolution of width 1."""

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
        self.padding_idx = padding_idx
        self.num_layer = num_layer
        self.rate = dropout
        self.word_table = nn.Parameter(torch.randn(vocab_size, dim_vector))
        self.position = PositionalEmbedding(dim_vector, max_len)
        for i in range(num_layer):
            setattr(self, f"layer_{i}", DecoderLayer(dim_vector, n_head, dim_hidden, dropout))
        self.scores = nn.Conv1d(dim_vector, vocab_size, kernel_size=1)

    def embed(self, trg: Tensor) -> Tensor:
        one_hot = F.one_hot(trg, len(self.word_table)).to(self.word_table.dtype)
        if self.padding_idx is not None:
            one_hot[..., self.padding_idx] = 0
        return one_hot @ self.word_table + self.position(trg)

    def forward(
        self,
        trg: Tensor,
        encoder_output: Tensor,
        trg_mask: Tensor | None = None,
        src_mask: Tensor | None = None,
    ) -> Tensor:
        x = F.dropout(self.embed(trg), self.rate, self.training)
        for i in range(self.num_layer):
            x = getattr(self, f"layer_{i}")(x, encoder_output, trg_mask, src_mask)
        # a convolution wants (batch_size, dim_vector, trg_len)
        return self.scores(x.transpose(1, 2)).transpose(1, 2)
