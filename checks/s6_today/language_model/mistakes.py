"""What people get wrong in s6_today/language_model.py."""

from checks.engine.known import Mistake

SIGNATURE = "def forward(self, x: Tensor, *others: object) -> tuple[Tensor, Cache]:"
NAMED = {SIGNATURE: "def forward(self, x, cos, sin, start=0, mask=None, cache=None):"}
ATTENDS = "out, cache = self.attention(self.norm1(x), *others)"
PASSED = "out, cache = self.attention(self.norm1(x), cos, sin, {})"
ADDS = "x = x + out"
WIDENS = "return x + self.feed_forward(self.norm2(x)), cache"
NORM1 = "self.norm1 = RMSNorm(dim_vector, eps)"
NORM2 = "self.norm2 = RMSNorm(dim_vector, eps)"
NORM = "self.norm = RMSNorm(dim_vector, eps)"
TABLE = "        nn.init.normal_(self.embedding.weight, std=0.02)\n"
EMBEDS = "x, longer = self.embedding(tokens), []"
SCORES = "return self.norm(x) @ self.embedding.weight.T, longer"
LAYERS = """\
self.layers = nn.ModuleList(
            LanguageModelLayer(dim_vector, n_head, n_kv_head, dim_hidden, eps)
            for _ in range(num_layer)
        )"""
LOOP = """\
        for n, layer in enumerate(self.layers):
            x, cache = layer(x, self.cos, self.sin, start, mask, caches[n] if caches else None)
            longer.append(cache)
"""
CALL = "layer(x, self.cos, self.sin, start, mask, caches[n] if caches else None)"
START = "start, length = caches[0][0].size(2) if caches else 0, tokens.size(1)"
MASK = "mask = torch.ones(length, start + length, dtype=torch.bool, device=tokens.device)"
PAST = "mask = mask.tril(diagonal=start)"
ANGLES = "cos, sin = rotary_table(dim_vector // n_head, max_len, base)"
COS = 'self.register_buffer("cos", cos, persistent=False)'
SIN = 'self.register_buffer("sin", sin, persistent=False)'

# The layer: where the norms stand

