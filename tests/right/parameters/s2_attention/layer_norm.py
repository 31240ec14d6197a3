import torch
from torch import Tensor, nn


class LayerNorm(nn.Module):
    def __init__(self, dim_vector: int, eps: float = 1e-5):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(dim_vector))
        self.shift = nn.Parameter(torch.zeros(dim_vector))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        return (x - mean) * (variance + self.eps) ** -0.5 * self.scale + self.shift
