"""What people get wrong in s3_encoder/bert_encoder.py.

Not here, on purpose:
- a row of padding that starts as zeros (padding_idx): loaded weights replace it
- the sum of the real tokens for their mean: after the division by the length they are the same
- start values: open, because real weights are to be loaded
"""

from checks.engine.known import Mistake
from checks.s3_encoder.encoder import mistakes as encoder

TOKENS = "        self.token_embedding = nn.Embedding(vocab_size, dim_vector)\n"
POSITIONS = "        self.position_embedding = nn.Embedding(max_len, dim_vector)\n"
SEGMENTS = "        self.segment_embedding = nn.Embedding(num_segment, dim_vector)\n"
NORM = "        self.norm = LayerNorm(dim_vector, eps)\n"
LIST = """\
self.layers = nn.ModuleList(
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout=0.0) for _ in range(num_layer)
        )"""
GELU = "            layer.feed_forward.relu = nn.GELU()\n"
EPS_1 = "            layer.add_norm1.layer_norm.eps = eps\n"
EPS_2 = "            layer.add_norm2.layer_norm.eps = eps\n"
WORDS = "x = self.token_embedding(tokens) + self.segment_embedding(segments)"
PLACED = "x = self.norm(x + self.position_embedding.weight[:length])"
SHAPED = """\
        if mask is not None:
            mask = mask[:, None, None]
"""
LOOP = """\
for layer in self.layers:
            x = layer(x, mask)"""
TOTAL = "total = (out * mask[..., None]).sum(dim=1)"
DIVIDED = "return total / total.norm(dim=-1, keepdim=True)"
ABOVE = "class BertEncoder(nn.Module):"
PE = {
    "from s2_attention.layer_norm import LayerNorm": """\
from s1_embedding.positional_embedding import PositionalEmbedding
from s2_attention.layer_norm import LayerNorm"""
}


def with_layer(forward: str, init: str = "") -> dict[str, str]:
    """An edit: a class of layers with another forward and with more in __init__."""
    more = f"""
    def __init__(self, dim_vector: int, n_head: int, dim_hidden: int, dropout: float):
        super().__init__(dim_vector, n_head, dim_hidden, dropout)
        {init}
"""
    body = "\n".join(f"        {line}" for line in forward.splitlines())
    return {
        ABOVE: f"""\
class BertLayer(EncoderLayer):{more if init else ""}
    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
{body}


{ABOVE}""",
        "            EncoderLayer(": "            BertLayer(",
    }


def with_gelu(body: str) -> dict[str, str]:
    """An edit: a module of one's own in the place of the ReLU."""
    return {
        ABOVE: f"""\
class Gelu(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return {body}


{ABOVE}""",
        "nn.GELU()": "Gelu()",
    }


# The feed-forward network

