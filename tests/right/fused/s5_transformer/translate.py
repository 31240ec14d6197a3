import torch

from s5_transformer.decoding import greedy_decode


def translate(model, text, source_vocab, target_vocab, max_len=64):
    """Ends are counted, and what stands before the first is kept, still as a tensor."""
    src = torch.tensor(source_vocab.encode(text)).unsqueeze(0).to(next(model.parameters()).device)
    bos, eos = target_vocab.bos_idx, target_vocab.eos_idx
    words = greedy_decode(model, src, bos, eos, max_len)[0, 1:]
    return target_vocab.decode(words[(words == eos).cumsum(dim=0) == 0].tolist())
