"""Right in another dress: s1_embedding/scaled_embedding.py."""

from checks.engine.known import Right

SUM = "self.token_embedding(x) * self.scale + self.positional_embedding(x)"
ANSWER = f"        return self.dropout({SUM})\n"
SCALE = "        self.scale = math.sqrt(dim_vector)\n"

ROOT_IN_FORWARD = Right(
    "forward takes the square root of the width of the vectors.",
    {
        SCALE: "",
        ANSWER: """\
        words = self.token_embedding(x)
        return self.dropout(words * words.size(-1) ** 0.5 + self.positional_embedding(x))
""",
    },
)
SCALE_IS_A_BUFFER = Right(
    "The scale is a buffer: it moves with the module and is not learned.",
    {
        "import math\n": "import torch",
        SCALE: '        self.register_buffer("scale", torch.tensor(dim_vector).sqrt())\n',
    },
)
SCALE_KEPT_APART = Right(
    "The scale is a buffer that is not saved.",
    {
        "import math\n": "import torch",
        SCALE: """\
        self.register_buffer("scale", torch.tensor(float(dim_vector)).sqrt(), persistent=False)
""",
    },
)
IN_PLACE = Right(
    "The fresh vectors of the tokens are scaled and the positions added in place.",
    {
        ANSWER: """\
        out = self.token_embedding(x)
        out = out.mul(self.scale).add_(self.positional_embedding(x))
        return self.dropout(out)
"""
    },
)
ADD_WITH_ALPHA = Right(
    "One call adds the words, times alpha, to the positions.",
    {
        ANSWER: """\
        places = self.positional_embedding(x)
        return self.dropout(torch.add(places, self.token_embedding(x), alpha=self.scale))
""",
        "import math\n": "import math\n\nimport torch",
    },
)
INHERITS = Right(
    "The class extends that of step 1.3 and scales its token embedding.",
    {
        "from s1_embedding.token_embedding import TokenEmbedding\n": """\
from s1_embedding.transformer_embedding import TransformerEmbedding
""",
        "from s1_embedding.positional_embedding import PositionalEmbedding\n": "",
        "class ScaledEmbedding(nn.Module):": "class ScaledEmbedding(TransformerEmbedding):",
        """\
        super().__init__()
        # Make the three layers of step 1.3.
        self.token_embedding = TokenEmbedding(vocab_size, dim_vector, padding_idx)
        self.positional_embedding = PositionalEmbedding(dim_vector, max_len)
        self.dropout = nn.Dropout(dropout)
""": "        super().__init__(vocab_size, dim_vector, max_len, dropout, padding_idx)\n",
    },
)
SCALED_TABLE = Right(
    "A lookup in a scaled copy of the table: the same numbers, for every row is scaled alike.",
    {
        ANSWER: """\
        table = self.token_embedding.embedding
        rows = nn.functional.embedding(x, table.weight * self.scale, table.padding_idx)
        return self.dropout(rows + self.positional_embedding(x))
"""
    },
)
SCALE_IN_A_LAYER = Right(
    "The scaling is a small module of its own, in an nn.Sequential behind the table.",
    {
        "class ScaledEmbedding(nn.Module):": """\
class Scale(nn.Module):
    def __init__(self, factor: float):
        super().__init__()
        self.factor = factor

    def forward(self, x: Tensor) -> Tensor:
        return self.factor * x


class ScaledEmbedding(nn.Module):""",
        "        self.token_embedding = TokenEmbedding(vocab_size, dim_vector, padding_idx)\n": """\
        self.words = nn.Sequential(
            TokenEmbedding(vocab_size, dim_vector, padding_idx), Scale(dim_vector**0.5)
        )
""",
        SCALE: "",
        SUM: "self.words(x) + self.positional_embedding(x)",
    },
)
FUNCTIONAL_DROPOUT = Right(
    "F.dropout gets the mode of the layer; the probability is a plain number.",
    {
        "        self.dropout = nn.Dropout(dropout)\n": "        self.dropout = dropout\n",
        ANSWER: f"""\
        return nn.functional.dropout({SUM}, self.dropout, self.training)
""",
    },
)
TORCH_EMBEDDING = Right(
    "The tokens are looked up in an nn.Embedding of torch.",
    {
        "from s1_embedding.token_embedding import TokenEmbedding\n": "\n",
        "        self.token_embedding = TokenEmbedding(vocab_size, dim_vector, padding_idx)\n": """\
        self.token_embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)
""",
    },
)