POST_NORM = Mistake(
    "This is post-norm, as in step 3.1: the sum is normalised. Here the norm comes before the "
    "sublayer, and the residual connection goes around both.",
    {
        ATTENDS: "out, cache = self.attention(x, *others)",
        ADDS: "x = self.norm1(x + out)",
        WIDENS: "return self.norm2(x + self.feed_forward(x)), cache",
    },
)
NORM_BEFORE_ADD = Mistake(
    "You normalise the output of a sublayer instead of its input. The norm belongs before the "
    "sublayer.",
    {
        ATTENDS: "out, cache = self.attention(x, *others)",
        ADDS: "x = x + self.norm1(out)",
        WIDENS: "return x + self.norm2(self.feed_forward(x)), cache",
    },
)
SHORTCUT_IS_NORMED = Mistake(
    "The residual connection carries the normalised x, so the size of the vectors is lost at "
    "every sublayer. Add the x from before the norm.",
    {
        ATTENDS: """\
x = self.norm1(x)
        out, cache = self.attention(x, *others)""",
        WIDENS: """\
x = self.norm2(x)
        return x + self.feed_forward(x), cache""",
    },
    seen="Howuhh/faster-trajectory-transformer#3",
)
FIRST_SHORTCUT_IS_NORMED = Mistake(
    "The first residual connection carries the normalised x, so the size of the vectors is lost. "
    "Add the x from before the norm.",
    {
        ATTENDS: """\
x = self.norm1(x)
        out, cache = self.attention(x, *others)"""
    },
)
SECOND_SHORTCUT_IS_NORMED = Mistake(
    "The second residual connection carries the normalised sum, so its size is lost. Add the x "
    "from before the norm.",
    {
        WIDENS: """\
x = self.norm2(x)
        return x + self.feed_forward(x), cache"""
    },
)
ONE_NORM_FOR_BOTH = Mistake(
    "Both sublayers use norm1, so they share one gamma. norm2 is made but never learns.",
    {"self.feed_forward(self.norm2(x))": "self.feed_forward(self.norm1(x))"},
)
ONE_NORM_SHARED = Mistake(
    "norm1 and norm2 are the same layer under two names. Each sublayer needs a gamma of its own.",
    {NORM2: "self.norm2 = self.norm1"},
)
NORMS_EXCHANGED = Mistake(
    "norm1 and norm2 are swapped. Loaded weights then stand before the wrong sublayer.",
    {
        "self.attention(self.norm1(x)": "self.attention(self.norm2(x)",
        "self.feed_forward(self.norm2(x))": "self.feed_forward(self.norm1(x))",
    },
)
NO_FIRST_NORM = Mistake(
    "The attention reads x without a norm. Nothing else normalises x, so its numbers can have any "
    "size.",
    {"self.attention(self.norm1(x)": "self.attention(x"},
)
NO_SECOND_NORM = Mistake(
    "The feed-forward network reads x without a norm. Nothing else normalises x, so its numbers "
    "can have any size.",
    {"self.feed_forward(self.norm2(x))": "self.feed_forward(x)"},
)
SIDE_BY_SIDE = Mistake(
    "Both sublayers read the same x, side by side. Here the feed-forward network reads the sum "
    "with the attention's output.",
    {
        ADDS: "before, x = x, x + out",
        WIDENS: "return x + self.feed_forward(self.norm2(before)), cache",
    },
)
NORMED_ONCE = Mistake(
    "The feed-forward network reads the normalised input of the layer. It never sees the output "
    "of the attention, and norm2 is not used.",
    {
        ATTENDS: f"normed = self.norm1(x)\n        {ATTENDS.replace('self.norm1(x)', 'normed')}",
        WIDENS: "return x + self.feed_forward(normed), cache",
    },
)
LAYER_ENDS_IN_A_NORM = Mistake(
    "Every layer ends in one more norm. Only one closing norm is wanted, after the last layer.",
    {
        NORM2: f"{NORM2}\n        self.norm3 = RMSNorm(dim_vector, eps)",
        WIDENS: "return self.norm3(x + self.feed_forward(self.norm2(x))), cache",
    },
)
NO_FIRST_SHORTCUT = Mistake(
    "The attention's output replaces x instead of being added to it. What the attention does not "
    "pass on is lost.",
    {ADDS: "x = out"},
)
NO_SECOND_SHORTCUT = Mistake(
    "The output of the feed-forward network replaces x instead of being added to it. What it does "
    "not pass on is lost.",
    {WIDENS: "return self.feed_forward(self.norm2(x)), cache"},
)
SUBLAYERS_IN_REVERSE = Mistake(
    "The feed-forward network comes before the attention. The order is attention first.",
    {
        ATTENDS: """\
x = x + self.feed_forward(self.norm2(x))
        out, cache = self.attention(self.norm1(x), *others)""",
        WIDENS: "return x, cache",
    },
)
MEAN_SUBTRACTED = Mistake(
    "The norms are layer norms: they subtract the mean and add a beta. Today's norm is that of "
    "step 6.1.",
    {
        NORM1: "self.norm1 = nn.LayerNorm(dim_vector, eps)",
        NORM2: "self.norm2 = nn.LayerNorm(dim_vector, eps)",
        NORM: "self.norm = nn.LayerNorm(dim_vector, eps)",
    },
)
WIDENS_FOUR_TIMES = Mistake(
    "The hidden width is always 4 · dim_vector. dim_hidden says how wide it should be: a gated "
    "network has three matrices, so models choose less.",
    {
        "GatedFeedForward(dim_vector, dim_hidden)": "GatedFeedForward(dim_vector, 4 * dim_vector)",
    },
    seen="stas00/ml-engineering#45",
)
AS_MANY_KEY_HEADS = Mistake(
    "The layer has as many heads of keys as of queries. n_kv_head says how many there should be, "
    "so that the cache is small.",
    {
        "GroupedQueryAttention(dim_vector, n_head, n_kv_head)": (
            "GroupedQueryAttention(dim_vector, n_head, n_head)"
        )
    },
)
START_NOT_PASSED = Mistake(
    "The layer does not pass start on, so every call begins at position 0. New tokens then seem to "
    "stand at the beginning of the text.",
    NAMED | {ATTENDS: PASSED.format("0, mask, cache")},
)
MASK_NOT_PASSED = Mistake(
    "The layer does not pass the mask on, so every token sees the tokens after it.",
    NAMED | {ATTENDS: PASSED.format("start, None, cache")},
)
CACHE_NOT_PASSED = Mistake(
    "The layer does not pass the cache on. New tokens then see nothing of the text before them.",
    NAMED | {ATTENDS: PASSED.format("start, mask")},
)
OLD_CACHE_RETURNED = Mistake(
    "The layer returns the cache that it was given, not the longer one. The new tokens are "
    "forgotten.",
    NAMED
    | {
        ATTENDS: "out, _ = self.attention(self.norm1(x), cos, sin, start, mask, cache)",
    },
)

