import torch
import torch.nn.functional as F
from torch import Tensor, nn

from s1_embedding.transformer_embedding import TransformerEmbedding
from s2_attention.feed_forward import FeedForward
from s2_attention.multi_head_attention import MultiHeadAttention


class Norm(nn.Module):
    def __init__(self, dim_vector: int):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(dim_vector))
        self.shift = nn.Parameter(torch.zeros(dim_vector))

    def forward(self, x: Tensor) -> Tensor:
        return F.layer_norm(x, x.shape[-1:], self.gain, self.shift)


class PreNormDecoderLayer(nn.Module):
    def __init__(self, dim_vector: int, n_head: int, dim_hidden: int, dropout: float = 0.1):
        super().__init__()
        self.attention_to_target = MultiHeadAttention(dim_vector, n_head)
        self.attention_to_source = MultiHeadAttention(dim_vector, n_head)
        self.network = FeedForward(dim_vector, dim_hidden, dropout)
        self.target_norm = Norm(dim_vector)
        self.source_norm = Norm(dim_vector)  # Of the target that asks the source.
        self.network_norm = Norm(dim_vector)
        self.rate = dropout

    def drop(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.rate, self.training)

    def forward(
        self,
        x: Tensor,
        encoder_output: Tensor,
        trg_mask: Tensor | None = None,
        src_mask: Tensor | None = None,
    ) -> Tensor:
        y = self.target_norm(x)
        x = x + self.drop(self.attention_to_target(y, y, y, trg_mask))
        y = self.source_norm(x)
        x = x + self.drop(self.attention_to_source(y, encoder_output, encoder_output, src_mask))
        return x + self.drop(self.network(self.network_norm(x)))


class PreNormDecoder(nn.Module):
    """The scores are a convolution of width 1."""

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
        self.num_layer = num_layer
        self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)
        for i in range(num_layer):
            layer = PreNormDecoderLayer(dim_vector, n_head, dim_hidden, dropout)
            setattr(self, f"layer_{i}", layer)
        self.last_norm = Norm(dim_vector)
        self.scores = nn.Conv1d(dim_vector, vocab_size, kernel_size=1)

    def forward(
        self,
        trg: Tensor,
        encoder_output: Tensor,
        trg_mask: Tensor | None = None,
        src_mask: Tensor | None = None,
    ) -> Tensor:
        x = self.embedding(trg)
        for i in range(self.num_layer):
            x = getattr(self, f"layer_{i}")(x, encoder_output, trg_mask, src_mask)
        return self.scores(self.last_norm(x).transpose(1, 2)).transpose(1, 2)
