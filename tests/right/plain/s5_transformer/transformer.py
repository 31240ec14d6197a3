from torch import nn

from s3_encoder.encoder import Encoder
from s4_decoder.decoder import Decoder
from s5_transformer.masks import get_src_mask, get_trg_mask


class Transformer(nn.Module):
    def __init__(
        self,
        src_pad_idx,
        trg_pad_idx,
        encoder_vocab_size,
        decoder_vocab_size,
        dim_vector,
        n_head,
        max_len,
        dim_hidden,
        num_layer,
        dropout=0.1,
    ):
        super().__init__()
        self.src_pad_idx = src_pad_idx
        self.trg_pad_idx = trg_pad_idx
        self.enc = Encoder(
            vocab_size=encoder_vocab_size,
            dim_vector=dim_vector,
            max_len=max_len,
            n_head=n_head,
            dim_hidden=dim_hidden,
            num_layer=num_layer,
            dropout=dropout,
            padding_idx=src_pad_idx,
        )
        self.dec = Decoder(
            vocab_size=decoder_vocab_size,
            dim_vector=dim_vector,
            max_len=max_len,
            n_head=n_head,
            dim_hidden=dim_hidden,
            num_layer=num_layer,
            dropout=dropout,
            padding_idx=trg_pad_idx,
        )

    def encode(self, src):
        src_mask = get_src_mask(src, self.src_pad_idx)
        return self.enc(src, src_mask), src_mask

    def decode(self, trg, encoder_output, src_mask):
        trg_mask = get_trg_mask(trg, self.trg_pad_idx)
        return self.dec(trg, encoder_output, trg_mask, src_mask)

    def forward(self, src, trg):
        encoder_output, src_mask = self.encode(src)
        return self.decode(trg, encoder_output, src_mask)