# The table: in and out

COPIED_TABLE = Mistake(
    "The output has a copy of the table, which is equal at first. Then each learns for itself, "
    "and loaded weights reach only one of them.",
    {
        TABLE: TABLE
        + "        self.output = nn.Parameter(self.embedding.weight.detach().clone())\n",
        SCORES: "return self.norm(x) @ self.output.T, longer",
    },
    seen="rasbt/LLMs-from-scratch#822",
)
UNTIED = Mistake(
    "The output has a matrix of its own. In this model one table serves twice: it embeds the "
    "tokens, and its rows give the scores.",
    {
        TABLE: TABLE + "        self.output = nn.Linear(dim_vector, vocab_size, bias=False)\n",
        SCORES: "return self.output(self.norm(x)), longer",
    },
    seen="facebookresearch/lingua#74, TransformerLensOrg/TransformerLens#1725, vllm-project/vllm#5621",
)
OUTPUT_WITH_BIAS = Mistake(
    "The output adds a bias to the scores. Its matrix is the table, but a score here is the "
    "product alone.",
    {
        TABLE: TABLE
        + """\
        self.output = nn.Linear(dim_vector, vocab_size)
        self.output.weight = self.embedding.weight
""",
        SCORES: "return self.output(self.norm(x)), longer",
    },
)
KEPT_COPY = Mistake(
    "The scores come from a copy that was made of the new table. What the table learns, or loads, "
    "never reaches them.",
    {
        TABLE: TABLE
        + '        self.register_buffer("rows", self.embedding.weight.detach().clone())\n',
        SCORES: "return self.norm(x) @ self.rows.T, longer",
    },
)
TABLE_DETACHED = Mistake(
    "The scores use the table without its gradient. The table then learns as input only.",
    {SCORES: "return self.norm(x) @ self.embedding.weight.detach().T, longer"},
)
EMBEDDING_DETACHED = Mistake(
    "The vectors of the tokens are cut off from the gradient. The table then learns as output only.",
    {EMBEDS: "x, longer = self.embedding(tokens).detach(), []"},
)
SCALED_ON_THE_WAY_IN = Mistake(
    "The vectors are multiplied by the square root of dim_vector on the way in, as in step 1.4 ★. This "
    "model does not do that.",
    {EMBEDS: "x, longer = self.embedding(tokens) * self.embedding.embedding_dim**0.5, []"},
)
SCALED_ON_THE_WAY_OUT = Mistake(
    "The scores are divided by the square root of dim_vector. Here they are the products themselves.",
    {
        SCORES: """\
return self.norm(x) @ self.embedding.weight.T / self.embedding.embedding_dim**0.5, longer""",
    },
)
LARGE_TABLE = Mistake(
    "The table has large numbers at first, of standard deviation 1. As output it gives some tokens "
    "very high scores, so the first loss is far above ln(vocab_size).",
    {TABLE: ""},
)
TABLE_AROUND_ITS_SIZE = Mistake(
    "0.02 is the mean of the table, and its standard deviation is 1. The mean should be 0, and the "
    "standard deviation 0.02.",
    {TABLE: "        nn.init.normal_(self.embedding.weight, 0.02)\n"},
)
TABLE_OF_ZEROS = Mistake(
    "The table is filled with zeros. Then all tokens are the same, and all scores are 0.",
    {TABLE: "        nn.init.zeros_(self.embedding.weight)\n"},
)
TABLE_OF_ONE_NUMBER = Mistake(
    "The table is filled with one number, so all tokens have the same vector and the same score.",
    {TABLE: "        nn.init.constant_(self.embedding.weight, 0.02)\n"},
)
SMALL_ON_A_COPY = Mistake(
    "The small numbers go into a copy, and the table keeps its large ones. The first loss is then "
    "far above ln(vocab_size).",
    {TABLE: "        nn.init.normal_(self.embedding.weight.detach().clone(), std=0.02)\n"},
)
PROBABILITIES = Mistake(
    "The scores go through a softmax. The loss and the sampling do this themselves, so return the "
    "scores as they are.",
    {SCORES: "return (self.norm(x) @ self.embedding.weight.T).softmax(dim=-1), longer"},
)
LAST_TOKEN_ONLY = Mistake(
    "Only the last token gets scores. In training, every token has a next one to predict.",
    {SCORES: "return self.norm(x[:, -1:]) @ self.embedding.weight.T, longer"},
)
WAVES_ADDED = Mistake(
    "The vectors get the waves of step 1.2 as well. Here only the rotation says where a "
    "token stands.",
    {
        "from s6_today.gated_feed_forward": """\
from s1_embedding.positional_embedding import PositionalEmbedding
from s6_today.gated_feed_forward""",
        TABLE: TABLE + "        self.waves = PositionalEmbedding(dim_vector, max_len)\n",
        EMBEDS: "x, longer = self.embedding(tokens) + self.waves(tokens), []",
    },
)

