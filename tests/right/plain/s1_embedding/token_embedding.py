from torch import nn


class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, dim_vector, padding_idx=None):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)

    def forward(self, x):
        return self.emb(x)
