"""Decoding: write a translation, token by token (paper, section 6.1).

Lesson: README.md, "5.4 Decoding"        Check: python run_step.py 5.4
"""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor

from s5_transformer.transformer import Transformer


@contextmanager
def evaluating(model: Transformer) -> Iterator[None]:
    """In eval mode and without gradients; afterwards the model is in the mode it was in."""
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        model.train(was_training)


def greedy_decode(
    model: Transformer, src: Tensor, bos_idx: int, eos_idx: int, max_len: int
) -> Tensor:
    """src (batch_size, src_len) -> target tokens (batch_size, length), int64.

    Every row begins with bos_idx and goes on with the token of the highest score. It ends with
    eos_idx, after which there is only padding, `model.trg_pad_idx`, or at max_len tokens, bos_idx
    included. length is that of the longest row. The model's mode stays as it was.
    """
    # TODO: Begin every row with bos_idx; none has ended.
    # TODO: Encode the source once. Then, while a row goes on and there is room: score all that is
    #       written, append the best next token, or padding where a row has ended.
    raise NotImplementedError("greedy_decode")


def beam_search(
    model: Transformer,
    src: Tensor,
    bos_idx: int,
    eos_idx: int,
    max_len: int,
    beam_size: int = 4,
    length_penalty: float = 0.6,
) -> Tensor:
    """src (batch_size, src_len) -> target tokens (batch_size, length), in greedy_decode's form.

    For each sentence beam_size hypotheses grow side by side. The best finished one is returned, or
    the best unfinished one if none has finished, by the score

        log P / ((5 + n) / 6)^length_penalty,    n tokens after bos_idx, eos_idx counted

    (Wu et al. 2016, equation 14, without its coverage). With beam_size 1 it is greedy_decode.
    """
    # TODO: Search for each sentence by itself.
    # TODO: Fill the shorter ones up with padding.
    raise NotImplementedError("beam_search")


def best_hypothesis(model, src, bos_idx, eos_idx, max_len, beam_size, length_penalty) -> Tensor:
    """src (1, src_len) -> the tokens of the best hypothesis, (length,), from bos_idx on.

    At every step the best (beam_size - finished so far) extensions of the live hypotheses are
    kept; one that ends in eos_idx is finished. It stops when none is live, or at max_len tokens.
    """
    # TODO: Begin with one live hypothesis, bos_idx alone, of log-probability 0, and none finished.
    # TODO: While one is live and there is room: add up the log-probabilities of every extension,
    #       keep the best, and take out what has finished.
    # TODO: Return the best by the score above: of the finished ones, or else of the live ones.
    raise NotImplementedError("best_hypothesis")
