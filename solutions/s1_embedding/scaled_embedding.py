"""Scaled embedding: the token vectors times sqrt(dim_vector), then positions (paper, section 3.4).

Lesson: README.md, "1.4 ★ Scaled embedding"        Check: python run_step.py 1.4
"""

import math

from torch import Tensor, nn

from s1_embedding.positional_embedding import PositionalEmbedding
from s1_embedding.token_embedding import TokenEmbedding


class ScaledEmbedding(nn.Module):
    """dropout(sqrt(dim_vector) * token embedding + positional embedding), as the paper has it.

    Step 1.3 leaves the factor out. Nothing else differs, and nothing more is learned.
    """

    def __init__(
        self,
        vocab_size: int,
        dim_vector: int,
        max_len: int,
        dropout: float = 0.1,
        padding_idx: int | None = None,
    ):
        super().__init__()
        # Make the three layers of step 1.3.
        self.token_embedding = TokenEmbedding(vocab_size, dim_vector, padding_idx)
        self.positional_embedding = PositionalEmbedding(dim_vector, max_len)
        self.dropout = nn.Dropout(dropout)
        # Make `scale`, the number that the token vectors are multiplied by.
        self.scale = math.sqrt(dim_vector)

    def forward(self, x: Tensor) -> Tensor:
        """(batch_size, seq_length) token ids -> (batch_size, seq_length, dim_vector)."""
        # Scale the token vectors, add the positions, and apply dropout to the sum.
        return self.dropout(self.token_embedding(x) * self.scale + self.positional_embedding(x))
