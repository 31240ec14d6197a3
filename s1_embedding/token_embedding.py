"""Token embedding: a learned vector for every token of the vocabulary (paper, section 3.4).

Lesson: README.md, "1.1 Token embedding"        Check: python run_step.py 1.1
"""

from torch import Tensor, nn


class TokenEmbedding(nn.Module):
    """A table with one learned row for each token.

    The paper multiplies the rows by sqrt(dim_vector). This step does not.
    With `padding_idx`, the row of that token is zero and gets no gradient.
    """

    def __init__(self, vocab_size: int, dim_vector: int, padding_idx: int | None = None):
        super().__init__()
        # TODO: Make `embedding`, the layer that holds the table and knows the padding token.
        raise NotImplementedError("TokenEmbedding.__init__")

    def forward(self, x: Tensor) -> Tensor:
        """(batch_size, seq_length) token ids -> (batch_size, seq_length, dim_vector)."""
        # TODO: Return the row of each token.
        raise NotImplementedError("TokenEmbedding.forward")
