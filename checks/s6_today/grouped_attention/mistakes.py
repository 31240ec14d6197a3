"""What people get wrong in s6_today/grouped_attention.py.

Not here, on purpose:
- masks of 1 and 0, which only some ready-made kernels take: the mask of step 6.5 is boolean;
- all positions one higher: attention stays the same, so it is a right version here;
- the first rows of a mask that has more rows than x has tokens. Here no mask is so long; a whole
  model may cut its mask so (rasbt/LLMs-from-scratch#697).
"""

from checks.engine.known import Mistake
from checks.s6_today.grouped_attention.rights import (
    APPENDS,
    ATTENDS,
    GUARDS,
    MAKES_K,
    MAKES_LINEAR,
    MAKES_Q,
    MAKES_V,
    PROJECTS,
    RETURNS,
    SHARES,
    SIZES,
    SPLITS,
    TURNS,
)

GUARD_OF_GROUPS = """\
        if n_head % n_kv_head != 0:
            raise ValueError(f"{n_head} query heads cannot share {n_kv_head} heads of keys evenly")
"""
GUARD_OF_HEADS = GUARDS.removesuffix(GUARD_OF_GROUPS)

# Which head of keys a query head reads

TILE_FOR_REPEAT = Mistake(
    "The heads of keys and values are repeated as a whole: 0 1 0 1 0 1. Each must be repeated in "
    "its place, 0 0 0 1 1 1, because groups are neighbours.",
    {SHARES: "keys, values = (heads.repeat(1, self.group, 1, 1) for heads in (k, v))"},
    seen="onnx/onnx#7274, ekzhang/jax-js#180",
)
EXPANDED_BEFORE_THE_HEADS = Mistake(
    TILE_FOR_REPEAT.says,
    {
        SHARES: """\
keys, values = (
            heads[:, None].expand(-1, self.group, -1, -1, -1).flatten(1, 2) for heads in (k, v)
        )"""
    },
    seen="onnx/onnx#7274, ekzhang/jax-js#180",
)
REMAINDER_FOR_QUOTIENT = Mistake(
    TILE_FOR_REPEAT.says,
    {
        SHARES: """\
shared = torch.arange(q.size(1), device=x.device) % k.size(1)
        keys, values = k[:, shared], v[:, shared]"""
    },
    seen="onnx/onnx#7274, ekzhang/jax-js#180",
)
TILED_KEYS = Mistake(
    "Keys and values are repeated in different orders. So a query head compares with the keys of "
    "one group and reads the values of another.",
    {
        SHARES: """\
keys, values = k.repeat(1, self.group, 1, 1), v.repeat_interleave(self.group, dim=1)"""
    },
)
TILED_VALUES = Mistake(
    TILED_KEYS.says,
    {
        SHARES: """\
keys, values = k.repeat_interleave(self.group, dim=1), v.repeat(1, self.group, 1, 1)"""
    },
)
REVERSED = Mistake(
    "The groups are assigned in reverse order: the first query heads read the last head of keys.",
    {
        SHARES: """\
keys, values = (heads.flip(1).repeat_interleave(self.group, dim=1) for heads in (k, v))"""
    },
)
FIRST_HEAD_FOR_ALL = Mistake(
    "All query heads read the first head of keys and values. The others are made, but nobody "
    "reads them.",
    {SHARES: "keys, values = (heads[:, :1] for heads in (k, v))"},
)
MEAN_OF_HEADS = Mistake(
    "All query heads read the mean of the heads of keys and values. Each group should have its own "
    "head.",
    {SHARES: "keys, values = (heads.mean(dim=1, keepdim=True) for heads in (k, v))"},
)
LAST_HEAD_FOR_THE_REST = Mistake(
    "The first query heads read one head of keys each, and all others read the last one. Groups "
    "should be equally large.",
    {
        SHARES: """\
shared = torch.arange(q.size(1), device=x.device).clamp(max=k.size(1) - 1)
        keys, values = k[:, shared], v[:, shared]"""
    },
)
REPEATED_ALONG_THE_TOKENS = Mistake(
    "Keys and values are repeated along the axis of the tokens. The axis of the heads is the second "
    "one.",
    {SHARES: SHARES.replace("dim=1", "dim=2")},
    seen="PrimeIntellect-ai/prime-rl#2681",
)
REPEATED_ALONG_THE_BATCH = Mistake(
    "Keys and values are repeated along the batch. The axis of the heads is the second one.",
    {SHARES: SHARES.replace("dim=1", "dim=0")},
    seen="UbiquitousLearning/mllm#483",
)
NOT_REPEATED = Mistake(
    "Keys and values keep their few heads. calculate_attention needs one head of each for every "
    "query head.",
    {SHARES: "keys, values = k, v"},
    seen="state-spaces/mamba#462",
)
VALUES_NOT_REPEATED = Mistake(
    "The keys are repeated, but the values are not. Every query head needs both.",
    {SHARES: "keys, values = k.repeat_interleave(self.group, dim=1), v"},
)
KEYS_NOT_REPEATED = Mistake(
    "The values are repeated, but the keys are not. Every query head needs both.",
    {SHARES: "keys, values = k, v.repeat_interleave(self.group, dim=1)"},
)
REPEATED_BY_KV_HEADS = Mistake(
    "Each head is repeated n_kv_head times. It should be repeated for each query head of its "
    "group, n_head // n_kv_head times.",
    {SIZES: "self.group, self.dim_split = n_kv_head, dim_vector // n_head"},
)
QUERIES_CUT = Mistake(
    "Only as many query heads are used as there are heads of keys. The others are lost.",
    {SHARES: "q, keys, values = q[:, :: self.group], k, v"},
)

