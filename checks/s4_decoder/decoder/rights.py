"""Right in another dress: s4_decoder/decoder.py."""

from checks.engine.known import Right

LIST_COMPREHENSION = Right(
    "The layers are collected in a list first, under another name.",
    {
        """\
        self.layers = nn.ModuleList(
            DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
""": """\
        blocks = [DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)]
        self.blocks = nn.ModuleList(blocks)
""",
        """\
        for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)
        # Return the scores.
        return self.linear(x)
""": """\
        for n in range(len(self.blocks)):
            x = self.blocks[n](x, encoder_output, trg_mask, src_mask)
        return self.linear(x)
""",
    },
)
APPEND_IN_A_LOOP = Right(
    "The layers are appended to an empty ModuleList one by one.",
    {
        """\
        self.layers = nn.ModuleList(
            DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
""": """\
        self.layers = nn.ModuleList()
        for _ in range(num_layer):
            self.layers.append(DecoderLayer(dim_vector, n_head, dim_hidden, dropout))
"""
    },
)
NUMBERED_ATTRIBUTES = Right(
    "The layers are attributes with a number in their names.",
    {
        """\
        self.layers = nn.ModuleList(
            DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
""": """\
        self.num_layer = num_layer
        for n in range(num_layer):
            self.add_module(f"layer_{n}", DecoderLayer(dim_vector, n_head, dim_hidden, dropout))
""",
        """\
        for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)
        # Return the scores.
        return self.linear(x)
""": """\
        for n in range(self.num_layer):
            x = getattr(self, f"layer_{n}")(x, encoder_output, trg_mask, src_mask)
        return self.linear(x)
""",
    },
)
MODULE_DICT = Right(
    "The layers are kept in a dictionary under their numbers, counted from 1.",
    {
        """\
        self.layers = nn.ModuleList(
            DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
""": """\
        self.layers = nn.ModuleDict(
            {str(n): DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for n in range(1, num_layer + 1)}
        )
""",
        """\
        for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)
        # Return the scores.
        return self.linear(x)
""": """\
        for layer in self.layers.values():
            x = layer(x, encoder_output, trg_mask, src_mask)
        return self.linear(x)
""",
    },
)
DEEP_COPIES = Right(
    "One layer is made and copied deeply, so each copy has parameters of its own.",
    {
        "from torch import Tensor, nn\n": """\
from copy import deepcopy

from torch import Tensor, nn
""",
        """\
        self.layers = nn.ModuleList(
            DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
""": """\
        layer = DecoderLayer(dim_vector, n_head, dim_hidden, dropout)
        self.layers = nn.ModuleList([deepcopy(layer) for _ in range(num_layer)])
""",
    },
)
REDUCE = Right(
    "functools.reduce hands x through the layers.",
    {
        "from torch import Tensor, nn\n": """\
from functools import reduce

from torch import Tensor, nn
""",
        """\
        for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)
        # Return the scores.
        return self.linear(x)
""": """\
        x = reduce(lambda x, layer: layer(x, encoder_output, trg_mask, src_mask), self.layers, x)
        return self.linear(x)
""",
    },
)
LAYERS_BEFORE_EMBEDDING = Right(
    "The layers are made before the embedding, with arguments by name.",
    {
        """\
        self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)
""": "        # (made below)\n",
        """\
        self.layers = nn.ModuleList(
            DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
""": """\
        self.layers = nn.ModuleList(
            DecoderLayer(n_head=n_head, dim_vector=dim_vector, dropout=dropout, dim_hidden=dim_hidden) for _ in range(num_layer)
        )

        self.embedding = TransformerEmbedding(
            vocab_size=vocab_size,
            dim_vector=dim_vector,
            padding_idx=padding_idx,
            dropout=dropout,
            max_len=max_len,
        )
""",
    },
)
EMBEDDING_IN_PARTS = Right(
    "Token table, positions and dropout are members of this class.",
    {
        "from s1_embedding.transformer_embedding import TransformerEmbedding\n": """\
from s1_embedding.positional_embedding import PositionalEmbedding
from s1_embedding.token_embedding import TokenEmbedding
""",
        """\
        self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)
""": """\
        self.tokens = TokenEmbedding(vocab_size, dim_vector, padding_idx)
        self.positions = PositionalEmbedding(dim_vector, max_len)
        self.dropout = nn.Dropout(dropout)
""",
        "        x = self.embedding(trg)\n": """\
        x = self.dropout(self.tokens(trg) + self.positions(trg))
""",
    },
)
DROPOUT_OUTSIDE = Right(
    "The embedding drops nothing itself; its dropout stands here.",
    {
        """\
        self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)
""": """\
        self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, 0.0, padding_idx)
        self.dropout = nn.Dropout(dropout)
""",
        "        x = self.embedding(trg)\n": """\
        x = self.dropout(self.embedding(trg))
""",
    },
)
PADDING_NOT_HANDED_DOWN = Right(
    "padding_idx is taken but not handed down: the masks hide padding anyway.",
    {
        """\
        self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)
""": """\
        self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout)
        self.padding_idx = padding_idx
"""
    },
)
XAVIER = Right(
    "Every matrix starts with other random values.",
    {
        """\
        self.layers = nn.ModuleList(
            DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
""": """\
        self.layers = nn.ModuleList(
            DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
        for parameter in self.layers.parameters():
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)
"""
    },
)
RECURSION = Right(
    "A method hands x to the first layer and calls itself with the rest.",
    {
        """\
        for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)
        # Return the scores.
        return self.linear(x)
""": """\
        x = self.through(list(self.layers), x, encoder_output, trg_mask, src_mask)
        return self.linear(x)

    def through(self, layers: list[nn.Module], x: Tensor, *others: Tensor | None) -> Tensor:
        if not layers:
            return x
        first, *rest = layers
        return self.through(rest, first(x, *others), *others)
"""
    },
)
CHECKPOINTED = Right(
    "In training each layer is computed again on the way back, which saves memory and changes "
    "no number.",
    {
        "from torch import Tensor, nn\n": """\
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint
""",
        """\
        for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)
        # Return the scores.
        return self.linear(x)
""": """\
        for layer in self.layers:
            if self.training:
                x = checkpoint(layer, x, encoder_output, trg_mask, src_mask, use_reentrant=False)
            else:
                x = layer(x, encoder_output, trg_mask, src_mask)
        return self.linear(x)
""",
    },
)
OTHER_NAMES = Right(
    "The parts are called embed, blocks and generator, and the generator is made first.",
    {
        """\
        self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)
""": """\
        self.generator = nn.Linear(dim_vector, vocab_size)
        self.embed = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)
""",
        """\
        self.layers = nn.ModuleList(
            DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
""": """\
        self.blocks = nn.ModuleList(
            DecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
""",
        """\
        # Make `linear`, one score for each word of the vocabulary.
        self.linear = nn.Linear(dim_vector, vocab_size)
""": "\n",
        "        x = self.embedding(trg)\n": "        x = self.embed(trg)\n",
        "        for layer in self.layers:": "        for layer in self.blocks:",
        "        return self.linear(x)\n": "        return self.generator(x)\n",
    },
)
GENERATOR_CLASS = Right(
    "The last layer is wrapped in a class of its own, without a softmax.",
    {
        "class Decoder(nn.Module):": """\
class Generator(nn.Module):
    def __init__(self, dim_vector: int, vocab_size: int):
        super().__init__()
        self.proj = nn.Linear(dim_vector, vocab_size)

    def forward(self, x: Tensor) -> Tensor:
        return self.proj(x)


class Decoder(nn.Module):""",
        "        self.linear = nn.Linear(dim_vector, vocab_size)\n": """\
        self.generator = Generator(dim_vector, vocab_size)
""",
        "        return self.linear(x)\n": "        return self.generator(x)\n",
    },
)
BARE_OUTPUT = Right(
    "The last layer is a bare matrix, one row of it for each word, and a bias.",
    {
        "from torch import Tensor, nn\n": """\
import torch
import torch.nn.functional as F
from torch import Tensor, nn
""",
        "        self.linear = nn.Linear(dim_vector, vocab_size)\n": """\
        self.output = nn.Parameter(torch.randn(vocab_size, dim_vector) * dim_vector**-0.5)
        self.output_bias = nn.Parameter(torch.zeros(vocab_size))
""",
        "        return self.linear(x)\n": """\
        return F.linear(x, self.output, self.output_bias)
""",
    },
)
BARE_OUTPUT_TURNED = Right(
    "The last layer is a bare matrix with one column for each word, and a bias.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "        self.linear = nn.Linear(dim_vector, vocab_size)\n": """\
        self.to_words = nn.Parameter(torch.randn(dim_vector, vocab_size) * dim_vector**-0.5)
        self.to_words_bias = nn.Parameter(torch.zeros(vocab_size))
""",
        "        return self.linear(x)\n": """\
        return torch.addmm(self.to_words_bias, x.flatten(0, 1), self.to_words).unflatten(0, x.shape[:2])
""",
    },
)
OUTPUT_AS_CONVOLUTION = Right(
    "The last layer is a convolution of width one over the tokens.",
    {
        "        self.linear = nn.Linear(dim_vector, vocab_size)\n": """\
        self.linear = nn.Conv1d(dim_vector, vocab_size, kernel_size=1)
""",
        "        return self.linear(x)\n": """\
        return self.linear(x.transpose(1, 2)).transpose(1, 2)
""",
    },
)
