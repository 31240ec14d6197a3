from torch import Tensor, nn

from s3_encoder.encoder import Encoder
from s4_decoder.decoder import Decoder
from s5_transformer.masks import get_src_mask, get_trg_mask


class Transformer(nn.Module):
    """The two halves live in a ModuleDict, the writer before the reader."""

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
        self.src_pad_idx = src_pad_idx
        self.trg_pad_idx = trg_pad_idx
        shape = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)
        self.halves = nn.ModuleDict(
            {
                "writer": Decoder(decoder_vocab_size, *shape, padding_idx=trg_pad_idx),
                "reader": Encoder(encoder_vocab_size, *shape, padding_idx=src_pad_idx),
            }
        )

    def encode(self, src: Tensor) -> tuple[Tensor, Tensor]:
        mask = get_src_mask(src, self.src_pad_idx)
        return self.halves["reader"](src, mask), mask

    def decode(self, trg: Tensor, memory: Tensor, src_mask: Tensor) -> Tensor:
        trg_mask = get_trg_mask(trg, self.trg_pad_idx)
        return self.halves["writer"](trg, memory, trg_mask, src_mask)

    def forward(self, src: Tensor, trg: Tensor) -> Tensor:
        return self.decode(trg, *self.encode(src))
