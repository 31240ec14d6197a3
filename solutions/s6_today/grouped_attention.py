"""Grouped-query attention: several query heads share keys and values (Ainslie et al. 2023).

Lesson: README.md, "6.4 ★ Grouped attention"        Check: python run_step.py 6.4
"""

import torch
from torch import Tensor, nn

from s2_attention.calculate_attention import calculate_attention
from s6_today.rotary import rotate

Cache = tuple[Tensor, Tensor]  # Keys and values, (batch_size, n_kv_head, length, dim_split) each.


class GroupedQueryAttention(nn.Module):
    """Self-attention with n_head heads of queries and n_kv_head heads of keys and values.

    Query head h uses head h // (n_head // n_kv_head) of the keys and the values. Queries and keys
    are turned by step 6.2, values are not. None of the linear layers has a bias.

    Raises ValueError if n_head does not divide dim_vector, or n_kv_head does not divide n_head.
    """

    def __init__(self, dim_vector: int, n_head: int, n_kv_head: int):
        super().__init__()
        # Refuse numbers that do not divide. Name both of them in the error.
        if dim_vector % n_head != 0:
            raise ValueError(f"{n_head} heads cannot share dim_vector {dim_vector} evenly")
        if n_head % n_kv_head != 0:
            raise ValueError(f"{n_head} query heads cannot share {n_kv_head} heads of keys evenly")
        # Keep `dim_split`, the size of a head, and how many query heads share a head of keys.
        self.group, self.dim_split = n_head // n_kv_head, dim_vector // n_head
        # Make the projections `w_q`, `w_k` and `w_v`, and `linear`, which mixes the heads.
        self.w_q = nn.Linear(dim_vector, dim_vector, bias=False)
        self.w_k = nn.Linear(dim_vector, n_kv_head * self.dim_split, bias=False)
        self.w_v = nn.Linear(dim_vector, n_kv_head * self.dim_split, bias=False)
        self.linear = nn.Linear(dim_vector, dim_vector, bias=False)

    def forward(
        self,
        x: Tensor,
        cos: Tensor,
        sin: Tensor,
        start: int = 0,
        mask: Tensor | None = None,
        cache: Cache | None = None,
    ) -> tuple[Tensor, Cache]:
        """x (batch_size, length, dim_vector) -> the same shape, and the longer cache.

        The tokens of x stand at the positions from start on. The cache has the keys (turned) and
        the values of all tokens before them; x attends to these and to itself. The mask is that of
        calculate_attention, with a column for each cached key and each token of x.
        """
        # Project x and split the heads. Turn queries and keys to their positions.
        q, k, v = self.split(self.w_q(x)), self.split(self.w_k(x)), self.split(self.w_v(x))
        q, k = rotate(q, cos, sin, start), rotate(k, cos, sin, start)
        # Append the keys and the values to the cached ones, if there are any.
        if cache is not None:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        # Let each query head attend with the keys and the values of its group.
        keys, values = (heads.repeat_interleave(self.group, dim=1) for heads in (k, v))
        out, _ = calculate_attention(q, keys, values, mask)
        # Merge the heads and mix them. Return the keys and values as well.
        return self.linear(out.transpose(1, 2).flatten(2)), (k, v)

    def split(self, x: Tensor) -> Tensor:
        """(batch_size, length, heads * dim_split) -> (batch_size, heads, length, dim_split)."""
        return x.unflatten(-1, (-1, self.dim_split)).transpose(1, 2)
