"""Right in another dress: s3_encoder/encoder.py."""

from checks.engine.known import Right

LIST_COMPREHENSION = Right(
    "The layers are collected in a list first, under another name.",
    {
        """\
        self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
""": """\
        blocks = [EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)]
        self.blocks = nn.ModuleList(blocks)
""",
        """\
        for layer in self.layers:
            x = layer(x, src_mask)
        return x
""": """\
        for n in range(len(self.blocks)):
            x = self.blocks[n](x, src_mask)
        return x
""",
    },
)
APPEND_IN_A_LOOP = Right(
    "The layers are appended to an empty ModuleList one by one.",
    {
        """\
        self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
""": """\
        self.layers = nn.ModuleList()
        for _ in range(num_layer):
            self.layers.append(EncoderLayer(dim_vector, n_head, dim_hidden, dropout))
"""
    },
)
NUMBERED_ATTRIBUTES = Right(
    "The layers are attributes with a number in their names.",
    {
        """\
        self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
""": """\
        self.num_layer = num_layer
        for n in range(num_layer):
            self.add_module(f"layer_{n}", EncoderLayer(dim_vector, n_head, dim_hidden, dropout))
""",
        """\
        for layer in self.layers:
            x = layer(x, src_mask)
        return x
""": """\
        for n in range(self.num_layer):
            x = getattr(self, f"layer_{n}")(x, src_mask)
        return x
""",
    },
)
MODULE_DICT = Right(
    "The layers are kept in a dictionary under their numbers, counted from 1.",
    {
        """\
        self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
""": """\
        self.layers = nn.ModuleDict(
            {str(n): EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for n in range(1, num_layer + 1)}
        )
""",
        """\
        for layer in self.layers:
            x = layer(x, src_mask)
        return x
""": """\
        for layer in self.layers.values():
            x = layer(x, src_mask)
        return x
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
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
""": """\
        layer = EncoderLayer(dim_vector, n_head, dim_hidden, dropout)
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
            x = layer(x, src_mask)
        return x
""": """\
        x = reduce(lambda x, layer: layer(x, src_mask), self.layers, x)
        return x
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
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
""": """\
        self.layers = nn.ModuleList(
            EncoderLayer(n_head=n_head, dim_vector=dim_vector, dropout=dropout, dim_hidden=dim_hidden) for _ in range(num_layer)
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
        "        x = self.embedding(src)\n": """\
        x = self.dropout(self.tokens(src) + self.positions(src))
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
        "        x = self.embedding(src)\n": """\
        x = self.dropout(self.embedding(src))
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
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
""": """\
        self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
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
            x = layer(x, src_mask)
        return x
""": """\
        x = self.through(list(self.layers), x, src_mask)
        return x

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
            x = layer(x, src_mask)
        return x
""": """\
        for layer in self.layers:
            if self.training:
                x = checkpoint(layer, x, src_mask, use_reentrant=False)
            else:
                x = layer(x, src_mask)
        return x
""",
    },
)
IS_A_MODULE_LIST = Right(
    "The class is an nn.ModuleList: the embedding first, then the layers.",
    {
        "class Encoder(nn.Module):": "class Encoder(nn.ModuleList):",
        """\
        self.embedding = TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx)
""": """\
        self.append(TransformerEmbedding(vocab_size, dim_vector, max_len, dropout, padding_idx))
""",
        """\
        self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
""": """\
        self.extend(EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer))
""",
        """\
        x = self.embedding(src)
        for layer in self.layers:
            x = layer(x, src_mask)
        return x
""": """\
        embedding, *layers = self
        x = embedding(src)
        for layer in layers:
            x = layer(x, src_mask)
        return x
""",
    },
)
OWN_SEQUENTIAL = Right(
    "An nn.Sequential of our own that hands the mask to every member.",
    {
        "class Encoder(nn.Module):": """\
class Stack(nn.Sequential):
    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        for layer in self:
            x = layer(x, mask)
        return x


class Encoder(nn.Module):""",
        """\
        self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
""": """\
        self.layers = Stack(*(EncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)))
""",
        """\
        for layer in self.layers:
            x = layer(x, src_mask)
        return x
""": "        return self.layers(x, src_mask)\n",
    },
)
ZERO_AT_PADDING = Right(
    "After each layer the vectors at padding are set to 0: nobody reads them.",
    {
        "            x = layer(x, src_mask)\n": """\
            x = layer(x, src_mask)
            if src_mask is not None:
                x = x * (src_mask[:, 0, 0, :, None] != 0)
"""
    },
)
