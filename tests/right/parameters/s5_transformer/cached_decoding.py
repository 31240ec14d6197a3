import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def step(
    attention: nn.Module, x: Tensor, keys: Tensor, values: Tensor, mask: Tensor
) -> Tensor:
    q = attention.heads(x @ attention.w_q + attention.b_q)
    score = (q @ keys.mT / math.sqrt(q.shape[-1])).masked_fill(mask == 0, -math.inf)
    out = score.softmax(dim=-1) @ values
    return torch.cat(out.unbind(dim=1), dim=-1) @ attention.w_o + attention.b_o


def keys_of(attention: nn.Module, x: Tensor) -> Tensor:
    return attention.heads(x @ attention.w_k + attention.b_k)


def values_of(attention: nn.Module, x: Tensor) -> Tensor:
    return attention.heads(x @ attention.w_v + attention.b_v)


def cached_decode(
    model: nn.Module, src: Tensor, bos_idx: int, eos_idx: int, max_len: int
) -> Tensor:
    """Keys and values stand in two dictionaries, by the number of their layer."""
    mode, pad, decoder = model.training, model.trg_pad_idx, model.decoder
    layers = [getattr(decoder, f"layer_{i}") for i in range(decoder.num_layer)]
    model.train(False)
    with torch.no_grad():
        memory, src_mask = model.encode(src)
        source = [
            (keys_of(layer.attention_to_source, memory), values_of(layer.attention_to_source, memory))
            for layer in layers
        ]
        keys: dict[int, Tensor] = {}
        values: dict[int, Tensor] = {}
        rows = [src.new_full((len(src),), bos_idx)]
        open_rows = torch.ones_like(rows[0], dtype=torch.bool)
        while len(rows) < max_len and open_rows.any():
            trg = torch.stack(rows, dim=1)
            word = F.one_hot(rows[-1], len(decoder.word_table)).to(decoder.word_table.dtype)
            if decoder.padding_idx is not None:
                word[:, decoder.padding_idx] = 0
            x = (word @ decoder.word_table + decoder.position(trg)[-1])[:, None]
            for i, layer in enumerate(layers):
                own = layer.attention_to_target
                new_keys, new_values = keys_of(own, x), values_of(own, x)
                keys[i] = torch.cat([keys[i], new_keys], 2) if i in keys else new_keys
                values[i] = torch.cat([values[i], new_values], 2) if i in values else new_values
                seen = (trg != pad)[:, None, None]
                x = layer.target_norm(x, step(own, x, keys[i], values[i], seen))
                answer = step(layer.attention_to_source, x, *source[i], src_mask)
                x = layer.source_norm(x, answer)
                x = layer.network_norm(x, layer.network(x))
            token = decoder.scores(x.transpose(1, 2))[..., 0].argmax(dim=1)
            token = torch.where(open_rows, token, torch.full_like(token, pad))
            rows.append(token)
            open_rows = open_rows & (token != eos_idx)
    model.train(mode)
    return torch.stack(rows, dim=1)
