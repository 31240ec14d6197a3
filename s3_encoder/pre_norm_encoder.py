"""The encoder in the other order: norm inside, shortcut around (pre-norm; not in the paper).

Lesson: README.md, "3.3 ★ Pre-norm encoder"        Check: python run_step.py 3.3
"""

from torch import Tensor, nn

from s1_embedding.transformer_embedding import TransformerEmbedding
from s2_attention.feed_forward import FeedForward
from s2_attention.layer_norm import LayerNorm
from s2_attention.multi_head_attention import MultiHeadAttention


class PreNormEncoderLayer(nn.Module):
    """Self-attention, then a feed-forward network, each as x + dropout(sublayer(norm(x)))."""

    def __init__(self, dim_vector: int, n_head: int, dim_hidden: int, dropout: float = 0.1):
        super().__init__()
        # TODO: Make `norm1`, and `self_attention`, which reads the output of `norm1`.
        # TODO: Make `norm2` and `feed_forward` in the same way, and `dropout` for both outputs.
        raise NotImplementedError("PreNormEncoderLayer.__init__")

    def forward(self, x: Tensor, src_mask: Tensor | None = None) -> Tensor:
        """(batch_size, src_len, dim_vector) -> (batch_size, src_len, dim_vector)."""
        # TODO: Normalise the tokens and let them attend to each other. Apply dropout, and add x.
        # TODO: Do the same with the feed-forward network and its own norm.
        raise NotImplementedError("PreNormEncoderLayer.forward")


class PreNormEncoder(nn.Module):
    """Embed the source, pass it through num_layer layers, and normalise once at the very end."""

    def __init__(
        self,
        vocab_size: int,
        dim_vector: int,
        max_len: int,
        n_head: int,
        dim_hidden: int,
        num_layer: int,
        dropout: float = 0.1,
        padding_idx: int | None = None,
    ):
        super().__init__()
        # TODO: Make `embedding`, your layer of step 1.3, and `layers`, a stack of the class above.
        # TODO: Make `norm`, the closing norm.
        raise NotImplementedError("PreNormEncoder.__init__")

    def forward(self, src: Tensor, src_mask: Tensor | None = None) -> Tensor:
        """(batch_size, src_len) token ids -> (batch_size, src_len, dim_vector)."""
        # TODO: Embed the tokens, pass them and the mask through the layers, and normalise.
        raise NotImplementedError("PreNormEncoder.forward")
