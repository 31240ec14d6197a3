import torch
from torch import Tensor, nn

from s2_attention.calculate_attention import calculate_attention


class MultiHeadAttention(nn.Module):
    """One (3 * dim_vector, dim_vector) projection: rows of q, then of k, then of v."""

    def __init__(self, dim_vector: int, n_head: int, dropout: float = 0.0):
        super().__init__()
        if dim_vector % n_head:
            raise ValueError(f"{n_head} heads cannot share {dim_vector} features evenly")
        self.heads = n_head
        self.weight_dropout = nn.Dropout(dropout)
        self.to_out = nn.Linear(dim_vector, dim_vector)
        self.to_qkv = nn.Linear(dim_vector, 3 * dim_vector)
        self.attention_weights: Tensor | None = None

    def project(self, q: Tensor, k: Tensor, v: Tensor) -> list[Tensor]:
        if q is k and k is v:
            return list(self.to_qkv(q).chunk(3, dim=-1))
        # different inputs: each takes its third of the fused projection
        weights, biases = self.to_qkv.weight.chunk(3), self.to_qkv.bias.chunk(3)
        parts = zip((q, k, v), weights, biases, strict=True)
        return [torch.einsum("bld,ed->ble", x, weight) + bias for x, weight, bias in parts]

    def forward(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
        q, k, v = (x.unflatten(-1, (self.heads, -1)).transpose(1, 2) for x in self.project(q, k, v))
        mixed, weights = calculate_attention(q, k, v, mask, self.weight_dropout)
        self.attention_weights = weights.detach()
        return self.to_out(mixed.transpose(1, 2).flatten(2))
