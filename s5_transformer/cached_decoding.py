"""Cached decoding: write token by token, and compute nothing twice (not in the paper).

Lesson: README.md, "5.7 ★ Cached decoding"        Check: python run_step.py 5.7
"""

import torch
from torch import Tensor

from s2_attention.calculate_attention import calculate_attention
from s2_attention.multi_head_attention import MultiHeadAttention
from s4_decoder.decoder_layer import DecoderLayer
from s5_transformer.decoding import evaluating
from s5_transformer.masks import get_trg_mask
from s5_transformer.transformer import Transformer

Cache = tuple[Tensor, Tensor]  # Keys and values, (batch_size, n_head, length, dim_split) each.


def keys_and_values(attention: MultiHeadAttention, x: Tensor) -> Cache:
    """x (batch_size, length, dim_vector) -> the keys and the values of its tokens."""
    # TODO: Project x to keys and to values, each split into heads.
    raise NotImplementedError("keys_and_values")


def attend(attention: MultiHeadAttention, x: Tensor, cache: Cache, mask: Tensor) -> Tensor:
    """x (batch_size, 1, dim_vector) attends to the cached keys and values -> the same shape."""
    # TODO: Project x to queries, let them attend, merge the heads and mix them.
    raise NotImplementedError("attend")


def layer_step(
    layer: DecoderLayer, x: Tensor, written: Cache, source: Cache, masks: tuple[Tensor, Tensor]
) -> tuple[Tensor, Cache]:
    """Step 4.1 for the newest token x (batch_size, 1, dim_vector) -> its vector, longer cache."""
    # TODO: Append the newest token's keys and values to the cache `written`.
    # TODO: Go through the three sublayers. Both attentions use a cache.
    raise NotImplementedError("layer_step")


def cached_decode(
    model: Transformer, src: Tensor, bos_idx: int, eos_idx: int, max_len: int
) -> Tensor:
    """The same tokens as `greedy_decode`, but no token goes through the linear layers twice.

    The keys and values of the source are made once. Those of a target token are made when it goes
    through the layers. The model's mode does not change.
    """
    # TODO: Begin as in step 5.4.
    # TODO: Encode the source. Keep its keys and values for each layer, and an empty cache. Then
    #       repeat as in step 5.4: embed the newest token at its position, pass it through the
    #       layers, and append the best next token.
    raise NotImplementedError("cached_decode")
