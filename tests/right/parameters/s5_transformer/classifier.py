import torch
from torch import Tensor, nn

from s3_encoder.encoder import Encoder


class TextClassifier(nn.Module):
    def __init__(
        self,
        vocab_size: int,
        num_class: int,
        dim_vector: int,
        n_head: int,
        max_len: int,
        dim_hidden: int,
        num_layer: int,
        pad_idx: int = 0,
        dropout: float = 0.1,
    ):
        super().__init__()
        self.pad_idx = pad_idx
        self.encoder = Encoder(
            vocab_size=vocab_size,
            dim_vector=dim_vector,
            max_len=max_len,
            n_head=n_head,
            dim_hidden=dim_hidden,
            num_layer=num_layer,
            dropout=dropout,
            padding_idx=pad_idx,
        )
        self.linear_weight = nn.Parameter(torch.randn(num_class, dim_vector) / dim_vector**0.5)
        self.linear_bias = nn.Parameter(torch.zeros(num_class))

    def forward(self, tokens: Tensor) -> Tensor:
        real = tokens.ne(self.pad_idx)
        count = real.sum(dim=1)
        if torch.any(count == 0):
            raise ValueError(f"some text is empty: {count.tolist()} tokens")
        x = self.encoder(tokens, real[:, None, None, :])
        x = torch.where(real[..., None], x, 0)
        mean = torch.einsum("bld,b->bd", x, 1 / count.to(x.dtype))
        return mean @ self.linear_weight.T + self.linear_bias
