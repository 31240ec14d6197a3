from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor

from s5_transformer.transformer import Transformer


@contextmanager
def evaluating(model: Transformer) -> Iterator[None]:
    """The mode of every part is put back, each by itself."""
    modes = [(part, part.training) for part in model.modules()]
    model.eval()
    with torch.inference_mode():
        try:
            yield
        finally:
            for part, training in modes:
                part.training = training


def greedy_decode(
    model: Transformer, src: Tensor, bos_idx: int, eos_idx: int, max_len: int
) -> Tensor:
    """The beam search of one."""
    return beam_search(model, src, bos_idx, eos_idx, max_len, 1)


def beam_search(
    model: Transformer,
    src: Tensor,
    bos_idx: int,
    eos_idx: int,
    max_len: int,
    beam_size: int = 4,
    length_penalty: float = 0.6,
) -> Tensor:
    """All sentences at once: beam_size places for each, of which empty ones have log P of -inf."""
    batch_size = len(src)
    trg = src.new_full((batch_size, beam_size, 1), bos_idx)
    log_p = torch.full((batch_size, beam_size), float("-inf"), device=src.device)
    log_p[:, 0] = 0
    best = torch.full((batch_size,), float("-inf"), device=src.device)
    answer = src.new_full((batch_size, max_len), model.trg_pad_idx)
    room = torch.full((batch_size, 1), beam_size, device=src.device)
    ranks = torch.arange(beam_size, device=src.device)
    with evaluating(model):
        encoder_output, src_mask = model.encode(src)
        encoder_output = encoder_output.repeat_interleave(beam_size, dim=0)
        src_mask = src_mask.repeat_interleave(beam_size, dim=0)
        for n in range(1, max_len):
            scores = model.decode(trg.flatten(0, 1), encoder_output, src_mask)[:, -1]
            vocab_size = scores.size(-1)
            sums = log_p.view(-1, 1) + scores.log_softmax(-1)
            log_p, places = sums.view(batch_size, -1).topk(beam_size)
            log_p = log_p.masked_fill(ranks >= room, float("-inf"))
            came_from = (places // vocab_size)[..., None].expand(-1, -1, n)
            trg = torch.cat([trg.gather(1, came_from), (places % vocab_size)[..., None]], dim=-1)
            # Of those that end now, the best; it is kept if it beats what has been found before.
            ends = (trg[..., -1] == eos_idx) & (log_p > float("-inf"))
            room = room - ends.sum(1, keepdim=True)
            score = (log_p / (5 + n) ** length_penalty).masked_fill(~ends, float("-inf"))
            top, which = score.max(1)
            better = top > best
            best = torch.where(better, top, best)
            answer[better, : n + 1] = trg[better, which[better]]
            answer[better, n + 1 :] = model.trg_pad_idx
            log_p = log_p.masked_fill(ends, float("-inf"))
            if log_p.isinf().all():
                break
    none = best.isinf()
    answer[none, : trg.size(-1)] = trg[none, log_p[none].argmax(1)]
    longest = int((answer != model.trg_pad_idx).sum(1).max())
    return answer[:, :longest]
