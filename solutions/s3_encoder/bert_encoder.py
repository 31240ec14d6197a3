"""BERT's encoder, which real weights fit into (Devlin et al. 2019; not in the paper).

Lesson: README.md, "3.4 ★ BERT encoder"        Check: python run_step.py 3.4
"""

import torch
from torch import Tensor, nn

from s2_attention.layer_norm import LayerNorm
from s3_encoder.encoder_layer import EncoderLayer


class BertEncoder(nn.Module):
    """Your layers of step 3.1 (post-norm) with a GELU for the ReLU, and three tables that learn.

        x = norm(token_embedding + position_embedding + segment_embedding)

    Positions count from 0. The GELU is exact: x * P(a standard normal number is below x).
    All norms have the same eps. Nothing is dropped, not even in train mode.
    """

    def __init__(
        self,
        vocab_size: int,
        dim_vector: int,
        n_head: int,
        dim_hidden: int,
        num_layer: int,
        max_len: int,
        num_segment: int = 2,
        eps: float = 1e-12,
    ):
        super().__init__()
        # Make the three tables: `token_embedding`, `position_embedding`, `segment_embedding`.
        self.token_embedding = nn.Embedding(vocab_size, dim_vector)
        self.position_embedding = nn.Embedding(max_len, dim_vector)
        self.segment_embedding = nn.Embedding(num_segment, dim_vector)
        # Make `norm`, for their sum, and `layers`, your layers of step 3.1 without dropout.
        self.norm = LayerNorm(dim_vector, eps)
        self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout=0.0) for _ in range(num_layer)
        )
        # In each layer, put a GELU in the place of the ReLU, and give both norms this eps.
        for layer in self.layers:
            layer.feed_forward.relu = nn.GELU()
            layer.add_norm1.layer_norm.eps = eps
            layer.add_norm2.layer_norm.eps = eps

    def forward(
        self, tokens: Tensor, segments: Tensor | None = None, mask: Tensor | None = None
    ) -> Tensor:
        """tokens (batch_size, length) -> (batch_size, length, dim_vector).

        segments (batch_size, length): without it, all are 0. mask (batch_size, length): 1 or True
        for a real token, 0 or False for padding. Raises ValueError if length is above max_len.
        """
        # Refuse a text that is longer than the table of positions. Name both lengths.
        length, max_len = tokens.size(1), self.position_embedding.num_embeddings
        if length > max_len:
            raise ValueError(f"{length} tokens do not fit into max_len {max_len}")
        # Add a row of each table for each token (segment 0 if none is given), and normalise.
        if segments is None:
            segments = torch.zeros_like(tokens)
        x = self.token_embedding(tokens) + self.segment_embedding(segments)
        x = self.norm(x + self.position_embedding.weight[:length])
        # Bring the mask to (batch_size, 1, 1, length). Pass it and x through the layers.
        if mask is not None:
            mask = mask[:, None, None]
        for layer in self.layers:
            x = layer(x, mask)
        return x


def sentence_vectors(out: Tensor, mask: Tensor) -> Tensor:
    """out (batch_size, length, dim_vector), mask (batch_size, length) -> (batch_size, dim_vector).

    Each vector has norm 1 and points where the mean of the real tokens' vectors points (and their
    sum, too). Then the product of two of them is the cosine of the angle between them.
    """
    # Add up the vectors of the real tokens, and divide each sum by its norm.
    total = (out * mask[..., None]).sum(dim=1)
    return total / total.norm(dim=-1, keepdim=True)
