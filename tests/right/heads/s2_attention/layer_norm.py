import torch
from torch import Tensor, nn


class LayerNorm(nn.Module):
    def __init__(self, dim_vector: int, eps: float = 1e-5):
        super().__init__()
        self.dim_vector = dim_vector
        self.eps = eps
        self.g = nn.Parameter(torch.ones(dim_vector))
        self.b = nn.Parameter(torch.zeros(dim_vector))

    def forward(self, x: Tensor) -> Tensor:
        x = x - x.sum(-1, keepdim=True) / self.dim_vector
        variance = torch.einsum("...d,...d->...", x, x) / self.dim_vector
        return self.g * (x / (variance + self.eps).sqrt().unsqueeze(-1)) + self.b