RELU_LEFT = Mistake(
    "The layers keep the ReLU of step 2.5. BERT's weights were learned with a GELU; with a ReLU "
    "nearly all sentences look alike.",
    {GELU: ""},
)
GELU_UNDER_A_NEW_NAME = Mistake(
    RELU_LEFT.says,
    {"layer.feed_forward.relu =": "layer.feed_forward.gelu ="},
)
GELU_IN_LAST_LAYER = Mistake(
    "Only the last layer gets the GELU, and the others keep their ReLU. The exchange belongs in "
    "the loop over all layers.",
    {GELU: "", EPS_2: EPS_2 + "        layer.feed_forward.relu = nn.GELU()\n"},
)
GELU_IN_FIRST_LAYER = Mistake(
    "Only the first layer gets the GELU, and the others keep their ReLU. The exchange belongs in "
    "the loop over all layers.",
    {GELU: "", EPS_2: EPS_2 + "        self.layers[0].feed_forward.relu = nn.GELU()\n"},
)
TANH_GELU = Mistake(
    "This is the GELU with a tanh, an approximation. GPT-2 has it, but BERT has the exact one, so "
    "all values are slightly wrong.",
    {"nn.GELU()": 'nn.GELU(approximate="tanh")'},
    seen="google-research/bert, modeling.py",
)
SIGMOID_GELU = Mistake(
    "This is the GELU with a sigmoid of 1.702 x, a rough approximation. CLIP has it, but BERT has "
    "the exact one.",
    with_gelu("x * torch.sigmoid(1.702 * x)"),
)
SILU = Mistake(
    "This is SiLU, x times its own sigmoid. It looks like a GELU, but its values differ by up to "
    "0.2.",
    {"nn.GELU()": "nn.SiLU()"},
)
TANH = Mistake(
    "The activation is tanh, which gives no more than 1. A GELU lets large values through as they "
    "are.",
    {"nn.GELU()": "nn.Tanh()"},
)
LEAKY_RELU = Mistake(
    "The activation is a leaky ReLU. BERT has a GELU, which is smooth and nearly 0 for very "
    "negative values.",
    {"nn.GELU()": "nn.LeakyReLU()"},
)
GELU_AFTER_THE_RELU = Mistake(
    "The GELU acts on the result of the ReLU. It belongs in the place of the ReLU, or small "
    "negative values are lost.",
    {"nn.GELU()": "nn.Sequential(nn.ReLU(), nn.GELU())"},
)
GELU_WITHOUT_X = Mistake(
    "The activation gives only the probability that a normal number is below x. A GELU multiplies "
    "it by x.",
    with_gelu("(1 + torch.erf(x / 2**0.5)) / 2"),
)
ERF_WITHOUT_ROOT = Mistake(
    "The GELU takes erf of x instead of erf of x divided by the square root of 2. So its curve is "
    "too steep.",
    with_gelu("x * (1 + torch.erf(x)) / 2"),
)
GELU_OF_THE_OUTPUT = Mistake(
    "A GELU acts on the output of the feed-forward network. It belongs between the two linear "
    "layers only.",
    with_layer("""\
x = self.add_norm1(x, self.self_attention(x, x, x, mask))
return self.add_norm2(x, nn.functional.gelu(self.feed_forward(x)))"""),
)

# The norms and their eps

