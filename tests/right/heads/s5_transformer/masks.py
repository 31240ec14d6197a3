import torch
from torch import Tensor


def get_src_mask(src: Tensor, src_pad_idx: int) -> Tensor:
    return torch.logical_not(src == src_pad_idx).reshape(src.size(0), 1, 1, src.size(1))


def get_trg_mask(trg: Tensor, trg_pad_idx: int) -> Tensor:
    length = trg.size(1)
    real_key = (trg != trg_pad_idx)[:, None, None, :].expand(-1, 1, length, -1)
    # the ones of the diagonal, added up from row to row, fill the lower triangle
    seen = torch.eye(length, dtype=torch.long, device=trg.device).cumsum(dim=0).bool()
    return torch.minimum(real_key, seen)