# The projections

KEYS_AND_VALUES_WIDE = Mistake(
    "w_k and w_v make n_head heads, as in step 2.2. With n_kv_head heads they are narrower, and so "
    "is the cache.",
    {
        MAKES_K: MAKES_K.replace("n_kv_head", "n_head"),
        MAKES_V: MAKES_V.replace("n_kv_head", "n_head"),
        SHARES: "keys, values = k, v",
    },
)
VALUES_WIDE = Mistake(
    "w_v makes n_head heads of values. It makes n_kv_head heads, like w_k.",
    {
        MAKES_V: MAKES_V.replace("n_kv_head", "n_head"),
        SHARES: "keys, values = k.repeat_interleave(self.group, dim=1), v",
    },
)
QUERIES_NARROW = Mistake(
    "w_q makes only n_kv_head heads. Queries keep all n_head heads; only keys and values have "
    "fewer.",
    {
        MAKES_Q: MAKES_K.replace("w_k", "w_q"),
        PROJECTS: """\
q, k, v = (self.split(layer(x)) for layer in (self.w_q, self.w_k, self.w_v))
        q = q.repeat_interleave(self.group, dim=1)""",
    },
)
HEADS_OF_ANOTHER_WIDTH = Mistake(
    "dim_split is computed from n_kv_head. A head of keys is as wide as a head of queries, "
    "dim_vector // n_head.",
    {SIZES: "self.group, self.dim_split = n_head // n_kv_head, dim_vector // n_kv_head"},
)
BIASES = Mistake(
    "The linear layers have biases. Here they have no biases, and weights of today's models "
    "contain none for them.",
    {
        MAKES_Q: MAKES_Q.replace(", bias=False", ""),
        MAKES_K: MAKES_K.replace(", bias=False", ""),
        MAKES_V: MAKES_V.replace(", bias=False", ""),
        MAKES_LINEAR: MAKES_LINEAR.replace(", bias=False", ""),
    },
)
BIASES_BUT_AT_THE_END = Mistake(
    "w_q, w_k and w_v have biases. Some models have them there, but this contract has none.",
    {
        MAKES_Q: MAKES_Q.replace(", bias=False", ""),
        MAKES_K: MAKES_K.replace(", bias=False", ""),
        MAKES_V: MAKES_V.replace(", bias=False", ""),
    },
)
BIAS_AT_THE_END = Mistake(
    "linear has a bias. None of the four layers has one here.",
    {MAKES_LINEAR: MAKES_LINEAR.replace(", bias=False", "")},
)
VALUES_FROM_W_K = Mistake(
    "The values go through w_k instead of w_v, so w_v is never used and never learns.",
    {PROJECTS: PROJECTS.replace("w_v", "w_k")},
)
KEYS_FROM_W_V = Mistake(
    "The keys go through w_v instead of w_k, so w_k is never used and never learns.",
    {PROJECTS: PROJECTS.replace("w_k", "w_v")},
)
KEYS_AND_VALUES_SWAPPED = Mistake(
    "The keys go through w_v and the values through w_k. With loaded weights, each layer then does "
    "the work of the other.",
    {PROJECTS: PROJECTS.replace("q, k, v =", "q, v, k =")},
)
ONE_LAYER_FOR_BOTH = Mistake(
    "Keys and values share one layer. Each needs its own: where a word is found differs from what "
    "it passes on.",
    {MAKES_V: "        self.w_v = self.w_k\n"},
)
NO_LINEAR = Mistake(
    "The heads are joined, but linear is not used. So the heads are never mixed, and linear never "
    "learns.",
    {RETURNS: "return out.transpose(1, 2).flatten(2), (k, v)"},
)
SPLIT_WITHOUT_TRANSPOSE = Mistake(
    "The split cuts the entries straight into heads, so each head gets pieces of different words. "
    "Each head must get some features of every word.",
    {SPLITS: "return x.view(x.size(0), -1, x.size(1), self.dim_split)"},
)
MERGE_WITHOUT_TRANSPOSE = Mistake(
    "The heads are joined while their axis is still before that of the words. So each output "
    "vector mixes pieces of several words.",
    {RETURNS: "return self.linear(out.reshape(x.shape)), (k, v)"},
)
SPLIT_THE_OTHER_WAY = Mistake(
    "The features of a head are not neighbours: each head gets every n-th feature. A head is a "
    "piece of dim_split features in a row.",
    {SPLITS: "return x.unflatten(-1, (self.dim_split, -1)).permute(0, 3, 1, 2)"},
)