# The closing norm

NO_CLOSING_NORM = Mistake(
    "The closing norm is made but not used. The sums of all layers can have any size, and so can "
    "the scores.",
    {SCORES: "return x @ self.embedding.weight.T, longer"},
)
CLOSING_NORM_NOT_MADE = Mistake(
    "The model has no closing norm. The sums of all layers can have any size, and so can the "
    "scores.",
    {f"        {NORM}\n": "", SCORES: "return x @ self.embedding.weight.T, longer"},
)
CLOSING_NORM_IN_THE_LOOP = Mistake(
    "The closing norm follows every layer, so no residual connection goes through the whole "
    "model. It belongs after the last layer.",
    {
        "            longer.append(cache)\n": (
            "            longer.append(cache)\n            x = self.norm(x)\n"
        ),
        SCORES: "return x @ self.embedding.weight.T, longer",
    },
)
NORM_AT_THE_ENTRANCE = Mistake(
    "The norm comes before the first layer and not after the last one. The sums of all layers are "
    "then never normalised.",
    {
        EMBEDS: "x, longer = self.norm(self.embedding(tokens)), []",
        SCORES: "return x @ self.embedding.weight.T, longer",
    },
)
NORM_OF_THE_LAST_LAYER = Mistake(
    "The closing norm has the gamma of the last layer's second norm. It needs one of its own.",
    {f"        {NORM}\n": f"        {NORM}\n        self.last = self.layers[-1:]\n"}
    | {SCORES: "return self.last[0].norm2(x) @ self.embedding.weight.T, longer"},
)

# The stack of layers