EPS_LEFT = Mistake(
    "The norms in the layers keep eps 1e-5. BERT's weights were learned with 1e-12, so all norms "
    "need the eps that is given.",
    {EPS_1: "", EPS_2: ""},
)
EPS_LEFT_IN_FIRST = Mistake(
    "The first norm of each layer keeps eps 1e-5. All norms need the eps that is given.",
    {EPS_1: ""},
)
EPS_LEFT_IN_SECOND = Mistake(
    "The second norm of each layer keeps eps 1e-5. All norms need the eps that is given.",
    {EPS_2: ""},
)
EPS_OF_ADD_NORM = Mistake(
    EPS_LEFT.says,
    {
        "layer.add_norm1.layer_norm.eps": "layer.add_norm1.eps",
        "layer.add_norm2.layer_norm.eps": "layer.add_norm2.eps",
    },
)
EPS_LEFT_IN_EMBEDDING = Mistake(
    "The norm of the three rows' sum keeps eps 1e-5. All norms need the eps that is given.",
    {"LayerNorm(dim_vector, eps)": "LayerNorm(dim_vector)"},
)
EPS_IN_LAST_LAYER = Mistake(
    "Only the last layer's norms get the eps, and the other layers keep 1e-5. This belongs in the "
    "loop over all layers.",
    {
        EPS_1: "",
        EPS_2: "        layer.add_norm1.layer_norm.eps = layer.add_norm2.layer_norm.eps = eps\n",
    },
)
DEFAULT_EPS = Mistake(
    "The default of eps is 1e-5, as in step 2.3. BERT has 1e-12.",
    {"eps: float = 1e-12": "eps: float = 1e-5"},
)
EPS_FIXED = Mistake(
    "eps is always 1e-12, and the argument is ignored. Other models of this kind have another eps.",
    {
        NORM: NORM.replace("eps", "1e-12"),
        EPS_1: EPS_1.replace("= eps", "= 1e-12"),
        EPS_2: EPS_2.replace("= eps", "= 1e-12"),
    },
)
NO_NORM = Mistake(
    "The sum of the three rows goes into the first layer without a norm. BERT normalises it, and "
    "its layers learned to read normalised vectors.",
    {PLACED: "x = x + self.position_embedding.weight[:length]"},
)
NORM_NOT_MADE = Mistake(
    NO_NORM.says,
    {NORM: "", PLACED: "x = x + self.position_embedding.weight[:length]"},
)
NORM_BEFORE_THE_POSITIONS = Mistake(
    "The norm comes before the positions are added. It belongs after the sum of all three rows.",
    {PLACED: "x = self.norm(x) + self.position_embedding.weight[:length]"},
)
NORM_OF_WORDS_ONLY = Mistake(
    "Only the tokens' rows are normalised, before positions and segments are added. The norm "
    "belongs after the sum of all three rows.",
    {
        WORDS: "x = self.norm(self.token_embedding(tokens)) + self.segment_embedding(segments)",
        PLACED: "x = x + self.position_embedding.weight[:length]",
    },
)
EACH_ROW_NORMED = Mistake(
    "Each of the three rows is normalised before they are added. Only their sum is to be "
    "normalised.",
    {
        WORDS: "x = self.norm(self.token_embedding(tokens)) + self.norm(self.segment_embedding(segments))",
        PLACED: "x = x + self.norm(self.position_embedding.weight[:length])",
    },
)
NORM_TWICE = Mistake(
    "The sum is normalised twice, so gamma and beta act twice. Once is right.",
    {PLACED: "x = self.norm(self.norm(x + self.position_embedding.weight[:length]))"},
)
NORM_WITHOUT_PARAMETERS = Mistake(
    "The norm of the sum has no gamma and beta. BERT's weights hold both, and they would have no "
    "place.",
    {
        NORM: "        self.eps = eps\n",
        PLACED: """\
x = x + self.position_embedding.weight[:length]
        x = nn.functional.layer_norm(x, x.shape[-1:], eps=self.eps)""",
    },
)
CLOSING_NORM = Mistake(
    "There is one more norm after the last layer. Pre-norm stacks need it, but here each layer "
    "already ends in a norm.",
    {
        NORM: NORM + "        self.closing_norm = LayerNorm(dim_vector, eps)\n",
        "        return x\n": "        return self.closing_norm(x)\n",
    },
)
SAME_NORM_AT_THE_END = Mistake(
    "The embedding's norm is applied again after the last layer. Each layer already ends in a "
    "norm of its own.",
    {"        return x\n": "        return self.norm(x)\n"},
)
PRE_NORM = Mistake(
    "The layers are pre-norm, as in step 3.3: the norm comes before the sublayer. BERT is "
    "post-norm, and its weights do not work in the other order.",
    with_layer("""\
y = self.add_norm1.layer_norm(x)
x = x + self.self_attention(y, y, y, mask)
return x + self.feed_forward(self.add_norm2.layer_norm(x))"""),
)
NO_SHORTCUTS = Mistake(
    "The layers have no residual connections: only the output of a sublayer is normalised. The "
    "layer of step 3.1 adds x first.",
    with_layer("""\
x = self.add_norm1.layer_norm(self.self_attention(x, x, x, mask))
return self.add_norm2.layer_norm(self.feed_forward(x))"""),
)
NORMS_EXCHANGED = Mistake(
    "The two norms of each layer are exchanged. Loaded weights then scale the wrong sums.",
    with_layer("""\
x = self.add_norm2(x, self.self_attention(x, x, x, mask))
return self.add_norm1(x, self.feed_forward(x))"""),
)
HEADS_SPLIT_BY_VIEW = Mistake(
    "The heads are made by view alone, without transposing. So a head gets pieces of several "
    "tokens instead of its features of all tokens.",
    with_layer(
        "return super().forward(x, mask)",
        """\
split = self.self_attention
        split.split = lambda x: x.reshape(len(x), n_head, x.size(1), -1)
        split.merge = lambda x: x.reshape(len(x), x.size(2), -1)""",
    ),
)

# Positions and segments

