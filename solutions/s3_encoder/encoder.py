"""The encoder: an embedding and a stack of encoder layers (paper, section 3.1).

Lesson: README.md, "3.2 Encoder"        Check: python run_step.py 3.2
"""

from torch import Tensor, nn

from s1_embedding.transformer_embedding import TransformerEmbedding
from s3_encoder.encoder_layer import EncoderLayer


class Encoder(nn.Module):
    """Embed the source, then pass it through num_layer layers.

    There is no norm after the stack, because its last layer ends in one.
    """

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
        # Make `embedding`, your layer of step 1.3.
        self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)
        # Make `layers`, num_layer different encoder layers that PyTorch knows about.
        self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )

    def forward(self, src: Tensor, src_mask: Tensor | None = None) -> Tensor:
        """(batch_size, src_len) token ids -> (batch_size, src_len, dim_vector)."""
        # Embed the tokens, then pass them through the layers. Each layer gets the mask.
        x = self.embedding(src)
        for layer in self.layers:
            x = layer(x, src_mask)
        return x
