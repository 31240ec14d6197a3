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
    # TODO: Make a batch of one sentence, on the device of the model.
    # TODO: Decode it. The first target token is bos.
    # TODO: Keep the tokens between bos and eos, and turn them into text in one call.
    raise NotImplementedError("translate")
