"""Right in another dress: s4_decoder/decoder_layer.py."""

from checks.engine.known import Right

DROPS_WEIGHTS_TOO = Right(
    "Both attentions drop weights in training as well.",
    {
        "        self.self_attention = MultiHeadAttention(dim_vector, n_head)\n": """\
        self.self_attention = MultiHeadAttention(dim_vector, n_head, dropout)
""",
        "        self.cross_attention = MultiHeadAttention(dim_vector, n_head)\n": """\
        self.cross_attention = MultiHeadAttention(dim_vector, n_head, dropout=dropout)
""",
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
""",
        "        self.add_norm3 = AddNorm(dim_vector, dropout)\n": """\
        self.norm3 = nn.LayerNorm(dim_vector)
        self.dropout = nn.Dropout(dropout)
""",
        """\
        # Let each target token attend to the target tokens that trg_mask shows. Add and norm.
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))
        # Let each target token attend to the source tokens that src_mask shows. Add and norm.
        attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)
        x = self.add_norm2(x, attended)
        # Pass each token through the feed-forward network. Add and norm.
        return self.add_norm3(x, self.feed_forward(x))
""": """\
        x = self.norm1(x + self.dropout(self.self_attention(x, x, x, trg_mask)))
        attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)
        x = self.norm2(x + self.dropout(attended))
        return self.norm3(x + self.dropout(self.feed_forward(x)))
""",
    },
)
NAMES_OF_THE_ANNOTATED_TRANSFORMER = Right(
    "self_attn, src_attn and a list of norms, all in another order.",
    {
        """\
        # Make `self_attention` and, for its output, `add_norm1`.
        self.self_attention = MultiHeadAttention(dim_vector, n_head)
        self.add_norm1 = AddNorm(dim_vector, dropout)
        # Make `cross_attention` and, for its output, `add_norm2`.
        self.cross_attention = MultiHeadAttention(dim_vector, n_head)
        self.add_norm2 = AddNorm(dim_vector, dropout)
        # Make `feed_forward` and, for its output, `add_norm3`.
        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)
        self.add_norm3 = AddNorm(dim_vector, dropout)
""": """\
        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)
        self.sublayer = nn.ModuleList([AddNorm(dim_vector, dropout) for _ in range(3)])
        self.src_attn = MultiHeadAttention(dim_vector, n_head)
        self.self_attn = MultiHeadAttention(dim_vector, n_head)
""",
        """\
        # Let each target token attend to the target tokens that trg_mask shows. Add and norm.
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))
        # Let each target token attend to the source tokens that src_mask shows. Add and norm.
        attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)
        x = self.add_norm2(x, attended)
        # Pass each token through the feed-forward network. Add and norm.
        return self.add_norm3(x, self.feed_forward(x))
""": """\
        m = encoder_output
        x = self.sublayer[0](x, self.self_attn(x, x, x, trg_mask))
        x = self.sublayer[1](x, self.src_attn(x, m, m, src_mask))
        return self.sublayer[2](x, self.feed_forward(x))
""",
    },
)
UNUSUAL_NAMES = Right(
    "The parts have names that say nothing of their order.",
    {
        """\
        # Make `self_attention` and, for its output, `add_norm1`.
        self.self_attention = MultiHeadAttention(dim_vector, n_head)
        self.add_norm1 = AddNorm(dim_vector, dropout)
        # Make `cross_attention` and, for its output, `add_norm2`.
        self.cross_attention = MultiHeadAttention(dim_vector, n_head)
        self.add_norm2 = AddNorm(dim_vector, dropout)
        # Make `feed_forward` and, for its output, `add_norm3`.
        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)
        self.add_norm3 = AddNorm(dim_vector, dropout)
