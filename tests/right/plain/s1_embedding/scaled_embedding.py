from torch import nn

from s1_embedding.positional_embedding import PositionalEmbedding
from s1_embedding.token_embedding import TokenEmbedding


class ScaledEmbedding(nn.Module):
    def __init__(self, vocab_size, dim_vector, max_len, dropout=0.1, padding_idx=None):
        super().__init__()
        self.dim_vector = dim_vector
        self.token = TokenEmbedding(vocab_size, dim_vector, padding_idx)
        self.position = PositionalEmbedding(dim_vector, max_len)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        return self.drop(self.token(x) * self.dim_vector**0.5 + self.position(x))
