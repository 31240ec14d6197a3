"""One layer of the decoder (paper, section 3.1, figure 1 right, and section 3.2.3).

Lesson: README.md, "4.1 Decoder layer"        Check: python run_step.py 4.1
"""

from torch import Tensor, nn

from s2_attention.add_norm import AddNorm
from s2_attention.feed_forward import FeedForward
from s2_attention.multi_head_attention import MultiHeadAttention


class DecoderLayer(nn.Module):
    """Self-attention, cross-attention and a feed-forward network, each with its own AddNorm.

    `dropout` goes to the AddNorms and to the feed-forward network.
    """

    def __init__(self, dim_vector: int, n_head: int, dim_hidden: int, dropout: float = 0.1):
        super().__init__()
        # Make `self_attention` and, for its output, `add_norm1`.
        self.self_attention = MultiHeadAttention(dim_vector, n_head)
        self.add_norm1 = AddNorm(dim_vector, dropout)
        # Make `cross_attention` and, for its output, `add_norm2`.
        self.cross_attention = MultiHeadAttention(dim_vector, n_head)
        self.add_norm2 = AddNorm(dim_vector, dropout)
        # Make `feed_forward` and, for its output, `add_norm3`.
        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)
        self.add_norm3 = AddNorm(dim_vector, dropout)

    def forward(
        self,
        x: Tensor,
        encoder_output: Tensor,
        trg_mask: Tensor | None = None,
        src_mask: Tensor | None = None,
    ) -> Tensor:
        """x (batch_size, trg_len, dim_vector), encoder_output (batch_size, src_len, dim_vector)
        -> (batch_size, trg_len, dim_vector).
        """
        # Let each target token attend to the target tokens that trg_mask shows. Add and norm.
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))
        # Let each target token attend to the source tokens that src_mask shows. Add and norm.
        attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)
        x = self.add_norm2(x, attended)
        # Pass each token through the feed-forward network. Add and norm.
        return self.add_norm3(x, self.feed_forward(x))
