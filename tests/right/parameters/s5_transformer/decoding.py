import torch
from torch import Tensor, nn

from s5_transformer.transformer import Transformer


def greedy_decode(
    model: Transformer, src: Tensor, bos_idx: int, eos_idx: int, max_len: int
) -> Tensor:
    """The whole model is run again for every token; what follows eos is cut off at the end."""
    was_training = model.training
    try:
        model.eval()
        with torch.no_grad():
            trg = torch.tensor([[bos_idx]] * len(src), device=src.device)
            for _ in range(1, max_len):
                token = torch.argmax(model(src, trg)[:, -1, :], dim=1, keepdim=True)
                trg = torch.cat((trg, token), dim=1)
                if all(eos_idx in row[1:] for row in trg.tolist()):
                    break
    finally:
        if was_training:
            model.train()
    after = torch.zeros_like(trg)
    after[:, 2:] = (trg[:, 1:-1] == eos_idx).cumsum(dim=1)
    return torch.where(after > 0, model.trg_pad_idx, trg)


def beam_search(
    model: Transformer,
    src: Tensor,
    bos_idx: int,
    eos_idx: int,
    max_len: int,
    beam_size: int = 4,
    length_penalty: float = 0.6,
) -> Tensor:
    was_training = model.training
    model.train(False)
    with torch.no_grad():
        rows = [
            best_hypothesis(model, row[None], bos_idx, eos_idx, max_len, beam_size, length_penalty)
            for row in src
        ]
    model.train(was_training)
    return nn.utils.rnn.pad_sequence(rows, True, model.trg_pad_idx)


def best_hypothesis(
    model: Transformer,
    src: Tensor,
    bos_idx: int,
    eos_idx: int,
    max_len: int,
    beam_size: int,
    length_penalty: float,
) -> Tensor:
    """The matrix of the live ones is sorted whole; eos is looked for row by row."""
    live, log_p = torch.tensor([[bos_idx]], device=src.device), torch.zeros(1, 1)
    finished: list[Tensor] = []
    scores: list[float] = []
    for n in range(1, max_len):
        logits = model(src.repeat(len(live), 1), live)[:, -1]
        logs = logits - logits.logsumexp(dim=-1, keepdim=True)
        values, order = (log_p.to(logs) + logs).view(-1).sort(descending=True)
        width = beam_size - len(finished)
        rows = torch.div(order[:width], logs.size(1), rounding_mode="floor")
        tokens = order[:width] - rows * logs.size(1)
        longer = torch.cat([live.index_select(0, rows), tokens.unsqueeze(1)], dim=1)
        keep = []
        for place, token in enumerate(tokens.tolist()):
            if token == eos_idx:
                finished.append(longer[place])
                scores.append(values[place].item() / ((5 + n) / 6) ** length_penalty)
            else:
                keep.append(place)
        live, log_p = longer[keep], values[keep].unsqueeze(1)
        if not keep:
            break
    if not finished:
        return live[log_p.argmax()]
    return finished[max(range(len(scores)), key=scores.__getitem__)]
