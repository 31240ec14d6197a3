import torch
from torch import Tensor, nn


def calculate_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    dropout: nn.Module | None = None,
) -> tuple[Tensor, Tensor]:
    """The scale is shared out between q and k; a row without a visible key is NaN."""
    quarter_root = q.shape[-1] ** -0.25
    score = (q * quarter_root) @ (k * quarter_root).mT
    if mask is not None:
        score = score.masked_fill(mask.logical_not(), float("-inf"))
    # softmax(s) = exp(s - log(sum(exp(s))))
    attention = torch.exp(score - score.logsumexp(dim=-1, keepdim=True))
    if dropout is not None:
        attention = dropout(attention)
    return attention @ v, attention