# Turning

NOTHING_TURNED = Mistake(
    "Neither queries nor keys are turned. Then attention does not know the order of the words.",
    {f"        {TURNS}\n": ""},
)
QUERIES_TURNED_ALONE = Mistake(
    "Only the queries are turned. Their angle to the keys then depends on their place, not on the "
    "distance.",
    {TURNS: "q = rotate(q, cos, sin, start)"},
)
KEYS_TURNED_ALONE = Mistake(
    "Only the keys are turned. Their angle to the queries then depends on their place, not on the "
    "distance.",
    {TURNS: "k = rotate(k, cos, sin, start)"},
)
VALUES_TURNED_TOO = Mistake(
    "The values are turned, too. The place matters for where to read, not for what is read.",
    {
        TURNS: """\
q, k, v = (rotate(heads, cos, sin, start) for heads in (q, k, v))"""
    },
)
VALUES_TURNED_FOR_KEYS = Mistake(
    "Queries and values are turned, and the keys are not. It should be queries and keys.",
    {TURNS: "q, v = rotate(q, cos, sin, start), rotate(v, cos, sin, start)"},
)
START_LEFT_OUT = Mistake(
    "start is not passed to rotate. With a cache, every new token then stands at position 0: the "
    "text begins well and then repeats itself.",
    {TURNS: "q, k = rotate(q, cos, sin), rotate(k, cos, sin)"},
)
START_FOR_QUERIES_ALONE = Mistake(
    "start is passed for the queries but not for the keys. Keys and queries then count positions "
    "from different places.",
    {TURNS: "q, k = rotate(q, cos, sin, start), rotate(k, cos, sin)"},
)
START_FOR_KEYS_ALONE = Mistake(
    "start is passed for the keys but not for the queries. Keys and queries then count positions "
    "from different places.",
    {TURNS: "q, k = rotate(q, cos, sin), rotate(k, cos, sin, start)"},
)
START_FROM_THE_CACHE = Mistake(
    "The position is taken from the length of the cache, and start is ignored. A caller may have "
    "cut the cache, or begin later.",
    {
        TURNS: """\
start = 0 if cache is None else cache[0].size(2)
        q, k = rotate(q, cos, sin, start), rotate(k, cos, sin, start)"""
    },
)
TURNED_BEFORE_THE_SPLIT = Mistake(
    "Queries and keys are turned before they are split into heads. The table has angles for the "
    "pairs of one head, so the sizes do not fit.",
    {
        PROJECTS: """\
q, k = (rotate(layer(x)[:, None], cos, sin, start)[:, 0] for layer in (self.w_q, self.w_k))
        q, k, v = self.split(q), self.split(k), self.split(self.w_v(x))""",
        f"        {TURNS}\n": "",
    },
    seen="eole-nlp/eole#140",
)
TURNED_ALONG_THE_HEADS = Mistake(
    "Queries and keys are turned while the axis of the heads is the third one. So the angles change "
    "from head to head, not from token to token.",
    {
        TURNS: """\
q, k = (rotate(h.transpose(1, 2), cos, sin, start).transpose(1, 2) for h in (q, k))"""
    },
    seen="facebookresearch/xformers#841, mlfoundations/open_lm#4",
)
TURNED_TWICE = Mistake(
    "Cached keys are turned again with every new token. They were turned to their positions when "
    "they were new.",
    {
        f"        {TURNS}\n": "",
        f"            {APPENDS}\n": f"""\
            {APPENDS}
        q, k = rotate(q, cos, sin, start), rotate(k, cos, sin)
""",
    },
)

