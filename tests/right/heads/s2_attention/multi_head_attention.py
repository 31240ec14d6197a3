import torch
from torch import Tensor, nn

from s2_attention.calculate_attention import calculate_attention


class MultiHeadAttention(nn.Module):
    """Every head has its own three small projections, dim_vector -> dim_split."""

    def __init__(self, dim_vector: int, n_head: int, dropout: float = 0.0):
        super().__init__()
        dim_split, rest = divmod(dim_vector, n_head)
        if rest:
            raise ValueError(f"cannot cut {dim_vector} features into {n_head} equal heads")
        self.query_heads = nn.ModuleList(nn.Linear(dim_vector, dim_split) for _ in range(n_head))
        self.key_heads = nn.ModuleList(nn.Linear(dim_vector, dim_split) for _ in range(n_head))
        self.value_heads = nn.ModuleList(nn.Linear(dim_vector, dim_split) for _ in range(n_head))
        self.output = nn.Linear(dim_vector, dim_vector)
        self.dropout = nn.Dropout(dropout)
        self.attention_weights = None

    def forward(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
        n_head = len(self.query_heads)
        if mask is not None:
            # a mask may differ from head to head
            mask = mask.expand(q.size(0), n_head, q.size(1), k.size(1))

        outs, weights = [], []
        for h in range(n_head):
            out, weight = calculate_attention(
                self.query_heads[h](q).unsqueeze(1),
                self.key_heads[h](k).unsqueeze(1),
                self.value_heads[h](v).unsqueeze(1),
                None if mask is None else mask[:, h : h + 1],
                self.dropout,
            )
            outs.append(out.squeeze(1))
            weights.append(weight.detach())

        self.attention_weights = torch.cat(weights, dim=1)
        return self.output(torch.cat(outs, dim=-1))
