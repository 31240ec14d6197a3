import math

import torch


def calculate_attention(q, k, v, mask=None, dropout=None):
    dim_split = q.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(dim_split)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    attention = torch.softmax(scores, dim=-1)
    if dropout is not None:
        attention = dropout(attention)
    return torch.matmul(attention, v), attention
