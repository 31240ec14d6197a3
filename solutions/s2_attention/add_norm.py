"""Add and norm: the shortcut around every sublayer (paper, sections 3.1 and 5.4).

Lesson: README.md, "2.4 Add and norm"        Check: python run_step.py 2.4
"""

from torch import Tensor, nn

from s2_attention.layer_norm import LayerNorm


class AddNorm(nn.Module):
    """norm(x + dropout(sublayer_output)): the paper's order, known as post-norm.

    Many later models normalise the input of the sublayer instead (pre-norm).
    """

    def __init__(self, dim_vector: int, dropout: float = 0.1):
        super().__init__()
        # Make `dropout`, and `layer_norm`, your own layer of step 2.3.
        self.layer_norm = LayerNorm(dim_vector)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, sublayer_output: Tensor) -> Tensor:
        """Two (…, dim_vector) -> (…, dim_vector)."""
        # Apply dropout to the sublayer's output, add x, and normalise the sum.
        return self.layer_norm(x + self.dropout(sublayer_output))
