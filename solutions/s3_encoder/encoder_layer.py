"""One layer of the encoder (paper, section 3.1, figure 1 left).

Lesson: README.md, "3.1 Encoder layer"        Check: python run_step.py 3.1
"""

from torch import Tensor, nn

from s2_attention.add_norm import AddNorm
from s2_attention.feed_forward import FeedForward
from s2_attention.multi_head_attention import MultiHeadAttention


class EncoderLayer(nn.Module):
    """Self-attention, then a feed-forward network, each followed by an add and norm of its own.

    `dropout` goes to both AddNorms and to the feed-forward network. The attention weights get
    no dropout, as in the paper (section 5.4). Many implementations apply dropout to them; both are
    accepted.
    """

    def __init__(self, dim_vector: int, n_head: int, dim_hidden: int, dropout: float = 0.1):
        super().__init__()
        # Make `self_attention` and, for its output, `add_norm1`.
        self.self_attention = MultiHeadAttention(dim_vector, n_head)
        self.add_norm1 = AddNorm(dim_vector, dropout)
        # Make `feed_forward` and, for its output, `add_norm2`.
        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)
        self.add_norm2 = AddNorm(dim_vector, dropout)

    def forward(self, x: Tensor, src_mask: Tensor | None = None) -> Tensor:
        """(batch_size, src_len, dim_vector) -> (batch_size, src_len, dim_vector)."""
        # Let each token attend to all tokens that the mask shows. Then add and norm.
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))
        # Pass each token through the feed-forward network. Then add and norm.
        return self.add_norm2(x, self.feed_forward(x))
