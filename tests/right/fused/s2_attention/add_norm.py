from torch import Tensor, nn


class AddNorm(nn.Module):
    """With the built-in norm, which the step leaves open."""

    def __init__(self, dim_vector: int, dropout: float = 0.1):
        super().__init__()
        self.normalise = nn.LayerNorm(dim_vector)
        self.regularise = nn.Dropout(dropout)

    def forward(self, x: Tensor, sublayer_output: Tensor) -> Tensor:
        return self.normalise(self.regularise(sublayer_output) + x)
