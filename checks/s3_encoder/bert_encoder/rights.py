"""Right versions of s3_encoder/bert_encoder.py that look different."""

from checks.engine.known import Right
from checks.s3_encoder.bert_encoder.mistakes import (
    ABOVE,
    DIVIDED,
    EPS_1,
    EPS_2,
    GELU,
    LIST,
    NORM,
    PLACED,
    POSITIONS,
    SEGMENTS,
    TOKENS,
    TOTAL,
    WORDS,
    with_gelu,
)

LAYER_OF_ONES_OWN = Right(
    "A layer of one's own, a class that inherits from that of step 3.1.",
    {
        ABOVE: f"""\
class BertLayer(EncoderLayer):
    def __init__(self, dim_vector: int, n_head: int, dim_hidden: int, eps: float):
        super().__init__(dim_vector, n_head, dim_hidden, dropout=0.0)
        self.feed_forward.relu = nn.GELU()
        self.add_norm1.layer_norm = LayerNorm(dim_vector, eps)
        self.add_norm2.layer_norm = LayerNorm(dim_vector, eps)


{ABOVE}""",
        "EncoderLayer(dim_vector, n_head, dim_hidden, dropout=0.0)": """\
BertLayer(dim_vector, n_head, dim_hidden, eps)""",
        "        for layer in self.layers:\n" + GELU + EPS_1 + EPS_2: "",
    },
)
WRITTEN_ANEW = Right(
    "The layers are written from scratch, with the names of Google's code and with torch's norms.",
    {
        ABOVE: f"""\
class BertLayer(nn.Module):
    def __init__(self, dim_vector: int, n_head: int, dim_hidden: int, eps: float):
        super().__init__()
        self.n_head = n_head
        self.query = nn.Linear(dim_vector, dim_vector)
        self.key = nn.Linear(dim_vector, dim_vector)
        self.value = nn.Linear(dim_vector, dim_vector)
        self.dense = nn.Linear(dim_vector, dim_vector)
        self.norm_attention = nn.LayerNorm(dim_vector, eps=eps)
        self.intermediate = nn.Linear(dim_vector, dim_hidden)
        self.output = nn.Linear(dim_hidden, dim_vector)
        self.norm_output = nn.LayerNorm(dim_vector, eps=eps)

    def split(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.n_head, -1)).transpose(1, 2)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        shown = None if mask is None else mask != 0
        mixed = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=shown)
        x = self.norm_attention(x + self.dense(mixed.transpose(1, 2).flatten(2)))
        return self.norm_output(x + self.output(nn.functional.gelu(self.intermediate(x))))


{ABOVE}""",
        "EncoderLayer(dim_vector, n_head, dim_hidden, dropout=0.0)": """\
BertLayer(dim_vector, n_head, dim_hidden, eps)""",
        "        for layer in self.layers:\n" + GELU + EPS_1 + EPS_2: "",
    },
)
LAYERS_OF_TORCH = Right(
    "The layers are torch's own, post-norm, with its names and its masks.",
    {
        LIST: """\
self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(
                dim_vector, n_head, dim_hidden, 0.0, "gelu", eps, batch_first=True
            )
            for _ in range(num_layer)
        )""",
        "        for layer in self.layers:\n" + GELU + EPS_1 + EPS_2: "",
        "            mask = mask[:, None, None]\n": "            mask = mask == 0\n",
        "x = layer(x, mask)": "x = layer(x, src_key_padding_mask=mask)",
    },
)
NAMES_OF_THE_LIBRARY = Right(
    "The tables have the names that the transformers library gives them.",
    {
        TOKENS: TOKENS.replace("token_embedding", "word_embeddings"),
        POSITIONS: POSITIONS.replace("position_embedding", "position_embeddings"),
        SEGMENTS: SEGMENTS.replace("segment_embedding", "token_type_embeddings"),
        NORM: NORM.replace("norm", "LayerNorm", 1),
        "self.position_embedding.num_embeddings": "self.position_embeddings.num_embeddings",
        WORDS: "x = self.word_embeddings(tokens) + self.token_type_embeddings(segments)",
        PLACED: "x = self.LayerNorm(x + self.position_embeddings.weight[:length])",
    },
)
PARAMETERS_AS_TABLES = Right(
    "The positions and segments are bare parameters.",
    {
        POSITIONS: "        self.pos = nn.Parameter(torch.randn(max_len, dim_vector))\n",
        SEGMENTS: "        self.seg = nn.Parameter(torch.randn(num_segment, dim_vector))\n",
        "self.position_embedding.num_embeddings": "len(self.pos)",
        WORDS: "x = self.token_embedding(tokens) + self.seg[segments]",
        PLACED: "x = self.norm(x + self.pos[:length])",
    },
)
EMBEDDING_OF_STEP_1_1 = Right(
    "The tokens' table is the layer of step 1.1.",
    {
        "from s2_attention.layer_norm import LayerNorm": """\
from s1_embedding.token_embedding import TokenEmbedding
from s2_attention.layer_norm import LayerNorm""",
        TOKENS: "        self.token_embedding = TokenEmbedding(vocab_size, dim_vector)\n",
    },
)
PADDING_IS_ZEROS_AT_FIRST = Right(
    "The tokens' table has a row for padding, which starts as zeros and does not learn.",
    {
        "nn.Embedding(vocab_size, dim_vector)": """\
nn.Embedding(vocab_size, dim_vector, padding_idx=0)"""
    },
)
POSITION_IDS = Right(
    "The positions are a buffer of ids, and the table is called with them.",
    {
        POSITIONS: POSITIONS
        + """\
        self.register_buffer("ids", torch.arange(max_len), persistent=False)
""",
        "self.position_embedding.weight[:length]": "self.position_embedding(self.ids[:length])",
    },
)
POSITIONS_COUNTED = Right(
    "The positions are counted in every call, on the device of the tokens.",
    {
        "self.position_embedding.weight[:length]": """\
self.position_embedding(torch.arange(length, device=tokens.device))"""
    },
)
EMBEDDING_IS_A_CLASS = Right(
    "The three tables and their norm are a module of their own.",
    {
        ABOVE: f"""\
class BertEmbedding(nn.Module):
    def __init__(self, vocab_size: int, max_len: int, num_segment: int, dim_vector: int, eps: float):
        super().__init__()
        self.words = nn.Embedding(vocab_size, dim_vector)
        self.places = nn.Embedding(max_len, dim_vector)
        self.types = nn.Embedding(num_segment, dim_vector)
        self.norm = nn.LayerNorm(dim_vector, eps=eps)

    def forward(self, tokens: Tensor, segments: Tensor) -> Tensor:
        places = self.places.weight[: tokens.shape[-1]]
        return self.norm(self.words(tokens) + places + self.types(segments))


{ABOVE}""",
        TOKENS: """\
        self.max_len = max_len
        self.embeddings = BertEmbedding(vocab_size, max_len, num_segment, dim_vector, eps)
""",
        POSITIONS: "",
        SEGMENTS: "",
        NORM: "",
        "self.position_embedding.num_embeddings": "self.max_len",
        WORDS: "x = self.embeddings(tokens, segments)",
        PLACED: "",
    },
)
GELU_BY_HAND = Right(
    "The GELU is written with erf.",
    with_gelu("0.5 * x * (1.0 + torch.erf(x / 2.0**0.5))"),
)
DEFAULT_SEGMENT_SLICED = Right(
    "Without segments, row 0 of the table is added to all tokens at once.",
    {
        """\
        if segments is None:
            segments = torch.zeros_like(tokens)
""": "",
        WORDS: """\
table = self.segment_embedding
        x = self.token_embedding(tokens)
        x = x + (table.weight[0] if segments is None else table(segments))""",
    },
)
MEAN_AND_NORMALIZE = Right(
    "The mean with its division, then torch's normalize, as the sentence-transformers library has "
    "it.",
    {
        TOTAL: """\
real = mask[..., None].expand(out.size()).to(out.dtype)
        total = (out * real).sum(1) / torch.clamp(real.sum(1), min=1e-9)""".replace(
            "        ", "    "
        ),
        DIVIDED: "return nn.functional.normalize(total, p=2, dim=1)",
    },
)
MASKED_BY_FILLING = Right(
    "Padding is filled with 0, and einsum adds the squares up.",
    {
        TOTAL: "total = out.masked_fill(mask[..., None] == 0, 0).sum(dim=1)",
        DIVIDED: 'return total / torch.einsum("bd,bd->b", total, total).sqrt()[:, None]',
    },
)
A_PRODUCT_OF_MATRICES = Right(
    "The sum over the tokens is a product of the mask with the vectors.",
    {TOTAL: "total = (mask[:, None].to(out.dtype) @ out).squeeze(1)"},
)
SMALL_START_VALUES = Right(
    "All matrices start with small random numbers, as BERT's do.",
    {
        EPS_2: EPS_2
        + """\
        for weight in self.parameters():
            if weight.dim() == 2:
                nn.init.trunc_normal_(weight, std=0.02)
"""
    },
)