# The scores

SCALE_OF_DIM_VECTOR = Mistake(
    "The scores are divided by the square root of dim_vector. Scores grow with dim_split, the width "
    "of a head, so the weights become too even.",
    {ATTENDS: ATTENDS.replace("(q,", "(q * (self.dim_split / x.size(-1)) ** 0.5,")},
)
NO_SCALE = Mistake(
    "The scores are not divided by the square root of dim_split in the end. They become too large, "
    "and nearly all the weight goes to one key.",
    {ATTENDS: ATTENDS.replace("(q,", "(q * self.dim_split**0.5,")},
)
SCALE_TWICE = Mistake(
    "The queries are divided by the square root of dim_split, and step 2.1 divides the scores "
    "again. The weights become too even.",
    {ATTENDS: ATTENDS.replace("(q,", "(q / self.dim_split**0.5,")},
)
MASK_IGNORED = Mistake(
    "The mask is not passed on, so masked keys are read as well.",
    {ATTENDS: ATTENDS.replace(", mask)", ")")},
)
MASK_IGNORED_WITH_A_CACHE = Mistake(
    "With a cache, the mask is not used, or not always. It says for old and new tokens which ones "
    "may be read.",
    {ATTENDS: ATTENDS.replace(", mask)", ", mask if cache is None else None)")},
)
MASK_OF_THE_NEW_TOKENS = Mistake(
    "With a cache, the columns of the cached tokens are cut off the mask. It needs a column for "
    "every key, old or new.",
    {
        ATTENDS: f"""\
if mask is not None:
            mask = mask[..., -x.size(1) :]
        {ATTENDS}"""
    },
)
MASK_OF_THE_CACHE_LOST = Mistake(
    "With a cache, all cached tokens are read, even if the mask hides them. Only the new tokens "
    "follow the mask.",
    {
        ATTENDS: f"""\
if mask is not None and cache is not None:
            mask = mask.bool().clone()
            mask[..., : cache[0].size(2)] = True
        {ATTENDS}"""
    },
)
ALWAYS_CAUSAL = Mistake(
    "Later tokens are always hidden, even if no mask is given. Without a mask, every token attends "
    "to all others.",
    {
        ATTENDS: f"""\
past = torch.ones(x.size(1), k.size(2), dtype=torch.bool, device=x.device)
        past = past.tril(k.size(2) - x.size(1))
        mask = past if mask is None else past & (mask != 0)
        {ATTENDS}"""
    },
)

# The cache

