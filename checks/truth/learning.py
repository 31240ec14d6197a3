"""The equations of training, in the form of `paper.py` (sections 5.3 and 5.4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from checks.engine.notes import note
from checks.truth.paper import Array, softmax


def noam_learning_rate(step: int, dim_vector: int, warmup_steps: int) -> float:
    """Equation 3; steps count from 1."""
    return float(dim_vector**-0.5 * min(step**-0.5, step * warmup_steps**-1.5))


# How label smoothing may spread its part. Szegedy et al. 2016 and PyTorch use the whole vocabulary;
# others leave out the target, padding, or both. The paper does not say.
SPREADS = ("all", "others", "words", "other words")


def smoothed(
    targets: ArrayLike, vocab_size: int, pad_idx: int, label_smoothing: float, spread: str = "all"
) -> Array:
    """The target probabilities of the loss: (batch_size, length, vocab_size)."""
    wanted = np.eye(vocab_size)[np.asarray(targets)]
    share = np.ones_like(wanted)
    if spread in ("others", "other words"):
        share -= wanted
    if spread in ("words", "other words"):
        share[..., pad_idx] = 0
    share /= share.sum(-1, keepdims=True)
    return np.asarray((1 - label_smoothing) * wanted + label_smoothing * share)


def sequence_loss(
    logits: Array,
    targets: ArrayLike,
    pad_idx: int,
    label_smoothing: float = 0.0,
    spread: str = "all",
    divergence: bool = False,
) -> Array:
    """The mean cross-entropy, a scalar, over the targets that are not padding.

    `divergence`: without the entropy of the target probabilities, which changes no gradient.
    """
    wanted = smoothed(targets, logits.shape[-1], pad_idx, label_smoothing, spread)
    log_p = logits - logits.max(-1, keepdims=True)
    log_p = log_p - np.log(np.exp(log_p).sum(-1, keepdims=True))
    if divergence:
        log_p = log_p - np.log(np.where(wanted > 0, wanted, 1))
    real = np.asarray(targets) != pad_idx
    note(log_p=log_p, wanted=wanted)
    return np.asarray(-(wanted * log_p).sum(-1)[real].mean())


def sequence_loss_gradient(
    logits: Array,
    targets: ArrayLike,
    pad_idx: int,
    label_smoothing: float = 0.0,
    spread: str = "all",
) -> Array:
    """The gradient of the logits: the softmax minus the target probabilities, 0 at padding."""
    wanted = smoothed(targets, logits.shape[-1], pad_idx, label_smoothing, spread)
    real = np.asarray(targets) != pad_idx
    return (softmax(logits) - wanted) * real[..., None] / real.sum()
