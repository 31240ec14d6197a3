from torch import nn

from s2_attention.calculate_attention import calculate_attention


class MultiHeadAttention(nn.Module):
    def __init__(self, dim_vector, n_head, dropout=0.0):
        super().__init__()
        if dim_vector % n_head != 0:
            raise ValueError(f"dim_vector {dim_vector} is not divisible by n_head {n_head}")
        self.dim_vector = dim_vector
        self.n_head = n_head
        self.dim_split = dim_vector // n_head
        self.attention_weights = None

        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
        self.linear = nn.Linear(dim_vector, dim_vector)
        self.drop = nn.Dropout(dropout)

    def to_heads(self, x):
        batch_size, length, _ = x.shape
        return x.view(batch_size, length, self.n_head, self.dim_split).permute(0, 2, 1, 3)

    def from_heads(self, x):
        batch_size, _, length, _ = x.shape
        return x.permute(0, 2, 1, 3).contiguous().view(batch_size, length, self.dim_vector)

    def forward(self, q, k, v, mask=None):
        q = self.to_heads(self.w_q(q))
        k = self.to_heads(self.w_k(k))
        v = self.to_heads(self.w_v(v))

        out, attention = calculate_attention(q, k, v, mask, self.drop)
        self.attention_weights = attention.detach()

        return self.linear(self.from_heads(out))
