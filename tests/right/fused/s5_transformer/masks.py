import torch
from torch import Tensor


def get_src_mask(src: Tensor, src_pad_idx: int) -> Tensor:
    return src.ne(src_pad_idx)[:, None, None, :]


def get_trg_mask(trg: Tensor, trg_pad_idx: int) -> Tensor:
    length = trg.shape[1]
    future = torch.ones(length, length, dtype=torch.bool, device=trg.device).triu(diagonal=1)
    return torch.logical_and(get_src_mask(trg, trg_pad_idx), ~future)
