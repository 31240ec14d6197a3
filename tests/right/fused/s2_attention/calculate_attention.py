import torch
from torch import Tensor, nn


def masked_softmax(score: Tensor, mask: Tensor | None) -> Tensor:
    """A softmax by hand. A row without a visible key comes out as zeros."""
    if mask is not None:
        score = torch.where(mask.bool(), score, float("-inf"))
    peak = score.detach().amax(dim=-1, keepdim=True)
    weight = torch.exp(score - peak.clamp(min=torch.finfo(score.dtype).min))
    # the peak itself adds exp(0) = 1, so only a row of zeros sums to less than 1
    return weight / weight.sum(dim=-1, keepdim=True).clamp(min=1.0)


def calculate_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    dropout: nn.Module | None = None,
) -> tuple[Tensor, Tensor]:
    """The weights that are returned are those before the dropout."""
    score = torch.einsum("bhqd,bhkd->bhqk", q * q.shape[-1] ** -0.5, k)
    weight = masked_softmax(score, mask)
    used = weight if dropout is None else dropout(weight)
    return torch.einsum("bhqk,bhkd->bhqd", used, v), weight
