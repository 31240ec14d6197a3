import math

import torch
from torch import Tensor
from torch.optim import Optimizer

from s5_transformer.transformer import Transformer


def noam_learning_rate(step: int, dim_vector: int, warmup_steps: int) -> float:
    if step < 1:
        raise ValueError(f"step is {step}; steps count from 1")
    falling, rising = 1 / math.sqrt(step), step / math.sqrt(warmup_steps) ** 3
    return min(falling, rising) / math.sqrt(dim_vector)


def sequence_loss(
    logits: Tensor, targets: Tensor, pad_idx: int, label_smoothing: float = 0.0
) -> Tensor:
    """logsumexp less the scores that are wanted; padding counts 0 times."""
    counts = (targets != pad_idx).to(logits.dtype)
    own = logits.gather(-1, targets[..., None])[..., 0]
    others = (logits.sum(-1) - own) / (logits.size(-1) - 1)
    each = torch.logsumexp(logits, -1) - (1 - label_smoothing) * own - label_smoothing * others
    return (each * counts).sum() / counts.sum()


def train_step(
    model: Transformer,
    optimizer: Optimizer,
    src: Tensor,
    trg: Tensor,
    label_smoothing: float = 0.0,
    max_norm: float = 1.0,
) -> float:
    """Modes, gradients and the norm by hand."""
    for part in model.modules():
        part.training = True
    logits = model.forward(src, trg[:, :-1])
    loss = sequence_loss(logits, trg[:, 1:], model.trg_pad_idx, label_smoothing)
    number = loss.detach().item()
    parameters = [p for p in model.parameters() if p.requires_grad]
    for parameter in parameters:
        parameter.grad = None
    loss.backward()
    gradients = [p.grad for p in parameters if p.grad is not None]
    norm = math.sqrt(sum(float(gradient.pow(2).sum()) for gradient in gradients))
    if norm > max_norm:
        for gradient in gradients:
            gradient.div_(norm / max_norm)
    optimizer.step()
    return number
