import torch
from torch import Tensor, nn


def calculate_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    dropout: nn.Module | None = None,
) -> tuple[Tensor, Tensor]:
    """The heads are folded into the batch: everything is a (batch * n_head, …) product."""
    shape = (*q.shape[:-1], k.shape[-2])
    q, k, v = q.flatten(0, 1), k.flatten(0, 1), v.flatten(0, 1)

    # beta=0: the first tensor only gives the shape
    scores = torch.baddbmm(
        q.new_zeros(1, 1, 1), q, k.transpose(1, 2), beta=0, alpha=q.shape[-1] ** -0.5
    )
    if mask is not None:
        hidden = torch.broadcast_to(mask == 0, shape).flatten(0, 1)
        scores = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
    weights = scores.log_softmax(dim=-1).exp()
    if dropout is not None:
        weights = dropout(weights)
    out = torch.bmm(weights, v)
    return out.unflatten(0, shape[:2]), weights.unflatten(0, shape[:2])
