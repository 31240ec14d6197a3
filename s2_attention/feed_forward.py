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
        # TODO: Make `linear1`, from dim_vector to dim_hidden, and `linear2`, back to dim_vector.
        # TODO: Make `relu` and `dropout`.
        raise NotImplementedError("FeedForward.__init__")

    def forward(self, x: Tensor) -> Tensor:
        """(…, dim_vector) -> (…, dim_vector)."""
        # TODO: Widen each vector, apply the ReLU and the dropout, and return to dim_vector.
        raise NotImplementedError("FeedForward.forward")
