import torch
from torch import Tensor


def get_src_mask(src: Tensor, src_pad_idx: int) -> Tensor:
    batch_size, src_len = src.shape
    return (src != src_pad_idx).view(batch_size, 1, 1, src_len)


def get_trg_mask(trg: Tensor, trg_pad_idx: int) -> Tensor:
    place = torch.arange(trg.shape[1], device=trg.device)
    not_later = place[None, :] <= place[:, None]
    return get_src_mask(trg, trg_pad_idx) * not_later
