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

    def forward(
        self,
        x: Tensor,
        cos: Tensor,
        sin: Tensor,
        start: int = 0,
        mask: Tensor | None = None,
        cache: Cache | None = None,
    ) -> tuple[Tensor, Cache]:
        """x (batch_size, length, dim_vector) -> the same shape, and the longer cache."""
        # TODO: Go through the two sublayers, each with its norm before it and its shortcut around it.
        raise NotImplementedError("LanguageModelLayer.forward")


class LanguageModel(nn.Module):
    """Tokens in, a score for every next token out.

    One table serves twice. Its rows are the vectors of the tokens. The score of a token is the
    product of its row with the last vector. A new table has small numbers (standard deviation
    0.02), so no token has a high score at first.
    """

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
        # TODO: Make `embedding`, the table, with small random numbers.
        # TODO: Make `layers`, as many as num_layer says, and `norm`, which comes after the last one.
        # TODO: Keep the table of step 6.2 as two buffers, `cos` and `sin`, which are not saved.
        raise NotImplementedError("LanguageModel.__init__")

    def forward(
        self, tokens: Tensor, caches: list[Cache] | None = None
    ) -> tuple[Tensor, list[Cache]]:
        """tokens (batch_size, length) -> logits (batch_size, length, vocab_size), longer caches.

        The caches, one for each layer, hold all tokens before these. Without them the text begins
        here. Each token attends to itself and to all before it.
        """
        length = tokens.size(1)
        # TODO: Count the tokens that the caches hold, and make the mask: a row for each new token,
        #       a column for each token so far.
        # TODO: Embed the tokens and pass them through the layers. Keep the longer caches.
        # TODO: Normalise, and compare each vector with every row of the table.
        raise NotImplementedError("LanguageModel.forward")
