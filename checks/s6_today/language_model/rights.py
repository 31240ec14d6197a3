"""Right versions of s6_today/language_model.py that look different."""

from checks.engine.known import Right
from checks.s6_today.language_model.mistakes import (
    ADDS,
    ANGLES,
    ATTENDS,
    COS,
    EMBEDS,
    LAYERS,
    LOOP,
    MASK,
    NAMED,
    NORM,
    NORM1,
    NORM2,
    PAST,
    SCORES,
    SIN,
    START,
    TABLE,
    WIDENS,
)

MAKES = "self.embedding = nn.Embedding(vocab_size, dim_vector)\n"
TENSOR = "from torch import Tensor, nn\n"

TIED_OUTPUT = Right(
    "The output is a linear layer without a bias that holds the table itself, as in nanoGPT.",
    {
        TABLE: TABLE
        + """\
        self.lm_head = nn.Linear(dim_vector, vocab_size, bias=False)
        self.lm_head.weight = self.embedding.weight
""",
        SCORES: "return self.lm_head(self.norm(x)), longer",
    },
)
TIED_TO_THE_OUTPUT = Right(
    "The output is made first, and the embedding gets its weight.",
    {
        MAKES: """\
self.output = nn.Linear(dim_vector, vocab_size, bias=False)
        self.embedding = nn.Embedding(vocab_size, dim_vector)
        self.embedding.weight = self.output.weight
""",
        SCORES: "return self.output(self.norm(x)), longer",
    },
)
BARE_TABLE = Right(
    "The table is a bare parameter; rows are taken by indexing.",
    {
        f"        {MAKES}{TABLE}": """\
        self.table = nn.Parameter(0.02 * torch.randn(vocab_size, dim_vector))
""",
        EMBEDS: "x, longer = self.table[tokens], []",
        SCORES: "return nn.functional.linear(self.norm(x), self.table), longer",
    },
)
EINSUM = Right(
    "The scores are made by einsum.",
    {
        SCORES: """\
scores = torch.einsum("bld,vd->blv", self.norm(x), self.embedding.weight)
        return scores, longer"""
    },
)
NAMES_OF_GPT = Right(
    "Parts have the names of GPT-2: wte, h, ln_1, attn, ln_2, mlp, ln_f.",
    {
        NORM1: "self.ln_1 = RMSNorm(dim_vector, eps)",
        NORM2: "self.ln_2 = RMSNorm(dim_vector, eps)",
        "self.attention = Grouped": "self.attn = Grouped",
        "self.feed_forward = Gated": "self.mlp = Gated",
        ATTENDS: "out, cache = self.attn(self.ln_1(x), *others)",
        WIDENS: "return x + self.mlp(self.ln_2(x)), cache",
        MAKES: "self.wte = nn.Embedding(vocab_size, dim_vector)\n",
        TABLE: "        nn.init.normal_(self.wte.weight, std=0.02)\n",
        LAYERS: LAYERS.replace("self.layers", "self.h"),
        NORM: "self.ln_f = RMSNorm(dim_vector, eps)",
        EMBEDS: "x, longer = self.wte(tokens), []",
        LOOP: LOOP.replace("self.layers", "self.h"),
        SCORES: "return self.ln_f(x) @ self.wte.weight.T, longer",
    },
)
NAMES_OF_LLAMA = Right(
    "Parts have the names of Llama in the transformers library.",
    {
        NORM1: "self.input_layernorm = RMSNorm(dim_vector, eps)",
        NORM2: "self.post_attention_layernorm = RMSNorm(dim_vector, eps)",
        "self.attention = Grouped": "self.self_attn = Grouped",
        "self.feed_forward = Gated": "self.mlp = Gated",
        ATTENDS: ("out, cache = self.self_attn(self.input_layernorm(x), *others)"),
        WIDENS: "return x + self.mlp(self.post_attention_layernorm(x)), cache",
        MAKES: "self.embed_tokens = nn.Embedding(vocab_size, dim_vector)\n",
        TABLE: "        nn.init.normal_(self.embed_tokens.weight, std=0.02)\n",
        EMBEDS: "x, longer = self.embed_tokens(tokens), []",
        SCORES: "return self.norm(x) @ self.embed_tokens.weight.T, longer",
    },
)
NORMS_OF_TORCH = Right(
    "The norms are torch's own, with the eps that is given.",
    {
        NORM1: "self.norm1 = nn.RMSNorm(dim_vector, eps)",
        NORM2: "self.norm2 = nn.RMSNorm(dim_vector, eps)",
        NORM: "self.norm = nn.RMSNorm(dim_vector, eps)",
    },
)
MASK_OF_POSITIONS = Right(
    "The mask compares positions.",
    {
        MASK: "columns = torch.arange(start + length, device=tokens.device)",
        PAST: "mask = columns <= columns[start:, None]",
    },
)
MASK_WITH_ALL_AXES = Right(
    "The mask has axes for the batch and the heads, and whole numbers.",
    {PAST: "mask = mask.tril(diagonal=start).long()[None, None]"},
)
NO_MASK_FOR_ONE_TOKEN = Right(
    "One new token sees everything, so it needs no mask.",
    {PAST: "mask = mask.tril(diagonal=start) if length > 1 else None"},
)
ROWS_OF_A_SQUARE = Right(
    "The mask is the last rows of a square one.",
    {
        MASK: "total = start + length",
        PAST: """\
mask = torch.ones(total, total, dtype=torch.bool, device=tokens.device).tril()[start:]""",
    },
)
ONE_BUFFER = Right(
    "cos and sin are one buffer of two tables.",
    {
        ANGLES: "table = torch.stack(rotary_table(dim_vector // n_head, max_len, base))",
        COS: 'self.register_buffer("angles", table, persistent=False)',
        f"        {SIN}\n": "",
        LOOP: LOOP.replace("self.cos, self.sin", "*self.angles"),
    },
)
POSITIONS_FROM_ONE = Right(
    "Positions are counted from 1. Attention depends on distances alone, so nothing changes.",
    {
        ANGLES: """\
cos, sin = rotary_table(dim_vector // n_head, max_len + 1, base)
        cos, sin = cos[1:], sin[1:]"""
    },
)
ZIPPED = Right(
    "Layers and caches are zipped; the caches come back as a tuple.",
    {
        **NAMED,
        ATTENDS: "out, cache = self.attention(self.norm1(x), cos, sin, start, mask, cache)",
        START: """\
length = tokens.shape[-1]
        start = caches[0][0].shape[-2] if caches else 0""",
        LOOP: """\
        for layer, old in zip(self.layers, caches or [None] * len(self.layers)):
            x, new = layer(x, self.cos, self.sin, start=start, mask=mask, cache=old)
            longer.append(new)
""",
        SCORES: SCORES.replace(", longer", ", tuple(longer)"),
    },
)
APPENDED = Right(
    "The layers are appended one by one, and the norm is made before them.",
    {
        LAYERS: """\
self.closing = RMSNorm(dim_vector, eps)
        self.blocks = nn.ModuleList()
        for _ in range(num_layer):
            block = LanguageModelLayer(dim_vector, n_head, n_kv_head, dim_hidden, eps)
            self.blocks.append(block)""",
        f"        {NORM}\n": "",
        LOOP: LOOP.replace("self.layers", "self.blocks"),
        SCORES: SCORES.replace("self.norm", "self.closing"),
    },
)
OTHER_FIRST_VALUES = Right(
    "The first values are those of GPT-2: the outputs of the sublayers begin smaller.",
    {
        NORM: f"""\
for layer in self.layers:
            for linear in (layer.attention.linear, layer.feed_forward.down):
                nn.init.normal_(linear.weight, std=0.02 / (2 * num_layer) ** 0.5)
        {NORM}"""
    },
)
UNIFORM_TABLE = Right(
    "The table has Glorot's first values.",
    {TABLE: "        nn.init.xavier_uniform_(self.embedding.weight)\n"},
)
SUMS_IN_PLACE = Right(
    "The sums are made in place, in tensors of the layer's own.",
    {
        ADDS: "x = out.add_(x)",
        WIDENS: "return self.feed_forward(self.norm2(x)).add_(x), cache",
    },
)
