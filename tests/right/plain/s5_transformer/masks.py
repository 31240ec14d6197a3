import torch


def get_src_mask(src, src_pad_idx):
    return (src != src_pad_idx).unsqueeze(1).unsqueeze(2)


def get_trg_mask(trg, trg_pad_idx):
    trg_len = trg.size(1)
    pad_mask = (trg != trg_pad_idx).unsqueeze(1).unsqueeze(2)
    causal_mask = torch.tril(torch.ones(trg_len, trg_len, device=trg.device)).bool()
    return pad_mask & causal_mask
