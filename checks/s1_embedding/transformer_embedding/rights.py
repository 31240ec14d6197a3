"""Right in another dress: s1_embedding/transformer_embedding.py."""

from checks.engine.known import Right

FUNCTIONAL_DROPOUT = Right(
    "F.dropout gets the mode of the layer; the probability is a plain number.",
    {
        "from torch import Tensor, nn\n": """\
import torch.nn.functional as F
from torch import Tensor, nn
""",
        "        self.dropout = nn.Dropout(dropout)\n": "        self.dropout = dropout\n",
        "        return self.dropout(self.token_embedding(x) + self.positional_embedding(x))\n": """\
        x = self.token_embedding(x) + self.positional_embedding(x)
        return F.dropout(x, p=self.dropout, training=self.training)
""",
    },
)
IN_PLACE_ADD = Right(
    "The positions are added in place to the fresh vectors of the tokens, and the dropout "
    "works in place too.",
    {
        "        self.dropout = nn.Dropout(dropout)\n": """\
        self.dropout = nn.Dropout(dropout, inplace=True)
""",
        "        return self.dropout(self.token_embedding(x) + self.positional_embedding(x))\n": """\
        out = self.token_embedding(x)
        out += self.positional_embedding(x)
        return self.dropout(out)
""",
    },
)
OWN_DROPOUT = Right(
    "The dropout is written out: a random mask, and what is kept is divided by 1 - dropout.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "        self.dropout = nn.Dropout(dropout)\n": "        self.rate = dropout\n",
        "        return self.dropout(self.token_embedding(x) + self.positional_embedding(x))\n": """\
        out = self.token_embedding(x) + self.positional_embedding(x)
        if not self.training or self.rate == 0:
            return out
        kept = torch.rand_like(out) >= self.rate
        return out * kept / (1 - self.rate)
""",
    },
)
BERNOULLI = Right(
    "The kept numbers are drawn as a tensor of zeros and ones and scaled in place.",
    {
        "        self.dropout = nn.Dropout(dropout)\n": ("        self.keep = 1.0 - dropout\n"),
        "        return self.dropout(self.token_embedding(x) + self.positional_embedding(x))\n": """\
        summed = self.token_embedding(x).add(self.positional_embedding(x))
        if self.training:
            summed = summed * summed.new_empty(summed.shape).bernoulli_(self.keep).div_(self.keep)
        return summed
""",
    },
)
LIST_OF_EMBEDDINGS = Right(
    "The two embeddings stand in a list of modules and are summed by sum().",
    {
        """\
        self.token_embedding = TokenEmbedding(vocab_size, dim_vector, padding_idx)
        self.positional_embedding = PositionalEmbedding(dim_vector, max_len)
""": """\
        self.embeddings = nn.ModuleList(
            [TokenEmbedding(vocab_size, dim_vector, padding_idx), PositionalEmbedding(dim_vector, max_len)]
        )
""",
        "        return self.dropout(self.token_embedding(x) + self.positional_embedding(x))\n": """\
        return self.dropout(sum(embedding(x) for embedding in self.embeddings))
""",
    },
)
POSITION_FIRST = Right(
    "The positions come first and get the axis of the batch by hand.",
    {
        "        return self.dropout(self.token_embedding(x) + self.positional_embedding(x))\n": """\
        positions = self.positional_embedding(x).unsqueeze(0).expand(x.size(0), -1, -1)
        return self.dropout(positions + self.token_embedding(x))
"""
    },
)
INHERITS_THE_TOKENS = Right(
    "The class extends TokenEmbedding and adds the positions to what that returns.",
    {
        "class TransformerEmbedding(nn.Module):": """\
class TransformerEmbedding(TokenEmbedding):""",
        """\
        super().__init__()
        # Make `token_embedding` and `positional_embedding`, your layers of steps 1.1 and 1.2.
        self.token_embedding = TokenEmbedding(vocab_size, dim_vector, padding_idx)
""": "        super().__init__(vocab_size, dim_vector, padding_idx)\n",
        "        return self.dropout(self.token_embedding(x) + self.positional_embedding(x))\n": """\
        return self.dropout(super().forward(x) + self.positional_embedding(x))
""",
    },
)
TORCH_EMBEDDING = Right(
    "The tokens are looked up in an nn.Embedding of torch; the name says so.",
    {
        "from s1_embedding.token_embedding import TokenEmbedding\n": "\n",
        "        self.token_embedding = TokenEmbedding(vocab_size, dim_vector, padding_idx)\n": """\
        self.words = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)
""",
        "        return self.dropout(self.token_embedding(x) + self.positional_embedding(x))\n": """\
        return self.dropout(self.words(x) + self.positional_embedding(x))
""",
    },
)
MAYBE_NO_DROPOUT = Right(
    "If nothing is to be dropped, the layer is an identity.",
    {
        "        self.dropout = nn.Dropout(dropout)\n": """\
        self.dropout = nn.Dropout(p=dropout) if dropout > 0 else nn.Identity()
"""
    },
)
SENTENCE_BY_SENTENCE = Right(
    "The positions are fetched once and added to each sentence in a loop.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "        return self.dropout(self.token_embedding(x) + self.positional_embedding(x))\n": """\
        positions = self.positional_embedding(x)
        sentences = [vectors + positions for vectors in self.token_embedding(x)]
        return self.dropout(torch.stack(sentences))
""",
    },
)
CONFIG = Right(
    "The sizes are bundled in a dataclass and the layers made from it by name.",
    {
        "from torch import Tensor, nn\n": """\
from dataclasses import dataclass

from torch import Tensor, nn
""",
        "class TransformerEmbedding(nn.Module):": """\
@dataclass(frozen=True)
class Sizes:
    vocab_size: int
    dim_vector: int
    max_len: int
    padding_idx: int | None


class TransformerEmbedding(nn.Module):""",
        """\
        self.token_embedding = TokenEmbedding(vocab_size, dim_vector, padding_idx)
        self.positional_embedding = PositionalEmbedding(dim_vector, max_len)
""": """\
        sizes = self.sizes = Sizes(vocab_size, dim_vector, max_len, padding_idx)
        self.token_embedding = TokenEmbedding(
            padding_idx=sizes.padding_idx, vocab_size=sizes.vocab_size, dim_vector=sizes.dim_vector
        )
        self.positional_embedding = PositionalEmbedding(
            max_len=sizes.max_len, dim_vector=sizes.dim_vector
        )
""",
    },
)
ADD_MODULE = Right(
    "The layers are registered by calls of add_module under other names.",
    {
        """\
        # Make `token_embedding` and `positional_embedding`, your layers of steps 1.1 and 1.2.
        self.token_embedding = TokenEmbedding(vocab_size, dim_vector, padding_idx)
        self.positional_embedding = PositionalEmbedding(dim_vector, max_len)
        # Make `dropout`, which drops each entry with probability `dropout` in training.
        self.dropout = nn.Dropout(dropout)
""": """\
        self.add_module("position", PositionalEmbedding(dim_vector, max_len))
        self.add_module("token", TokenEmbedding(vocab_size, dim_vector, padding_idx))
        self.add_module("drop", nn.Dropout(dropout))
""",
        "        return self.dropout(self.token_embedding(x) + self.positional_embedding(x))\n": """\
        tokens, positions = self.token(x), self.position(x)
        return self.drop(tokens + positions[None])
""",
    },
)
ZERO_ROW_IN_FORWARD = Right(
    "padding_idx goes to no layer; the token vectors of padding are set to zero in forward.",
    {
        "        self.token_embedding = TokenEmbedding(vocab_size, dim_vector, padding_idx)\n": """\
        self.token_embedding = TokenEmbedding(vocab_size, dim_vector)
        self.padding_idx = padding_idx
""",
        "        return self.dropout(self.token_embedding(x) + self.positional_embedding(x))\n": """\
        tokens = self.token_embedding(x)
        if self.padding_idx is not None:
            tokens = tokens.masked_fill(x.eq(self.padding_idx).unsqueeze(2), 0)
        return self.dropout(tokens + self.positional_embedding(x))
""",
    },
)
