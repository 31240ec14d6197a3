"""Positional embedding: tell the model where each token stands (paper, section 3.5).

Lesson: README.md, "1.2 Positional embedding"        Check: python run_step.py 1.2
"""

import torch
from torch import Tensor, nn


class PositionalEmbedding(nn.Module):
    """A table of waves, one row for each position.

        pe[position, 2i]     = sin(position / 10000^(2i / dim_vector))
        pe[position, 2i + 1] = cos(position / 10000^(2i / dim_vector))

    pe: (max_len, dim_vector), a buffer: it moves with the module but never learns.
    Positions count from 0, angles are in radians. If dim_vector is odd, the last sine
    has no cosine beside it.
    """

    def __init__(self, dim_vector: int, max_len: int):
        super().__init__()
        # Make `position`, the (max_len, 1) column 0, 1, 2, …
        position = torch.arange(max_len).unsqueeze(1)
        # Make `wavelength`, one number for each pair of columns.
        wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)
        # Fill the even columns of a table with sines and the odd ones with cosines.
        table = torch.zeros(max_len, dim_vector)
        angle = position / wavelength  # (max_len, number of pairs)
        table[:, 0::2] = torch.sin(angle)
        table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]
        # Keep the table as the buffer `pe`.
        self.register_buffer("pe", table)

    def forward(self, x: Tensor) -> Tensor:
        """(batch_size, seq_length) token ids -> (seq_length, dim_vector), the first rows of `pe`.

        Raises ValueError if seq_length is longer than max_len.
        """
        # Refuse a sentence that is longer than the table. Name both lengths in the error.
        seq_length, max_len = x.size(1), self.pe.size(0)
        if seq_length > max_len:
            raise ValueError(f"the sentence has {seq_length} tokens, but max_len is {max_len}")
        # Return one row for each position of the sentence.
        return self.pe[:seq_length]
