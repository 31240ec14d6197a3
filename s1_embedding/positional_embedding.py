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
        # TODO: Make `position`, the (max_len, 1) column 0, 1, 2, …
        # TODO: Make `wavelength`, one number for each pair of columns.
        # TODO: Fill the even columns of a table with sines and the odd ones with cosines.
        # TODO: Keep the table as the buffer `pe`.
        raise NotImplementedError("PositionalEmbedding.__init__")

    def forward(self, x: Tensor) -> Tensor:
        """(batch_size, seq_length) token ids -> (seq_length, dim_vector), the first rows of `pe`.

        Raises ValueError if seq_length is longer than max_len.
        """
        # TODO: Refuse a sentence that is longer than the table. Name both lengths in the error.
        # TODO: Return one row for each position of the sentence.
        raise NotImplementedError("PositionalEmbedding.forward")
