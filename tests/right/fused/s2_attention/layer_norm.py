import torch
from torch import Tensor, nn


class LayerNorm(nn.Module):
    def __init__(self, dim_vector: int, eps: float = 1e-5):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(dim_vector))
        self.weight = nn.Parameter(torch.ones(dim_vector))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        centred = x - x.mean(-1, keepdim=True)
        inverse_std = torch.rsqrt(centred.square().mean(-1, keepdim=True) + self.eps)
        return torch.addcmul(self.bias, centred * inverse_std, self.weight)
