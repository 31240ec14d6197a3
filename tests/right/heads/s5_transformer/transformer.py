from torch import Tensor, nn

from s3_encoder.encoder import Encoder
from s4_decoder.decoder import Decoder
from s5_transformer.masks import get_src_mask, get_trg_mask


class Transformer(nn.Module):
    """The embeddings are not told of the padding: the masks hide it."""

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
        self.src_pad_idx, self.trg_pad_idx = src_pad_idx, trg_pad_idx
        rest = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)
        self.source_side = Encoder(encoder_vocab_size, *rest)
        self.target_side = Decoder(decoder_vocab_size, *rest)

    def forward(self, src: Tensor, trg: Tensor) -> Tensor:
        src_mask = get_src_mask(src, self.src_pad_idx)
        trg_mask = get_trg_mask(trg, self.trg_pad_idx)
        return self.target_side(trg, self.source_side(src, src_mask), trg_mask, src_mask)

    def encode(self, src: Tensor) -> tuple[Tensor, Tensor]:
        src_mask = get_src_mask(src, self.src_pad_idx)
        return self.source_side(src, src_mask), src_mask

    def decode(self, trg: Tensor, encoder_output: Tensor, src_mask: Tensor) -> Tensor:
        trg_mask = get_trg_mask(trg, self.trg_pad_idx)
        return self.target_side(trg, encoder_output, trg_mask, src_mask)
