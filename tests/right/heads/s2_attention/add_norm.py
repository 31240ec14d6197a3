from torch import Tensor, nn

from s2_attention.layer_norm import LayerNorm


class AddNorm(nn.Sequential):
    """A dropout and a norm in a row, with the shortcut added in between."""

    def __init__(self, dim_vector: int, dropout: float = 0.1):
        super().__init__(nn.Dropout(dropout), LayerNorm(dim_vector))

    def forward(self, x: Tensor, sublayer_output: Tensor) -> Tensor:
        dropout, norm = self
        return norm(x + dropout(sublayer_output))
