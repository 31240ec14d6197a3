from torch import Tensor, nn

from s3_encoder.encoder import Encoder
from s4_decoder.decoder import Decoder
from s5_transformer.masks import get_src_mask, get_trg_mask


class Transformer(nn.Module):
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
        sizes = {
            "dim_vector": dim_vector,
            "max_len": max_len,
            "n_head": n_head,
            "dim_hidden": dim_hidden,
            "num_layer": num_layer,
            "dropout": dropout,
        }
        self.encoder = Encoder(encoder_vocab_size, **sizes, padding_idx=src_pad_idx)
        self.decoder = Decoder(decoder_vocab_size, **sizes, padding_idx=trg_pad_idx)

    def encode(self, src: Tensor) -> tuple[Tensor, Tensor]:
        src_mask = get_src_mask(src, self.src_pad_idx)
        return self.encoder(src, src_mask), src_mask

    def decode(self, trg: Tensor, encoder_output: Tensor, src_mask: Tensor) -> Tensor:
        trg_mask = get_trg_mask(trg, self.trg_pad_idx)
        return self.decoder(trg, encoder_output, trg_mask, src_mask)

    def forward(self, src: Tensor, trg: Tensor) -> Tensor:
        encoder_output, src_mask = self.encode(src)
        return self.decode(trg, encoder_output, src_mask)
