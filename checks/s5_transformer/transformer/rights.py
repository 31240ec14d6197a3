"""Right in another dress: s5_transformer/transformer.py."""

from checks.engine.known import Right

BY_KEYWORD = Right(
    "Encoder and decoder are made with all their arguments by name.",
    {
        """\
        sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)
        self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)
        self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
""": """\
        shared = {
            "dim_vector": dim_vector,
            "max_len": max_len,
            "n_head": n_head,
            "dim_hidden": dim_hidden,
            "num_layer": num_layer,
            "dropout": dropout,
        }
        self.encoder = Encoder(vocab_size=encoder_vocab_size, padding_idx=src_pad_idx, **shared)
        self.decoder = Decoder(vocab_size=decoder_vocab_size, padding_idx=trg_pad_idx, **shared)
"""
    },
)
OTHER_NAMES_AND_ORDER = Right(
    "The parts are called dec and enc, and the decoder is made first.",
    {
        """\
        self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)
        self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
""": """\
        self.dec = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
        self.enc = Encoder(encoder_vocab_size, *sizes, src_pad_idx)
""",
        "        return self.encoder(src, src_mask), src_mask\n": """\
        return self.enc(src, src_mask), src_mask
""",
        "        return self.decoder(trg, encoder_output, trg_mask, src_mask)\n": """\
        return self.dec(trg, encoder_output, trg_mask, src_mask)
""",
    },
)
UNPACKED = Right(
    "What encode returns goes straight into decode.",
    {
        """\
        # Encode the source, and decode the target with it.
        encoder_output, src_mask = self.encode(src)
        return self.decode(trg, encoder_output, src_mask)
""": "        return self.decode(trg, *self.encode(src))\n"
    },
)
ALL_IN_FORWARD = Right(
    "forward makes both masks and calls encoder and decoder itself.",
    {
        """\
        # Encode the source, and decode the target with it.
        encoder_output, src_mask = self.encode(src)
        return self.decode(trg, encoder_output, src_mask)
""": """\
        src_mask = get_src_mask(src, self.src_pad_idx)
        trg_mask = get_trg_mask(trg, self.trg_pad_idx)
        encoder_output = self.encoder(src, src_mask)
        return self.decoder(trg, encoder_output, trg_mask=trg_mask, src_mask=src_mask)
"""
    },
)
MASKS_WRITTEN_OUT = Right(
    "Two methods write the masks out, without step 5.1.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "from s5_transformer.masks import get_src_mask, get_trg_mask\n": "\n",
        """\
        src_mask = get_src_mask(src, self.src_pad_idx)
        return self.encoder(src, src_mask), src_mask
""": """\
        src_mask = self.make_src_mask(src)
        return self.encoder(src, src_mask), src_mask
""",
        """\
        trg_mask = get_trg_mask(trg, self.trg_pad_idx)
        return self.decoder(trg, encoder_output, trg_mask, src_mask)
""": """\
        return self.decoder(trg, encoder_output, self.make_trg_mask(trg), src_mask)
""",
        """\
        # Encode the source, and decode the target with it.
        encoder_output, src_mask = self.encode(src)
        return self.decode(trg, encoder_output, src_mask)
""": """\
        # Encode the source, and decode the target with it.
        encoder_output, src_mask = self.encode(src)
        return self.decode(trg, encoder_output, src_mask)

    def make_src_mask(self, src: Tensor) -> Tensor:
        return (src != self.src_pad_idx).unsqueeze(1).unsqueeze(2)

    def make_trg_mask(self, trg: Tensor) -> Tensor:
        position = torch.arange(trg.size(1), device=trg.device)
        past = position[:, None] >= position
        return past & (trg != self.trg_pad_idx)[:, None, None]
""",
    },
)
TRIANGLE_AS_BUFFER = Right(
    "The causal mask for max_len tokens is a buffer, of which each call takes the corner it needs.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "from s5_transformer.masks import get_src_mask, get_trg_mask\n": """\
from s5_transformer.masks import get_src_mask
""",
        """\
        self.src_pad_idx = src_pad_idx
        self.trg_pad_idx = trg_pad_idx
""": """\
        self.src_pad_idx = src_pad_idx
        self.trg_pad_idx = trg_pad_idx

        past = torch.ones(max_len + 1, max_len + 1, dtype=torch.bool).tril()
        self.register_buffer("past", past, persistent=False)
        self.max_len = max_len
""",
        """\
        trg_mask = get_trg_mask(trg, self.trg_pad_idx)
        return self.decoder(trg, encoder_output, trg_mask, src_mask)
""": """\
        length = trg.size(1)
        if length > self.max_len:
            raise ValueError(f"a target of {length} tokens is longer than max_len {self.max_len}")
        trg_mask = get_src_mask(trg, self.trg_pad_idx) & self.past[:length, :length]
        return self.decoder(trg, encoder_output, trg_mask, src_mask)
""",
    },
)
NAMED_TUPLE = Right(
    "encode returns a pair whose members have names.",
    {
        "from torch import Tensor, nn\n": """\
from typing import NamedTuple

from torch import Tensor, nn
""",
        "class Transformer(nn.Module):": """\
class Encoded(NamedTuple):
    encoder_output: Tensor
    src_mask: Tensor


class Transformer(nn.Module):""",
        "        return self.encoder(src, src_mask), src_mask\n": """\
        return Encoded(self.encoder(src, src_mask), src_mask)
""",
    },
)
CONFIG = Right(
    "All arguments are kept in a dataclass, and properties give the two padding indices.",
    {
        "from torch import Tensor, nn\n": """\
from dataclasses import dataclass

from torch import Tensor, nn
""",
        "class Transformer(nn.Module):": """\
@dataclass(frozen=True)
class Config:
    src_pad_idx: int
    trg_pad_idx: int
    sizes: tuple[int, int, int, int, int, float]


class Transformer(nn.Module):""",
        """\
        self.src_pad_idx = src_pad_idx
        self.trg_pad_idx = trg_pad_idx
        # Make `encoder` and `decoder`, each with its own vocabulary and padding.
        sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)
        self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)
        self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
