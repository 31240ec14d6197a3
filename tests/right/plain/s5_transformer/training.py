import torch
from torch import nn


def noam_learning_rate(step, dim_vector, warmup_steps):
    if step < 1:
        raise ValueError("step must be at least 1, but is " + str(step))
    arg1 = step ** (-0.5)
    arg2 = step * warmup_steps ** (-1.5)
    return dim_vector ** (-0.5) * min(arg1, arg2)


def sequence_loss(logits, targets, pad_idx, label_smoothing=0.0):
    criterion = nn.CrossEntropyLoss(ignore_index=pad_idx, label_smoothing=label_smoothing)
    output_dim = logits.shape[-1]
    output = logits.contiguous().view(-1, output_dim)
    trg = targets.contiguous().view(-1)
    return criterion(output, trg)


def train_step(model, optimizer, src, trg, label_smoothing=0.0, max_norm=1.0):
    model.train()
    optimizer.zero_grad()
    output = model(src, trg[:, :-1])
    loss = sequence_loss(output, trg[:, 1:], model.trg_pad_idx, label_smoothing)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()
