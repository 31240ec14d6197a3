import torch.nn.functional as F
from torch import Tensor, nn

from s1_embedding.positional_embedding import PositionalEmbedding


class PreNormEncoderLayer(nn.Module):
    """Everything written out; torch computes the attention, whose weights are not dropped."""

    def __init__(self, dim_vector: int, n_head: int, dim_hidden: int, dropout: float = 0.1):
        super().__init__()
        if dim_vector % n_head:
            raise ValueError(f"cannot cut {dim_vector} features into {n_head} equal heads")
        self.n_head = n_head
        self.attention_norm = nn.LayerNorm(dim_vector)
        self.query = nn.Linear(dim_vector, dim_vector)
        self.key = nn.Linear(dim_vector, dim_vector)
        self.value = nn.Linear(dim_vector, dim_vector)
        self.output = nn.Linear(dim_vector, dim_vector)
        self.feed_forward_norm = nn.LayerNorm(dim_vector)
        self.widen = nn.Linear(dim_vector, dim_hidden)
        self.narrow = nn.Linear(dim_hidden, dim_vector)
        self.dropout = nn.Dropout(dropout)

    def heads(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.n_head, -1)).transpose(1, 2)

    def attend(self, x: Tensor, mask: Tensor | None) -> Tensor:
        q, k, v = self.heads(self.query(x)), self.heads(self.key(x)), self.heads(self.value(x))
        shown = None if mask is None else mask != 0
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=shown)
        return self.output(out.transpose(1, 2).flatten(2))

    def think(self, x: Tensor) -> Tensor:
        return self.narrow(self.dropout(self.widen(x).relu()))

    def forward(self, x: Tensor, src_mask: Tensor | None = None) -> Tensor:
        x = x + self.dropout(self.attend(self.attention_norm(x), src_mask))
        return x + self.dropout(self.think(self.feed_forward_norm(x)))


class PreNormEncoder(nn.Module):
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
            PreNormEncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
        self.norm = nn.LayerNorm(dim_vector)

    def forward(self, src: Tensor, src_mask: Tensor | None = None) -> Tensor:
        out = self.dropout(self.word_vectors(src) + self.positions(src))
        for encoder_layer in self.encoder_layers:
            out = encoder_layer(out, src_mask)
        return self.norm(out)
