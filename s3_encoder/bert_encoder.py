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
        # TODO: Make the three tables: `token_embedding`, `position_embedding`, `segment_embedding`.
        # TODO: Make `norm`, for their sum, and `layers`, your layers of step 3.1 without dropout.
        # TODO: In each layer, put a GELU in the place of the ReLU, and give both norms this eps.
        raise NotImplementedError("BertEncoder.__init__")

    def forward(
        self, tokens: Tensor, segments: Tensor | None = None, mask: Tensor | None = None
    ) -> Tensor:
        """tokens (batch_size, length) -> (batch_size, length, dim_vector).

        segments (batch_size, length): without it, all are 0. mask (batch_size, length): 1 or True
        for a real token, 0 or False for padding. Raises ValueError if length is above max_len.
        """
        # TODO: Refuse a text that is longer than the table of positions. Name both lengths.
        # TODO: Add a row of each table for each token (segment 0 if none is given), and normalise.
        # TODO: Bring the mask to (batch_size, 1, 1, length). Pass it and x through the layers.
        raise NotImplementedError("BertEncoder.forward")


def sentence_vectors(out: Tensor, mask: Tensor) -> Tensor:
    """out (batch_size, length, dim_vector), mask (batch_size, length) -> (batch_size, dim_vector).

    Each vector has norm 1 and points where the mean of the real tokens' vectors points (and their
    sum, too). Then the product of two of them is the cosine of the angle between them.
    """
    # TODO: Add up the vectors of the real tokens, and divide each sum by its norm.
    raise NotImplementedError("sentence_vectors")
