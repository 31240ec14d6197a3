"""Position-wise feed-forward network (paper, section 3.3, equation 2).

Lesson: README.md, "2.5 Feed-forward network"        Check: python run_step.py 2.5
"""

from torch import Tensor, nn


class FeedForward(nn.Module):
    """linear2(dropout(relu(linear1(x)))), the same small network for every token.

    The paper has no dropout between the two layers. Most implementations have it, and this one too.
    """

    def __init__(self, dim_vector: int, dim_hidden: int, dropout: float = 0.1):
        super().__init__()
        # TODO: Make `linear1`, which widens to dim_hidden, and `linear2`, which comes back.
        # TODO: Make `relu` and `dropout`.
        raise NotImplementedError("FeedForward.__init__")

    def forward(self, x: Tensor) -> Tensor:
        """(…, dim_vector) -> (…, dim_vector)."""
        # TODO: Widen, apply the ReLU and the dropout, and come back.
        raise NotImplementedError("FeedForward.forward")
