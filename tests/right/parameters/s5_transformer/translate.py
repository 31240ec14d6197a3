import torch


@torch.no_grad()
def translate(model, text, source_vocab, target_vocab, max_len=64):
    """In a loop of its own, by what encode and decode of the model give."""
    mode = model.training
    model.eval()
    where = next(model.parameters()).device
    src = torch.as_tensor([source_vocab.encode(text)], dtype=torch.long, device=where)
    encoder_output, src_mask = model.encode(src)
    words = []
    while len(words) + 1 < max_len:
        trg = torch.tensor([[target_vocab.bos_idx, *words]], device=where)
        best = model.decode(trg, encoder_output, src_mask)[0, -1].argmax().item()
        if best == target_vocab.eos_idx:
            break
        words.append(best)
    model.train(mode)
    return target_vocab.decode(words)
