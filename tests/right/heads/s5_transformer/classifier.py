import torch
from torch import Tensor, nn

from s3_encoder.encoder import Encoder
from s5_transformer.masks import get_src_mask


class TextClassifier(nn.Module):
    """Text by text: the mean of what is left when padding is taken out."""

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
        self.padding = pad_idx
        self.source_side = Encoder(
            vocab_size, dim_vector, max_len, n_head, dim_hidden, num_layer, dropout
        )
        self.scores = nn.Sequential(nn.Linear(dim_vector, num_class))

    def forward(self, tokens: Tensor) -> Tensor:
        found = self.source_side(tokens, get_src_mask(tokens, self.padding))
        means = []
        for row, (ids, vectors) in enumerate(zip(tokens, found)):
            words = vectors[ids != self.padding]
            if len(words) == 0:
                raise ValueError(f"text {row} holds padding only")
            means.append(words.mean(dim=0))
        return self.scores(torch.stack(means))
