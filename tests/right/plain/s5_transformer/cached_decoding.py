import torch

from s2_attention.calculate_attention import calculate_attention


def offer(attention, x):
    return attention.to_heads(attention.w_k(x)), attention.to_heads(attention.w_v(x))


def ask(attention, x, keys, values, mask):
    out, _ = calculate_attention(attention.to_heads(attention.w_q(x)), keys, values, mask)
    return attention.linear(attention.from_heads(out))


@torch.no_grad()
def cached_decode(model, src, bos_idx, eos_idx, max_len):
    was_training = model.training
    model.eval()
    trg = torch.full((src.size(0), 1), bos_idx, dtype=torch.long, device=src.device)
    done = torch.zeros(src.size(0), dtype=torch.bool, device=src.device)
    encoder_output, src_mask = model.encode(src)
    source = [offer(layer.cross_attn, encoder_output) for layer in model.dec.stack]
    cache = [None] * len(source)
    while trg.size(1) < max_len and not done.all():
        seen = (trg != model.trg_pad_idx)[:, None, None]
        x = model.dec.emb.token(trg[:, -1:]) + model.dec.emb.position(trg)[-1]
        for i, layer in enumerate(model.dec.stack):
            new = offer(layer.self_attn, x)
            if cache[i] is not None:
                new = [torch.cat(pair, dim=2) for pair in zip(cache[i], new)]
            cache[i] = new
            x = layer.norm_1(x, ask(layer.self_attn, x, *new, seen))
            x = layer.norm_2(x, ask(layer.cross_attn, x, *source[i], src_mask))
            x = layer.norm_3(x, layer.ffn(x))
        token = model.dec.fc_out(x[:, -1]).argmax(dim=-1)
        token[done] = model.trg_pad_idx
        trg = torch.cat([trg, token.unsqueeze(1)], dim=1)
        done = done | (token == eos_idx)
    model.train(was_training)
    return trg
