"""Right in another dress: s3_encoder/pre_norm_encoder.py."""

from checks.engine.known import Right
from checks.s3_encoder.encoder.rights import ZERO_AT_PADDING as ZERO_AT_PADDING

MAKES = """\
        # Make `norm1`, and `self_attention`, which reads the output of `norm1`.
        self.norm1 = LayerNorm(dim_vector)
        self.self_attention = MultiHeadAttention(dim_vector, n_head)
        # Make `norm2` and `feed_forward` in the same way, and `dropout` for both outputs.
        self.norm2 = LayerNorm(dim_vector)
        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)
        self.dropout = nn.Dropout(dropout)
"""
RUNS = """\
        # Normalise the tokens and let them attend to each other. Apply dropout, and add x.
        y = self.norm1(x)
        x = x + self.dropout(self.self_attention(y, y, y, src_mask))
        # Do the same with the feed-forward network and its own norm.
        return x + self.dropout(self.feed_forward(self.norm2(x)))
"""
NORM = "from s2_attention.layer_norm import LayerNorm\n"
LOOP = """\
        for layer in self.layers:
            x = layer(x, src_mask)
        return self.norm(x)
"""
LIST = """\
        self.layers = nn.ModuleList(
            PreNormEncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        )
"""

DROPS_WEIGHTS_TOO = Right(
    "The attention drops weights in training as well, as many implementations do.",
    {
        "MultiHeadAttention(dim_vector, n_head)": "MultiHeadAttention(dim_vector, n_head, dropout)",
    },
)
NORMS_OF_TORCH = Right(
    "All norms are torch's, and each sublayer has a dropout of its own.",
    {
        NORM: "",
        MAKES: """\
        self.norm1, self.norm2 = nn.LayerNorm(dim_vector), nn.LayerNorm(dim_vector)
        self.self_attention = MultiHeadAttention(dim_vector, n_head)
        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)
        self.dropout1, self.dropout2 = nn.Dropout(dropout), nn.Dropout(dropout)
""",
        RUNS: """\
        y = self.norm1(x)
        x = x + self.dropout1(self.self_attention(y, y, y, src_mask))
        return x + self.dropout2(self.feed_forward(self.norm2(x)))
""",
        "        self.norm = LayerNorm(dim_vector)\n": """\
        self.final_norm = nn.LayerNorm(dim_vector)
""",
        "return self.norm(x)": "return self.final_norm(x)",
    },
)
CALLABLE_SHORTCUT = Right(
    "The shortcut takes a function to be called, as the Annotated Transformer does.",
    {
        "from torch import Tensor, nn\n": """\
from collections.abc import Callable

from torch import Tensor, nn
""",
        "class PreNormEncoderLayer(nn.Module):": """\
class SublayerConnection(nn.Module):
    def __init__(self, dim_vector: int, dropout: float):
        super().__init__()
        self.norm = LayerNorm(dim_vector)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        return x + self.dropout(sublayer(self.norm(x)))


class PreNormEncoderLayer(nn.Module):""",
        MAKES: """\
        self.self_attention = MultiHeadAttention(dim_vector, n_head)
        self.feed_forward = FeedForward(dim_vector, dim_hidden, dropout)
        self.sublayer = nn.ModuleList(SublayerConnection(dim_vector, dropout) for _ in range(2))
""",
        RUNS: """\
        x = self.sublayer[0](x, lambda y: self.self_attention(y, y, y, src_mask))
        return self.sublayer[1](x, self.feed_forward)
""",
    },
)
RESIDUAL_CLASS = Right(
    "A class holds norm, sublayer and dropout together; only the first sublayer takes a mask.",
    {
        "class PreNormEncoderLayer(nn.Module):": """\
class Residual(nn.Module):
    def __init__(self, dim_vector: int, sublayer: nn.Module, dropout: float):
        super().__init__()
        self.norm = LayerNorm(dim_vector)
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, times: int = 1, *mask: Tensor | None) -> Tensor:
        y = self.norm(x)
        return x + self.dropout(self.sublayer(*[y] * times, *mask))


class PreNormEncoderLayer(nn.Module):""",
        MAKES: """\
        attention = MultiHeadAttention(dim_vector, n_head)
        network = FeedForward(dim_vector, dim_hidden, dropout)
        self.attention = Residual(dim_vector, attention, dropout)
        self.network = Residual(dim_vector, network, dropout)
""",
        RUNS: "        return self.network(self.attention(x, 3, src_mask))\n",
    },
)
ADD_IN_PLACE_TO_A_COPY = Right(
    "The sums are made in place, in a copy of x.",
    {
        RUNS: """\
        out = x.clone()
        y = self.norm1(x)
        out += self.dropout(self.self_attention(y, y, y, src_mask))
        z = self.norm2(out.clone())
        return out.add_(self.dropout(self.feed_forward(z)))
"""
    },
)
SUM_IN_THE_OTHER_ORDER = Right(
    "The sublayer's output stands first in the sums, and every argument goes by its name.",
    {
        RUNS: """\
        normed = self.norm1(x)
        attended = self.self_attention(q=normed, k=normed, v=normed, mask=src_mask)
        x = self.dropout(attended) + x
        return self.dropout(self.feed_forward(self.norm2(x))) + x
"""
    },
)
NORM_AS_FUNCTION = Right(
    "The closing norm is F.layer_norm with two parameters of the stack.",
    {
        "from torch import Tensor, nn\n": "import torch\nfrom torch import Tensor, nn\n",
        "        self.norm = LayerNorm(dim_vector)\n": """\
        self.gain = nn.Parameter(torch.ones(dim_vector))
        self.bias = nn.Parameter(torch.zeros(dim_vector))
""",
        "return self.norm(x)": """\
return nn.functional.layer_norm(x, x.shape[-1:], self.gain, self.bias, 1e-5)""",
    },
)
APPENDED = Right(
    "The layers are appended one by one, and the norm is made before them.",
    {
        LIST: """\
        self.closing = LayerNorm(dim_vector)
        self.blocks = nn.ModuleList()
        for _ in range(num_layer):
            self.blocks.append(PreNormEncoderLayer(dim_vector, n_head, dim_hidden, dropout))
""",
        "        self.norm = LayerNorm(dim_vector)\n": "",
        LOOP: """\
        for block in self.blocks:
            x = block(x, src_mask)
        return self.closing(x)
""",
    },
)
NORM_BEHIND_THE_LAYERS = Right(
    "The closing norm is the last member of the list of layers.",
    {
        LIST: """\
        layers = [
            PreNormEncoderLayer(dim_vector, n_head, dim_hidden, dropout) for _ in range(num_layer)
        ]
        self.layers = nn.ModuleList([*layers, LayerNorm(dim_vector)])
""",
        "        self.norm = LayerNorm(dim_vector)\n": "",
        LOOP: """\
        *layers, norm = self.layers
        for layer in layers:
            x = layer(x, src_mask)
        return norm(x)
""",
    },
)
FUNCTIONAL_DROPOUT = Right(
    "F.dropout gets the mode of the layer; the probability is a plain number.",
    {
        "        self.dropout = nn.Dropout(dropout)\n": "        self.rate = dropout\n",
        RUNS: """\
        y = self.norm1(x)
        attended = self.self_attention(y, y, y, src_mask)
        x = x + nn.functional.dropout(attended, self.rate, self.training)
        widened = self.feed_forward(self.norm2(x))
        return x + nn.functional.dropout(widened, self.rate, self.training)
""",
    },
)
