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
        # Make `norm1` and `attention`, then `norm2` and `feed_forward`.
        self.norm1 = RMSNorm(dim_vector, eps)
        self.attention = GroupedQueryAttention(dim_vector, n_head, n_kv_head)
        self.norm2 = RMSNorm(dim_vector, eps)
        self.feed_forward = GatedFeedForward(dim_vector, dim_hidden)

    def forward(self, x: Tensor, *others: object) -> tuple[Tensor, Cache]:
        """x -> the new x, and the longer cache. `others` go to the attention: cos, sin, start …"""
        # Go through both sublayers, each with its norm before it and its shortcut around it.
        out, cache = self.attention(self.norm1(x), *others)
        x = x + out
        return x + self.feed_forward(self.norm2(x)), cache


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
        # Make `embedding`, the table. Fill it with random numbers of standard deviation 0.02.
        self.embedding = nn.Embedding(vocab_size, dim_vector)
        nn.init.normal_(self.embedding.weight, std=0.02)
        # Make `layers`, num_layer of them, and `norm`, which comes after the last one.
        self.layers = nn.ModuleList(
            LanguageModelLayer(dim_vector, n_head, n_kv_head, dim_hidden, eps)
            for _ in range(num_layer)
        )
        self.norm = RMSNorm(dim_vector, eps)
        # Keep the table of step 6.2 as two buffers, `cos` and `sin`, which are not saved.
        cos, sin = rotary_table(dim_vector // n_head, max_len, base)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)

    def forward(
        self, tokens: Tensor, caches: list[Cache] | None = None
    ) -> tuple[Tensor, list[Cache]]:
        """tokens (batch_size, length) -> logits (batch_size, length, vocab_size), longer caches.

        The caches, one for each layer, hold the tokens before these. No token sees a later one.
        """
        # Count the cached tokens. Make the mask: a row per new token, a column per token.
        start, length = caches[0][0].size(2) if caches else 0, tokens.size(1)
        mask = torch.ones(length, start + length, dtype=torch.bool, device=tokens.device)
        mask = mask.tril(diagonal=start)
        # Embed the tokens and pass them through the layers. Keep the longer caches.
        x, longer = self.embedding(tokens), []
        for n, layer in enumerate(self.layers):
            x, cache = layer(x, self.cos, self.sin, start, mask, caches[n] if caches else None)
            longer.append(cache)
        # Normalise. Each score is the product of a vector with a row of the table.
        return self.norm(x) @ self.embedding.weight.T, longer
