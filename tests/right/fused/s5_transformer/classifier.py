import torch
from torch import Tensor, nn

from s3_encoder.encoder import Encoder
from s5_transformer.masks import get_src_mask


class TextClassifier(nn.Module):
    """Both parts live in a ModuleDict, and one product takes all means."""

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
        shape = (vocab_size, dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)
        self.parts = nn.ModuleDict(
            {
                "head": nn.Linear(dim_vector, num_class),
                "reader": Encoder(*shape, padding_idx=pad_idx),
            }
        )

    def forward(self, tokens: Tensor) -> Tensor:
        mask = get_src_mask(tokens, self.pad_idx)
        x = self.parts["reader"](tokens, mask)
        weights = mask[:, 0].to(x.dtype)
        count = weights.sum(dim=-1, keepdim=True)
        if (count == 0).any():
            raise ValueError(f"no token in row {int(count.flatten().argmin())}")
        return self.parts["head"](torch.bmm(weights / count, x).squeeze(1))