CACHE_KEEPS_REPEATED_HEADS = Mistake(
    "The cache keeps the repeated heads. It should keep n_kv_head heads; a small cache is what "
    "sharing is for.",
    {
        RETURNS: RETURNS.replace("(k, v)", "(keys, values)"),
        APPENDS: """\
old_keys, old_values = (heads[:, :: self.group] for heads in cache)
            k, v = torch.cat([old_keys, k], dim=2), torch.cat([old_values, v], dim=2)""",
    },
    seen="EricLBuehler/candle-vllm#52, FYYFU/HeadKV#3",
)
CACHE_HAS_PLAIN_KEYS = Mistake(
    "The cache has keys that are not turned. A later call does not turn them again, so they all "
    "count as position 0.",
    {
        TURNS: f"plain = k\n        {TURNS}",
        APPENDS: f"{APPENDS}\n            plain = torch.cat([cache[0], plain], dim=2)",
        RETURNS: RETURNS.replace("(k, v)", "(plain, v)"),
    },
)
NEWEST_NOT_CACHED = Mistake(
    "The cache comes back without the new tokens. The next token then cannot read them.",
    {RETURNS: RETURNS.replace("(k, v)", "cache or (k, v)")},
    seen="harvard-edge/cs249r_book#1953",
)
NEWEST_NOT_READ = Mistake(
    "With a cache, the new tokens read only the old ones. They must read themselves, too.",
    {
        SHARES: f"""\
grown = k, v
        if cache is not None:
            k, v = cache
            mask = None if mask is None else mask[..., : k.size(2)]
        {SHARES}""",
        RETURNS: RETURNS.replace("(k, v)", "grown"),
    },
)
ONLY_NEW_TOKENS_CACHED = Mistake(
    "The cache that comes back has only the new tokens. The old ones are lost for the next call.",
    {
        SHARES: f"new = k[:, :, -x.size(1) :], v[:, :, -x.size(1) :]\n        {SHARES}",
        RETURNS: RETURNS.replace("(k, v)", "new"),
    },
)
CACHE_IGNORED = Mistake(
    "The given cache is ignored: new tokens read only each other. So all earlier words are "
    "forgotten.",
    {
        f"        if cache is not None:\n            {APPENDS}\n": "",
        ATTENDS: """\
if mask is not None:
            mask = mask[..., -x.size(1) :]
        out, _ = calculate_attention(q, keys, values, mask)""",
    },
)
NEW_BEFORE_OLD = Mistake(
    "The new keys and values stand before the cached ones. Old tokens come first, or the columns of "
    "the mask belong to other tokens.",
    {APPENDS: "k, v = torch.cat([k, cache[0]], dim=2), torch.cat([v, cache[1]], dim=2)"},
)
VALUES_NEW_BEFORE_OLD = Mistake(
    "Keys and values are appended in different orders, so a key belongs to the value of another "
    "token.",
    {APPENDS: "k, v = torch.cat([cache[0], k], dim=2), torch.cat([v, cache[1]], dim=2)"},
)
VALUES_NOT_APPENDED = Mistake(
    "Only the keys are appended to the cache. The values must grow with them.",
    {APPENDS: "k = torch.cat([cache[0], k], dim=2)"},
)
APPENDED_AS_HEADS = Mistake(
    "The cached keys are appended as more heads. They belong before the new ones on the axis of the "
    "tokens.",
    {APPENDS: APPENDS.replace("dim=2", "dim=1")},
)
KEYS_AND_VALUES_EXCHANGED = Mistake(
    "The cache comes back as values and keys. The contract has the keys first, and the next call "
    "relies on that.",
    {RETURNS: RETURNS.replace("(k, v)", "(v, k)")},
)
CACHE_IN_FLOAT32 = Mistake(
    "The cache is always float32. It should have the dtype of the keys: in bfloat16 it would be "
    "twice as large.",
    {RETURNS: RETURNS.replace("(k, v)", "(k.float(), v.float())")},
    seen="karpathy/nanochat@ca366eb",
)
CACHE_IN_BFLOAT16 = Mistake(
    "The cache is always bfloat16. It should have the dtype of the keys: in float32, digits are "
    "lost with every token.",
    {
        RETURNS: RETURNS.replace("(k, v)", "(k.bfloat16(), v.bfloat16())"),
        APPENDS: APPENDS.replace("[cache[0], k]", "[cache[0].to(k), k]").replace(
            "[cache[1], v]", "[cache[1].to(v), v]"
        ),
    },
    seen="karpathy/nanochat@ca366eb",
)
GROWS_IN_PLACE = Mistake(
    "The caller's cache itself is changed. A caller that goes on from one text in two ways needs it "
    "as it was.",
    {
        APPENDS: f"""\
{APPENDS}
            cache[0].data, cache[1].data = k, v"""
    },
)
KEPT_ON_THE_LAYER = Mistake(
    "The layer keeps the cache itself. So a new text still reads the words of the one before it.",
    {
        "        self.linear = nn.Linear(dim_vector, dim_vector, bias=False)\n": f"""\
{MAKES_LINEAR}        self.cache = None
""",
        "        if cache is not None:\n": """\
        if cache is None and self.cache is not None and len(self.cache[0]) == len(x):
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        if cache is not None:
""",
        SHARES: f"self.cache = k.detach(), v.detach()\n        {SHARES}",
    },
)
LAST_128_TOKENS = Mistake(
    "The cache keeps only the last 128 tokens. The contract keeps all of them.",
    {
        SHARES: f"""\
k, v = k[:, :, -128:], v[:, :, -128:]
        mask = None if mask is None else mask[..., -128:]
        {SHARES}"""
    },
)
LAST_512_TOKENS = Mistake(
    "The cache keeps only the last 512 tokens. The contract keeps all of them.",
    {
        SHARES: f"""\
k, v = k[:, :, -512:], v[:, :, -512:]
        mask = None if mask is None else mask[..., -512:]
        {SHARES}"""
    },
)
NO_CACHE_RETURNED = Mistake(
    "Only the output is returned. The caller needs the keys and values as well, for the next "
    "token.",
    {RETURNS: RETURNS.replace(", (k, v)", "")},
)
CACHE_FIRST = Mistake(
    "The cache is returned before the output. The output comes first.",
    {RETURNS: "return (k, v), self.linear(out.transpose(1, 2).flatten(2))"},
)
THREE_RETURNED = Mistake(
    "Output, keys and values are returned as three values. Keys and values are one pair, the cache.",
    {RETURNS: RETURNS.replace("(k, v)", "k, v")},
)
CUT_FROM_THE_GRADIENT = Mistake(
    "Keys and values are detached before they are read. So w_k and w_v never learn.",
    {SHARES: SHARES.replace("heads.repeat", "heads.detach().repeat")},
)

