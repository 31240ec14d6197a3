import torch
import torch.nn.functional as F
from torch import Tensor, nn

from s1_embedding.transformer_embedding import TransformerEmbedding
from s2_attention.feed_forward import FeedForward
from s2_attention.multi_head_attention import MultiHeadAttention


class PreNormEncoderLayer(nn.Module):
    """The norms are functions of bare parameters, and so is the dropout."""

    def __init__(self, dim_vector: int, n_head: int, dim_hidden: int, dropout: float = 0.1):
        super().__init__()
        self.attention = MultiHeadAttention(dim_vector, n_head)
        self.attention_norm = Norm(dim_vector)
        self.network = FeedForward(dim_vector, dim_hidden, dropout)
        self.network_norm = Norm(dim_vector)
        self.rate = dropout

    def forward(self, x: Tensor, src_mask: Tensor | None = None) -> Tensor:
        y = self.attention_norm(x)
        attended = self.attention(y, y, y, src_mask)
        x = x + F.dropout(attended, self.rate, self.training)
        thought = self.network(self.network_norm(x))
        return x + F.dropout(thought, self.rate, self.training)


class PreNormEncoder(nn.Module):
    """The layers are plain attributes: layer_0, layer_1, …"""

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
        self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)
        self.num_layer = num_layer
        for i in range(num_layer):
            layer = PreNormEncoderLayer(dim_vector, n_head, dim_hidden, dropout)
            setattr(self, f"layer_{i}", layer)
        self.last_norm = Norm(dim_vector)

    def forward(self, src: Tensor, src_mask: Tensor | None = None) -> Tensor:
        x = self.embedding(src)
        for i in range(self.num_layer):
            x = getattr(self, f"layer_{i}")(x, src_mask)
        return self.last_norm(x)


class Norm(nn.Module):
    def __init__(self, dim_vector: int):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(dim_vector))
        self.shift = nn.Parameter(torch.zeros(dim_vector))

    def forward(self, x: Tensor) -> Tensor:
        return F.layer_norm(x, x.shape[-1:], self.gain, self.shift)