SINUSOIDS = Mistake(
    "The positions are the waves of step 1.2. BERT learns a table of positions, and its weights "
    "would have no place.",
    {
        **PE,
        POSITIONS: "        self.position_embedding = PositionalEmbedding(dim_vector, max_len)\n",
        "self.position_embedding.num_embeddings": "len(self.position_embedding.pe)",
        "self.position_embedding.weight[:length]": "self.position_embedding(tokens)",
    },
)
SINUSOIDS_TOO = Mistake(
    "The waves of step 1.2 are added beside the learned positions. BERT has only the learned ones.",
    {
        **PE,
        POSITIONS: POSITIONS + "        self.waves = PositionalEmbedding(dim_vector, max_len)\n",
        WORDS: WORDS + " + self.waves(tokens)",
    },
)
NO_POSITIONS = Mistake(
    "The positions are not added. So the encoder cannot see the order of the tokens.",
    {PLACED: "x = self.norm(x)"},
)
POSITIONS_NOT_MADE = Mistake(
    NO_POSITIONS.says,
    {
        POSITIONS: "        self.max_len = max_len\n",
        "self.position_embedding.num_embeddings": "self.max_len",
        PLACED: "x = self.norm(x)",
    },
)
POSITIONS_FROM_1 = Mistake(
    "The positions count from 1, but they should count from 0. Each token gets the row of its "
    "right neighbour.",
    {
        "if length > max_len": "if length >= max_len",
        "weight[:length]": "weight[1 : length + 1]",
    },
)
POSITIONS_FROM_2 = Mistake(
    "The positions count from 2. That is RoBERTa's way; BERT counts from 0.",
    {
        "if length > max_len": "if length > max_len - 2",
        "weight[:length]": "weight[2 : length + 2]",
    },
    seen="huggingface/transformers, modeling_roberta.py",
)
POSITIONS_FROM_2_IN_A_LONGER_TABLE = Mistake(
    "The table of positions has more rows than max_len. RoBERTa has two more, because it counts "
    "from 2; BERT has exactly max_len.",
    {
        "nn.Embedding(max_len, dim_vector)": "nn.Embedding(max_len + 2, dim_vector)",
        "self.position_embedding.num_embeddings": "self.position_embedding.num_embeddings - 2",
        "weight[:length]": "weight[2 : length + 2]",
    },
)
POSITIONS_BACKWARDS = Mistake(
    "The rows of the positions are used in reverse order. Position 0 is the first token.",
    {"weight[:length]": "weight[:length].flip(0)"},
)
POSITIONS_FROM_THE_END = Mistake(
    "The last rows of the position table are used instead of the first. Position 0 is row 0.",
    {"weight[:length]": "weight[-length:]"},
)
POSITION_0_FOR_ALL = Mistake(
    "All tokens get the row of position 0. So the encoder cannot see the order of the tokens.",
    {"weight[:length]": "weight[:1]"},
)
POSITIONS_OF_THE_TOKENS = Mistake(
    "The position table is read with the ids of the tokens. A position is the token's place in "
    "the sentence.",
    {"self.position_embedding.weight[:length]": "self.position_embedding(tokens % max_len)"},
)
POSITIONS_OF_THE_BATCH = Mistake(
    "The position is the number of the sentence in the batch. It should be the token's place in "
    "its sentence.",
    {
        "self.position_embedding.weight[:length]": "self.position_embedding.weight[: len(tokens), None]"
    },
)
POSITIONS_SKIP_PADDING = Mistake(
    "The positions count only the tokens that the mask shows. BERT counts every place of the "
    "sentence.",
    {
        "x + self.position_embedding.weight[:length]": """\
x + self.position_embedding(torch.arange(length, device=x.device).expand(len(x), -1) if mask is None
                                          else ((mask != 0).cumsum(1) - 1).clamp(min=0))"""
    },
)
POSITIONS_DO_NOT_LEARN = Mistake(
    "The table of positions is a buffer and does not learn. BERT's positions are weights.",
    {
        POSITIONS: '        self.register_buffer("positions", torch.randn(max_len, dim_vector))\n',
        "self.position_embedding.num_embeddings": "len(self.positions)",
        "self.position_embedding.weight[:length]": "self.positions[:length]",
    },
)
SEGMENTS_NOT_MADE = Mistake(
    "There is no table of segments. BERT adds a row of it to every token, even where a text has "
    "one segment only.",
    {
        SEGMENTS: "",
        """\
        if segments is None:
            segments = torch.zeros_like(tokens)
""": "",
        " + self.segment_embedding(segments)": "",
    },
)
SEGMENTS_NOT_ADDED = Mistake(
    "The rows of the segments are never added. BERT adds one to every token, even where a text "
    "has one segment only.",
    {" + self.segment_embedding(segments)": ""},
)
SEGMENTS_IGNORED = Mistake(
    "The given segments are ignored: every token gets the row of segment 0.",
    {"        if segments is None:\n            segments": "        segments"},
)
NOTHING_WITHOUT_SEGMENTS = Mistake(
    "Without segments no row of the segment table is added. BERT then adds row 0 to every token.",
    {
        """\
        if segments is None:
            segments = torch.zeros_like(tokens)
""": "",
        WORDS: """\
x = self.token_embedding(tokens)
        if segments is not None:
            x = x + self.segment_embedding(segments)""",
    },
)
SEGMENT_1_BY_DEFAULT = Mistake(
    "Without segments every token is put into segment 1. It should be segment 0.",
    {"torch.zeros_like(tokens)": "torch.ones_like(tokens)"},
)
FIRST_SEGMENT_FOR_ALL = Mistake(
    "All tokens of a sentence get the segment of its first token. Each token has a segment of its "
    "own.",
    {"self.segment_embedding(segments)": "self.segment_embedding(segments[:, :1])"},
)
MASK_AS_SEGMENTS = Mistake(
    "The mask is read as the numbers of the segments. They are two different arguments.",
    {
        "self.segment_embedding(segments)": """\
self.segment_embedding(segments if mask is None else mask.long())"""
    },
)
MASK_COMES_FIRST = Mistake(
    "forward takes the mask before the segments. The order is tokens, segments, mask, and "
    "callers rely on it.",
    {
        "segments: Tensor | None = None, mask: Tensor | None = None": """\
mask: Tensor | None = None, segments: Tensor | None = None"""
    },
)
TWO_SEGMENTS = Mistake(
    "The table of segments always has two rows, and num_segment is ignored.",
    {"nn.Embedding(num_segment, dim_vector)": "nn.Embedding(2, dim_vector)"},
)
ONE_SEGMENT_BY_DEFAULT = Mistake(
    "The default of num_segment is not 2. BERT's table of segments has two rows.",
    {"num_segment: int = 2": "num_segment: int = 1"},
)
SEGMENTS_AND_POSITIONS_SWAPPED = Mistake(
    "The tables of positions and segments have each other's number of rows.",
    {
        "nn.Embedding(max_len, dim_vector)": "nn.Embedding(num_segment, dim_vector)",
        SEGMENTS: SEGMENTS.replace("num_segment", "max_len"),
    },
)
ROOT_OF_WIDTH = Mistake(
    "The tokens' rows are multiplied by the square root of dim_vector, as in step 1.4. BERT adds "
    "them as they are.",
    {WORDS: WORDS.replace("(tokens)", "(tokens) * self.norm.gamma.numel() ** 0.5")},
)
WORDS_NOT_ADDED = Mistake(
    "The tokens' rows are missing in the sum, so all sentences of one length look the same.",
    {WORDS: "x = self.segment_embedding(segments)"},
)
TABLES_AS_TENSORS = Mistake(
    "The table of positions is a plain tensor. PyTorch does not train it, save it or move it.",
    {
        POSITIONS: "        self.positions = torch.randn(max_len, dim_vector)\n",
        "self.position_embedding.num_embeddings": "len(self.positions)",
        "self.position_embedding.weight[:length]": "self.positions[:length]",
    },
)
NO_LIMIT = Mistake(
    "A text longer than max_len is not refused with a ValueError. The error that comes instead "
    "says nothing about lengths.",
    {"if length > max_len:": "if length > 10**9:"},
)
LIMIT_ONE_TOO_SMALL = Mistake(
    "A text of exactly max_len tokens is refused. There is a row for each of them.",
    {"if length > max_len:": "if length >= max_len:"},
)
CUT_INSTEAD_OF_REFUSED = Mistake(
    "A text that is too long is cut silently. Its end is lost, and nobody notices.",
    {
        """\
            raise ValueError(f"{length} tokens do not fit into max_len {max_len}")
""": """\
            tokens, length = tokens[:, :max_len], max_len
"""
    },
)
AT_MOST_512_TOKENS = Mistake(
    "No more than 512 tokens fit, even if max_len is larger. 512 is the size of one BERT, not of all.",
    {"nn.Embedding(max_len, dim_vector)": "nn.Embedding(min(max_len, 512), dim_vector)"},
)

