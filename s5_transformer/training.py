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

    Steps count from 1. Raises ValueError if step is less than 1.
    """
    # TODO: Refuse a step below 1. Name it in the error.
    # TODO: Return the rate: it rises linearly for warmup_steps, then falls like 1 / √step.
    raise NotImplementedError("noam_learning_rate")


def sequence_loss(
    logits: Tensor, targets: Tensor, pad_idx: int, label_smoothing: float = 0.0
) -> Tensor:
    """logits (batch_size, length, vocab_size), targets (batch_size, length)
    -> the cross-entropy, a scalar: the mean over all targets that are not padding.

    label_smoothing is the part of each target that is spread over the vocabulary (section 5.4).
    """
    # TODO: Join the axes of sentences and tokens. Return the loss of all targets but padding.
    raise NotImplementedError("sequence_loss")


def train_step(
    model: Transformer,
    optimizer: Optimizer,
    src: Tensor,
    trg: Tensor,
    label_smoothing: float = 0.0,
    max_norm: float = 1.0,
) -> float:
    """Make one step of the optimizer on one batch, and return the loss of that step.

    src (batch_size, src_len); trg (batch_size, trg_len): start token, words, end token, padding
    (`model.trg_pad_idx`). The L2 norm of all gradients together is clipped to max_norm. That is
    common, but not in the paper. The model is in train mode while it learns.
    """
    # TODO: Set train mode. Let the model read each target without its last token.
    # TODO: Make the loss: the model should predict each target without its first token.
    # TODO: Remove the old gradients, compute new ones, and clip them.
    # TODO: Let the optimizer step, and return the loss as a plain number.
    raise NotImplementedError("train_step")
