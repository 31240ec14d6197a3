"""The decoder in the other order: norm inside, shortcut around (pre-norm; not in the paper).

Lesson: README.md, "4.3 ★ Pre-norm decoder"        Check: python run_step.py 4.3
"""

from torch import Tensor, nn

from s1_embedding.transformer_embedding import TransformerEmbedding
from s2_attention.feed_forward import FeedForward
from s2_attention.layer_norm import LayerNorm
from s2_attention.multi_head_attention import MultiHeadAttention

Mask = Tensor | None


class PreNormDecoderLayer(nn.Module):
    """As step 4.1, but each of the three sublayers is x + dropout(sublayer(norm(x)))."""

    def __init__(self, dim_vector: int, n_head: int, dim_hidden: int, dropout: float = 0.1):
        super().__init__()
        # Make `self_attention`, `cross_attention` and `feed_forward`, your layers of stage 2.
        self.self_attention = MultiHeadAttention(dim_vector, n_head)
        self.cross_attention = MultiHeadAttention(dim_vector, n_head)
        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)
        # Make `norm1`, `norm2` and `norm3`, one for the input of each, and `dropout`.
        self.norm1 = LayerNorm(dim_vector)
        self.norm2 = LayerNorm(dim_vector)
        self.norm3 = LayerNorm(dim_vector)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, x: Tensor, encoder_output: Tensor, trg_mask: Mask = None, src_mask: Mask = None
    ) -> Tensor:
        """(batch_size, trg_len, dim_vector), (batch_size, src_len, dim_vector) -> as x."""
        # Normalise the target and let it attend to itself. Apply dropout, and add x.
        y = self.norm1(x)
        x = x + self.dropout(self.self_attention(y, y, y, trg_mask))
        # Normalise the target, and let it attend to the source. Do not normalise the source.
        # Apply dropout, and add x.
        y = self.norm2(x)
        asked = self.cross_attention(y, encoder_output, encoder_output, src_mask)
        x = x + self.dropout(asked)
        # Do the same with the feed-forward network and its own norm.
        return x + self.dropout(self.feed_forward(self.norm3(x)))


class PreNormDecoder(nn.Module):
    """As step 4.2, with one norm between the last layer and the scores."""

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
        # Make `embedding` and `layers`, a stack of the class above.
        self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)
        self.layers = nn.ModuleList(
            PreNormDecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
        # Make `norm`, the closing norm, and `linear`, one score for each word.
        self.norm = LayerNorm(dim_vector)
        self.linear = nn.Linear(dim_vector, vocab_size)

    def forward(
        self, trg: Tensor, encoder_output: Tensor, trg_mask: Mask = None, src_mask: Mask = None
    ) -> Tensor:
        """(batch_size, trg_len) ids, the source's vectors -> (batch_size, trg_len, vocab_size)."""
        # Embed the tokens, pass them through the layers, normalise, and score.
        x = self.embedding(trg)
        for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)
        return self.linear(self.norm(x))
