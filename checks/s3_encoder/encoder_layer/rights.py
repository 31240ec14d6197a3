"""Right in another dress: s3_encoder/encoder_layer.py."""

from checks.engine.known import Right

DROPS_WEIGHTS_TOO = Right(
    "The attention drops weights in training as well, as many implementations do.",
    {
        "        self.self_attention = MultiHeadAttention(dim_vector, n_head)\n": """\
        self.self_attention = MultiHeadAttention(dim_vector, n_head, dropout)
"""
    },
    mixes=True,
)
NORMS_OF_TORCH = Right(
    "No AddNorm: torch's norms, one shared dropout, and the sums are written here.",
    {
        "from s2_attention.add_norm import AddNorm\n": "\n",
        "        self.add_norm1 = AddNorm(dim_vector, dropout)\n": """\
        self.norm1 = nn.LayerNorm(dim_vector)
""",
        "        self.add_norm2 = AddNorm(dim_vector, dropout)\n": """\
        self.norm2 = nn.LayerNorm(dim_vector)
        self.dropout = nn.Dropout(dropout)
""",
        """\
        # Let each token attend to all tokens that the mask shows. Then add and norm.
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))
        # Pass each token through the feed-forward network. Then add and norm.
        return self.add_norm2(x, self.feed_forward(x))
""": """\
        x = self.norm1(x + self.dropout(self.self_attention(x, x, x, src_mask)))
        return self.norm2(x + self.dropout(self.feed_forward(x)))
""",
    },
)
OTHER_NAMES_AND_ORDER = Right(
    "The parts have other names, and the norms are made first.",
    {
        """\
        # Make `self_attention` and, for its output, `add_norm1`.
        self.self_attention = MultiHeadAttention(dim_vector, n_head)
        self.add_norm1 = AddNorm(dim_vector, dropout)
        # Make `feed_forward` and, for its output, `add_norm2`.
        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)
        self.add_norm2 = AddNorm(dim_vector, dropout)
""": """\
        self.norm_ff = AddNorm(dim_vector, dropout)
        self.norm_attn = AddNorm(dim_vector, dropout)
        self.ff = FeedForward(dim_vector, dim_hidden, dropout)
        self.attn = MultiHeadAttention(dim_vector, n_head)
""",
        """\
        # Let each token attend to all tokens that the mask shows. Then add and norm.
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))
        # Pass each token through the feed-forward network. Then add and norm.
        return self.add_norm2(x, self.feed_forward(x))
""": """\
        attended = self.norm_attn(x, self.attn(x, x, x, src_mask))
        return self.norm_ff(attended, self.ff(attended))
""",
    },
)
LISTS_OF_PARTS = Right(
    "Sublayers and norms stand in two lists.",
    {
        """\
        # Make `self_attention` and, for its output, `add_norm1`.
        self.self_attention = MultiHeadAttention(dim_vector, n_head)
        self.add_norm1 = AddNorm(dim_vector, dropout)
        # Make `feed_forward` and, for its output, `add_norm2`.
        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)
        self.add_norm2 = AddNorm(dim_vector, dropout)
""": """\
        self.sublayers = nn.ModuleList(
            [MultiHeadAttention(dim_vector, n_head), FeedForward(dim_vector, dim_hidden, dropout)]
        )
        self.norms = nn.ModuleList(AddNorm(dim_vector, dropout) for _ in self.sublayers)
""",
        """\
        # Let each token attend to all tokens that the mask shows. Then add and norm.
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))
        # Pass each token through the feed-forward network. Then add and norm.
        return self.add_norm2(x, self.feed_forward(x))
""": """\
        attend, think = self.sublayers
        x = self.norms[0](x, attend(x, x, x, src_mask))
        return self.norms[1](x, think(x))
""",
    },
)
RESIDUAL_CLASS = Right(
    "A class for sublayer, shortcut and norm together; it is handed what the sublayer needs "
    "beside x.",
    {
        "class EncoderLayer(nn.Module):": """\
class Residual(nn.Module):
    def __init__(self, sublayer: nn.Module, dim_vector: int, dropout: float):
        super().__init__()
        self.sublayer = sublayer
        self.add_norm = AddNorm(dim_vector, dropout)

    def forward(self, x: Tensor, *others: Tensor | None) -> Tensor:
        return self.add_norm(x, self.sublayer(x, *others))


class EncoderLayer(nn.Module):""",
        """\
        # Make `self_attention` and, for its output, `add_norm1`.
        self.self_attention = MultiHeadAttention(dim_vector, n_head)
        self.add_norm1 = AddNorm(dim_vector, dropout)
        # Make `feed_forward` and, for its output, `add_norm2`.
        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)
        self.add_norm2 = AddNorm(dim_vector, dropout)
""": """\
        self.attention = Residual(MultiHeadAttention(dim_vector, n_head), dim_vector, dropout)
        self.network = Residual(FeedForward(dim_vector, dim_hidden, dropout), dim_vector, dropout)
""",
        """\
        # Let each token attend to all tokens that the mask shows. Then add and norm.
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))
        # Pass each token through the feed-forward network. Then add and norm.
        return self.add_norm2(x, self.feed_forward(x))
""": "        return self.network(self.attention(x, x, x, src_mask))\n",
    },
)
CALLABLE_RESIDUAL = Right(
    "The shortcut takes a function to be called, as the annotated Transformer does.",
    {
        "from torch import Tensor, nn\n": """\
from collections.abc import Callable

from torch import Tensor, nn
""",
        "from s2_attention.add_norm import AddNorm\n": "\n",
        "class EncoderLayer(nn.Module):": """\
class Shortcut(nn.Module):
    def __init__(self, dim_vector: int, dropout: float):
        super().__init__()
        self.norm = nn.LayerNorm(dim_vector)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        return self.norm(x + self.dropout(sublayer(x)))


class EncoderLayer(nn.Module):""",
        "        self.add_norm1 = AddNorm(dim_vector, dropout)\n": "\n",
        "        self.add_norm2 = AddNorm(dim_vector, dropout)\n": """\
        self.shortcuts = nn.ModuleList(Shortcut(dim_vector, dropout) for _ in range(2))
""",
        """\
        # Let each token attend to all tokens that the mask shows. Then add and norm.
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))
        # Pass each token through the feed-forward network. Then add and norm.
        return self.add_norm2(x, self.feed_forward(x))
""": """\
        x = self.shortcuts[0](x, lambda x: self.self_attention(x, x, x, src_mask))
        return self.shortcuts[1](x, self.feed_forward)
""",
    },
)
INLINE_NETWORK = Right(
    "The feed-forward network is an nn.Sequential made on the spot.",
    {
        "from s2_attention.feed_forward import FeedForward\n": "\n",
        "        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)\n": """\
        self.ffn = nn.Sequential(
            nn.Linear(dim_vector, dim_hidden),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(dim_hidden, dim_vector),
        )
""",
        "        return self.add_norm2(x, self.feed_forward(x))\n": """\
        return self.add_norm2(x, self.ffn(x))
""",
    },
)
ATTENTION_OF_TORCH = Right(
    "The attention is nn.MultiheadAttention, which wants its mask the other way round: True hides.",
    {
        "from s2_attention.multi_head_attention import MultiHeadAttention\n": "\n",
        "        self.self_attention = MultiHeadAttention(dim_vector, n_head)\n": """\
        self.n_head = n_head
        self.attention = nn.MultiheadAttention(dim_vector, n_head, batch_first=True)
""",
        "        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))\n": """\
        hidden = None
        if src_mask is not None:
            batch_size, length, _ = x.shape
            hidden = (src_mask == 0).expand(batch_size, self.n_head, length, length).flatten(0, 1)
        attended, _ = self.attention(x, x, x, attn_mask=hidden, need_weights=False)
        x = self.add_norm1(x, attended)
""",
    },
)
SCALED_DOT_PRODUCT = Right(
    "The attention is written here with torch's scaled_dot_product_attention and a fused "
    "projection.",
    {
        "from s2_attention.multi_head_attention import MultiHeadAttention\n": "\n",
        "from torch import Tensor, nn\n": """\
import torch.nn.functional as F
from torch import Tensor, nn
""",
        "        self.self_attention = MultiHeadAttention(dim_vector, n_head)\n": """\
        self.n_head = n_head
        self.qkv = nn.Linear(dim_vector, 3 * dim_vector)
        self.out = nn.Linear(dim_vector, dim_vector)
""",
        "        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))\n": """\
        q, k, v = self.qkv(x).unflatten(-1, (3, self.n_head, -1)).permute(2, 0, 3, 1, 4)
        shown = None if src_mask is None else src_mask != 0
        attended = F.scaled_dot_product_attention(q, k, v, attn_mask=shown)
        x = self.add_norm1(x, self.out(attended.transpose(1, 2).flatten(2)))
""",
    },
)
DEEPCOPIED_NORM = Right(
    "The second norm is a deep copy of the first, and so has parameters of its own.",
    {
        "from torch import Tensor, nn\n": """\
import copy

from torch import Tensor, nn
""",
        "        self.add_norm2 = AddNorm(dim_vector, dropout)\n": """\
        self.add_norm2 = copy.deepcopy(self.add_norm1)
""",
    },
)
HELPER_METHODS = Right(
    "Each half of the layer is a method.",
    {
        """\
        # Let each token attend to all tokens that the mask shows. Then add and norm.
        x = self.add_norm1(x, self.self_attention(x, x, x, src_mask))
        # Pass each token through the feed-forward network. Then add and norm.
        return self.add_norm2(x, self.feed_forward(x))
""": """\
        return self.think(self.attend(x, src_mask))

    def attend(self, x: Tensor, mask: Tensor | None) -> Tensor:
        attended = self.self_attention(q=x, k=x, v=x, mask=mask)
        return self.add_norm1(x, attended)

    def think(self, x: Tensor) -> Tensor:
        thought = self.feed_forward(x)
        return self.add_norm2(x, thought)
"""
    },
)
CONFIG = Right(
    "The sizes are kept in a dataclass, and everything is called by keyword.",
    {
        "from torch import Tensor, nn\n": """\
from dataclasses import dataclass

from torch import Tensor, nn
""",
        "class EncoderLayer(nn.Module):": """\
@dataclass
class Config:
    dim_vector: int
    n_head: int
    dim_hidden: int
    dropout: float = 0.1


class EncoderLayer(nn.Module):""",
        """\
        # Make `self_attention` and, for its output, `add_norm1`.
        self.self_attention = MultiHeadAttention(dim_vector, n_head)
        self.add_norm1 = AddNorm(dim_vector, dropout)
        # Make `feed_forward` and, for its output, `add_norm2`.
        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)
        self.add_norm2 = AddNorm(dim_vector, dropout)
""": """\
        self.config = config = Config(dim_vector, n_head, dim_hidden, dropout)
        self.self_attention = MultiHeadAttention(dim_vector=config.dim_vector, n_head=config.n_head)
        self.add_norm1 = AddNorm(dim_vector=config.dim_vector, dropout=config.dropout)
        self.feed_forward = FeedForward(
            dim_hidden=config.dim_hidden, dim_vector=config.dim_vector, dropout=config.dropout
        )
        self.add_norm2 = AddNorm(dropout=config.dropout, dim_vector=config.dim_vector)
""",
    },
)
