"""The whole Transformer: encoder, decoder and masks (paper, figure 1).

Lesson: README.md, "5.2 Transformer"        Check: python run_step.py 5.2
"""

from torch import Tensor, nn

from s3_encoder.encoder import Encoder
from s4_decoder.decoder import Decoder
from s5_transformer.masks import get_src_mask, get_trg_mask


class Transformer(nn.Module):
    """Source tokens and the target tokens so far -> a score for every next target token."""

    def __init__(
        self,
        src_pad_idx: int,
        trg_pad_idx: int,
        encoder_vocab_size: int,
        decoder_vocab_size: int,
        dim_vector: int,
        n_head: int,
        max_len: int,
        dim_hidden: int,
        num_layer: int,
        dropout: float = 0.1,
    ):
        super().__init__()
        # TODO: Keep `src_pad_idx` and `trg_pad_idx`.
        # TODO: Make `encoder` and `decoder`, each with its own vocabulary and padding.
        raise NotImplementedError("Transformer.__init__")

    def encode(self, src: Tensor) -> tuple[Tensor, Tensor]:
        """src (batch_size, src_len) -> encoder_output (batch_size, src_len, dim_vector) and
        src_mask, the mask of step 5.1, which `decode` needs.
        """
        # TODO: Make the source mask. Return the encoder's output and the mask.
        raise NotImplementedError("Transformer.encode")

    def decode(self, trg: Tensor, encoder_output: Tensor, src_mask: Tensor) -> Tensor:
        """trg (batch_size, trg_len) -> logits (batch_size, trg_len, decoder_vocab_size)."""
        # TODO: Make the target mask. Return the decoder's scores.
        raise NotImplementedError("Transformer.decode")

    def forward(self, src: Tensor, trg: Tensor) -> Tensor:
        """src (batch_size, src_len), trg (batch_size, trg_len)
        -> logits (batch_size, trg_len, decoder_vocab_size).

        trg is read as it is: shifting it by one token is the work of training.
        """
        # TODO: Encode the source, and decode the target with it.
        raise NotImplementedError("Transformer.forward")