SAME_LAYER_REPEATED = Mistake(
    "The list holds one layer several times, so all share their weights. Make a new layer for each "
    "place.",
    {
        LAYERS: """\
layer = LanguageModelLayer(dim_vector, n_head, n_kv_head, dim_hidden, eps)
        self.layers = nn.ModuleList([layer] * num_layer)"""
    },
)
PLAIN_LIST = Mistake(
    "The layers are kept in a plain list. PyTorch does not find them there, so they never learn "
    "and are not saved.",
    {
        LAYERS: """\
self.layers = [
            LanguageModelLayer(dim_vector, n_head, n_kv_head, dim_hidden, eps)
            for _ in range(num_layer)
        ]"""
    },
)
ONE_LAYER_TOO_FEW = Mistake(
    "The model has one layer less than num_layer says.",
    {"for _ in range(num_layer)": "for _ in range(num_layer - 1)"},
)
LAST_LAYER_SKIPPED = Mistake(
    "The last layer is made but not used.",
    {
        LOOP: LOOP.replace("enumerate(self.layers)", "enumerate(self.layers[:-1])")
        + """\
        if self.layers:
            longer.append(self.layers[-1](x, self.cos, self.sin, start, mask, None)[1])
"""
    },
)
LAYERS_NOT_CHAINED = Mistake(
    "Every layer reads the vectors of the tokens. Each should read the output of the layer before "
    "it.",
    {
        EMBEDS: "x, longer = self.embedding(tokens), []\n        entrance = x",
        LOOP: LOOP.replace("layer(x,", "layer(entrance,"),
    },
)
AT_MOST_TWELVE_LAYERS = Mistake(
    "Only the first twelve layers are used. num_layer may be larger.",
    {LOOP: LOOP.replace("enumerate(self.layers)", "enumerate(self.layers[:12])")},
)

# Places and masks

POSITION_STAYS = Mistake(
    "The position stays 0 in every call, even if the caches hold tokens. A real model still "
    "answers well, then it repeats itself.",
    {LOOP: LOOP.replace("self.sin, start", "self.sin, 0")},
)
POSITION_ONE_TOO_FAR = Mistake(
    "With caches, the first new token stands one position too far. It follows the last cached one "
    "directly.",
    {LOOP: LOOP.replace("self.sin, start,", "self.sin, start + 1 if caches else 0,")},
)
POSITION_OF_THE_LAST = Mistake(
    "With caches, the first new token gets the position of the last cached one. It stands one "
    "further.",
    {LOOP: LOOP.replace("self.sin, start,", "self.sin, max(start - 1, 0),")},
)
HEADS_COUNTED = Mistake(
    "The axis of the heads is counted instead of the tokens. Cached keys are (batch_size, "
    "n_kv_head, length, dim_split).",
    {START: "start, length = caches[0][0].size(1) if caches else 0, tokens.size(1)"},
)
FEATURES_COUNTED = Mistake(
    "The axis of the features is counted instead of the tokens. Cached keys are (batch_size, "
    "n_kv_head, length, dim_split).",
    {START: "start, length = caches[0][0].size(-1) if caches else 0, tokens.size(1)"},
)
LAYERS_COUNTED = Mistake(
    "The caches are counted instead of the tokens in them. There is one cache for each layer.",
    {START: "start, length = len(caches) if caches else 0, tokens.size(1)"},
)
START_IS_NEVER_COUNTED = Mistake(
    "The caches are not counted: start is always 0. New tokens then seem to stand at the beginning, "
    "and the mask has too few columns.",
    {START: "start, length = 0, tokens.size(1)"},
)
MASK_BEGINS_AT_ROW_0 = Mistake(
    "With caches, the mask begins at row 0, as for a new text. The new tokens then see only the "
    "beginning of it.",
    {PAST: "mask = mask.tril()"},
    seen="rasbt/LLMs-from-scratch#697",
)
NO_MASK = Mistake(
    "There is no mask, so each token sees the ones after it. In training it would learn to copy the "
    "next token.",
    {PAST: "mask = None"},
)
NO_MASK_WITHOUT_CACHE = Mistake(
    "Without caches there is no mask, so each token sees the ones after it. The whole text is read "
    "at once then, and needs it most.",
    {PAST: "mask = mask.tril(diagonal=start) if caches else None"},
)
NO_MASK_WITH_CACHE = Mistake(
    "With caches there is no mask, which is right for one new token. If there are several, each "
    "sees the ones after it.",
    {PAST: "mask = None if caches else mask.tril()"},
)
MASK_UPSIDE_DOWN = Mistake(
    "The mask is upside down: each token sees the tokens after it, and not those before it.",
    {PAST: "mask = mask.triu(diagonal=start)"},
)
MASK_HIDES_ITSELF = Mistake(
    "A token may not see itself. The mask needs the diagonal: each token attends to itself and to "
    "all before it.",
    {PAST: "mask = mask.tril(diagonal=start - 1)"},
)
MASK_ONE_TOO_FAR = Mistake(
    "Each token sees the next one, too. The mask's diagonal is one too far to the right.",
    {PAST: "mask = mask.tril(diagonal=start + 1)"},
)
MASK_HIDES_THE_CACHE = Mistake(
    "The new tokens see each other and nothing of the caches. They need all tokens so far.",
    {
        PAST: """\
mask = mask.tril(diagonal=start)
        mask[:, :start] = False"""
    },
)
SQUARE_MASK = Mistake(
    "The mask has a column for each new token only. With caches, the cached tokens need columns, "
    "too.",
    {MASK: "mask = torch.ones(length, length, dtype=torch.bool, device=tokens.device)"},
)
MASK_AS_A_SUM = Mistake(
    "The mask holds minus infinity and 0, to be added to the scores. calculate_attention of step "
    "2.1 hides where the mask is 0.",
    {
        PAST: """\
mask = torch.zeros(length, start + length, device=tokens.device).masked_fill(
            ~mask.tril(diagonal=start), float("-inf")
        )"""
    },
)
MASK_STAYS_ON_THE_CPU = Mistake(
    "The mask is on the CPU, wherever the tokens are, or it was kept from an earlier call. On any "
    "other device the model stops with an error.",
    {MASK: "mask = torch.ones(length, start + length, dtype=torch.bool)"},
)

