"""BERT's encoder, which real weights fit into (Devlin et al. 2019; not in the paper).

Lesson: README.md, "3.4 ★ BERT encoder"        Check: python run_step.py 3.4
"""

import torch
from torch import Tensor, nn

from s2_attention.layer_norm import LayerNorm
from s3_encoder.encoder_layer import EncoderLayer


class BertEncoder(nn.Module):
    """Your layers of step 3.1 (post-norm) on another embedding, with a GELU instead of the ReLU.

        x = norm(token_embedding + position_embedding + segment_embedding)

    Each of the three is a table that learns. Positions count from 0. The GELU is the exact one:
    gelu(x) = x * (the probability that a standard normal number is below x).
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

        segments (batch_size, length): the number of each token's segment; without it, all are 0.
        mask (batch_size, length): 1 or True for a real token, 0 or False for padding.
        Raises ValueError if length is more than max_len.
        """
        # TODO: Refuse a text that is longer than the table of positions. Name both lengths.
        # TODO: Without segments, put every token into segment 0.
        # TODO: Add a row of each table for each token, and normalise the sum.
        # TODO: Bring the mask into the shape that your layers take: (batch_size, 1, 1, length).
        # TODO: Pass the vectors through the layers. Each layer gets the mask.
        raise NotImplementedError("BertEncoder.forward")


def sentence_vectors(out: Tensor, mask: Tensor) -> Tensor:
    """One vector of length 1 for each sentence: (batch_size, dim_vector).

    It points where the mean of the real tokens' vectors points (and their sum, too). Then the
    product of two sentence vectors is the cosine of the angle between them.

    out (batch_size, length, dim_vector) comes from the encoder. mask (batch_size, length) is 1 or
    True for real tokens; each sentence has at least one.
    """
    # TODO: Add up the vectors of the real tokens.
    # TODO: Divide each sum by its length.
    raise NotImplementedError("sentence_vectors")
