import torch
from torch import Tensor, nn

from s2_attention.calculate_attention import calculate_attention


def by_head(projections: nn.ModuleList, x: Tensor) -> Tensor:
    """(batch_size, n_head, length, dim_split)."""
    return torch.stack([project(x) for project in projections], dim=1)


def look(attention: nn.Module, x: Tensor, kept: list[Tensor], mask: Tensor) -> Tensor:
    out, _ = calculate_attention(by_head(attention.query_heads, x), *kept, mask)
    return attention.output(torch.cat(out.unbind(1), dim=-1))


def kept_of(attention: nn.Module, x: Tensor) -> list[Tensor]:
    return [by_head(attention.key_heads, x), by_head(attention.value_heads, x)]


def cached_decode(
    model: nn.Module, src: Tensor, bos_idx: int, eos_idx: int, max_len: int
) -> Tensor:
    training = model.training
    model.eval()
    try:
        with torch.no_grad():
            return write(model, src, bos_idx, eos_idx, max_len)
    finally:
        model.train(training)


def write(model: nn.Module, src: Tensor, bos_idx: int, eos_idx: int, max_len: int) -> Tensor:
    side = model.target_side
    encoder_output, src_mask = model.encode(src)
    caches = [
        (
            kept_of(layer.masked_attention, encoder_output[:, :0]),
            kept_of(layer.source_attention, encoder_output),
        )
        for layer in side.decoder_layers
    ]
    trg = torch.full((src.size(0), max_len), model.trg_pad_idx, device=src.device)
    trg[:, 0] = bos_idx
    going = torch.ones(src.size(0), dtype=torch.bool, device=src.device)
    for n in range(1, max_len):
        if not going.any():
            return trg[:, :n]
        written = trg[:, :n]
        x = side.embeddings.tokens(written[:, -1:]) + side.embeddings.positions(written)[-1]
        for layer, (own, source) in zip(side.decoder_layers, caches, strict=True):
            for at, new in enumerate(kept_of(layer.masked_attention, x)):
                own[at] = torch.cat([own[at], new], dim=2)
            shown = (written != model.trg_pad_idx)[:, None, None, :]
            x = layer.norms[0](x + look(layer.masked_attention, x, own, shown))
            x = layer.norms[1](x + look(layer.source_attention, x, source, src_mask))
            x = layer.norms[2](x + layer.feed_forward(x))
        best = side.word_scores(x)[:, 0].argmax(dim=-1)
        trg[going, n] = best[going]
        going = going & (best != eos_idx)
    return trg