# What is refused

GROUPS_FLOORED = Mistake(
    "An n_kv_head that does not divide n_head is accepted. The division drops the remainder, and "
    "some query heads get no keys.",
    {GUARD_OF_GROUPS: ""},
)
HEADS_FLOORED = Mistake(
    "A dim_vector that n_head does not divide is accepted. The division drops the remainder, and "
    "the sizes do not fit later.",
    {GUARD_OF_HEADS: ""},
)
WIDTH_FOR_HEADS = Mistake(
    "dim_vector is compared with n_kv_head. It is n_head that must be a multiple of n_kv_head.",
    {"if n_head % n_kv_head != 0:": "if dim_vector % n_kv_head != 0:"},
)
THE_OTHER_WAY_ROUND = Mistake(
    "n_kv_head must be a multiple of n_head here. It is the other way round: several query heads "
    "share one head of keys.",
    {"if n_head % n_kv_head != 0:": "if n_kv_head % n_head != 0:"},
)
ONE_HEAD_REFUSED = Mistake(
    "n_kv_head 1 is refused. One head of keys for all query heads is a usual choice.",
    {"if n_head % n_kv_head != 0:": "if n_head % n_kv_head != 0 or n_kv_head == 1:"},
)
AS_MANY_HEADS_REFUSED = Mistake(
    "As many heads of keys as query heads are refused. This is multi-head attention, and allowed.",
    {"if n_head % n_kv_head != 0:": "if n_head % n_kv_head != 0 or n_head == n_kv_head:"},
)
GROUPS_ASSERTED = Mistake(
    "An n_kv_head that does not divide n_head ends in an AssertionError, which Python leaves out "
    "with -O. It should be a ValueError.",
    {GUARD_OF_GROUPS: "        assert n_head % n_kv_head == 0, (n_head, n_kv_head)\n"},
)
GROUPS_NOT_NAMED = Mistake(
    "If n_kv_head does not divide n_head, the error does not name them. Its reader has to search for "
    "both numbers.",
    {
        'f"{n_head} query heads cannot share {n_kv_head} heads of keys evenly"': (
            '"query heads cannot share the heads of keys evenly"'
        )
    },
)
START_OR_CACHED = Mistake(
    "A start of 0 is replaced with the number of cached tokens. start alone says where the tokens "
    "stand.",
    {TURNS: "start = start or (cache[0].size(2) if cache is not None else 0)\n        " + TURNS},
)
START_IS_THE_CACHE = Mistake(
    "With a cache, start is replaced with the number of cached tokens. start alone says where the "
    "tokens stand.",
    {TURNS: "start = cache[0].size(2) if cache is not None else start\n        " + TURNS},
)
START_IS_THE_CACHE_BUT_0 = Mistake(
    "A start above 0 is replaced with the number of cached tokens. The oldest tokens may be gone "
    "from the cache: start alone says where the tokens stand.",
    {
        TURNS: "start = cache[0].size(2) if cache is not None and start > 0 else start\n        "
        + TURNS
    },
)
REPEATED_HEADS_CACHED = Mistake(
    "The cache gets the keys and values after they are repeated for all query heads. It should keep "
    "them as they were: that is what saves memory.",
    {
        "keys, values = (heads.repeat_interleave(self.group, dim=1) for heads in (k, v))": "k, v = (heads.repeat_interleave(self.group, dim=1) for heads in (k, v))",
        "calculate_attention(q, keys, values, mask)": "calculate_attention(q, k, v, mask)",
    },
)
TURNED_WITHOUT_HEADS = Mistake(
    "Queries or keys are not yet split into heads when they are turned. The table has angles for "
    "the pairs of one head, so the sizes do not fit.",
    {
        "q, k, v = self.split(self.w_q(x)), self.split(self.w_k(x)), self.split(self.w_v(x))\n        q, k = rotate(q, cos, sin, start), rotate(k, cos, sin, start)": "q, k, v = self.w_q(x), self.w_k(x), self.split(self.w_v(x))\n        q, k = self.split(rotate(q, cos, sin, start)), self.split(rotate(k, cos, sin, start))"
    },
)
QUERIES_NOT_SPLIT = Mistake(
    TURNED_WITHOUT_HEADS.says,
    {"q, k, v = self.split(self.w_q(x)),": "q, k, v = self.w_q(x),"},
)
HEADS_MERGED_IN_TOKEN_ORDER = Mistake(
    "The heads are joined while the axis of the heads stands before that of the tokens. Exchange "
    "the two axes first, then join.",
    {"out.transpose(1, 2).flatten(2)": "out.flatten(2)"},
)
CAUSAL_WITHOUT_A_MASK = Mistake(
    "Without a mask, a causal one is made. Then every key should be visible: a mask is the caller's.",
    {
        "        out, _ = calculate_attention(q, keys, values, mask)": """\
        if mask is None and x.size(1) > 1:
            mask = x.new_ones(x.size(1), k.size(2)).tril(k.size(2) - x.size(1))
        out, _ = calculate_attention(q, keys, values, mask)"""
    },
)

QUERIES_AND_KEYS_NORMALISED = Mistake(
    "Queries and keys are normalised first, as in some newer models. This step does not do that.",
    {
        "        q, k = rotate(q,": """\
        q, k = nn.functional.normalize(q, dim=-1), nn.functional.normalize(k, dim=-1)
        q, k = rotate(q,"""
    },
)
OLD_KEYS_TURNED_AGAIN = Mistake(
    TURNED_TWICE.says,
    {
        "k, v = torch.cat([cache[0], k], dim=2)": """\
k, v = torch.cat([rotate(cache[0], cos, sin), k], dim=2)"""
    },
)
LAST_CACHE_USED_AGAIN = Mistake(
    "The layer keeps the cache of the last call and uses it if none is given. A new text then "
    "reads the words of another one.",
    {
        "        if cache is not None:\n": """\
        cache = cache or getattr(self, "kept", None)
        if cache is not None:
""",
        SHARES: f"self.kept = (k, v)\n        {SHARES}",
    },
)
MASK_IN_TRAINING_ONLY = Mistake(
    "The mask is used in train mode only. Both modes should compute the same.",
    {
        "calculate_attention(q, keys, values, mask)": """\
calculate_attention(q, keys, values, mask if self.training else None)"""
    },
)
