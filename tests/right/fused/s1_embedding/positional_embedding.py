import math

import numpy as np
import torch
from torch import Tensor, nn


class PositionalEmbedding(nn.Module):
    """The table is worked out in NumPy, in the exp/log form, and not saved with the weights."""

    def __init__(self, dim_vector: int, max_len: int):
        super().__init__()
        rates = np.exp(-math.log(10000.0) / dim_vector * np.arange(0, dim_vector, 2))
        angles = np.outer(np.arange(max_len), rates)
        # (max_len, pairs, 2) -> interleaved columns; an odd width loses the last cosine
        waves = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
        waves = waves.reshape(max_len, 2 * len(rates))[:, :dim_vector]

        dtype = torch.get_default_dtype()
        self.register_buffer("rates", torch.tensor(rates, dtype=dtype), persistent=False)
        self.register_buffer("waves", torch.tensor(waves, dtype=dtype), persistent=False)

    def forward(self, ids: Tensor) -> Tensor:
        length, longest = ids.shape[-1], len(self.waves)
        if length > longest:
            raise ValueError(f"{length} tokens, but the table ends after {longest} positions")
        return self.waves.narrow(0, 0, length)