# Caches

SAME_CACHE_FOR_ALL = Mistake(
    "All layers get the cache of the first one. Each layer has keys and values of its own.",
    {LOOP: LOOP.replace("caches[n]", "caches[0]")},
)
LAST_CACHE_FOR_ALL = Mistake(
    "The last layer's cache is returned for all layers. Each layer has keys and values of its own.",
    {SCORES: SCORES.replace(", longer", ", [cache for _ in longer]")},
)
CACHES_NOT_READ = Mistake(
    "The caches are not passed to the layers. New tokens then see nothing of the text before them.",
    {
        LOOP: LOOP.replace("caches[n] if caches else None", "None"),
        MASK: MASK.replace("start + length", "length"),
        PAST: "mask = mask.tril()",
    },
)
OLD_CACHES_RETURNED = Mistake(
    "The caches come back as they were given. The new tokens are not in them, so they are "
    "forgotten.",
    {SCORES: SCORES.replace(", longer", ", caches or longer")},
)
CACHES_IN_REVERSE = Mistake(
    "The caches are returned in reverse, last layer first. In the next call each layer reads those "
    "of another.",
    {"longer.append(cache)": "longer.insert(0, cache)"},
)
ONE_CACHE_RETURNED = Mistake(
    "Only the last layer's cache is returned. Each layer needs its own in the next call.",
    {SCORES: SCORES.replace(", longer", ", cache")},
)
NO_CACHES_RETURNED = Mistake(
    "Only the scores are returned. The longer caches belong to the result: the next call needs "
    "them.",
    {SCORES: SCORES.replace(", longer", "")},
)
CACHES_WRITTEN_BACK = Mistake(
    "The longer caches overwrite those in the caller's list. The caller may want to go on from "
    "there a second time.",
    {
        "            longer.append(cache)\n": """\
            longer.append(cache)
            if caches:
                caches[n] = cache
"""
    },
)
CACHES_APPENDED = Mistake(
    "The longer caches are appended to the caller's list. It then has two for each layer, the old "
    "ones first.",
    {EMBEDS: "x, longer = self.embedding(tokens), caches if caches else []"},
)
CACHES_KEPT_ON_THE_MODEL = Mistake(
    "The model keeps its caches from call to call. Another text then begins with the tokens of the "
    "one before.",
    {
        START: f'caches = caches or getattr(self, "kept", None)\n        {START}',
        SCORES: f"self.kept = longer\n        {SCORES}",
    },
)

# What is passed on