""": """\
        self.listen = MultiHeadAttention(dim_vector, n_head)
        self.muse = MultiHeadAttention(dim_vector, n_head)
        self.think = FeedForward(dim_vector, dim_hidden, dropout)
        self.calm = AddNorm(dim_vector, dropout)
        self.settle = AddNorm(dim_vector, dropout)
        self.rest = AddNorm(dim_vector, dropout)
""",
        """\
        # Let each target token attend to the target tokens that trg_mask shows. Add and norm.
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))
        # Let each target token attend to the source tokens that src_mask shows. Add and norm.
        attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)
        x = self.add_norm2(x, attended)
        # Pass each token through the feed-forward network. Add and norm.
        return self.add_norm3(x, self.feed_forward(x))
""": """\
        x = self.settle(x, self.muse(x, x, x, trg_mask))
        x = self.rest(x, self.listen(x, encoder_output, encoder_output, src_mask))
        return self.calm(x, self.think(x))
""",
    },
)
RESIDUAL_CLASS = Right(
    "Each sublayer stands together with its shortcut and norm, which also take what else it needs.",
    {
        "class DecoderLayer(nn.Module):": """\
class Residual(nn.Module):
    def __init__(self, sublayer: nn.Module, dim_vector: int, dropout: float):
        super().__init__()
        self.sublayer = sublayer
        self.add_norm = AddNorm(dim_vector, dropout)

    def forward(self, x: Tensor, *others: Tensor | None) -> Tensor:
        return self.add_norm(x, self.sublayer(x, *others))


class DecoderLayer(nn.Module):""",
        """\
        # Make `self_attention` and, for its output, `add_norm1`.
        self.self_attention = MultiHeadAttention(dim_vector, n_head)
        self.add_norm1 = AddNorm(dim_vector, dropout)
        # Make `cross_attention` and, for its output, `add_norm2`.
        self.cross_attention = MultiHeadAttention(dim_vector, n_head)
        self.add_norm2 = AddNorm(dim_vector, dropout)
        # Make `feed_forward` and, for its output, `add_norm3`.
        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)
        self.add_norm3 = AddNorm(dim_vector, dropout)
""": """\
        self.look_back = Residual(MultiHeadAttention(dim_vector, n_head), dim_vector, dropout)
        self.look_over = Residual(MultiHeadAttention(dim_vector, n_head), dim_vector, dropout)
        self.think = Residual(FeedForward(dim_vector, dim_hidden, dropout), dim_vector, dropout)
""",
        """\
        # Let each target token attend to the target tokens that trg_mask shows. Add and norm.
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))
        # Let each target token attend to the source tokens that src_mask shows. Add and norm.
        attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)
        x = self.add_norm2(x, attended)
        # Pass each token through the feed-forward network. Add and norm.
        return self.add_norm3(x, self.feed_forward(x))
""": """\
        x = self.look_back(x, x, x, trg_mask)
        x = self.look_over(x, encoder_output, encoder_output, src_mask)
        return self.think(x)
""",
    },
)
EXTENDS_THE_ENCODER_LAYER = Right(
    "A decoder layer is an encoder layer with one more attention in the middle.",
    {
        "from s2_attention.feed_forward import FeedForward\n": "\n",
        "from s2_attention.multi_head_attention import MultiHeadAttention\n": """\
from s2_attention.multi_head_attention import MultiHeadAttention
from s3_encoder.encoder_layer import EncoderLayer
""",
        "class DecoderLayer(nn.Module):": "class DecoderLayer(EncoderLayer):",
        """\
        super().__init__()
        # Make `self_attention` and, for its output, `add_norm1`.
        self.self_attention = MultiHeadAttention(dim_vector, n_head)
        self.add_norm1 = AddNorm(dim_vector, dropout)
        # Make `cross_attention` and, for its output, `add_norm2`.
        self.cross_attention = MultiHeadAttention(dim_vector, n_head)
        self.add_norm2 = AddNorm(dim_vector, dropout)
        # Make `feed_forward` and, for its output, `add_norm3`.
        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)
        self.add_norm3 = AddNorm(dim_vector, dropout)
