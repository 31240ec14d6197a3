"""Right in another dress: s2_attention/multi_head_attention.py."""

from checks.engine.known import Right

FUSED_QKV_CHUNK = Right(
    "One layer makes queries, keys and values at once; each input takes its own third.",
    {
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
""": "        self.qkv = nn.Linear(dim_vector, 3 * dim_vector)\n",
        """\
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
""": """\
        q, k, v = (self.qkv(x).chunk(3, dim=-1)[n] for n, x in enumerate((q, k, v)))
        q, k, v = self.split(q), self.split(k), self.split(v)
""",
    },
)
FUSED_QKV_THREE_BY_HEAD = Right(
    "One layer whose features are seen as (3, n_head, dim_split).",
    {
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
""": "        self.in_proj = nn.Linear(dim_vector, 3 * dim_vector)\n",
        """\
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
""": """\
        def third(x: Tensor, n: int) -> Tensor:
            return self.in_proj(x).unflatten(-1, (3, self.n_head, -1))[:, :, n].transpose(1, 2)

        q, k, v = third(q, 0), third(k, 1), third(v, 2)
""",
    },
)
FUSED_QKV_BY_HEAD_THREE = Right(
    "One layer whose features are seen as (n_head, 3, dim_split): each head has its q, k and v "
    "together.",
    {
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
""": "        self.c_attn = nn.Linear(dim_vector, 3 * dim_vector)\n",
        "        self.linear = nn.Linear(dim_vector, dim_vector)\n": """\
        self.c_proj = nn.Linear(dim_vector, dim_vector)
""",
        """\
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
""": """\
        parts = []
        for n, x in enumerate((q, k, v)):
            batch_size, length, _ = x.shape
            parts.append(self.c_attn(x).view(batch_size, length, self.n_head, 3, -1)[:, :, :, n])
        q, k, v = (part.permute(0, 2, 1, 3) for part in parts)
""",
        "        return self.linear(self.merge(out))\n": """\
        return self.c_proj(self.merge(out))
""",
    },
)
FUSED_KV = Right(
    "Keys and values, which mostly come from the same place, share one layer.",
    {
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
""": """\
        self.to_q = nn.Linear(dim_vector, dim_vector)
        self.to_kv = nn.Linear(dim_vector, 2 * dim_vector)
""",
        "        self.linear = nn.Linear(dim_vector, dim_vector)\n": """\
        self.to_out = nn.Linear(dim_vector, dim_vector)
""",
        """\
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
""": """\
        keys, _ = self.to_kv(k).chunk(2, dim=-1)
        _, values = self.to_kv(v).chunk(2, dim=-1)
        q, k, v = self.split(self.to_q(q)), self.split(keys), self.split(values)
""",
        "        return self.linear(self.merge(out))\n": """\
        return self.to_out(self.merge(out))
""",
    },
)
BARE_MATRICES_OUT_IN = Right(
    "Bare parameters stored as torch stores them, used through F.linear.",
    {
        "from torch import Tensor, nn\n": """\
import torch
import torch.nn.functional as F
from torch import Tensor, nn
""",
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
        self.linear = nn.Linear(dim_vector, dim_vector)
""": """\
        for name in ("q", "k", "v", "o"):
            matrix = nn.init.xavier_uniform_(torch.empty(dim_vector, dim_vector))
            self.register_parameter(f"W_{name}", nn.Parameter(matrix))
            self.register_parameter(f"b_{name}", nn.Parameter(torch.zeros(dim_vector)))
""",
        """\
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
""": """\
        q = self.split(F.linear(q, self.W_q, self.b_q))
        k = self.split(F.linear(k, self.W_k, self.b_k))
        v = self.split(F.linear(v, self.W_v, self.b_v))
""",
        "        return self.linear(self.merge(out))\n": """\
        return F.linear(self.merge(out), self.W_o, self.b_o)
""",
    },
)
BARE_MATRICES_IN_OUT = Right(
    "Bare parameters stored the other way round, so that a projection reads x @ W + b.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
        self.linear = nn.Linear(dim_vector, dim_vector)
""": """\
        def matrix() -> nn.Parameter:
            return nn.Parameter(torch.randn(dim_vector, dim_vector) / dim_vector**0.5)

        def offset() -> nn.Parameter:
            return nn.Parameter(torch.zeros(dim_vector))

        self.query, self.key, self.value, self.output = matrix(), matrix(), matrix(), matrix()
        self.query_bias, self.key_bias = offset(), offset()
        self.value_bias, self.output_bias = offset(), offset()
""",
        """\
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
""": """\
        q = self.split(q @ self.query + self.query_bias)
        k = self.split(k @ self.key + self.key_bias)
        v = self.split(v @ self.value + self.value_bias)
""",
        "        return self.linear(self.merge(out))\n": """\
        return torch.matmul(self.merge(out), self.output) + self.output_bias
""",
    },
)
MATRIX_PER_HEAD = Right(
    "The matrices have an axis for the heads, and each projection is one sum over named axes.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
        self.linear = nn.Linear(dim_vector, dim_vector)
""": """\
        dim_split = dim_vector // n_head
        self.w_q = nn.Parameter(torch.randn(n_head, dim_vector, dim_split) * dim_vector**-0.5)
        self.w_k = nn.Parameter(torch.randn(n_head, dim_vector, dim_split) * dim_vector**-0.5)
        self.w_v = nn.Parameter(torch.randn(n_head, dim_vector, dim_split) * dim_vector**-0.5)
        self.w_o = nn.Parameter(torch.randn(n_head, dim_split, dim_vector) * dim_vector**-0.5)
        self.b_q = nn.Parameter(torch.zeros(n_head, 1, dim_split))
        self.b_k = nn.Parameter(torch.zeros(n_head, 1, dim_split))
        self.b_v = nn.Parameter(torch.zeros(n_head, 1, dim_split))
        self.b_o = nn.Parameter(torch.zeros(dim_vector))
""",
        """\
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
""": """\
        q = torch.einsum("bld,hde->bhle", q, self.w_q) + self.b_q
        k = torch.einsum("bld,hde->bhle", k, self.w_k) + self.b_k
        v = torch.einsum("bld,hde->bhle", v, self.w_v) + self.b_v
""",
        "        return self.linear(self.merge(out))\n": """\
        return torch.einsum("bhle,hed->bld", out, self.w_o) + self.b_o
""",
    },
)
LIST_OF_SMALL_LAYERS = Right(
    "Every head has small layers of its own, in lists.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
""": """\
        dim_split = dim_vector // n_head
        self.w_q = nn.ModuleList(nn.Linear(dim_vector, dim_split) for _ in range(n_head))
        self.w_k = nn.ModuleList(nn.Linear(dim_vector, dim_split) for _ in range(n_head))
        self.w_v = nn.ModuleList(nn.Linear(dim_vector, dim_split) for _ in range(n_head))
""",
        """\
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
""": """\
        q = torch.stack([layer(q) for layer in self.w_q], dim=1)
        k = torch.stack([layer(k) for layer in self.w_k], dim=1)
        v = torch.stack([layer(v) for layer in self.w_v], dim=1)
""",
    },
)
HEAD_CLASS = Right(
    "A class of its own for one head; the outputs of all heads are joined.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "class MultiHeadAttention(nn.Module):": """\
class Head(nn.Module):
    def __init__(self, dim_vector: int, dim_split: int, dropout: nn.Module):
        super().__init__()
        self.query = nn.Linear(dim_vector, dim_split)
        self.key = nn.Linear(dim_vector, dim_split)
        self.value = nn.Linear(dim_vector, dim_split)
        self.dropout = dropout

    def forward(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
        q, k, v = self.query(q)[:, None], self.key(k)[:, None], self.value(v)[:, None]
        return calculate_attention(q, k, v, mask, self.dropout)


class MultiHeadAttention(nn.Module):""",
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
""": """\
        drop = nn.Dropout(dropout)
        dim_split = dim_vector // n_head
        self.heads = nn.ModuleList([Head(dim_vector, dim_split, drop) for _ in range(n_head)])
""",
        """\
        # Project each of the three, then split it into heads.
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
        # Let every head attend, and keep the detached weights.
        out, attention = calculate_attention(q, k, v, mask, self.dropout)
        self.attention_weights = attention.detach()
        # Merge the heads and mix them.
        return self.linear(self.merge(out))
""": """\
        outs, weights = [], []
        for h, head in enumerate(self.heads):
            own = mask if mask is None or mask.size(1) == 1 else mask[:, h : h + 1]
            out, attention = head(q, k, v, own)
            outs.append(out.squeeze(1))
            weights.append(attention)
        self.attention_weights = torch.cat(weights, dim=1).detach()
        return self.linear(torch.cat(outs, dim=-1))
""",
    },
)
NAMES_OF_THE_ANNOTATED_TRANSFORMER = Right(
    "The four layers stand in one list and are zipped with the inputs.",
    {
        "from torch import Tensor, nn\n": """\
import copy

from torch import Tensor, nn
""",
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
        self.linear = nn.Linear(dim_vector, dim_vector)
""": """\
        layer = nn.Linear(dim_vector, dim_vector)
        self.linears = nn.ModuleList(copy.deepcopy(layer) for _ in range(4))
""",
        """\
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
""": """\
        q, k, v = (self.split(layer(x)) for layer, x in zip(self.linears, (q, k, v)))
""",
        "        return self.linear(self.merge(out))\n": """\
        return self.linears[-1](self.merge(out))
""",
    },
)
UNUSUAL_NAMES = Right(
    "The layers have names that say nothing; only their use tells which is which.",
    {
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
        self.linear = nn.Linear(dim_vector, dim_vector)
""": """\
        self.alice = nn.Linear(dim_vector, dim_vector)
        self.bob = nn.Linear(dim_vector, dim_vector)
        self.carol = nn.Linear(dim_vector, dim_vector)
        self.dave = nn.Linear(dim_vector, dim_vector)
""",
        """\
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
""": """\
        q, k, v = self.split(self.carol(q)), self.split(self.dave(k)), self.split(self.bob(v))
""",
        "        return self.linear(self.merge(out))\n": """\
        return self.alice(self.merge(out))
""",
    },
)
MODULE_DICT = Right(
    "The four projections are kept under their letters in a dictionary.",
    {
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
        self.linear = nn.Linear(dim_vector, dim_vector)
""": """\
        self.proj = nn.ModuleDict({name: nn.Linear(dim_vector, dim_vector) for name in "qkvo"})
""",
        """\
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
""": """\
        q = self.split(self.proj["q"](q))
        k = self.split(self.proj["k"](k))
        v = self.split(self.proj["v"](v))
""",
        "        return self.linear(self.merge(out))\n": """\
        return self.proj["o"](self.merge(out))
""",
    },
)
SETATTR = Right(
    "The four layers are made in a loop, by name.",
    {
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
        self.linear = nn.Linear(dim_vector, dim_vector)
""": """\
        for name in ("w_v", "linear", "w_q", "w_k"):
            setattr(self, name, nn.Linear(in_features=dim_vector, out_features=dim_vector, bias=True))
"""
    },
)
PROJECTION_CLASS = Right(
    "A projection is a linear layer that hands out heads.",
    {
        "class MultiHeadAttention(nn.Module):": """\
class Projection(nn.Linear):
    def __init__(self, dim_vector: int, n_head: int):
        super().__init__(dim_vector, dim_vector)
        self.n_head = n_head

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x).unflatten(2, (self.n_head, -1)).movedim(2, 1)


class MultiHeadAttention(nn.Module):""",
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
""": """\
        self.w_q = Projection(dim_vector, n_head)
        self.w_k = Projection(dim_vector, n_head)
        self.w_v = Projection(dim_vector, n_head)
""",
        """\
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
""": "        q, k, v = self.w_q(q), self.w_k(k), self.w_v(v)\n",
    },
)
CHUNK_AND_STACK = Right(
    "The features are cut into chunks and stacked as heads; the way back joins the heads' outputs.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        """\
        batch_size, length, dim_vector = x.shape
        return x.view(batch_size, length, self.n_head, dim_vector // self.n_head).transpose(1, 2)
""": "        return torch.stack(x.chunk(self.n_head, dim=-1), dim=1)\n",
        "        return x.transpose(1, 2).flatten(2)\n": """\
        return torch.cat(x.unbind(dim=1), dim=-1)
""",
    },
)
SLICES_IN_A_LOOP = Right(
    "Each head attends by itself on its slice of the features.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        """\
        # Project each of the three, then split it into heads.
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
        # Let every head attend, and keep the detached weights.
        out, attention = calculate_attention(q, k, v, mask, self.dropout)
        self.attention_weights = attention.detach()
        # Merge the heads and mix them.
        return self.linear(self.merge(out))
""": """\
        q, k, v = self.w_q(q), self.w_k(k), self.w_v(v)
        width = q.size(-1) // self.n_head
        if mask is not None:
            mask = mask.expand(-1, self.n_head, -1, -1)
        outs, weights = [], []
        for h in range(self.n_head):
            own = slice(h * width, (h + 1) * width)
            out, attention = calculate_attention(
                q[:, None, :, own],
                k[:, None, :, own],
                v[:, None, :, own],
                mask=None if mask is None else mask[:, h].unsqueeze(1),
                dropout=self.dropout,
            )
            outs.append(out[:, 0])
            weights.append(attention[:, 0])
        self.attention_weights = torch.stack(weights, dim=1).detach()
        return self.linear(torch.cat(outs, dim=2))
""",
    },
)
CONTIGUOUS_VIEW = Right(
    "The heads are merged by permute, contiguous and view.",
    {
        "        return x.transpose(1, 2).flatten(2)\n": """\
        x = x.permute(0, 2, 1, 3).contiguous()
        return x.view(x.size(0), -1, self.n_head * x.size(3))
"""
    },
)
HEADS_FOLDED_INTO_BATCH = Right(
    "Step 2.1 is asked with one head and n_head times as many sentences.",
    {
        """\
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
        # Let every head attend, and keep the detached weights.
        out, attention = calculate_attention(q, k, v, mask, self.dropout)
""": """\
        batch_size, q_len, k_len = q.size(0), q.size(1), k.size(1)
        q, k, v = (
            self.split(layer(x)).flatten(0, 1).unsqueeze(1)
            for layer, x in ((self.w_q, q), (self.w_k, k), (self.w_v, v))
        )
        if mask is not None:
            mask = mask.expand(batch_size, self.n_head, mask.size(2), k_len).flatten(0, 1).unsqueeze(1)
        out, attention = calculate_attention(q, k, v, mask, self.dropout)
        out = out.view(batch_size, self.n_head, q_len, -1)
        attention = attention.view(batch_size, self.n_head, q_len, k_len)
"""
    },
)
INLINED_EINSUM = Right(
    "The attention is written out with einsum, heads named in the sums; the dropout is functional.",
    {
        """\
from torch import Tensor, nn

from s2_attention.calculate_attention import calculate_attention
""": """\
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn
""",
        "        self.dropout = nn.Dropout(dropout)\n": "        self.p = dropout\n",
        """\
        # Project each of the three, then split it into heads.
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
        # Let every head attend, and keep the detached weights.
        out, attention = calculate_attention(q, k, v, mask, self.dropout)
        self.attention_weights = attention.detach()
        # Merge the heads and mix them.
        return self.linear(self.merge(out))
""": """\
        cut = (self.n_head, -1)
        q = self.w_q(q).unflatten(-1, cut)
        k = self.w_k(k).unflatten(-1, cut)
        v = self.w_v(v).unflatten(-1, cut)
        score = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(q.size(-1))
        if mask is not None:
            score = score.masked_fill(mask == 0, torch.finfo(score.dtype).min)
        attention = F.softmax(score, dim=-1)
        self.attention_weights = attention.detach()
        attention = F.dropout(attention, p=self.p, training=self.training)
        out = torch.einsum("bhqk,bkhd->bqhd", attention, v)
        return self.linear(out.flatten(2))
""",
    },
)
WEIGHTS_AS_BUFFER = Right(
    "The place for the weights is an empty buffer that is not saved.",
    {
        "        self.attention_weights: Tensor | None = None\n": """\
        self.register_buffer("attention_weights", None, persistent=False)
"""
    },
)
WEIGHTS_AS_PROPERTY = Right(
    "The weights are kept under a private name, and a property shows them.",
    {
        "        self.attention_weights: Tensor | None = None\n": """\
        self._weights: Tensor | None = None
""",
        "        self.attention_weights = attention.detach()\n": """\
        self._weights = attention.clone().detach()
""",
        "    def split(self, x: Tensor)": """\
    @property
    def attention_weights(self) -> Tensor | None:
        return self._weights

    def split(self, x: Tensor)""",
    },
)
STACKED_PARAMETERS = Right(
    "All four matrices are one parameter with an axis of four, and so are the biases.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
        self.linear = nn.Linear(dim_vector, dim_vector)
""": """\
        self.matrices = nn.Parameter(torch.randn(4, dim_vector, dim_vector) * dim_vector**-0.5)
        self.offsets = nn.Parameter(torch.zeros(4, dim_vector))
""",
        """\
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
""": """\
        q, k, v = (
            self.split(x @ self.matrices[n] + self.offsets[n]) for n, x in enumerate((q, k, v))
        )
""",
        "        return self.linear(self.merge(out))\n": """\
        return self.merge(out) @ self.matrices[3] + self.offsets[3]
""",
    },
)
IN_PROJ_LIKE_TORCH = Right(
    "Names and shapes as in nn.MultiheadAttention: one bare fused matrix, and a layer for the "
    "output.",
    {
        "from torch import Tensor, nn\n": """\
import torch
import torch.nn.functional as F
from torch import Tensor, nn
""",
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
        self.linear = nn.Linear(dim_vector, dim_vector)
""": """\
        self.in_proj_weight = nn.Parameter(torch.empty(3 * dim_vector, dim_vector))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * dim_vector))
        self.out_proj = nn.Linear(dim_vector, dim_vector)
        nn.init.xavier_uniform_(self.in_proj_weight)
""",
        """\
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
""": """\
        weights, biases = self.in_proj_weight.chunk(3), self.in_proj_bias.chunk(3)
        q, k, v = (self.split(F.linear(x, w, b)) for x, w, b in zip((q, k, v), weights, biases))
""",
        "        return self.linear(self.merge(out))\n": """\
        return self.out_proj(self.merge(out))
""",
    },
)
CONVOLUTIONS = Right(
    "The projections are convolutions of width one over the tokens, which is the same as a "
    "linear layer.",
    {
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
""": """\
        self.w_q = nn.Conv1d(dim_vector, dim_vector, kernel_size=1)
        self.w_k = nn.Conv1d(dim_vector, dim_vector, kernel_size=1)
        self.w_v = nn.Conv1d(dim_vector, dim_vector, kernel_size=1)
""",
        """\
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
""": """\
        q, k, v = self.split(self.w_q(q.mT)), self.split(self.w_k(k.mT)), self.split(self.w_v(v.mT))
""",
        """\
        batch_size, length, dim_vector = x.shape
        return x.view(batch_size, length, self.n_head, dim_vector // self.n_head).transpose(1, 2)
""": """\
        batch_size, dim_vector, length = x.shape
        return x.view(batch_size, self.n_head, dim_vector // self.n_head, length).transpose(2, 3)
""",
    },
)
OWN_LINEAR_CLASS = Right(
    "A linear layer of one's own that stores its matrix as (in, out), as GPT-2's code does.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "class MultiHeadAttention(nn.Module):": """\
class Affine(nn.Module):
    def __init__(self, n_in: int, n_out: int):
        super().__init__()
        self.matrix = nn.Parameter(torch.randn(n_in, n_out) * 0.02)
        self.offset = nn.Parameter(torch.zeros(n_out))

    def forward(self, x: Tensor) -> Tensor:
        return x @ self.matrix + self.offset


class MultiHeadAttention(nn.Module):""",
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
        self.linear = nn.Linear(dim_vector, dim_vector)
""": """\
        self.w_q = Affine(dim_vector, dim_vector)
        self.w_k = Affine(dim_vector, dim_vector)
        self.w_v = Affine(dim_vector, dim_vector)
        self.linear = Affine(dim_vector, dim_vector)
""",
    },
)
OWN_LINEAR_CLASS_WEIGHT = Right(
    "GPT-2's Conv1D: a linear layer of one's own whose `weight` lies (in, out), under names of "
    "one's own.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "class MultiHeadAttention(nn.Module):": """\
class Conv1D(nn.Module):
    def __init__(self, n_in: int, n_out: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n_in, n_out) * 0.02)
        self.bias = nn.Parameter(torch.zeros(n_out))

    def forward(self, x: Tensor) -> Tensor:
        return x @ self.weight + self.bias