# The layers and the mask

MASK_IGNORED = Mistake(
    "The mask reaches no layer, so padding is read like words and changes the result.",
    {"x = layer(x, mask)": "x = layer(x)"},
)
MASK_NOT_SHAPED = Mistake(
    "The layers get the mask as (batch_size, length). It then does not fit the scores, or masks "
    "the keys of the wrong sentence.",
    {SHAPED: ""},
)
MASK_ON_QUERIES = Mistake(
    "The mask hides queries. Padding must be hidden as a key alone, on the last axis.",
    {"mask[:, None, None]": "mask[:, None, :, None]"},
)
MASK_OF_PAIRS = Mistake(
    MASK_ON_QUERIES.says,
    {"mask[:, None, None]": "mask[:, None, None] * mask[:, None, :, None]"},
)
MASK_WITHOUT_HEADS = Mistake(
    "The mask gets one axis, not two. The sentences of the batch then meet the heads in it.",
    {"mask[:, None, None]": "mask[:, None]"},
)
MASK_OF_FIRST_SENTENCE = Mistake(
    encoder.MASK_OF_FIRST_SENTENCE.says,
    {"mask[:, None, None]": "mask[:1, None, None]"},
)
MASK_INVERTED = Mistake(
    "The mask is inverted: real tokens are hidden, and padding is read. 1 stands for a real token.",
    {"mask = mask[:, None, None]": "mask = mask[:, None, None] == 0"},
)
MASK_ADDED_TO_SCORES = Mistake(
    "The mask is turned into 0 and a large negative number, as if it were added to the scores. "
    "Your layers take 1 and 0.",
    {"mask = mask[:, None, None]": "mask = (1.0 - mask[:, None, None].float()) * -10000.0"},
)
MASK_FOR_FIRST_ONLY = Mistake(
    encoder.MASK_FOR_FIRST_ONLY.says,
    {
        LOOP: """\
for n, layer in enumerate(self.layers):
            x = layer(x, mask if n == 0 else None)"""
    },
)
MASK_NOT_FOR_LAST = Mistake(
    encoder.MASK_FOR_FIRST_ONLY.says,
    {
        LOOP: """\
for layer in self.layers:
            x = layer(x, None if layer is self.layers[-1] else mask)"""
    },
)
ALWAYS_CAUSAL = Mistake(
    "Later tokens are hidden from earlier ones, as in a decoder. BERT reads in both directions.",
    {
        SHAPED: SHAPED
        + """\
        past = torch.ones(length, length, dtype=torch.bool, device=x.device).tril()
        mask = past if mask is None else past & (mask != 0)
"""
    },
)
PADDING_GUESSED = Mistake(
    "Without a mask, one id is taken for padding and hidden. No mask means that every token is "
    "read.",
    {
        "        if mask is not None:\n            mask = mask": """\
        mask = tokens != 1 if mask is None else mask
        if mask is not None:
            mask = mask"""
    },
)
PADDING_GUESSED_0 = Mistake(
    PADDING_GUESSED.says,
    {
        "        if mask is not None:\n            mask = mask": """\
        mask = tokens != 0 if mask is None else mask
        if mask is not None:
            mask = mask"""
    },
)
DROPS_IN_TRAINING = Mistake(
    "The layers drop entries in train mode. This step drops nothing: dropout is 0.",
    {"dim_hidden, dropout=0.0)": "dim_hidden)"},
)
SAME_LAYER_REPEATED = Mistake(
    encoder.SAME_LAYER_REPEATED.says,
    {
        LIST: """\
self.layers = nn.ModuleList(
            [EncoderLayer(dim_vector, n_head, dim_hidden, dropout=0.0)] * num_layer
        )"""
    },
)
PYTHON_LIST = Mistake(
    encoder.PYTHON_LIST.says,
    {
        LIST: """\
self.layers = [
            EncoderLayer(dim_vector, n_head, dim_hidden, dropout=0.0) for _ in range(num_layer)
        ]"""
    },
)
LAYERS_NOT_CHAINED = Mistake(
    encoder.LAYERS_NOT_CHAINED.says,
    {LOOP: LOOP.replace("for", "first = x\n        for", 1).replace("(x,", "(first,")},
)
RETURNS_IN_THE_LOOP = Mistake(
    encoder.RETURNS_IN_THE_LOOP.says,
    {LOOP: LOOP + "\n            return x"},
)
LAST_LAYER_SKIPPED = Mistake(
    encoder.LAST_LAYER_SKIPPED.says,
    {"for layer in self.layers:\n            x": "for layer in self.layers[:-1]:\n            x"},
)
RESULT_DROPPED = Mistake(
    encoder.LAYERS_SKIPPED.says,
    {"x = layer(x, mask)": "layer(x, mask)"},
)
HEADS_IGNORED = Mistake(
    encoder.HEADS_IGNORED.says,
    {"EncoderLayer(dim_vector, n_head, dim_hidden": "EncoderLayer(dim_vector, 1, dim_hidden"},
)
HEADS_AND_HIDDEN_SWAPPED = Mistake(
    encoder.HEADS_AND_HIDDEN_SWAPPED.says,
    {"EncoderLayer(dim_vector, n_head, dim_hidden": "EncoderLayer(dim_vector, dim_hidden, n_head"},
)
HIDDEN_WIDTH_IGNORED = Mistake(
    "The hidden width of the layers is always four times dim_vector, and dim_hidden is ignored. "
    "BERT has that ratio, but the caller may want another.",
    {"n_head, dim_hidden, dropout=0.0": "n_head, 4 * dim_vector, dropout=0.0"},
)
AT_MOST_TWELVE_LAYERS = Mistake(
    "There are never more than twelve layers, even if num_layer is larger. Large models have more.",
    {"range(num_layer)": "range(min(num_layer, 12))"},
)
POOLER = Mistake(
    "A linear layer and a tanh act on the first token. That is BERT's head for a training task; "
    "this step returns the vectors of all tokens.",
    {
        NORM: NORM + "        self.pooler = nn.Linear(dim_vector, dim_vector)\n",
        "        return x\n": "        return torch.tanh(self.pooler(x[:, 0]))\n",
    },
)
FIRST_TOKEN_RETURNED = Mistake(
    "Only the vector of the first token is returned. The encoder returns one vector for each "
    "token.",
    {"        return x\n": "        return x[:, 0]\n"},
)
A_PAIR_RETURNED = Mistake(
    "You return a pair, with the first token's vector beside the vectors of all tokens. Only the "
    "second is expected.",
    {"        return x\n": "        return x, x[:, 0]\n"},
)