BASE_NOT_PASSED = Mistake(
    "base does not reach the table: it has base 10,000, or that of another model. A model that "
    "learned with another base reads all distances wrongly.",
    {ANGLES: "cos, sin = rotary_table(dim_vector // n_head, max_len)"},
)
OTHER_DEFAULT_BASE = Mistake(
    "The default of base is 100,000, and should be 10,000.",
    {"base: float = 10000.0": "base: float = 100000.0"},
)
EPS_NOT_PASSED = Mistake(
    "eps does not reach the norms. A model must be used with the eps that it has learned with.",
    {
        NORM1: "self.norm1 = RMSNorm(dim_vector)",
        NORM2: "self.norm2 = RMSNorm(dim_vector)",
        NORM: "self.norm = RMSNorm(dim_vector)",
    },
)
EPS_NOT_IN_THE_LAYERS = Mistake(
    "eps reaches the closing norm, but not the norms of the layers.",
    {NORM1: "self.norm1 = RMSNorm(dim_vector)", NORM2: "self.norm2 = RMSNorm(dim_vector)"},
)
EPS_NOT_IN_THE_CLOSING_NORM = Mistake(
    "eps reaches the norms of the layers, but not the closing one.",
    {NORM: "self.norm = RMSNorm(dim_vector)"},
)
OTHER_DEFAULT_EPS = Mistake(
    "The default of eps is 1e-6, and should be 1e-5.",
    {"eps: float = 1e-5,": "eps: float = 1e-6,"},
)
ANGLES_OF_DIM_VECTOR = Mistake(
    "The table of angles is as wide as the whole vector. Each head is turned by itself, so it needs "
    "dim_split = dim_vector // n_head.",
    {ANGLES: "cos, sin = rotary_table(dim_vector, max_len, base)"},
)
ANGLES_OF_KEY_HEADS = Mistake(
    "The width of a head is dim_vector // n_kv_head here. The heads of keys are fewer, not wider: "
    "it is dim_vector // n_head.",
    {ANGLES: "cos, sin = rotary_table(dim_vector // n_kv_head, max_len, base)"},
)
COS_AND_SIN_EXCHANGED = Mistake(
    "The sines stand in the place of the cosines, and the cosines in that of the sines.",
    {ANGLES: ANGLES.replace("cos, sin =", "sin, cos =")},
)
ANGLES_LEARN = Mistake(
    "The table of angles is a Parameter, so training would change it. A formula fixes its values.",
    {COS: "self.cos = nn.Parameter(cos)", SIN: "self.sin = nn.Parameter(sin)"},
)
PLAIN_ANGLES = Mistake(
    "cos and sin are plain attributes, no buffers. They stay on the CPU when the model moves to "
    "another device.",
    {COS: "self.cos = cos", SIN: "self.sin = sin"},
)
AT_MOST_512_POSITIONS = Mistake(
    "The table has at most 512 positions, even if max_len is larger. A longer text is refused.",
    {ANGLES: "cos, sin = rotary_table(dim_vector // n_head, min(max_len, 512), base)"},
)
MORE_POSITIONS = Mistake(
    "More than max_len tokens are accepted. The tokens, with those in the caches, must fit the "
    "table, or an error must say that they do not.",
    {ANGLES: "cos, sin = rotary_table(dim_vector // n_head, 2 * max_len, base)"},
)
CUT_TO_MAX_LEN = Mistake(
    MORE_POSITIONS.says,
    {START: f"tokens = tokens[:, -self.cos.size(0) :]\n        {START}"},
)
AT_MOST_512_TOKENS = Mistake(
    "Each token sees only the last 512 tokens. In a longer text the others are never read.",
    {PAST: "mask = mask.tril(diagonal=start).triu(diagonal=start - 511)"},
)
IDS_IN_EIGHT_BITS = Mistake(
    "The token ids are cut to 8 bits, which hold 256 numbers. A token with a larger id gets the "
    "row of another one.",
    {"self.embedding(tokens), []": "self.embedding(tokens % 256), []"},
)
FLOAT32_ONLY = Mistake(
    "The scores are always converted to float32. A model in another dtype should give its own.",
    {SCORES: "return (self.norm(x) @ self.embedding.weight.T).float(), longer"},
)
PADDING_IS_ZERO = Mistake(
    "Token 0 is treated as padding: its row gets no gradient. Here every id is a real token.",
    {
        "nn.Embedding(vocab_size, dim_vector)": (
            "nn.Embedding(vocab_size, dim_vector, padding_idx=0)"
        )
    },
)
MASK_KEPT_BY_LENGTH = Mistake(
    "The mask is kept for as many new tokens. Behind a longer cache there is no mask then.",
    {
        MASK: (
            "mask = torch.ones(length, start + length, dtype=torch.bool, device=tokens.device)\n"
            "        self.masks = getattr(self, 'masks', {})"
        ),
        PAST: (
            "mask = self.masks.setdefault(length, mask.tril(diagonal=start))\n"
            "        mask = mask if mask.size(1) == start + length else None"
        ),
    },
)
TEN_TIMES_LARGER_TABLE = Mistake(
    "The standard deviation of the table is 0.2 at first, ten times too large. It should be 0.02.",
    {TABLE: "        nn.init.normal_(self.embedding.weight, std=0.2)\n"},
)
ANGLES_SAVED = Mistake(
    "cos and sin are saved with the weights. They follow from the sizes, and make each file larger: "
    "persistent=False leaves them out.",
    {COS: 'self.register_buffer("cos", cos)', SIN: 'self.register_buffer("sin", sin)'},
)
ALL_PARAMETERS_DRAWN = Mistake(
    "All parameters begin with small random numbers, the gammas of the norms as well. They should "
    "begin as ones.",
    {
        NORM: f"""\
{NORM}
        for parameter in self.parameters():
            nn.init.normal_(parameter, std=0.02)"""
    },
)
GRADIENTS_SWITCHED_OFF = Mistake(
    "With caches, the recording of gradients is switched off for the whole program. After the first "
    "text nothing can learn any more.",
    {
        START: f"torch.set_grad_enabled(caches is None)\n        {START}",
    },
)

