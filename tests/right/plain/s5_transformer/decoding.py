import torch

from s5_transformer.transformer import Transformer


def greedy_decode(model: Transformer, src, bos_idx, eos_idx, max_len):
    """Row by row, in Python lists."""
    was_training = model.training
    model.eval()
    rows = []
    with torch.no_grad():
        for sentence in src:
            tokens = [bos_idx]
            encoder_output, src_mask = model.encode(sentence.unsqueeze(0))
            while len(tokens) < max_len:
                trg = torch.tensor([tokens], device=src.device)
                logits = model.decode(trg, encoder_output, src_mask)
                tokens.append(int(logits[0, -1].argmax()))
                if tokens[-1] == eos_idx:
                    break
            rows.append(tokens)
    model.train(was_training)
    return as_batch(rows, model.trg_pad_idx, src.device)


def as_batch(rows, pad_idx, device):
    longest = max(len(row) for row in rows)
    return torch.tensor([row + [pad_idx] * (longest - len(row)) for row in rows], device=device)


def beam_search(model, src, bos_idx, eos_idx, max_len, beam_size=4, length_penalty=0.6):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        rows = [
            best_hypothesis(
                model, src[n : n + 1], bos_idx, eos_idx, max_len, beam_size, length_penalty
            )
            for n in range(src.size(0))
        ]
    model.train(was_training)
    return as_batch(rows, model.trg_pad_idx, src.device)


def best_hypothesis(model, src, bos_idx, eos_idx, max_len, beam_size, length_penalty):
    """One hypothesis at a time is scored; all extensions are sorted."""
    encoder_output, src_mask = model.encode(src)
    live, finished = [(0.0, [bos_idx])], []
    for _ in range(max_len - 1):
        extensions = []
        for log_p, tokens in live:
            trg = torch.tensor([tokens], device=src.device)
            logits = model.decode(trg, encoder_output, src_mask)[0, -1]
            for token, log in enumerate(torch.log_softmax(logits, dim=0).tolist()):
                extensions.append((log_p + log, tokens + [token]))
        extensions.sort(key=lambda extension: extension[0], reverse=True)
        kept = extensions[: beam_size - len(finished)]
        finished += [pair for pair in kept if pair[1][-1] == eos_idx]
        live = [pair for pair in kept if pair[1][-1] != eos_idx]
        if not live:
            break

    def score(pair):
        n = len(pair[1]) - 1
        return pair[0] / ((5 + n) / 6) ** length_penalty

    return max(finished if finished else live, key=score)[1]
