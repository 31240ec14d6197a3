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
    # Project x to keys and to values, each split into heads.
    return attention.split(attention.w_k(x)), attention.split(attention.w_v(x))


def attend(attention: MultiHeadAttention, x: Tensor, cache: Cache, mask: Tensor) -> Tensor:
    """x (batch_size, 1, dim_vector) attends to the cached keys and values -> the same shape."""
    # Project x to queries, let them attend, merge the heads and mix them.
    out, _ = calculate_attention(attention.split(attention.w_q(x)), *cache, mask)
    return attention.linear(attention.merge(out))


def layer_step(
    layer: DecoderLayer, x: Tensor, written: Cache, source: Cache, masks: tuple[Tensor, Tensor]
) -> tuple[Tensor, Cache]:
    """Step 4.1 for the newest token x (batch_size, 1, dim_vector) -> its vector, longer cache."""
    # Append the newest token's keys and values to the cache `written`.
    keys, values = keys_and_values(layer.self_attention, x)
    written = torch.cat([written[0], keys], dim=2), torch.cat([written[1], values], dim=2)
    # Go through the three sublayers. Both attentions use a cache.
    x = layer.add_norm1(x, attend(layer.self_attention, x, written, masks[0]))
    x = layer.add_norm2(x, attend(layer.cross_attention, x, source, masks[1]))
    return layer.add_norm3(x, layer.feed_forward(x)), written


def cached_decode(
    model: Transformer, src: Tensor, bos_idx: int, eos_idx: int, max_len: int
) -> Tensor:
    """The same tokens as `greedy_decode`, but no token goes through the linear layers twice.

    The keys and values of the source are made once. Those of a target token are made when it goes
    through the layers. The model's mode does not change.
    """
    # Begin as in step 5.4.
    trg = torch.full((len(src), 1), bos_idx, dtype=torch.int64, device=src.device)
    ended = torch.zeros(len(src), dtype=torch.bool, device=src.device)
    embedding, layers = model.decoder.embedding, model.decoder.layers
    # Encode the source. Keep its keys and values for each layer, and an empty cache. Then
    # repeat as in step 5.4: embed the newest token at its position, pass it through the
    # layers, and append the best next token.
    with evaluating(model):
        encoder_output, src_mask = model.encode(src)
        sources = [keys_and_values(layer.cross_attention, encoder_output) for layer in layers]
        nothing = encoder_output[:, :0]
        written = [keys_and_values(layer.self_attention, nothing) for layer in layers]
        while trg.size(1) < max_len and not ended.all():
            trg_mask = get_trg_mask(trg, model.trg_pad_idx)[:, :, -1:]
            x = embedding.token_embedding(trg[:, -1:]) + embedding.positional_embedding(trg)[-1]
            for n, layer in enumerate(layers):
                x, written[n] = layer_step(layer, x, written[n], sources[n], (trg_mask, src_mask))
            token = model.decoder.linear(x)[:, 0].argmax(dim=-1)
            token = token.masked_fill(ended, model.trg_pad_idx)
            trg = torch.cat([trg, token[:, None]], dim=1)
            ended |= token == eos_idx
    return trg
