"""Right in another dress: s1_embedding/token_embedding.py."""

from checks.engine.known import Right

SUBCLASS = Right(
    "The class is an nn.Embedding itself, so there is nothing to wrap.",
    {
        "class TokenEmbedding(nn.Module):": "class TokenEmbedding(nn.Embedding):",
        """\
        super().__init__()
        # Make `embedding`, the layer that holds the table and knows the padding token.
        self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)
""": "        super().__init__(vocab_size, dim_vector, padding_idx=padding_idx)\n",
        "        return self.embedding(x)\n": "        return super().forward(x)\n",
    },
)
FUNCTIONAL_LOOKUP = Right(
    "The table is a bare parameter and F.embedding looks the rows up; it keeps the gradient "
    "from the padding row.",
    {
        "from torch import Tensor, nn\n": """\
import torch
import torch.nn.functional as F
from torch import Tensor, nn
""",
        """\
        self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)
""": """\
        table = torch.randn(vocab_size, dim_vector)
        if padding_idx is not None:
            table[padding_idx] = 0.0
        self.weight = nn.Parameter(table)
        self.padding_idx = padding_idx
""",
        "        return self.embedding(x)\n": """\
        return F.embedding(x, self.weight, padding_idx=self.padding_idx)
""",
    },
)
INDEXING = Right(
    "A bare table is indexed with the ids, and padding is multiplied by zero on the way out.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        """\
        self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)
""": """\
        self.table = nn.Parameter(torch.empty(vocab_size, dim_vector).normal_())
        self.padding_idx = padding_idx
""",
        "        return self.embedding(x)\n": """\
        rows = self.table[x]
        if self.padding_idx is not None:
            rows = rows * (x != self.padding_idx).unsqueeze(-1)
        return rows
""",
    },
)
ONE_HOT = Right(
    "Each id becomes a row of zeros with a single one, and the product with the table picks "
    "the token's row.",
    {
        "from torch import Tensor, nn\n": """\
import torch
import torch.nn.functional as F
from torch import Tensor, nn
""",
        """\
        self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)
""": """\
        self.vocab_size = vocab_size
        self.padding_idx = padding_idx
        self.table = nn.Parameter(torch.randn(vocab_size, dim_vector))
""",
        "        return self.embedding(x)\n": """\
        chosen = F.one_hot(x, self.vocab_size).to(self.table.dtype)
        if self.padding_idx is not None:
            chosen[..., self.padding_idx] = 0
        return torch.einsum("bsv,vd->bsd", chosen, self.table)
""",
    },
)
ONE_HOT_LINEAR = Right(
    "An embedding is a linear layer without a bias that reads one-hot vectors, so its matrix "
    "lies the other way round.",
    {
        "from torch import Tensor, nn\n": """\
import torch.nn.functional as F
from torch import Tensor, nn
""",
        """\
        self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)
""": """\
        self.vocab_size = vocab_size
        self.padding_idx = padding_idx
        self.embedding = nn.Linear(vocab_size, dim_vector, bias=False)
""",
        "        return self.embedding(x)\n": """\
        one_hot = F.one_hot(x, self.vocab_size).to(self.embedding.weight.dtype)
        if self.padding_idx is not None:
            one_hot = one_hot.masked_fill((x == self.padding_idx)[..., None], 0)
        return self.embedding(one_hot)
""",
    },
)
INDEX_SELECT = Right(
    "All ids are laid in one line, their rows selected, and the two axes restored.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "        return self.embedding(x)\n": """\
        table = self.embedding.weight
        rows = torch.index_select(table, 0, x.reshape(-1)).reshape(*x.shape, table.size(1))
        if self.embedding.padding_idx is None:
            return rows
        return torch.where((x == self.embedding.padding_idx)[..., None], 0.0, rows)
""",
    },
)
FROM_PRETRAINED = Right(
    "The table is made first, its padding row set to zero, and then handed to the layer, which "
    "still learns.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        """\
        self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)
""": """\
        table = torch.randn(vocab_size, dim_vector)
        if padding_idx is not None:
            table[padding_idx].zero_()
        self.embedding = nn.Embedding.from_pretrained(table, freeze=False, padding_idx=padding_idx)
""",
    },
)
SMALL_INIT = Right(
    "The rows start small, and the padding row is set back to zero afterwards: other first "
    "values, the same layer.",
    {
        """\
        self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)
""": """\
        self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=dim_vector**-0.5)
        if padding_idx is not None:
            nn.init.zeros_(self.embedding.weight[padding_idx])
"""
    },
)
GRADIENT_HOOK = Right(
    "A bare table whose padding row starts as zero; a hook takes that row out of every gradient.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        """\
        self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)
""": """\
        self.table = nn.Parameter(torch.randn(vocab_size, dim_vector))
        if padding_idx is not None:
            with torch.no_grad():
                self.table[padding_idx] = 0

            def without_padding(gradient: Tensor) -> Tensor:
                gradient = gradient.clone()
                gradient[padding_idx] = 0
                return gradient

            self.table.register_hook(without_padding)
""",
        "        return self.embedding(x)\n": "        return self.table[x]\n",
    },
)
SPLIT_TABLE = Right(
    "The padding row is set to a constant zero each time the table is used, so no gradient can "
    "reach it.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        """\
        self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)
""": """\
        self.lookup_table = nn.Parameter(torch.randn(vocab_size, dim_vector))
        keep = torch.ones(vocab_size, 1)
        if padding_idx is not None:
            keep[padding_idx] = 0
        self.register_buffer("keep", keep, persistent=False)
""",
        "        return self.embedding(x)\n": """\
        return (self.lookup_table * self.keep)[x]
""",
    },
)
MODULE_DICT = Right(
    "The layer lives in a dictionary of modules.",
    {
        """\
        self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)
""": """\
        self.parts = nn.ModuleDict({"tokens": nn.Embedding(vocab_size, dim_vector, padding_idx)})
""",
        "        return self.embedding(x)\n": '        return self.parts["tokens"](x)\n',
    },
)
SEQUENTIAL = Right(
    "The layer is the only member of an nn.Sequential.",
    {
        """\
        self.embedding = nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx)
""": """\
        self.net = nn.Sequential(nn.Embedding(vocab_size, dim_vector, padding_idx=padding_idx))
""",
        "        return self.embedding(x)\n": "        return self.net(x)\n",
    },
)
ROW_BY_ROW = Right(
    "The sentences are looked up one after the other and stacked.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "        return self.embedding(x)\n": """\
        return torch.stack([self.embedding(sentence) for sentence in x])
""",
    },
)
CHECKS_ITS_INPUT = Right(
    "It refuses ids of the wrong kind with a clear error before it looks them up.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "        return self.embedding(x)\n": """\
        if x.dtype not in (torch.int32, torch.int64):
            raise TypeError(f"token ids are whole numbers, not {x.dtype}")
        assert x.dim() == 2, "expected (batch_size, seq_length)"
        if int(x.min()) < 0 or int(x.max()) >= self.embedding.num_embeddings:
            raise IndexError("a token id lies outside the vocabulary")
        return self.embedding(x)
""",
    },
)
