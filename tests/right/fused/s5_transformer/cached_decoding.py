import torch
from torch import Tensor, nn

from s2_attention.calculate_attention import calculate_attention


class Memory:
    """The keys and values of one attention, (2, batch_size, n_head, length, dim_split)."""

    def __init__(self, attention: nn.Module):
        self.attention, self.kept = attention, None
        self.weights = attention.to_qkv.weight.chunk(3)
        self.biases = attention.to_qkv.bias.chunk(3)

    def project(self, x: Tensor, part: int) -> Tensor:
        out = torch.einsum("bld,ed->ble", x, self.weights[part]) + self.biases[part]
        return out.unflatten(-1, (self.attention.heads, -1)).transpose(1, 2)

    def learn(self, x: Tensor) -> None:
        new = torch.stack([self.project(x, 1), self.project(x, 2)])
        self.kept = new if self.kept is None else torch.cat([self.kept, new], dim=3)

    def answer(self, x: Tensor, mask: Tensor) -> Tensor:
        mixed, _ = calculate_attention(self.project(x, 0), *self.kept, mask)
        return self.attention.to_out(mixed.transpose(1, 2).flatten(2))


@torch.inference_mode()
def cached_decode(
    model: nn.Module, src: Tensor, bos_idx: int, eos_idx: int, max_len: int
) -> Tensor:
    modes = {part: part.training for part in model.modules()}
    model.eval()
    writer = model.halves["writer"]
    blocks = [writer.get_submodule(name) for name in writer.names]
    read, src_mask = model.encode(src)
    own = [Memory(block.self_mixer) for block in blocks]
    across = [Memory(block.cross_mixer) for block in blocks]
    for memory in across:
        memory.learn(read)
    trg = torch.full((len(src), 1), bos_idx, device=src.device)
    ended = trg[:, 0] != bos_idx
    while trg.shape[1] < max_len and not bool(ended.all()):
        shown = (trg != model.trg_pad_idx)[:, None, None, :]
        x = writer.embed.what(trg[:, -1:]) + writer.embed.where(trg)[-1:]
        for block, mine, theirs in zip(blocks, own, across, strict=True):
            mine.learn(x)
            x = block.after_self(x, mine.answer(x, shown))
            x = block.after_cross(x, theirs.answer(x, src_mask))
            x = block.after_thinker(x, block.thinker(x))
        best = writer.to_logits(x).squeeze(1).max(dim=-1).indices
        best = best.masked_fill(ended, model.trg_pad_idx)
        trg = torch.cat([trg, best[:, None]], dim=1)
        ended = ended | best.eq(eos_idx)
    for part, mode in modes.items():
        part.training = mode
    return trg.clone()