class MultiHeadAttention(nn.Module):""",
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
        self.linear = nn.Linear(dim_vector, dim_vector)
""": """\
        self.c_attn = Conv1D(dim_vector, 3 * dim_vector)
        self.c_proj = Conv1D(dim_vector, dim_vector)
""",
        """\
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
""": """\
        q, k, v = (
            self.split(self.c_attn(x).split(x.size(-1), dim=2)[n]) for n, x in enumerate((q, k, v))
        )
""",
        "        return self.linear(self.merge(out))\n": """\
        return self.c_proj(self.merge(out))
""",
    },
)
CHECKS_BY_DIVMOD = Right(
    "divmod gives the width of a head and what is left over; an assert stands beside the "
    "ValueError.",
    {
        """\
        if dim_vector % n_head != 0:
            raise ValueError(f"{n_head} heads cannot share dim_vector {dim_vector} evenly")
""": """\
        dim_split, left_over = divmod(dim_vector, n_head)
        if left_over:
            raise ValueError(f"dim_vector={dim_vector} must be divisible by n_head={n_head}")
        assert dim_split * n_head == dim_vector
        self.dim_vector, self.dim_split = dim_vector, dim_split
""",
        """\
        batch_size, length, dim_vector = x.shape
        return x.view(batch_size, length, self.n_head, dim_vector // self.n_head).transpose(1, 2)
""": """\
        return x.reshape(*x.shape[:2], self.n_head, self.dim_split).swapaxes(1, 2)
""",
        "        return x.transpose(1, 2).flatten(2)\n": """\
        return x.swapaxes(1, 2).reshape(x.size(0), x.size(2), self.dim_vector)
""",
    },
)
ONE_CALL_FOR_THE_SAME_INPUT = Right(
    "If the three inputs are one, a joined matrix projects them in one go; else one after the "
    "other.",
    {
        "from torch import Tensor, nn\n": """\
import torch
import torch.nn.functional as F
from torch import Tensor, nn
""",
        """\
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
""": """\
        if q is k and k is v:
            layers = (self.w_q, self.w_k, self.w_v)
            weight = torch.cat([layer.weight for layer in layers])
            bias = torch.cat([layer.bias for layer in layers])
            q, k, v = F.linear(q, weight, bias).split(q.size(-1), dim=-1)
        else:
            q, k, v = self.w_q(q), self.w_k(k), self.w_v(v)
        q, k, v = map(self.split, (q, k, v))
""",
    },
)
SUM_OVER_HEADS = Right(
    "Instead of joining the heads, each is sent through its columns of the last matrix and the "
    "results are added.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        "        return self.linear(self.merge(out))\n": """\
        columns = self.linear.weight.chunk(self.n_head, dim=1)
        brought = (head @ column.T for head, column in zip(out.unbind(1), columns))
        return sum(brought, start=self.linear.bias)
""",
    },
)
BARE_LISTS_PER_HEAD = Right(
    "Every head has bare matrices (dim_vector, dim_split) and biases, in lists of parameters.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
""": """\
        shape = dim_vector, dim_vector // n_head
        for name in "qkv":
            matrices = [torch.randn(shape) * dim_vector**-0.5 for _ in range(n_head)]
            setattr(self, f"w_{name}", nn.ParameterList(matrices))
            setattr(self, f"b_{name}", nn.ParameterList(torch.zeros(shape[1]) for _ in range(n_head)))
""",
        """\
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
""": """\
        def heads(x: Tensor, matrices: nn.ParameterList, biases: nn.ParameterList) -> Tensor:
            return torch.stack([x @ w + b for w, b in zip(matrices, biases)], dim=1)

        q = heads(q, self.w_q, self.b_q)
        k = heads(k, self.w_k, self.b_k)
        v = heads(v, self.w_v, self.b_v)
""",
    },
)
FUSED_IN_EACH_HEAD = Right(
    "Each head has one layer that makes its queries, keys and values at once.",
    {
        "from torch import Tensor, nn\n": """\
import torch
from torch import Tensor, nn
""",
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
""": """\
        self.heads = nn.ModuleList(
            nn.Linear(dim_vector, 3 * (dim_vector // n_head)) for _ in range(n_head)
        )
""",
        """\
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
""": """\
        q, k, v = (
            torch.stack([head(x).chunk(3, dim=-1)[n] for head in self.heads], dim=1)
            for n, x in enumerate((q, k, v))
        )
""",
    },
)
CONVOLUTIONS_THROUGHOUT = Right(
    "All four layers are convolutions of width one, and the tokens stay on the last axis until "
    "the end.",
    {
        """\
        self.w_q = nn.Linear(dim_vector, dim_vector)
        self.w_k = nn.Linear(dim_vector, dim_vector)
        self.w_v = nn.Linear(dim_vector, dim_vector)
        self.linear = nn.Linear(dim_vector, dim_vector)
""": """\
        self.query, self.key, self.value, self.mix = (
            nn.Conv1d(dim_vector, dim_vector, 1) for _ in range(4)
        )
""",
        """\
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))
""": """\
        q, k, v = self.query(q.mT), self.key(k.mT), self.value(v.mT)
        q, k, v = self.split(q.mT), self.split(k.mT), self.split(v.mT)
""",
        "        return self.linear(self.merge(out))\n": """\
        return self.mix(self.merge(out).mT).mT
""",
    },
)
