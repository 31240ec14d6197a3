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
    """Eval mode and no gradients inside; afterwards the model is in its old mode again."""
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

    Every row begins with bos_idx. Each next token is the one with the highest score. A row ends
    with eos_idx, or at max_len tokens, bos_idx included. After eos_idx there is only padding,
    `model.trg_pad_idx`. length is that of the longest row. The model's mode does not change.
    """
    # Begin every row with bos_idx. No row has ended yet.
    trg = torch.full((len(src), 1), bos_idx, dtype=torch.int64, device=src.device)
    ended = torch.zeros(len(src), dtype=torch.bool, device=src.device)
    # Encode the source once. Repeat until all rows have ended or have max_len tokens: decode
    # all that is written, and append the best next token, or padding if a row has ended.
    with evaluating(model):
        encoder_output, src_mask = model.encode(src)
        while trg.size(1) < max_len and not ended.all():
            logits = model.decode(trg, encoder_output, src_mask)[:, -1]
            token = logits.argmax(dim=-1).masked_fill(ended, model.trg_pad_idx)
            trg = torch.cat([trg, token[:, None]], dim=1)
            ended |= token == eos_idx
    return trg


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

    For each sentence, beam_size hypotheses grow side by side. The result is the finished one with
    the best score, or the best live one if none has finished. The score of a hypothesis is

        log P / ((5 + n) / 6)^length_penalty,    n tokens after bos_idx, eos_idx counted

    (Wu et al. 2016, equation 14, without its coverage). beam_size 1 is the same as greedy_decode.
    """
    # Search for each sentence alone.
    with evaluating(model):
        found = [
            best_hypothesis(model, row[None], bos_idx, eos_idx, max_len, beam_size, length_penalty)
            for row in src
        ]
    # Fill up the shorter results with padding.
    return torch.nn.utils.rnn.pad_sequence(found, batch_first=True, padding_value=model.trg_pad_idx)


def best_hypothesis(model, src, bos_idx, eos_idx, max_len, beam_size, length_penalty) -> Tensor:
    """src (1, src_len) -> the tokens of the best hypothesis, (length,), from bos_idx on.

    Each step keeps the (beam_size - finished so far) best extensions of the live hypotheses. One
    that ends in eos_idx is finished. The search stops when none is live, or at max_len tokens.
    """
    # Begin with one live hypothesis: bos_idx alone, with log P = 0. None has finished.
    live = torch.full((1, 1), bos_idx, dtype=torch.int64, device=src.device)
    log_p = torch.zeros(1, device=src.device)
    finished: list[tuple[float, Tensor]] = []
    encoder_output, src_mask = model.encode(src)
    # Repeat while a hypothesis is live and shorter than max_len: compute log P of every
    # extension, keep the best ones, and take out those that have finished.
    while len(live) > 0 and live.size(1) < max_len:
        source = encoder_output.expand(len(live), -1, -1)
        logits = model.decode(live, source, src_mask.expand(len(live), -1, -1, -1))[:, -1]
        sums = log_p[:, None] + logits.log_softmax(dim=-1)
        log_p, places = sums.flatten().topk(min(beam_size - len(finished), sums.numel()))
        rows, tokens = places // logits.size(-1), places % logits.size(-1)
        live = torch.cat([live[rows], tokens[:, None]], dim=1)
        ended = tokens == eos_idx
        finished += zip(log_p[ended].tolist(), live[ended])
        live, log_p = live[~ended], log_p[~ended]
    # Return the finished one with the best score, or the best live one if none has finished.
    hypotheses = finished or list(zip(log_p.tolist(), live))

    def score(hypothesis: tuple[float, Tensor]) -> float:
        log_p, tokens = hypothesis
        n = len(tokens) - 1  # bos_idx does not count.
        return log_p / ((5 + n) / 6) ** length_penalty

    return max(hypotheses, key=score)[1]
