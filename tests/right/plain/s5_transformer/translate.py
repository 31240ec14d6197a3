import torch

from s5_transformer.decoding import greedy_decode


def translate(model, text, source_vocab, target_vocab, max_len=64):
    for parameter in model.parameters():
        device = parameter.device
    ids = source_vocab.encode(text)
    src = torch.zeros(1, len(ids), dtype=torch.long, device=device)
    for i in range(len(ids)):
        src[0, i] = ids[i]
    trg = greedy_decode(model, src, target_vocab.bos_idx, target_vocab.eos_idx, max_len)
    words = []
    for i in range(1, trg.size(1)):
        token = int(trg[0, i])
        if token == target_vocab.eos_idx:
            break
        words.append(token)
    return target_vocab.decode(words)
