import math

import torch
from torch import Tensor, nn


class PositionalEmbedding(nn.Module):
    """One sine does it: cos(angle) = sin(angle + pi / 2). Worked out in float64, then rounded."""

    def __init__(self, dim_vector: int, max_len: int):
        super().__init__()
        column = torch.arange(dim_vector, dtype=torch.float64)
        odd = column % 2
        frequency = torch.pow(10000.0, -(column - odd) / dim_vector)
        position = torch.arange(max_len, dtype=torch.float64)
        table = torch.sin(torch.outer(position, frequency) + odd * math.pi / 2)
        self.register_buffer("position_table", table.to(torch.get_default_dtype()))

    def forward(self, x: Tensor) -> Tensor:
        if x.size(-1) > self.position_table.size(0):
            raise ValueError(
                f"the sentence has {x.size(-1)} tokens, "
                f"there are positions for {self.position_table.size(0)}"
            )
        return self.position_table[: x.size(-1), :]
