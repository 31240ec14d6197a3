"""Training: the learning rate, the loss, one step (paper, sections 5.3 and 5.4).

Lesson: README.md, "5.3 Training"        Check: python run_step.py 5.3
"""

from torch import Tensor, nn
from torch.nn import functional as F
from torch.optim import Optimizer

from s5_transformer.transformer import Transformer


def noam_learning_rate(step: int, dim_vector: int, warmup_steps: int) -> float:
    """The learning rate of the paper (section 5.3), named after Noam Shazeer.

        dim_vector^(-1/2) · min(step^(-1/2), step · warmup_steps^(-3/2))

    Steps count from 1. Raises ValueError if step is less.
    """
    # Refuse a step before the first, naming it.
    if step < 1:
        raise ValueError(f"steps count from 1, got step {step}")
    # Return the rate: it grows evenly for warmup_steps, then falls like 1 / √step.
    return dim_vector**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)


def sequence_loss(
    logits: Tensor, targets: Tensor, pad_idx: int, label_smoothing: float = 0.0
) -> Tensor:
    """logits (batch_size, length, vocab_size), targets (batch_size, length)
    -> the cross-entropy, a scalar: the mean over all targets that are no padding.

    With label_smoothing, that share of each target is spread over the vocabulary (section 5.4).
    """
    # Line up all tokens of all sentences, and compare scores with targets, padding left out.
    return F.cross_entropy(
        logits.flatten(0, 1),
        targets.flatten(),
        ignore_index=pad_idx,
        label_smoothing=label_smoothing,
    )


def train_step(
    model: Transformer,
    optimizer: Optimizer,
    src: Tensor,
    trg: Tensor,
    label_smoothing: float = 0.0,
    max_norm: float = 1.0,
) -> float:
    """One step of the optimizer on one batch; returns the loss that it stepped on.

    src (batch_size, src_len); trg (batch_size, trg_len), from its start token to its end token,
    then padding, `model.trg_pad_idx`. The L2 norm of all gradients together is clipped to
    max_norm: a common habit, not in the paper. The model is in train mode while it learns.
    """
    # Let the model, in train mode, read each target without its last token.
    model.train()
    logits = model(src, trg[:, :-1])
    # Make the loss: what it should have said is each target without its first token.
    loss = sequence_loss(logits, trg[:, 1:], model.trg_pad_idx, label_smoothing)
    # Forget old gradients, make new ones, and clip them.
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    # Let the optimizer step, and return the loss as a plain number.
    optimizer.step()
    return loss.item()
