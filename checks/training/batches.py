"""Batches of a number of tokens, in an order that a seed and the epoch's number give."""

from __future__ import annotations

import random
from typing import Any

import torch
from torch import Tensor

from checks.training.vocabulary import PAD

Lengths = list[tuple[int, int]]  # Per example: source and target, in tokens.
STEP = 4


def even(length: int) -> int:
    """The next multiple of STEP. Each shape needs its own kernels, so few shapes are better."""
    return -(-length // STEP) * STEP


def make_batches(lengths: Lengths, tokens: int, seed: int, epoch: int) -> list[list[int]]:
    """The examples' numbers, batch by batch; every example once.

    Examples of similar length share a batch, so that there is little padding. A batch has at most
    `tokens` tokens on either side, padding included; a longer example is a batch by itself. Which
    examples of the same length meet, and the order of the batches, change every epoch.
    """
    rng = random.Random(f"{seed} {epoch}")
    order = list(range(len(lengths)))
    rng.shuffle(order)
    order.sort(key=lambda n: (lengths[n][1], lengths[n][0]))  # Stable: ties stay shuffled.
    batches: list[list[int]] = []
    longest = 0
    for number in order:
        longest = max(longest, *lengths[number])
        if batches and even(longest) * (len(batches[-1]) + 1) <= tokens:
            batches[-1].append(number)
        else:
            batches.append([number])
            longest = max(lengths[number])
    rng.shuffle(batches)
    return batches


def in_order(lengths: Lengths, tokens: int) -> list[list[int]]:
    """The same from the longest to the shortest: to decode or to score, each example once."""
    batches: list[list[int]] = []
    for number in sorted(range(len(lengths)), key=lambda n: max(lengths[n]), reverse=True):
        if batches and (len(batches[-1]) + 1) * max(lengths[batches[-1][0]]) <= tokens:
            batches[-1].append(number)
        else:
            batches.append([number])
    return batches


def padded(rows: list[list[int]], device: Any = None, length: int = 0) -> Tensor:
    """(batch_size, longest or `length`) int64, filled up with padding."""
    length = max(length, *map(len, rows))
    return torch.tensor([row + [PAD] * (length - len(row)) for row in rows], device=device)
