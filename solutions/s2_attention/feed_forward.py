"""Position-wise feed-forward network (paper, section 3.3, equation 2).

Lesson: README.md, "2.5 Feed-forward network"        Check: python run_step.py 2.5
"""

from torch import Tensor, nn


class FeedForward(nn.Module):
    """linear2(dropout(relu(linear1(x)))), the same small network for every token.

    The paper has no dropout between the two layers. Most implementations have it, and so does this.
    """

    def __init__(self, dim_vector: int, dim_hidden: int, dropout: float = 0.1):
        super().__init__()
        # Make `linear1`, from dim_vector to dim_hidden, and `linear2`, back to dim_vector.
        self.linear1 = nn.Linear(dim_vector, dim_hidden)
        self.linear2 = nn.Linear(dim_hidden, dim_vector)
        # Make `relu` and `dropout`.
        self.relu = nn.ReLU()
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """(…, dim_vector) -> (…, dim_vector)."""
        # Widen each vector, apply the ReLU and the dropout, and return to dim_vector.
        return self.linear2(self.dropout(self.relu(self.linear1(x))))
