"""Transformer embedding: what a token is plus where it stands (paper, sections 3.4, 3.5, 5.4).

Lesson: README.md, "1.3 Transformer embedding"        Check: python run_step.py 1.3
"""

from torch import Tensor, nn

from s1_embedding.positional_embedding import PositionalEmbedding
from s1_embedding.token_embedding import TokenEmbedding


class TransformerEmbedding(nn.Module):
    """dropout(token embedding + positional embedding), the input of both stacks."""

    def __init__(
        self,
        vocab_size: int,
        dim_vector: int,
        max_len: int,
        dropout: float = 0.1,
        padding_idx: int | None = None,
    ):
        super().__init__()
        # TODO: Make `token_embedding` and `positional_embedding`, your layers of steps 1.1 and 1.2.
        # TODO: Make `dropout`, which drops each entry with probability `dropout` in training.
        raise NotImplementedError("TransformerEmbedding.__init__")

    def forward(self, x: Tensor) -> Tensor:
        """(batch_size, seq_length) token ids -> (batch_size, seq_length, dim_vector)."""
        # TODO: Add the two embeddings, and apply dropout to the sum.
        raise NotImplementedError("TransformerEmbedding.forward")
