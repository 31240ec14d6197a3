"""Multi-head attention (paper, section 3.2.2).

Lesson: README.md, "2.2 Multi-head attention"        Check: python run_step.py 2.2
"""

from torch import Tensor, nn

from s2_attention.calculate_attention import calculate_attention


class MultiHeadAttention(nn.Module):
    """n_head attentions side by side, each on its own dim_split = dim_vector // n_head features.

    After the projections, head h has the features from h * dim_split up to the one before
    (h + 1) * dim_split.
    `attention_weights` keeps the weights of the last call for drawing: (batch_size, n_head, q_len,
    k_len), detached from the gradient. Before the first call it is None.
    The paper's formula has no biases; these projections have them, as most implementations do.

    Raises ValueError if n_head does not divide dim_vector. `nn.MultiheadAttention` is not allowed.
    """

    def __init__(self, dim_vector: int, n_head: int, dropout: float = 0.0):
        super().__init__()
        # Refuse a dim_vector that n_head does not divide. Name both numbers in the error.
        if dim_vector % n_head != 0:
            raise ValueError(f"{n_head} heads cannot share dim_vector {dim_vector} evenly")
        # Keep the number of heads, and None as `attention_weights`.
        self.n_head = n_head
        self.attention_weights: Tensor | None = None
        # Make the projections `w_q`, `w_k` and `w_v`, and `linear`, which mixes the heads.
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
        self.linear = nn.Linear(dim_vector, dim_vector)
        # Make `dropout`, which acts on the attention weights.
        self.dropout = nn.Dropout(dropout)

    def forward(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
        """q (batch_size, q_len, dim_vector), k and v (batch_size, k_len, dim_vector)
        -> (batch_size, q_len, dim_vector). The mask is that of calculate_attention.
        """
        # Project each of the three, then split it into heads.
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
        # Let every head attend, and keep the detached weights.
        out, attention = calculate_attention(q, k, v, mask, self.dropout)
        self.attention_weights = attention.detach()
        # Merge the heads and mix them.
        return self.linear(self.merge(out))

    def split(self, x: Tensor) -> Tensor:
        """(batch_size, length, dim_vector) -> (batch_size, n_head, length, dim_split)."""
        # Cut the features of each token into heads, then put the heads before the tokens.
        batch_size, length, dim_vector = x.shape
        return x.view(batch_size, length, self.n_head, dim_vector // self.n_head).transpose(1, 2)

    def merge(self, x: Tensor) -> Tensor:
        """(batch_size, n_head, length, dim_split) -> (batch_size, length, dim_vector)."""
        # Undo the split: put the tokens before the heads, then join the features.
        return x.transpose(1, 2).flatten(2)
