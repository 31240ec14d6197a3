"""Right in another dress: s4_decoder/pre_norm_decoder.py."""

from checks.engine.known import Right

ATTENTIONS = """\
        self.self_attention = MultiHeadAttention(dim_vector, n_head)
        self.cross_attention = MultiHeadAttention(dim_vector, n_head)
"""
NORMS = """\
        self.norm1 = LayerNorm(dim_vector)
        self.norm2 = LayerNorm(dim_vector)
        self.norm3 = LayerNorm(dim_vector)
"""
RUNS = """\
        # Normalise the target and let it attend to itself. Apply dropout, and add x.
        y = self.norm1(x)
        x = x + self.dropout(self.self_attention(y, y, y, trg_mask))
        # Normalise the target, and let it attend to the source. Do not normalise the source.
        # Apply dropout, and add x.
        y = self.norm2(x)
        asked = self.cross_attention(y, encoder_output, encoder_output, src_mask)
        x = x + self.dropout(asked)
        # Do the same with the feed-forward network and its own norm.
        return x + self.dropout(self.feed_forward(self.norm3(x)))
"""
LOOP = """\
        for layer in self.layers:
            x = layer(x, encoder_output, trg_mask, src_mask)
        return self.linear(self.norm(x))
"""
LIST = """\
        self.layers = nn.ModuleList(
            PreNormDecoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
"""
CLOSES = """\
        self.norm = LayerNorm(dim_vector)
        self.linear = nn.Linear(dim_vector, vocab_size)
"""

DROPS_WEIGHTS_TOO = Right(
    "Both attentions drop weights in training as well, as many implementations do.",
    {
        ATTENTIONS: """\
        self.self_attention = MultiHeadAttention(dim_vector, n_head, dropout)
        self.cross_attention = MultiHeadAttention(dim_vector, n_head, dropout)
"""
    },
)
NORMS_OF_TORCH = Right(
    "All norms are torch's.",
    {
        "from s2_attention.layer_norm import LayerNorm\n": "LayerNorm = nn.LayerNorm\n",
    },
)
NORMS_IN_A_LIST = Right(
    "The norms stand in a list, and the sublayers are called in a loop.",
    {
        NORMS: """\
        self.norms = nn.ModuleList(LayerNorm(dim_vector) for _ in range(3))
""",
        RUNS: """\
        sublayers = (
            lambda y: self.self_attention(y, y, y, trg_mask),
            lambda y: self.cross_attention(y, encoder_output, encoder_output, src_mask),
            self.feed_forward,
        )
        for norm, sublayer in zip(self.norms, sublayers):
            x = x + self.dropout(sublayer(norm(x)))
        return x
""",
    },
)
CALLABLE_SHORTCUT = Right(
    "The shortcut takes a function to be called, as the Annotated Transformer does.",
    {
        "class PreNormDecoderLayer(nn.Module):": """\
class SublayerConnection(nn.Module):
    def __init__(self, dim_vector: int, dropout: float):
        super().__init__()
        self.norm = LayerNorm(dim_vector)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, sublayer):
        return x + self.dropout(sublayer(self.norm(x)))


class PreNormDecoderLayer(nn.Module):""",
        NORMS: """\
        self.sublayer = nn.ModuleList(SublayerConnection(dim_vector, dropout) for _ in range(3))
""",
        RUNS: """\
        m = encoder_output
        x = self.sublayer[0](x, lambda y: self.self_attention(y, y, y, trg_mask))
        x = self.sublayer[1](x, lambda y: self.cross_attention(y, m, m, src_mask))
        return self.sublayer[2](x, self.feed_forward)
""",
    },
)
OTHER_NAMES = Right(
    "The parts have other names and are made in the order in which they are called.",
    {
        ATTENTIONS: """\
        self.before_self = LayerNorm(dim_vector)
        self.masked = MultiHeadAttention(dim_vector, n_head)
        self.before_source = LayerNorm(dim_vector)
        self.source = MultiHeadAttention(dim_vector, n_head)
        self.before_network = LayerNorm(dim_vector)
""",
        NORMS: "",
        RUNS: """\
        target = self.before_self(x)
        x = x + self.dropout(self.masked(q=target, k=target, v=target, mask=trg_mask))
        target, source = self.before_source(x), encoder_output
        x = x + self.dropout(self.source(q=target, k=source, v=source, mask=src_mask))
        return x + self.dropout(self.feed_forward(self.before_network(x)))
""",
    },
)
HELPER_METHODS = Right(
    "Each sublayer with its norm is a method.",
    {
        RUNS: """\
        x = x + self.dropout(self.attend(self.norm1(x), trg_mask))
        x = x + self.dropout(self.ask(self.norm2(x), encoder_output, src_mask))
        return x + self.dropout(self.feed_forward(self.norm3(x)))

    def attend(self, y: Tensor, mask: Mask) -> Tensor:
        return self.self_attention(y, y, y, mask)

    def ask(self, y: Tensor, source: Tensor, mask: Mask) -> Tensor:
        return self.cross_attention(y, source, source, mask)
"""
    },
)
CLOSED_SCORES = Right(
    "Closing norm and scores are one nn.Sequential.",
    {
        CLOSES: """\
        self.head = nn.Sequential(LayerNorm(dim_vector), nn.Linear(dim_vector, vocab_size))
""",
        "return self.linear(self.norm(x))": "return self.head(x)",
    },
)
NUMBERED_ATTRIBUTES = Right(
    "The layers are attributes with a number in their names.",
    {
        LIST: """\
        self.num_layer = num_layer
        for n in range(num_layer):
            layer = PreNormDecoderLayer(dim_vector, n_head, dim_hidden, dropout)
            self.add_module(f"layer_{n}", layer)
""",
        LOOP: """\
        for n in range(self.num_layer):
            x = getattr(self, f"layer_{n}")(x, encoder_output, trg_mask, src_mask)
        return self.linear(self.norm(x))
""",
    },
)
SUMS_IN_PLACE = Right(
    "The sums are made in place, in a copy of x; the norms read copies.",
    {
        RUNS: """\
        out = x.clone()
        y = self.norm1(x)
        out += self.dropout(self.self_attention(y, y, y, trg_mask))
        y = self.norm2(out.clone())
        out += self.dropout(self.cross_attention(y, encoder_output, encoder_output, src_mask))
        return out.add_(self.dropout(self.feed_forward(self.norm3(out.clone()))))
"""
    },
)