NORM_OF_THE_ATTENTION_ALONE = Mistake(
    "The feed-forward network reads the norm of what attention gave, without x. It reads the norm of the sum.",
    {"self.feed_forward(self.norm2(x))": "self.feed_forward(self.norm2(out))"},
)

SECOND_SHORTCUT_FROM_THE_BEGINNING = Mistake(
    "The second residual connection adds the layer's input, so what attention gave is not in the sum.",
    {
        """\
        x = x + out
        return x + self.feed_forward(self.norm2(x)), cache""": "        return x + self.feed_forward(self.norm2(x + out)), cache"
    },
)

EPS_LOST_IN_THE_SECOND_NORM = Mistake(
    "The second norm of each layer does not get eps.",
    {"self.norm2 = RMSNorm(dim_vector, eps)": "self.norm2 = RMSNorm(dim_vector)"},
)

SCORES_BENT_BY_TANH = Mistake(
    "The scores go through a tanh, as in some newer models. This step returns them as they are.",
    {
        "return self.norm(x) @ self.embedding.weight.T, longer": "return 30 * torch.tanh(self.norm(x) @ self.embedding.weight.T / 30), longer"
    },
)

LAST_PLACE_WITH_CACHES = Mistake(
    "With caches only the last place is scored. Several new tokens may come at once; each has its scores.",
    {"return self.norm(x) @ self": "return self.norm(x if caches is None else x[:, -1:]) @ self"},
)

NO_CACHES_IN_TRAINING = Mistake(
    "In train mode no caches come back. They are returned in both modes.",
    {"            longer.append(cache)": "            longer += [] if self.training else [cache]"},
)
MASK_IN_TRAINING_ONLY = Mistake(
    "The mask is used in train mode only. In eval mode each token then sees the ones after it.",
    {"start, mask, caches[n]": "start, mask if self.training else None, caches[n]"},
)
PROBABILITIES_IN_EVAL = Mistake(
    "In eval mode probabilities come back instead of scores. Both modes return the scores.",
    {
        "return self.norm(x) @ self.embedding.weight.T, longer": """\
scores = self.norm(x) @ self.embedding.weight.T
        return scores if self.training else scores.softmax(dim=-1), longer"""
    },
)
