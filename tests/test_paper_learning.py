"""Three witnesses of learning: the rate, the loss, and a whole step."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from in_torch import load, rng, same, solutions_are_importable, tensor
from torch import nn

from checks.truth import learning, models

__all__ = ["rng", "solutions_are_importable"]


def test_the_learning_rate() -> None:
    from s5_transformer.training import noam_learning_rate

    for dim_vector, warmup_steps in ((6, 5), (512, 4000), (16, 1)):
        peak = 1 / np.sqrt(dim_vector * warmup_steps)
        for step in range(1, 4 * warmup_steps + 1):
            share = step / warmup_steps
            expected = peak * (share if step <= warmup_steps else 1 / np.sqrt(share))
            for rate in (learning.noam_learning_rate, noam_learning_rate):
                assert rate(step, dim_vector, warmup_steps) == pytest.approx(expected, rel=1e-12)


def wanted_of_torch(targets: torch.Tensor, pad_idx: int, share: float, spread: str) -> torch.Tensor:
    """What smoothing makes of real targets: (n,) -> (n, 7)."""
    has_share = torch.ones(len(targets), 7)
    if "words" in spread:
        has_share[:, pad_idx] = 0
    if "other" in spread:
        has_share.scatter_(1, targets[:, None], 0)
    kept = torch.zeros(len(targets), 7).scatter_(1, targets[:, None], 1 - share)
    return kept + share * nn.functional.normalize(has_share, p=1, dim=1)


def test_the_loss(rng: np.random.Generator) -> None:
    from s5_transformer.training import sequence_loss

    logits, targets = rng.normal(size=(3, 5, 7)), rng.integers(0, 7, (3, 5))
    scores = tensor(logits).requires_grad_()
    for pad_idx, share in ((0, 0.0), (2, 0.0), (0, 0.1), (2, 0.3)):
        ours = sequence_loss(scores, tensor(targets), pad_idx, share)
        same(ours, learning.sequence_loss(logits, targets, pad_idx, share))
        real = tensor(targets) != pad_idx
        for spread in learning.SPREADS:
            wanted = wanted_of_torch(tensor(targets)[real], pad_idx, share, spread)
            theirs = nn.functional.cross_entropy(scores[real], wanted)
            (gradient,) = torch.autograd.grad(theirs, scores)
            how = (logits, targets, pad_idx, share, spread)
            same(theirs, learning.sequence_loss(*how))
            same(gradient, learning.sequence_loss_gradient(*how))
            log_p = scores[real].log_softmax(-1)
            divergence = nn.functional.kl_div(log_p, wanted, reduction="batchmean")
            same(divergence, learning.sequence_loss(*how, divergence=True))


def test_a_step_of_training(rng: np.random.Generator) -> None:
    """With an optimizer of torch's own; the checks have a stand-in."""
    from s5_transformer.training import train_step
    from s5_transformer.transformer import Transformer

    model = Transformer(2, 1, 11, 13, 6, 3, 9, 10, 1, dropout=0.0)
    weights = load(model, rng)
    src, trg = rng.integers(3, 11, (3, 5)), rng.integers(3, 13, (3, 7))
    trg[0, 4:] = 1
    lr, max_norm = 0.5, 0.25

    optimizer = torch.optim.SGD(model.parameters(), lr)
    loss = train_step(model, optimizer, tensor(src), tensor(trg), 0.1, max_norm)

    logits = models.transformer(src, trg[:, :-1], weights, 3, 1, 2, 1)
    assert loss == pytest.approx(float(learning.sequence_loss(logits, trg[:, 1:], 1, 0.1)))
    after = {name: w.detach().numpy() for name, w in model.named_parameters()}
    moved = {name: weights[name] - w for name, w in after.items()}
    length = np.sqrt(sum((way**2).sum() for way in moved.values()))
    assert length == pytest.approx(lr * max_norm, rel=1e-4)  # torch adds 1e-6 to the norm.
    shorter = {name: weights[name] - 1e-4 * way for name, way in moved.items()}
    logits = models.transformer(src, trg[:, :-1], shorter, 3, 1, 2, 1)
    assert learning.sequence_loss(logits, trg[:, 1:], 1, 0.1) < loss
