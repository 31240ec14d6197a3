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
    """x (batch_size, length, dim_vector) -> what its tokens offer to each query."""
    # Project x to keys and to values, each split into heads.
    return attention.split(attention.w_k(x)), attention.split(attention.w_v(x))


def attend(attention: MultiHeadAttention, x: Tensor, cache: Cache, mask: Tensor) -> Tensor:
    """What x, (batch_size, 1, dim_vector), reads from keys and values that are there already."""
    # Project x to queries, let them attend, merge the heads and mix them.
    out, _ = calculate_attention(attention.split(attention.w_q(x)), *cache, mask)
    return attention.linear(attention.merge(out))


def layer_step(
    layer: DecoderLayer, x: Tensor, written: Cache, source: Cache, masks: tuple[Tensor, Tensor]
) -> tuple[Tensor, Cache]:
    """Step 4.1 for the newest token alone, x (batch_size, 1, dim_vector), and the longer cache."""
    # Put the newest token's keys and values behind those that are written.
    keys, values = keys_and_values(layer.self_attention, x)
    written = torch.cat([written[0], keys], dim=2), torch.cat([written[1], values], dim=2)
    # Go through the three sublayers with what is cached.
    x = layer.add_norm1(x, attend(layer.self_attention, x, written, masks[0]))
    x = layer.add_norm2(x, attend(layer.cross_attention, x, source, masks[1]))
    return layer.add_norm3(x, layer.feed_forward(x)), written


def cached_decode(
    model: Transformer, src: Tensor, bos_idx: int, eos_idx: int, max_len: int
) -> Tensor:
    """The tokens of `greedy_decode`, in its form, with the work of one token for each token.

    The linear layers see each token once: keys and values of the source are projected once, those
    of the target as they are written. The model's mode stays as it was.
    """
    # Begin as in step 5.4.
    trg = torch.full((len(src), 1), bos_idx, dtype=torch.int64, device=src.device)
    ended = torch.zeros(len(src), dtype=torch.bool, device=src.device)
    embedding, layers = model.decoder.embedding, model.decoder.layers
    # Encode the source; keep its keys and values for each layer, and an empty cache. While a
    # row goes on and there is room: embed the newest token at its position, take it through
    # the layers, and append the best next token as in step 5.4.
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
