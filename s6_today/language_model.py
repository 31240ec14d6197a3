"""Language model: a decoder alone, with the parts of today (Touvron et al. 2023, section 2.2).

Lesson: README.md, "6.5 ★ Language model"        Check: python run_step.py 6.5
"""

import torch
from torch import Tensor, nn

from s6_today.gated_feed_forward import GatedFeedForward
from s6_today.grouped_attention import Cache, GroupedQueryAttention
from s6_today.rms_norm import RMSNorm
from s6_today.rotary import rotary_table


class LanguageModelLayer(nn.Module):
    """x + attention(norm(x)), then x + feed_forward(norm(x)): pre-norm, as in step 3.3."""

    def __init__(self, dim_vector: int, n_head: int, n_kv_head: int, dim_hidden: int, eps: float):
        super().__init__()
        # TODO: Make `norm1` and `attention`, then `norm2` and `feed_forward`.
        raise NotImplementedError("LanguageModelLayer.__init__")

    def forward(self, x: Tensor, *others: object) -> tuple[Tensor, Cache]:
        """x -> the new x, and the longer cache. `others` go to the attention: cos, sin, start …"""
        # TODO: Go through both sublayers, each with its norm before it and its shortcut around it.
        raise NotImplementedError("LanguageModelLayer.forward")


class LanguageModel(nn.Module):
    """Tokens -> scores for every next token. One table serves both; the scores have its dtype."""

    def __init__(
        self,
        vocab_size: int,
        dim_vector: int,
        n_head: int,
        n_kv_head: int,
        dim_hidden: int,
        num_layer: int,
        max_len: int,
        base: float = 10000.0,
        eps: float = 1e-5,
    ):
        super().__init__()
        # TODO: Make `embedding`, the table. Fill it with random numbers of standard deviation 0.02.
        # TODO: Make `layers`, num_layer of them, and `norm`, which comes after the last one.
        # TODO: Keep the table of step 6.2 as two buffers, `cos` and `sin`, which are not saved.
        raise NotImplementedError("LanguageModel.__init__")

    def forward(
        self, tokens: Tensor, caches: list[Cache] | None = None
    ) -> tuple[Tensor, list[Cache]]:
        """tokens (batch_size, length) -> logits (batch_size, length, vocab_size), longer caches.

        The caches, one for each layer, hold the tokens before these. No token sees a later one.
        """
        # TODO: Count the cached tokens. Make the mask: a row per new token, a column per token.
        # TODO: Embed the tokens and pass them through the layers. Keep the longer caches.
        # TODO: Normalise. Each score is the product of a vector with a row of the table.
        raise NotImplementedError("LanguageModel.forward")
