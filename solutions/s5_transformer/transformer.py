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
        # Keep `src_pad_idx` and `trg_pad_idx`.
        self.src_pad_idx = src_pad_idx
        self.trg_pad_idx = trg_pad_idx
        # Make `encoder` and `decoder`, each with its own vocabulary and padding.
        sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)
        self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)
        self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)

    def encode(self, src: Tensor) -> tuple[Tensor, Tensor]:
        """src (batch_size, src_len) -> encoder_output (batch_size, src_len, dim_vector) and
        src_mask, the mask of step 5.1, which `decode` needs.
        """
        # Make the source mask. Return the encoder's output and the mask.
        src_mask = get_src_mask(src, self.src_pad_idx)
        return self.encoder(src, src_mask), src_mask

    def decode(self, trg: Tensor, encoder_output: Tensor, src_mask: Tensor) -> Tensor:
        """trg (batch_size, trg_len) -> logits (batch_size, trg_len, decoder_vocab_size)."""
        # Make the target mask. Return the decoder's scores.
        trg_mask = get_trg_mask(trg, self.trg_pad_idx)
        return self.decoder(trg, encoder_output, trg_mask, src_mask)

    def forward(self, src: Tensor, trg: Tensor) -> Tensor:
        """src (batch_size, src_len), trg (batch_size, trg_len)
        -> logits (batch_size, trg_len, decoder_vocab_size).

        trg is read as it is: shifting it by one token is the work of training.
        """
        # Encode the source, and decode the target with it.
        encoder_output, src_mask = self.encode(src)
        return self.decode(trg, encoder_output, src_mask)
