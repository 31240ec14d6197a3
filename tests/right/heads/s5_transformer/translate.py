from itertools import takewhile

import torch

from s5_transformer.decoding import beam_search


def translate(model, text, source_vocab, target_vocab, max_len=64):
    """By a beam of one hypothesis, which is greedy."""
    device = next(iter(model.parameters())).device
    src = torch.LongTensor(source_vocab.encode(text)).to(device)[None]
    eos = target_vocab.eos_idx
    _, *tokens = beam_search(model, src, target_vocab.bos_idx, eos, max_len, beam_size=1)[0]
    return target_vocab.decode(list(takewhile(lambda token: token != eos, map(int, tokens))))