# One vector for a sentence

PADDING_COUNTED = Mistake(
    "The mean is taken over all tokens, padding too. So the vector of a sentence depends on how "
    "long its neighbours in the batch are.",
    {TOTAL: "total = out.sum(dim=1)"},
)
FIRST_TOKEN = Mistake(
    "You take the vector of the first token. This sentence model was trained with the mean of all "
    "real tokens.",
    {TOTAL: "total = out[:, 0]"},
)
LAST_TOKEN = Mistake(
    "You take the vector of the last token, which is often padding. This sentence model was "
    "trained with the mean of all real tokens.",
    {TOTAL: "total = out[:, -1]"},
)
MAXIMUM = Mistake(
    "You take the largest value of each feature. This sentence model was trained with the mean of "
    "the real tokens.",
    {TOTAL: 'total = out.masked_fill(mask[..., None] == 0, float("-inf")).amax(dim=1)'},
)
ENDS_LEFT_OUT = Mistake(
    "The first token is left out of the mean. It is a real token, too.",
    {TOTAL: "total = (out * mask[..., None])[:, 1:].sum(dim=1)"},
)
TOKENS_NORMALISED_FIRST = Mistake(
    "Each token's vector is divided by its norm before the mean. Long vectors then count no "
    "more than short ones.",
    {TOTAL: "total = (out / out.norm(dim=-1, keepdim=True) * mask[..., None]).sum(dim=1)"},
)
NOT_NORMALISED = Mistake(
    "The mean is not divided by its norm. So the product of two sentence vectors is no cosine, "
    "and large vectors seem more alike.",
    {DIVIDED: "return total / mask.sum(dim=1, keepdim=True)"},
)
SUM_NOT_NORMALISED = Mistake(
    "The sum is not divided by its norm. Long sentences then get long vectors and seem more alike.",
    {DIVIDED: "return total"},
)
DIVIDED_BY_SQUARED_LENGTH = Mistake(
    "You divide by the square of the norm. The square root is missing, so the result does not have "
    "norm 1.",
    {DIVIDED: "return total / (total * total).sum(dim=-1, keepdim=True)"},
)
DIVIDED_BY_SUM = Mistake(
    "You divide by the sum of the absolute values. The norm is the square root of the sum of "
    "squares.",
    {DIVIDED: "return total / total.abs().sum(dim=-1, keepdim=True)"},
)
LENGTH_OF_THE_BATCH = Mistake(
    "All sentences are divided by one common norm. Each sentence has a norm of its own.",
    {DIVIDED: "return total / total.norm()"},
)
LENGTH_OVER_SENTENCES = Mistake(
    "The norm is taken along the sentences of the batch. It belongs to the features of each "
    "sentence, the last axis.",
    {DIVIDED: "return total / total.norm(dim=0, keepdim=True)"},
)
LENGTH_WITHOUT_AXIS = Mistake(
    "The norm has lost its last axis, so it does not stand beside the sentences. Keep the axis.",
    {"keepdim=True)": "keepdim=False)"},
)
SUM_OVER_SENTENCES = Mistake(
    "The sum runs over the sentences of the batch. It should run over the tokens of each sentence.",
    {".sum(dim=1)": ".sum(dim=0)"},
)
SUM_OVER_FEATURES = Mistake(
    "The sum runs over the features. It should run over the tokens of each sentence, axis 1.",
    {".sum(dim=1)": ".sum(dim=2)"},
)
MEAN_OF_PADDING = Mistake(
    "The mask of the sum is inverted: the mean is taken over padding. 1 stands for a real token.",
    {"mask[..., None]": "(mask[..., None] == 0)"},
)
MASK_ON_THE_FEATURES = Mistake(
    "The mask stands on the axis of the features. It belongs on the axis of the tokens.",
    {"mask[..., None]": "mask[:, None]"},
)
PADDING_OVERWRITTEN = Mistake(
    "The caller's vectors are overwritten with 0 at padding. Code that uses them later gets wrong "
    "values.",
    {TOTAL: "total = out.masked_fill_(mask[..., None] == 0, 0).sum(dim=1)"},
)
VECTORS_DETACHED = Mistake(
    "The result is cut off from the gradient, so nothing could be trained with it.",
    {DIVIDED: DIVIDED.replace("return total", "return total.detach()")},
)
SOFTMAX = Mistake(
    "You apply a softmax to the features. A sentence vector has norm 1, not sum 1.",
    {DIVIDED: "return total.softmax(dim=-1)"},
)
AT_MOST_LENGTH_ONE = Mistake(
    "A vector that is shorter than 1 keeps its norm. Every sentence vector should have norm 1.",
    {DIVIDED: "return total / total.norm(dim=-1, keepdim=True).clamp(min=1.0)"},
)
SEGMENTS_ON_THE_CPU = Mistake(
    "The segments that are missing are on the CPU, wherever the tokens are. On a GPU the code "
    "stops with an error.",
    {"torch.zeros_like(tokens)": "torch.zeros(1, length, dtype=torch.int64)"},
)
SEGMENTS_KEPT = Mistake(
    "The zeros of the first call are kept as segments for all later ones. A text of another length "
    "does not fit.",
    {
        "            segments = torch.zeros_like(tokens)\n": """\
            if "zeros" not in self.__dict__:
                self.__dict__["zeros"] = torch.zeros_like(tokens)
            segments = self.__dict__["zeros"]
"""
    },
)
SHORT_VECTORS_STAY_SHORT = Mistake(
    "A mean that is shorter than 0.01 does not get length 1. All lengths should be 1.",
    {"total.norm(dim=-1, keepdim=True)": "total.norm(dim=-1, keepdim=True).clamp(min=1e-2)"},
)
EPS_IN_FIRST_LAYER = Mistake(
    "Only the first layer's norms get the eps, and the other layers keep 1e-5. All norms need the "
    "eps that is given.",
    {
        EPS_1: "",
        EPS_2: """\
        for layer in self.layers[:1]:
            layer.add_norm1.layer_norm.eps = layer.add_norm2.layer_norm.eps = eps
""",
    },
)
MASK_IN_TRAINING_ONLY = Mistake(
    "The mask is used in train mode only. Padding is there in eval mode, too.",
    {"x = layer(x, mask)": "x = layer(x, mask if self.training else None)"},
)
ONE_SENTENCE_SQUEEZED = Mistake(
    "With one sentence, its vector loses the first axis. The result should be (batch_size, "
    "dim_vector) for every batch.",
    {
        "return total / total.norm(dim=-1, keepdim=True)": """\
return (total / total.norm(dim=-1, keepdim=True)).squeeze(0)"""
    },
)
