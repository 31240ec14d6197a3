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
        # TODO: Refuse a dim_vector that n_head does not divide. Name both numbers in the error.
        # TODO: Keep the number of heads, and None as `attention_weights`.
        # TODO: Make the projections `w_q`, `w_k` and `w_v`, and `linear`, which mixes the heads.
        # TODO: Make `dropout`, which acts on the attention weights.
        raise NotImplementedError("MultiHeadAttention.__init__")

    def forward(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
        """q (batch_size, q_len, dim_vector), k and v (batch_size, k_len, dim_vector)
        -> (batch_size, q_len, dim_vector). The mask is that of calculate_attention.
        """
        # TODO: Project each of the three, then split it into heads.
        # TODO: Let every head attend, and keep the detached weights.
        # TODO: Merge the heads and mix them.
        raise NotImplementedError("MultiHeadAttention.forward")

    def split(self, x: Tensor) -> Tensor:
        """(batch_size, length, dim_vector) -> (batch_size, n_head, length, dim_split)."""
        # TODO: Cut the features of each token into heads, then put the heads before the tokens.
        raise NotImplementedError("MultiHeadAttention.split")

    def merge(self, x: Tensor) -> Tensor:
        """(batch_size, n_head, length, dim_split) -> (batch_size, length, dim_vector)."""
        # TODO: Undo the split: put the tokens before the heads, then join the features.
        raise NotImplementedError("MultiHeadAttention.merge")
