import torch
from torch import Tensor
from torch.nn.utils import clip_grad_norm_
from torch.optim import Optimizer

from s5_transformer.transformer import Transformer


def noam_learning_rate(step: int, dim_vector: int, warmup_steps: int) -> float:
    if step < 1:
        raise ValueError(f"step {step}, expected 1 or more")
    if step > warmup_steps:
        return 1 / (dim_vector * step) ** 0.5
    return step / (dim_vector * warmup_steps**3) ** 0.5


def sequence_loss(
    logits: Tensor, targets: Tensor, pad_idx: int, label_smoothing: float = 0.0
) -> Tensor:
    """Smoothed labels as in the Annotated Transformer: nothing for padding, and the divergence."""
    real = targets != pad_idx
    log_p, words = logits[real].log_softmax(-1), targets[real].unsqueeze(1)
    wanted = torch.full_like(log_p, label_smoothing / (log_p.size(1) - 2))
    wanted[:, pad_idx] = 0
    wanted.scatter_(1, words, 1 - label_smoothing)
    return torch.nn.functional.kl_div(log_p, wanted, reduction="batchmean")


def train_step(
    model: Transformer,
    optimizer: Optimizer,
    src: Tensor,
    trg: Tensor,
    label_smoothing: float = 0.0,
    max_norm: float = 1.0,
) -> float:
    """The optimizer calls what makes the loss; the model leaves in the mode in which it came."""
    mode = model.training
    model.train()

    def closure() -> Tensor:
        optimizer.zero_grad(set_to_none=False)
        encoder_output, src_mask = model.encode(src)
        logits = model.decode(trg[:, :-1], encoder_output, src_mask)
        loss = sequence_loss(logits, trg[:, 1:], model.trg_pad_idx, label_smoothing)
        loss.backward()
        clip_grad_norm_(model.parameters(), max_norm)
        return loss

    loss = optimizer.step(closure)
    model.train(mode)
    return loss.item()
