import math

import torch
from torch import Tensor, nn


def wave(position: int, column: int, dim_vector: int) -> float:
    pair = column // 2
    angle = position / 10000.0 ** (2 * pair / dim_vector)
    return math.cos(angle) if column % 2 else math.sin(angle)


class PositionalEmbedding(nn.Module):
    """The table number by number, in Python's own floats."""

    def __init__(self, dim_vector: int, max_len: int):
        super().__init__()
        rows = []
        for position in range(max_len):
            rows.append([wave(position, column, dim_vector) for column in range(dim_vector)])
        self.max_len = max_len
        self.register_buffer("pe", torch.tensor(rows, dtype=torch.get_default_dtype()))

    def forward(self, x: Tensor) -> Tensor:
        _, seq_length = x.shape
        if seq_length > self.max_len:
            raise ValueError(f"max_len is {self.max_len}, the sentence has {seq_length} tokens")
        return self.pe[torch.arange(seq_length, device=self.pe.device)]
