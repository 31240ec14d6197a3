import heapq
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from s5_transformer.transformer import Transformer


@dataclass
class Hypothesis:
    tokens: Tensor
    log_p: float

    def score(self, length_penalty: float) -> float:
        return self.log_p * (6 / (len(self.tokens) + 4)) ** length_penalty


def greedy_decode(
    model: Transformer, src: Tensor, bos_idx: int, eos_idx: int, max_len: int
) -> Tensor:
    """The place for all tokens is made at first, and only rows that go on are asked for."""
    was_training = model.training
    model.eval()
    trg = torch.full((src.size(0), max_len), model.trg_pad_idx, dtype=torch.long, device=src.device)
    trg[:, 0] = bos_idx
    going = torch.arange(src.size(0), device=src.device)
    length = 1
    try:
        with torch.no_grad():
            encoder_output, src_mask = model.encode(src)
            while length < max_len and going.numel() > 0:
                logits = model.decode(trg[going, :length], encoder_output[going], src_mask[going])
                tokens = logits[:, length - 1].max(dim=1).indices
                trg[going, length] = tokens
                going = going[tokens.ne(eos_idx)]
                length += 1
    finally:
        model.train(was_training)
    return trg[:, :length]


@torch.no_grad()
def beam_search(
    model: Transformer,
    src: Tensor,
    bos_idx: int,
    eos_idx: int,
    max_len: int,
    beam_size: int = 4,
    length_penalty: float = 0.6,
) -> Tensor:
    was_training = model.training
    model.eval()
    try:
        memories, masks = model.encode(src)
        rows = [
            best(
                model, memories[n], masks[n], bos_idx, eos_idx, max_len, beam_size, length_penalty
            ).tokens
            for n in range(len(src))
        ]
    finally:
        model.train(was_training)
    trg = src.new_full((len(rows), max(map(len, rows))), model.trg_pad_idx)
    for n, row in enumerate(rows):
        trg[n, : len(row)] = row
    return trg


def best(
    model: Transformer,
    memory: Tensor,
    mask: Tensor,
    bos_idx: int,
    eos_idx: int,
    max_len: int,
    beam_size: int,
    length_penalty: float,
) -> Hypothesis:
    """A heap finds the best extensions; ended ones are found among them."""
    live = [Hypothesis(torch.tensor([bos_idx], device=memory.device), 0.0)]
    finished: list[Hypothesis] = []
    while live and len(live[0].tokens) < max_len:
        trg = torch.stack([one.tokens for one in live])
        count = len(live)
        logits = model.decode(
            trg, memory[None].repeat(count, 1, 1), mask[None].repeat(count, 1, 1, 1)
        )
        logs = F.log_softmax(logits, dim=-1)[:, -1]
        extensions = [
            Hypothesis(torch.cat([one.tokens, token[None]]), one.log_p + log)
            for one, row in zip(live, logs)
            for token, log in zip(torch.arange(len(row), device=row.device), row.tolist())
        ]
        kept = heapq.nlargest(beam_size - len(finished), extensions, key=lambda one: one.log_p)
        finished += [one for one in kept if one.tokens[-1] == eos_idx]
        live = [one for one in kept if one.tokens[-1] != eos_idx]
    return max(finished or live, key=lambda one: one.score(length_penalty))
