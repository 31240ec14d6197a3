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
        # TODO: Make `self_attention` and, for its output, `add_norm1`.
        # TODO: Make `cross_attention` and, for its output, `add_norm2`.
        # TODO: Make `feed_forward` and, for its output, `add_norm3`.
        raise NotImplementedError("DecoderLayer.__init__")

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
        # TODO: Let each target token attend to the target tokens that trg_mask shows. Add and norm.
        # TODO: Let each target token attend to the source tokens that src_mask shows. Add and norm.
        # TODO: Pass each token through the feed-forward network. Add and norm.
        raise NotImplementedError("DecoderLayer.forward")
