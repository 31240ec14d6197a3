import torch.nn.functional as F
from torch import Tensor, nn


class TokenEmbedding(nn.Module):
    """The lookup goes through F.embedding, the layer only holds the table."""

    def __init__(self, vocab_size: int, dim_vector: int, padding_idx: int | None = None):
        super().__init__()
        self.lookup = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)

    def forward(self, ids: Tensor) -> Tensor:
        return F.embedding(ids, self.lookup.weight, padding_idx=self.lookup.padding_idx)
