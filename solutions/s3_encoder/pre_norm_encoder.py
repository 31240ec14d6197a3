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
        # Make `norm1`, and `self_attention`, which reads the output of `norm1`.
        self.norm1 = LayerNorm(dim_vector)
        self.self_attention = MultiHeadAttention(dim_vector, n_head)
        # Make `norm2` and `feed_forward` in the same way, and `dropout` for both outputs.
        self.norm2 = LayerNorm(dim_vector)
        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, src_mask: Tensor | None = None) -> Tensor:
        """(batch_size, src_len, dim_vector) -> (batch_size, src_len, dim_vector)."""
        # Normalise the tokens and let them attend to each other. Apply dropout, and add x.
        y = self.norm1(x)
        x = x + self.dropout(self.self_attention(y, y, y, src_mask))
        # Do the same with the feed-forward network and its own norm.
        return x + self.dropout(self.feed_forward(self.norm2(x)))


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
        # Make `embedding`, your layer of step 1.3, and `layers`, a stack of the class above.
        self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)
        self.layers = nn.ModuleList(
            PreNormEncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
        # Make `norm`, the closing norm.
        self.norm = LayerNorm(dim_vector)

    def forward(self, src: Tensor, src_mask: Tensor | None = None) -> Tensor:
        """(batch_size, src_len) token ids -> (batch_size, src_len, dim_vector)."""
        # Embed the tokens, pass them and the mask through the layers, and normalise.
        x = self.embedding(src)
        for layer in self.layers:
            x = layer(x, src_mask)
        return self.norm(x)
