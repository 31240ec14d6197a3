"""Sampling: draw the next token, but only from the good ones (Holtzman et al. 2020, section 3.1).

Lesson: README.md, "6.6 ★ Sampling"        Check: python run_step.py 6.6
"""

import torch
from torch import Tensor


def filtered(
    logits: Tensor,
    temperature: float = 1.0,
    top_k: int = 0,
    top_p: float = 1.0,
    min_p: float = 0.0,
) -> Tensor:
    """logits (batch_size, vocab_size) -> the same shape, minus infinity where a token is cut.

    Four filters, in this order, each on what the one before it left:
    temperature: divides the logits. 0 keeps the best token alone (the first, if several are best).
    top_k: the k best tokens stay. 0 or a number above vocab_size cuts nothing.
    top_p: the best tokens stay until their probabilities sum to top_p. The token that reaches it
    stays, too. 1 cuts nothing.
    min_p: tokens stay that are at least min_p times as probable as the best one.
    At least one token of each row stays. The logits of the caller do not change.
    """
    # TODO: Temperature 0: cut all but the best token, and return.
    # TODO: Divide by the temperature.
    # TODO: Cut what is worse than the best top_k, if there are more tokens than that.
    # TODO: Cut a token if the better ones together reach top_p already.
    # TODO: Cut a token if it is less probable than min_p times the best.
    raise NotImplementedError("filtered")


def sample(logits: Tensor, generator: torch.Generator | None = None) -> Tensor:
    """logits (batch_size, vocab_size) -> a token for each row, (batch_size,) int64.

    Every row draws for itself, each token with its probability, the softmax of the logits.
    """
    # TODO: Draw one token for each row.
    raise NotImplementedError("sample")
