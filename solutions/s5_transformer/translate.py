"""Translate: text in, text out (paper, figure 1, from bottom to top).

Lesson: README.md, "5.5 Translate"        Check: python run_step.py 5.5
"""

from typing import Protocol

import torch

from s5_transformer.decoding import greedy_decode
from s5_transformer.transformer import Transformer


class Vocabulary(Protocol):
    """The vocabulary of one language: it knows the words and their ids."""

    pad_idx: int
    bos_idx: int
    eos_idx: int

    def __len__(self) -> int:
        """How many tokens there are."""

    def encode(self, text: str) -> list[int]:
        """The ids of a text, with all special tokens that the model must read."""

    def decode(self, ids: list[int]) -> str:
        """The text for the ids of words."""


def translate(
    model: Transformer,
    text: str,
    source_vocab: Vocabulary,
    target_vocab: Vocabulary,
    max_len: int = 64,
) -> str:
    """The translation of a text, decoded greedily, with at most max_len tokens, bos included."""
    # Make a batch of one sentence, on the device of the model.
    device = next(model.parameters()).device
    src = torch.tensor([source_vocab.encode(text)], dtype=torch.int64, device=device)
    # Decode it. The first target token is bos.
    trg = greedy_decode(model, src, target_vocab.bos_idx, target_vocab.eos_idx, max_len)
    # Keep the tokens between bos and eos, and turn them into text in one call.
    ids = trg[0, 1:].tolist()
    if target_vocab.eos_idx in ids:
        ids = ids[: ids.index(target_vocab.eos_idx)]
    return target_vocab.decode(ids)
