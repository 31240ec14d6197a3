import torch
from torch import nn


class PositionalEmbedding(nn.Module):
    def __init__(self, dim_vector, max_len):
        super().__init__()
        position = torch.arange(max_len).unsqueeze(1)
        even_columns = torch.arange(0, dim_vector, 2)
        angle = position / 10000 ** (even_columns / dim_vector)

        pe = torch.zeros(max_len, dim_vector)
        pe[:, 0::2] = torch.sin(angle)
        pe[:, 1::2] = torch.cos(angle[:, : dim_vector // 2])
        self.register_buffer("pe", pe)

    def forward(self, x):
        seq_length = x.size(1)
        max_len = self.pe.size(0)
        if seq_length > max_len:
            raise ValueError(f"sequence of length {seq_length} is longer than max_len {max_len}")
        return self.pe[:seq_length]