""": """\
        super().__init__(dim_vector, n_head, dim_hidden, dropout)
        self.cross_attention = MultiHeadAttention(dim_vector, n_head)
        self.cross_norm = AddNorm(dim_vector, dropout)
""",
        """\
        # Let each target token attend to the target tokens that trg_mask shows. Add and norm.
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))
        # Let each target token attend to the source tokens that src_mask shows. Add and norm.
        attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)
        x = self.add_norm2(x, attended)
        # Pass each token through the feed-forward network. Add and norm.
        return self.add_norm3(x, self.feed_forward(x))
""": """\
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))
        attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)
        x = self.cross_norm(x, attended)
        return self.add_norm2(x, self.feed_forward(x))
""",
    },
)
INLINE_NETWORK = Right(
    "The feed-forward network is an nn.Sequential made on the spot, with its ReLU in place.",
    {
        "from s2_attention.feed_forward import FeedForward\n": "\n",
        "        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)\n": """\
        self.network = nn.Sequential(
            nn.Linear(dim_vector, dim_hidden),
            nn.ReLU(inplace=True),
            nn.Dropout(dropout),
            nn.Linear(dim_hidden, dim_vector),
        )
""",
        "        return self.add_norm3(x, self.feed_forward(x))\n": """\
        return self.add_norm3(x, self.network(x))
""",
    },
)
ATTENTION_OF_TORCH = Right(
    "Both attentions are nn.MultiheadAttention, whose masks say True for hidden.",
    {
        "from s2_attention.multi_head_attention import MultiHeadAttention\n": "\n",
        "        self.self_attention = MultiHeadAttention(dim_vector, n_head)\n": """\
        self.n_head = n_head
        self.self_attention = nn.MultiheadAttention(dim_vector, n_head, batch_first=True)
""",
        "        self.cross_attention = MultiHeadAttention(dim_vector, n_head)\n": """\
        self.cross_attention = nn.MultiheadAttention(dim_vector, n_head, batch_first=True)
""",
        """\
        # Let each target token attend to the target tokens that trg_mask shows. Add and norm.
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))
        # Let each target token attend to the source tokens that src_mask shows. Add and norm.
        attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)
        x = self.add_norm2(x, attended)
        # Pass each token through the feed-forward network. Add and norm.
        return self.add_norm3(x, self.feed_forward(x))
""": """\
        x = self.add_norm1(x, self.attend(self.self_attention, x, x, trg_mask))
        x = self.add_norm2(x, self.attend(self.cross_attention, x, encoder_output, src_mask))
        return self.add_norm3(x, self.feed_forward(x))

    def attend(self, attention: nn.Module, x: Tensor, source: Tensor, mask: Tensor | None) -> Tensor:
        hidden = None
        if mask is not None:
            shape = x.size(0), self.n_head, x.size(1), source.size(1)
            hidden = (mask == 0).expand(shape).flatten(0, 1)
        return attention(x, source, source, attn_mask=hidden, need_weights=False)[0]
""",
    },
)
DEEP_COPIES = Right(
    "The second attention and the other norms are deep copies, with parameters of their own.",
    {
        "from torch import Tensor, nn\n": """\
from copy import deepcopy

from torch import Tensor, nn
""",
        "        self.cross_attention = MultiHeadAttention(dim_vector, n_head)\n": """\
        self.cross_attention = deepcopy(self.self_attention)
""",
        "        self.add_norm2 = AddNorm(dim_vector, dropout)\n": """\
        self.add_norm2 = deepcopy(self.add_norm1)
""",
        "        self.add_norm3 = AddNorm(dim_vector, dropout)\n": """\
        self.add_norm3 = deepcopy(self.add_norm1)