""": """\
        sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)
        self.config = Config(src_pad_idx, trg_pad_idx, sizes)
        self.encoder = Encoder(encoder_vocab_size, *self.config.sizes, padding_idx=src_pad_idx)
        self.decoder = Decoder(decoder_vocab_size, *self.config.sizes, padding_idx=trg_pad_idx)

    @property
    def src_pad_idx(self) -> int:
        return self.config.src_pad_idx

    @property
    def trg_pad_idx(self) -> int:
        return self.config.trg_pad_idx
""",
    },
)
PADDING_NOT_HANDED_DOWN = Right(
    "Neither stack gets its padding token: the masks hide padding anyway.",
    {
        """\
        sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)
        self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)
        self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
""": """\
        sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)
        self.encoder = Encoder(encoder_vocab_size, *sizes)
        self.decoder = Decoder(decoder_vocab_size, *sizes)
"""
    },
)
XAVIER = Right(
    "All matrices start with other random values.",
    {
        """\
        sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)
        self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)
        self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
""": """\
        sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)
        self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)
        self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)

        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)
"""
    },
)
MODULE_DICT = Right(
    "The two stacks are kept in a dictionary.",
    {
        """\
        sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)
        self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)
        self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
""": """\
        sides = {"encoder": (Encoder, encoder_vocab_size, src_pad_idx), "decoder": (Decoder, decoder_vocab_size, trg_pad_idx)}
        self.stacks = nn.ModuleDict()
        for name, (stack, vocab_size, pad) in sides.items():
            self.stacks[name] = stack(
                vocab_size, dim_vector, max_len, n_head, dim_hidden, num_layer, dropout, pad
            )
""",
        "        return self.encoder(src, src_mask), src_mask\n": """\
        return self.stacks["encoder"](src, src_mask), src_mask
""",
        "        return self.decoder(trg, encoder_output, trg_mask, src_mask)\n": """\
        return self.stacks["decoder"](trg, encoder_output, trg_mask, src_mask)
""",
    },
)
LOCAL_IMPORTS = Right(
    "A small helper makes both stacks, and the imports stand where they are used.",
    {
        """\
from s3_encoder.encoder import Encoder
from s4_decoder.decoder import Decoder
from s5_transformer.masks import get_src_mask, get_trg_mask
""": "from s5_transformer.masks import get_src_mask, get_trg_mask\n",
        """\
        sizes = (dim_vector, max_len, n_head, dim_hidden, num_layer, dropout)
        self.encoder = Encoder(encoder_vocab_size, *sizes, src_pad_idx)
        self.decoder = Decoder(decoder_vocab_size, *sizes, trg_pad_idx)
""": """\
        from s3_encoder.encoder import Encoder
        from s4_decoder.decoder import Decoder

        def make(stack: type[nn.Module], vocab_size: int, pad: int) -> nn.Module:
            return stack(
                vocab_size, dim_vector, max_len, n_head, dim_hidden, num_layer, dropout, pad
            )

        self.encoder = make(Encoder, encoder_vocab_size, src_pad_idx)
        self.decoder = make(Decoder, decoder_vocab_size, trg_pad_idx)
""",
    },
)
CHECKS_ITS_INPUT = Right(
    "Sizes are asserted before anything is computed.",
    {
        """\
        # Encode the source, and decode the target with it.
        encoder_output, src_mask = self.encode(src)
        return self.decode(trg, encoder_output, src_mask)
""": """\
        assert src.dim() == trg.dim() == 2, "expected (batch_size, length), twice"
        if src.size(0) != trg.size(0):
            raise ValueError(f"{src.size(0)} sources, but {trg.size(0)} targets")
        encoder_output, src_mask = self.encode(src)
        logits = self.decode(trg, encoder_output, src_mask)
        assert logits.shape[:2] == trg.shape
        return logits
"""
    },
)
