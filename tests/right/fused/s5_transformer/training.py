import torch
from torch import Tensor
from torch.nn import functional as F
from torch.optim import Optimizer

from s5_transformer.transformer import Transformer


def noam_learning_rate(step: int, dim_vector: int, warmup_steps: int) -> float:
    if step <= 0:
        raise ValueError(f"there is no step {step}: the first one is 1")
    share = step / warmup_steps
    return (dim_vector * warmup_steps) ** -0.5 * (share if share < 1 else share**-0.5)


def sequence_loss(
    logits: Tensor, targets: Tensor, pad_idx: int, label_smoothing: float = 0.0
) -> Tensor:
    """The vocabulary as the second axis, a loss for each token, and zeros where padding is."""
    each = F.cross_entropy(
        logits.mT,
        targets,
        ignore_index=pad_idx,
        reduction="none",
        label_smoothing=label_smoothing,
    )
    return each.sum() / targets.ne(pad_idx).sum()


def train_step(
    model: Transformer,
    optimizer: Optimizer,
    src: Tensor,
    trg: Tensor,
    label_smoothing: float = 0.0,
    max_norm: float = 1.0,
) -> float:
    read, wanted = trg[..., :-1], trg[..., 1:]
    model.zero_grad()
    with torch.enable_grad():
        loss = sequence_loss(model.train()(src, read), wanted, model.trg_pad_idx, label_smoothing)
    loss.backward()
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    norm = torch.cat([gradient.flatten() for gradient in gradients]).norm()
    torch._foreach_mul_(gradients, float((max_norm / norm).clamp(max=1)))
    optimizer.step()
    return float(loss)