""",
    },
)
MODULE_DICT = Right(
    "All parts are kept in one dictionary.",
    {
        """\
        # Make `self_attention` and, for its output, `add_norm1`.
        self.self_attention = MultiHeadAttention(dim_vector, n_head)
        self.add_norm1 = AddNorm(dim_vector, dropout)
        # Make `cross_attention` and, for its output, `add_norm2`.
        self.cross_attention = MultiHeadAttention(dim_vector, n_head)
        self.add_norm2 = AddNorm(dim_vector, dropout)
        # Make `feed_forward` and, for its output, `add_norm3`.
        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)
        self.add_norm3 = AddNorm(dim_vector, dropout)
""": """\
        parts: dict[str, nn.Module] = {
            "self_attention": MultiHeadAttention(dim_vector, n_head),
            "cross_attention": MultiHeadAttention(dim_vector, n_head),
            "feed_forward": FeedForward(dim_vector, dim_hidden, dropout),
        }
        parts |= {f"add_norm{n}": AddNorm(dim_vector, dropout) for n in (1, 2, 3)}
        self.parts = nn.ModuleDict(parts)
""",
        """\
        # Let each target token attend to the target tokens that trg_mask shows. Add and norm.
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))
        # Let each target token attend to the source tokens that src_mask shows. Add and norm.
        attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)
        x = self.add_norm2(x, attended)
        # Pass each token through the feed-forward network. Add and norm.
        return self.add_norm3(x, self.feed_forward(x))
""": """\
        part = self.parts
        x = part["add_norm1"](x, part["self_attention"](x, x, x, trg_mask))
        attended = part["cross_attention"](x, encoder_output, encoder_output, src_mask)
        x = part["add_norm2"](x, attended)
        return part["add_norm3"](x, part["feed_forward"](x))
""",
    },
)
HELPER_METHODS = Right(
    "Three methods, called one inside the other, with arguments by name.",
    {
        """\
        # Let each target token attend to the target tokens that trg_mask shows. Add and norm.
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))
        # Let each target token attend to the source tokens that src_mask shows. Add and norm.
        attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)
        x = self.add_norm2(x, attended)
        # Pass each token through the feed-forward network. Add and norm.
        return self.add_norm3(x, self.feed_forward(x))
""": """\
        return self.think(self.ask(self.attend(x, trg_mask), encoder_output, src_mask))

    def attend(self, x: Tensor, mask: Tensor | None) -> Tensor:
        return self.add_norm1(x, sublayer_output=self.self_attention(x, x, x, mask=mask))

    def ask(self, x: Tensor, source: Tensor, mask: Tensor | None) -> Tensor:
        attended = self.cross_attention(q=x, k=source, v=source, mask=mask)
        return self.add_norm2(x, sublayer_output=attended)

    def think(self, x: Tensor) -> Tensor:
        return self.add_norm3(x, sublayer_output=self.feed_forward(x))
"""
    },
)
LOOP_OVER_SUBLAYERS = Right(
    "The three sublayers are closures in a list, zipped with their norms.",
    {
        """\
        # Let each target token attend to the target tokens that trg_mask shows. Add and norm.
        x = self.add_norm1(x, self.self_attention(x, x, x, trg_mask))
        # Let each target token attend to the source tokens that src_mask shows. Add and norm.
        attended = self.cross_attention(x, encoder_output, encoder_output, src_mask)
        x = self.add_norm2(x, attended)
        # Pass each token through the feed-forward network. Add and norm.
        return self.add_norm3(x, self.feed_forward(x))
""": """\
        def attend(x: Tensor) -> Tensor:
            return self.self_attention(x, x, x, trg_mask)

        def ask(x: Tensor) -> Tensor:
            return self.cross_attention(x, encoder_output, encoder_output, src_mask)

        norms = (self.add_norm1, self.add_norm2, self.add_norm3)
        for sublayer, norm in zip((attend, ask, self.feed_forward), norms):
            x = norm(x, sublayer(x))
        return x
"""
    },
)
