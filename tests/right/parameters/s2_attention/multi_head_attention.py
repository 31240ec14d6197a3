import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def matrix(dim_vector: int) -> nn.Parameter:
    return nn.Parameter(nn.init.xavier_uniform_(torch.empty(dim_vector, dim_vector)))


def bias(dim_vector: int) -> nn.Parameter:
    return nn.Parameter(torch.zeros(dim_vector))


class MultiHeadAttention(nn.Module):
    """Bare matrices, (in, out), so that a projection reads x @ w + b. Step 2.1 is written out."""

    def __init__(self, dim_vector: int, n_head: int, dropout: float = 0.0):
        super().__init__()
        if dim_vector % n_head != 0:
            raise ValueError(f"dim_vector={dim_vector} is no multiple of n_head={n_head}")
        self.n_head = n_head
        self.rate = dropout
        self.attention_weights = None
        self.w_q, self.b_q = matrix(dim_vector), bias(dim_vector)
        self.w_k, self.b_k = matrix(dim_vector), bias(dim_vector)
        self.w_v, self.b_v = matrix(dim_vector), bias(dim_vector)
        self.w_o, self.b_o = matrix(dim_vector), bias(dim_vector)

    def heads(self, x: Tensor) -> Tensor:
        return torch.stack(x.chunk(self.n_head, dim=-1), dim=1)

    def forward(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
        q = self.heads(q @ self.w_q + self.b_q)
        k = self.heads(k @ self.w_k + self.b_k)
        v = self.heads(v @ self.w_v + self.b_v)

        score = q @ k.mT / math.sqrt(q.shape[-1])
        if mask is not None:
            score = score.masked_fill(mask == 0, -math.inf)
        weights = score.softmax(dim=-1)
        self.attention_weights = weights.detach()

        out = F.dropout(weights, self.rate, self.training) @ v
        return torch.cat(out.unbind(dim=1), dim=-1) @ self.w_o + self.b_o
