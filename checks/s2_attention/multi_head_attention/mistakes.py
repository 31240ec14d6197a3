"""What people get wrong in s2_attention/multi_head_attention.py.

Not here, on purpose:
- the transpose of a stored square matrix: that is open.
"""

from checks.engine.known import Mistake

SPLIT_WITHOUT_TRANSPOSE = Mistake(
    "The split cuts the entries straight into heads, so each head gets pieces of different words. "
    "Each head must get some features of every word.",
    {
        """\
return x.view(batch_size, length, self.n_head, dim_vector // self.n_head).transpose(1, 2)""": """\
return x.view(batch_size, self.n_head, length, dim_vector // self.n_head)"""
    },
    seen="649453932/Chinese-Text-Classification-Pytorch#53, reczoo/FuxiCTR#30",
)
MERGE_WITHOUT_TRANSPOSE = Mistake(
    "The heads are joined while their axis is still before that of the words. So each output "
    "vector mixes pieces of several words.",
    {
        "return x.transpose(1, 2).flatten(2)": """\
return x.reshape(x.size(0), x.size(2), -1)"""
    },
    seen="jsbaan/transformer-from-scratch#6",
)
SPLIT_AND_MERGE_WITHOUT_TRANSPOSE = Mistake(
    "Neither split nor merge swaps words and heads. The shape comes out right, but the attention "
    "in between mixes pieces of different words.",
    {
        """\
return x.view(batch_size, length, self.n_head, dim_vector // self.n_head).transpose(1, 2)""": """\
return x.view(batch_size, self.n_head, length, dim_vector // self.n_head)""",
        "return x.transpose(1, 2).flatten(2)": """\
return x.reshape(x.size(0), x.size(2), -1)""",
    },
)
NO_OUTPUT_PROJECTION = Mistake(
    "The heads are joined, but linear is not used. So the heads are never mixed, and linear never "
    "learns.",
    {"return self.linear(self.merge(out))": "return self.merge(out)"},
)
OUTPUT_PROJECTION_MISSING = Mistake(
    "The layer that mixes the heads does not exist, so the heads never exchange what they found.",
    {
        "        self.linear = nn.Linear(dim_vector, dim_vector)\n": "",
        "return self.linear(self.merge(out))": "return self.merge(out)",
    },
)
ONE_PROJECTION_FOR_THREE = Mistake(
    "Queries, keys and values share the same layer. Each needs its own: what a word searches for "
    "differs from what it offers.",
    {
        "self.w_k = nn.Linear(dim_vector, dim_vector)": "self.w_k = self.w_q",
        "self.w_v = nn.Linear(dim_vector, dim_vector)": "self.w_v = self.w_q",
    },
)
ONE_PROJECTION_USED = Mistake(
    "Queries, keys and values all go through w_q, so w_k and w_v are never used and never learn.",
    {
        "q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))": """\
q, k, v = (self.split(self.w_q(each)) for each in (q, k, v))"""
    },
)
KEYS_AND_VALUES_SHARE = Mistake(
    "The values go through w_k instead of w_v, so w_v is never used and never learns.",
    {"self.w_v(v))": "self.w_k(v))"},
)
QUERIES_AND_KEYS_SHARE = Mistake(
    "Queries and keys share the same layer. Each needs its own: the query and the key of a word are "
    "two different vectors.",
    {"self.w_k = nn.Linear(dim_vector, dim_vector)": "self.w_k = self.w_q"},
)
CHAIN_OVERWRITES = Mistake(
    "Keys are made from the projected queries, and values from those keys, often because a name "
    "was overwritten. The given keys and values are ignored.",
    {
        "q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))": """\
q = self.w_q(q)
        k = self.w_k(q)
        v = self.w_v(k)
        q, k, v = self.split(q), self.split(k), self.split(v)"""
    },
    seen="Sea-Snell/grokking#7",
)
VALUES_FROM_KEYS_INPUT = Mistake(
    "The values are made from the input of the keys, so the given values are ignored. In later "
    "steps both inputs are the same, but here they may differ.",
    {"self.split(self.w_v(v))": "self.split(self.w_v(k))"},
    seen="Sea-Snell/grokking#7",
)
KEYS_FROM_QUERIES_INPUT = Mistake(
    "The keys are made from the queries' input, or forward takes its arguments in another order. "
    "So queries or keys come from the wrong input.",
    {"self.split(self.w_k(k))": "self.split(self.w_k(q))"},
    seen="Sea-Snell/grokking#7",
)
VALUES_FROM_QUERIES_INPUT = Mistake(
    "The values are made from the input of the queries, so the given values are ignored. Nothing "
    "can be taken from another sentence.",
    {"self.split(self.w_v(v))": "self.split(self.w_v(q))"},
    seen="Sea-Snell/grokking#7",
)
QUERIES_FROM_KEYS_INPUT = Mistake(
    "The queries are made from the input of the keys, so the given queries are ignored. The output "
    "then has the length of the wrong sentence.",
    {"self.split(self.w_q(q))": "self.split(self.w_q(k))"},
    seen="Sea-Snell/grokking#7",
)
PROJECTIONS_SWAPPED = Mistake(
    "The keys go through w_v and the values through w_k. With loaded weights, each layer then does "
    "the work of the other.",
    {
        "q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))": """\
q, k, v = self.split(self.w_q(q)), self.split(self.w_v(k)), self.split(self.w_k(v))"""
    },
)
QUERIES_PROJECTED_TWICE = Mistake(
    "The queries go through w_q twice, so the scores are not those of the formula.",
    {"self.w_q(q)": "self.w_q(self.w_q(q))"},
)
QUERIES_NOT_PROJECTED = Mistake(
    "The queries are not projected, so w_q never learns and a word cannot learn what to search "
    "for.",
    {"self.split(self.w_q(q))": "self.split(q)"},
)
VALUES_NOT_PROJECTED = Mistake(
    "The values are not projected: w_v is missing. Each head then mixes raw features instead "
    "of its own view of them.",
    {
        "        self.w_v = nn.Linear(dim_vector, dim_vector)\n": "",
        "self.split(self.w_v(v))": "self.split(v)",
    },
)
SMALL_MATRIX_FOR_ALL_HEADS = Mistake(
    "Every head applies the same small matrix to its own slice. Each head needs its own "
    "projection of the whole vector, or it never sees the other features.",
    {
        "self.w_q = nn.Linear(dim_vector, dim_vector)": """\
self.w_q = nn.Linear(dim_vector // n_head, dim_vector // n_head)""",
        "self.w_k = nn.Linear(dim_vector, dim_vector)": """\
self.w_k = nn.Linear(dim_vector // n_head, dim_vector // n_head)""",
        "self.w_v = nn.Linear(dim_vector, dim_vector)": """\
self.w_v = nn.Linear(dim_vector // n_head, dim_vector // n_head)""",
        "q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))": """\
q, k, v = self.w_q(self.split(q)), self.w_k(self.split(k)), self.w_v(self.split(v))""",
    },
    seen="MarcoMeter/episodic-transformer-memory-ppo#22",
)
HEADS_IGNORED = Mistake(
    "The number of heads has no effect: there is one big attention. So a word can attend to the "
    "others in one way only.",
    {"self.n_head = n_head": "self.n_head = 1"},
)
HEADS_FIXED = Mistake(
    "The number of heads is fixed in the code, and n_head is ignored. So the caller cannot choose "
    "how many heads there are.",
    {"self.n_head = n_head": "self.n_head = 2"},
)
HEADS_IGNORED_WEIGHTS_REPEATED = Mistake(
    "One big attention is computed, and its weights are repeated for each head. So all heads "
    "attend to the same words.",
    {
        "self.n_head = n_head": "self.n_head, self.shown = 1, n_head",
        "self.attention_weights = attention.detach()": """\
self.attention_weights = attention.detach().repeat(1, self.shown, 1, 1)""",
    },
)
HEADS_AVERAGED = Mistake(
    "The heads are averaged instead of joined side by side, so what a single head found is lost.",
    {
        "return x.transpose(1, 2).flatten(2)": """\
return x.mean(dim=1).repeat(1, 1, self.n_head)"""
    },
)
HEADS_AND_WIDTH_SWAPPED = Mistake(
    "In the split, n_head and dim_split are swapped. So there are too many or too few heads, each "
    "of the wrong width.",
    {
        """\
return x.view(batch_size, length, self.n_head, dim_vector // self.n_head).transpose(1, 2)""": """\
return x.view(batch_size, length, dim_vector // self.n_head, self.n_head).transpose(1, 2)"""
    },
)
HEADS_TAKE_EVERY_NTH_FEATURE = Mistake(
    "Each head takes features that are n_head apart instead of a block of neighbours. With loaded "
    "weights, it works on the wrong features.",
    {
        """\
return x.view(batch_size, length, self.n_head, dim_vector // self.n_head).transpose(1, 2)""": """\
return x.view(batch_size, length, -1, self.n_head).permute(0, 3, 1, 2)""",
        "return x.transpose(1, 2).flatten(2)": "return x.permute(0, 2, 3, 1).flatten(2)",
    },
)
SPLIT_EVERY_NTH_FEATURE = Mistake(
    "In the split, each head gets features that are n_head apart. It should get a block of "
    "neighbours, as the merge joins them.",
    {
        """\
return x.view(batch_size, length, self.n_head, dim_vector // self.n_head).transpose(1, 2)""": """\
return x.view(batch_size, length, -1, self.n_head).permute(0, 3, 1, 2)"""
    },
)
MERGE_FEATURES_BEFORE_HEADS = Mistake(
    "In the merge, the features come before the heads. They are then joined in another order than "
    "they were cut, and linear gets them shuffled.",
    {"return x.transpose(1, 2).flatten(2)": "return x.permute(0, 2, 3, 1).flatten(2)"},
)
MERGE_HEADS_REVERSED = Mistake(
    "The heads are joined from last to first, so linear finds the features of each head in the "
    "wrong place.",
    {
        "return x.transpose(1, 2).flatten(2)": """\
return x.flip(1).transpose(1, 2).flatten(2)"""
    },
)
ALL_HEADS_READ_THE_FIRST = Mistake(
    "Every head works on the features of the first one. So all heads find the same, and the other "
    "features are ignored.",
    {
        """\
return x.view(batch_size, length, self.n_head, dim_vector // self.n_head).transpose(1, 2)""": """\
heads = x.view(batch_size, length, self.n_head, dim_vector // self.n_head).transpose(1, 2)
        return heads[:, :1].expand_as(heads)"""
    },
)
VIEW_AFTER_TRANSPOSE = Mistake(
    "After a transpose, the entries no longer lie in order in memory. A plain view cannot join the "
    "heads then, so PyTorch raises an error.",
    {
        "return x.transpose(1, 2).flatten(2)": """\
return x.transpose(1, 2).view(x.size(0), x.size(2), -1)"""
    },
)
MASK_NOT_HANDED_ON = Mistake(
    "The mask is accepted but not passed to the attention. So masked keys keep their weight.",
    {"(q, k, v, mask, self.dropout)": "(q, k, v, None, self.dropout)"},
    seen="pmixer/SASRec.pytorch#36",
)
MASK_INVERTED = Mistake(
    "The mask is inverted before it is passed to the attention. So the masked keys get the "
    "attention, and the visible ones get none.",
    {
        "(q, k, v, mask, self.dropout)": """\
(q, k, v, None if mask is None else mask == 0, self.dropout)"""
    },
    seen="hkproj/pytorch-transformer#19, pytorch/pytorch#27968",
)
MASK_FIRST_SENTENCE = Mistake(
    "All sentences of the batch get the mask of the first one. In the other sentences, padding is "
    "read or real words are masked.",
    {
        "(q, k, v, mask, self.dropout)": """\
(q, k, v, None if mask is None else mask[:1], self.dropout)"""
    },
)
MASK_FIRST_HEAD = Mistake(
    "All heads get the mask of the first one. A mask may differ from head to head, so the other "
    "heads see the wrong keys.",
    {
        "(q, k, v, mask, self.dropout)": """\
(q, k, v, None if mask is None else mask[:, :1], self.dropout)"""
    },
)
MASK_EXTRA_AXIS = Mistake(
    "The mask gets one more axis for the heads, but it already has one. So mask and scores no "
    "longer fit together.",
    {
        "(q, k, v, mask, self.dropout)": """\
(q, k, v, None if mask is None else mask.unsqueeze(1), self.dropout)"""
    },
)
MASK_EXTRA_AXIS_PERMUTED = Mistake(
    MASK_EXTRA_AXIS.says,
    {
        **MASK_EXTRA_AXIS.edit,
        "return x.transpose(1, 2).flatten(2)": "return x.permute(0, 2, 1, 3).flatten(2)",
    },
)
MASK_AXIS_LOST = Mistake(
    "The head axis is removed from the mask, so its sentences line up with the heads. The call "
    "then fails, or masks the wrong keys.",
    {
        "(q, k, v, mask, self.dropout)": """\
(q, k, v, None if mask is None else mask[:, 0], self.dropout)"""
    },
)
SCALE_OF_WHOLE_WIDTH = Mistake(
    "Each head divides its scores by the square root of dim_vector instead of dim_split. The "
    "scores become too small and the weights too even.",
    {
        "out, attention = calculate_attention(q, k, v, mask, self.dropout)": """\
out, attention = calculate_attention(q / self.n_head**0.5, k, v, mask, self.dropout)"""
    },
)
SCALED_AGAIN = Mistake(
    "The scores are scaled a second time here, after step 2.1 has already done it. They become too "
    "small and the weights too even.",
    {
        "out, attention = calculate_attention(q, k, v, mask, self.dropout)": """\
out, attention = calculate_attention(q / q.size(-1) ** 0.5, k, v, mask, self.dropout)"""
    },
)
NO_SCALE = Mistake(
    "The division by the square root of dim_split is undone here. The scores grow with dim_split, "
    "and nearly all the weight goes to one key.",
    {
        "out, attention = calculate_attention(q, k, v, mask, self.dropout)": """\
out, attention = calculate_attention(q * q.size(-1) ** 0.5, k, v, mask, self.dropout)"""
    },
)
SOFTMAX_OVER_QUERIES = Mistake(
    "In the attention written out here, the softmax runs over the queries. The weights of a query "
    "do not sum to 1, and later words influence earlier ones.",
    {
        "out, attention = calculate_attention(q, k, v, mask, self.dropout)": """\
score = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        if mask is not None:
            score = score.masked_fill(mask == 0, -1e4)
        attention = score.softmax(dim=-2)
        out = self.dropout(attention) @ v"""
    },
    seen="FudanNLP/fastNLP#254, nerminnuraydogan/vision-transformer#1",
)
KEYS_AND_VALUES_SWAPPED = Mistake(
    "Keys and values are passed to the attention in the wrong order. So the scores come from the "
    "values, and the keys are mixed.",
    {"(q, k, v, mask, self.dropout)": "(q, v, k, mask, self.dropout)"},
)
QUERIES_AND_KEYS_SWAPPED = Mistake(
    "Queries and keys are passed to the attention in the wrong order, so the keys are used as "
    "queries. With sentences of different lengths the call fails.",
    {"(q, k, v, mask, self.dropout)": "(k, q, v, mask, self.dropout)"},
)
RESIDUAL_INSIDE = Mistake(
    "The input is already added to the result here. The add and norm around the attention adds it "
    "too, so it would count twice.",
    {
        "q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))": """\
shortcut = q
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))""",
        "return self.linear(self.merge(out))": """\
return shortcut + self.linear(self.merge(out))""",
    },
)
NORM_INSIDE = Mistake(
    "There is a layer norm inside the attention. The add and norm around the attention also "
    "normalises, so it would be done twice.",
    {
        "self.dropout = nn.Dropout(dropout)": """\
self.dropout = nn.Dropout(dropout)
        self.layer_norm = nn.LayerNorm(dim_vector)""",
        "return self.linear(self.merge(out))": """\
return self.layer_norm(self.linear(self.merge(out)))""",
    },
)
PYTHON_LIST = Mistake(
    "The projections are in a plain list, tuple or dictionary, where PyTorch does not look for "
    "layers. So they are not trained, not saved, and not moved with the module.",
    {
        "self.w_q = nn.Linear(dim_vector, dim_vector)": """\
self.projections = [nn.Linear(dim_vector, dim_vector) for _ in range(3)]""",
        "        self.w_k = nn.Linear(dim_vector, dim_vector)\n": "",
        "        self.w_v = nn.Linear(dim_vector, dim_vector)\n": "",
        "q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))": """\
q, k, v = (self.split(w(each)) for w, each in zip(self.projections, (q, k, v)))""",
    },
    seen="LiamMaclean216/Pytorch-Transfomer#7",
)
RELU_ON_PROJECTIONS = Mistake(
    "An activation after the projections sets negative entries to zero. The projections must be "
    "linear, or a score can never be negative.",
    {
        "q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))": """\
q, k, v = (self.split(each.relu()) for each in (self.w_q(q), self.w_k(k), self.w_v(v)))"""
    },
)
RELU_ON_VALUES = Mistake(
    "An activation sets the negative entries of the values to zero, so that part of the values is "
    "lost.",
    {"self.split(self.w_v(v))": "self.split(self.w_v(v).relu())"},
)
RELU_ON_OUTPUT = Mistake(
    "The output goes through an activation and can never be negative. So attention can only raise "
    "the entries of a word, never lower them.",
    {
        "return self.linear(self.merge(out))": """\
return self.linear(self.merge(out)).relu()"""
    },
)
LAYERS_MADE_IN_FORWARD = Mistake(
    "The last layer is made again at every call, with new random weights. So results change from "
    "call to call, and the layer cannot learn.",
    {
        "self.linear = nn.Linear(dim_vector, dim_vector)": "self.dim_vector = dim_vector",
        "return self.linear(self.merge(out))": """\
return nn.Linear(self.dim_vector, self.dim_vector)(self.merge(out))""",
    },
)
NO_BIASES = Mistake(
    "None of the four linear layers has a bias. Here each of them has one, so some learned "
    "parameters are missing.",
    {
        "self.w_q = nn.Linear(dim_vector, dim_vector)": """\
self.w_q = nn.Linear(dim_vector, dim_vector, bias=False)""",
        "self.w_k = nn.Linear(dim_vector, dim_vector)": """\
self.w_k = nn.Linear(dim_vector, dim_vector, bias=False)""",
        "self.w_v = nn.Linear(dim_vector, dim_vector)": """\
self.w_v = nn.Linear(dim_vector, dim_vector, bias=False)""",
        "self.linear = nn.Linear(dim_vector, dim_vector)": """\
self.linear = nn.Linear(dim_vector, dim_vector, bias=False)""",
    },
)
NO_BIAS_FOR_QUERIES = Mistake(
    "The projection w_q has no bias, so it cannot shift the queries. Here every linear layer "
    "has one.",
    {
        "self.w_q = nn.Linear(dim_vector, dim_vector)": """\
self.w_q = nn.Linear(dim_vector, dim_vector, bias=False)"""
    },
)
NO_BIAS_FOR_KEYS = Mistake(
    "The projection w_k has no bias, so it cannot shift the keys. Here every linear layer has one.",
    {
        "self.w_k = nn.Linear(dim_vector, dim_vector)": """\
self.w_k = nn.Linear(dim_vector, dim_vector, bias=False)"""
    },
)
NO_BIAS_FOR_VALUES = Mistake(
    "The projection w_v has no bias, so it cannot shift the values. Here every linear layer "
    "has one.",
    {
        "self.w_v = nn.Linear(dim_vector, dim_vector)": """\
self.w_v = nn.Linear(dim_vector, dim_vector, bias=False)"""
    },
)
NO_BIAS_IN_OUTPUT = Mistake(
    "The layer linear, which mixes the heads, has no bias, so it cannot shift the output. Here "
    "every linear layer has one.",
    {
        "self.linear = nn.Linear(dim_vector, dim_vector)": """\
self.linear = nn.Linear(dim_vector, dim_vector, bias=False)"""
    },
)
UNUSED_LAYER = Mistake(
    "There is a layer that nothing uses. Its parameters never learn and only take up memory.",
    {
        "self.linear = nn.Linear(dim_vector, dim_vector)": """\
self.linear = nn.Linear(dim_vector, dim_vector)
        self.w_o = nn.Linear(dim_vector, dim_vector)"""
    },
)
NO_DIVISIBILITY_CHECK = Mistake(
    "If n_head does not divide dim_vector, a ValueError must be raised: it is not, or not always. The "
    "code then fails much later with another error, or features are lost.",
    {
        """\
        if dim_vector % n_head != 0:
            raise ValueError(f"{n_head} heads cannot share dim_vector {dim_vector} evenly")
""": ""
    },
)
WIDTH_TRUNCATED = Mistake(
    NO_DIVISIBILITY_CHECK.says,
    {
        """\
if dim_vector % n_head != 0:
            raise ValueError(f"{n_head} heads cannot share dim_vector {dim_vector} evenly")""": (
            "inner = dim_vector // n_head * n_head"
        ),
        "self.w_q = nn.Linear(dim_vector, dim_vector)": ("self.w_q = nn.Linear(dim_vector, inner)"),
        "self.w_k = nn.Linear(dim_vector, dim_vector)": ("self.w_k = nn.Linear(dim_vector, inner)"),
        "self.w_v = nn.Linear(dim_vector, dim_vector)": ("self.w_v = nn.Linear(dim_vector, inner)"),
        "self.linear = nn.Linear(dim_vector, dim_vector)": """\
self.linear = nn.Linear(inner, dim_vector)""",
    },
)
DIVISIBILITY_TURNED_ROUND = Mistake(
    "Widths that the heads can share are refused. Divide dim_vector by n_head, and refuse it only "
    "if the remainder is not 0.",
    {"if dim_vector % n_head != 0:": "if n_head % dim_vector != 0:"},
)
DIVISIBILITY_BY_TWO = Mistake(
    NO_DIVISIBILITY_CHECK.says,
    {"if dim_vector % n_head != 0:": "if dim_vector % 2 != 0:"},
)
DIVISIBILITY_INVERTED = Mistake(
    "The check is the wrong way round: it refuses exactly the widths that the heads can share, and "
    "accepts the others.",
    {"if dim_vector % n_head != 0:": "if dim_vector % n_head == 0:"},
)
WRONG_ERROR_TYPE = Mistake(
    "A width that the heads cannot share raises another kind of error than the promised "
    "ValueError. A caller that waits for a ValueError misses it.",
    {"raise ValueError": "raise TypeError"},
)
ASSERT_FOR_RAISE = Mistake(
    "An assertion checks the width. It raises an AssertionError instead of a ValueError, and it "
    "vanishes when Python runs optimised.",
    {
        """\
if dim_vector % n_head != 0:
            raise ValueError(f"{n_head} heads cannot share dim_vector {dim_vector} evenly")""": """\
assert dim_vector % n_head == 0, f"{n_head} heads, dim_vector {dim_vector}\""""
    },
)
ERROR_WITHOUT_NUMBERS = Mistake(
    "The error names neither dim_vector nor n_head, so the reader cannot see why they do not fit.",
    {
        'raise ValueError(f"{n_head} heads cannot share dim_vector {dim_vector} evenly")': """\
raise ValueError("the heads cannot share the width evenly")"""
    },
)
ONLY_PRINTS = Mistake(
    NO_DIVISIBILITY_CHECK.says,
    {
        'raise ValueError(f"{n_head} heads cannot share dim_vector {dim_vector} evenly")': """\
print(f"{n_head} heads cannot share {dim_vector}")"""
    },
)
LENGTHS_ASSUMED_EQUAL = Mistake(
    "Keys and values are split with the length of the queries. If they come from another sentence, "
    "the lengths differ, and the split fails or scrambles the words.",
    {
        "q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))": """\
length = q.size(1)
        q = self.split(self.w_q(q))
        k, v = (
            w(each).view(each.size(0), length, self.n_head, -1).transpose(1, 2)
            for w, each in ((self.w_k, k), (self.w_v, v))
        )"""
    },
)
KEYS_CUT_TO_QUERIES = Mistake(
    "Only as many keys are used as there are queries, so the end of a longer sentence is ignored.",
    {
        "q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))": """\
k, v = k[:, : q.size(1)], v[:, : q.size(1)]
        mask = None if mask is None else mask[..., : q.size(1)]
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))"""
    },
)
WEIGHTS_NOT_DETACHED = Mistake(
    "The kept weights are not detached from the gradient, so the whole computation stays in memory "
    "after the step.",
    {"self.attention_weights = attention.detach()": "self.attention_weights = attention"},
)
WEIGHTS_NOT_KEPT = Mistake(
    "attention_weights is still None after a call: the weights are not kept, are kept under "
    "another name, or are kept in training only.",
    {"        self.attention_weights = attention.detach()\n": ""},
)
WEIGHTS_OF_FIRST_CALL = Mistake(
    "The weights of the first call are kept for ever, instead of those of the last call. So a "
    "picture would show the wrong sentence.",
    {
        "self.attention_weights = attention.detach()": """\
if self.attention_weights is None:
            self.attention_weights = attention.detach()"""
    },
)
WEIGHTS_ONLY_IN_EVAL = Mistake(
    "The weights are kept in eval mode only. After a call in train mode, attention_weights "
    "is missing or out of date.",
    {
        "self.attention_weights = attention.detach()": """\
if not self.training:
            self.attention_weights = attention.detach()"""
    },
)
WEIGHTS_ONLY_IN_TRAINING = Mistake(
    WEIGHTS_NOT_KEPT.says,
    {
        "self.attention_weights = attention.detach()": """\
if self.training:
            self.attention_weights = attention.detach()"""
    },
)
WEIGHTS_AVERAGED = Mistake(
    "The kept weights are averaged over the heads. Each head has its own, and the average hides "
    "what it attends to.",
    {
        "self.attention_weights = attention.detach()": """\
self.attention_weights = attention.detach().mean(dim=1)"""
    },
)
WEIGHTS_OF_FIRST_HEAD = Mistake(
    "Only the weights of the first head are kept, so the other heads cannot be drawn.",
    {
        "self.attention_weights = attention.detach()": """\
self.attention_weights = attention.detach()[:, 0]"""
    },
)
WEIGHTS_OF_FIRST_SENTENCE = Mistake(
    "Only the weights of the first sentence are kept, so the rest of the batch cannot be drawn.",
    {
        "self.attention_weights = attention.detach()": """\
self.attention_weights = attention.detach()[0]"""
    },
)
WEIGHTS_TRANSPOSED = Mistake(
    "Queries and keys are swapped in the kept weights, so the rows of a picture would belong to "
    "the keys instead of the queries.",
    {
        "self.attention_weights = attention.detach()": """\
self.attention_weights = attention.detach().transpose(-2, -1)"""
    },
)
OUTPUT_KEPT_FOR_WEIGHTS = Mistake(
    "The mixed values are kept instead of the weights, so attention_weights does not show which "
    "words each word attends to.",
    {"self.attention_weights = attention.detach()": ("self.attention_weights = out.detach()")},
)
SCORES_KEPT_FOR_WEIGHTS = Mistake(
    "The scores are kept instead of the weights. They do not sum to 1 and are not masked, so a "
    "picture of them would mislead.",
    {
        "self.attention_weights = attention.detach()": """\
self.attention_weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).detach()"""
    },
)
UNMASKED_WEIGHTS_KEPT = Mistake(
    "The kept weights are computed without the mask, so a picture of them would show attention on "
    "masked keys.",
    {
        "self.attention_weights = attention.detach()": """\
self.attention_weights = calculate_attention(q, k, v)[1].detach()"""
    },
    seen="aimagelab/meshed-memory-transformer#27",
)
WEIGHTS_COLLECTED = Mistake(
    "The weights of all calls are collected in a list, so the memory use grows with every call. "
    "Only those of the last call should be kept.",
    {
        "self.attention_weights: Tensor | None = None": "self.attention_weights = []",
        "self.attention_weights = attention.detach()": """\
self.attention_weights.append(attention.detach())""",
    },
)
WEIGHTS_MISSING_BEFORE_CALL = Mistake(
    "Before the first call attention_weights does not exist. It should be None until then, or "
    "reading it raises an error.",
    {"        self.attention_weights: Tensor | None = None\n": ""},
)
WEIGHTS_ZERO_BEFORE_CALL = Mistake(
    "Before the first call attention_weights already has a value, which looks like a result. It "
    "should be None.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "self.attention_weights: Tensor | None = None": ("self.attention_weights = torch.zeros(1)"),
    },
)
WEIGHTS_SHARED_BY_ALL_MODULES = Mistake(
    "The weights are kept on the class, so every attention layer shows those of the layer that was "
    "called last.",
    {
        "self.attention_weights: Tensor | None = None": ("type(self).attention_weights = None"),
        "self.attention_weights = attention.detach()": """\
type(self).attention_weights = attention.detach()""",
    },
)
WEIGHTS_AS_NUMPY = Mistake(
    "The weights are kept as a NumPy array instead of a tensor. Tensor operations do not work on "
    "an array.",
    {
        "self.attention_weights = attention.detach()": """\
self.attention_weights = attention.detach().cpu().numpy()"""
    },
)
RETURNS_A_PAIR = Mistake(
    "The attention weights are returned beside the output. The next layer expects a single tensor "
    "and fails on a pair.",
    {
        "return self.linear(self.merge(out))": """\
return self.linear(self.merge(out)), attention"""
    },
)
DROPOUT_IN_PLACE = Mistake(
    "Dropout works in place. It overwrites the attention weights, which the backward pass still "
    "needs, so training stops with an error.",
    {"nn.Dropout(dropout)": "nn.Dropout(dropout, inplace=True)"},
)
DROPOUT_NOT_HANDED_ON = Mistake(
    "The dropout never reaches the attention weights, so none of them is ever dropped in training.",
    {"(q, k, v, mask, self.dropout)": "(q, k, v, mask)"},
)
DROPOUT_ON_OUTPUT = Mistake(
    "Dropout is applied to the output instead of the attention weights. So single entries of the "
    "result become zero, and no key is ever left out.",
    {
        "(q, k, v, mask, self.dropout)": "(q, k, v, mask)",
        "return self.linear(self.merge(out))": """\
return self.dropout(self.linear(self.merge(out)))""",
    },
)
DROPOUT_ON_WEIGHTS_AND_OUTPUT = Mistake(
    "Dropout is applied to the output as well as to the attention weights. So more is dropped than "
    "the given probability says.",
    {
        "return self.linear(self.merge(out))": """\
return self.dropout(self.linear(self.merge(out)))"""
    },
)
DROPOUT_ON_VALUES = Mistake(
    "Dropout is applied to the values before they are mixed, not to the attention weights. A "
    "dropped entry is then missing for all queries, and no key is left out.",
    {"(q, k, v, mask, self.dropout)": "(q, k, self.dropout(v), mask)"},
)
DROPOUT_ALWAYS_ON = Mistake(
    "Weights are dropped in eval mode, too, so each call gives another result. F.dropout "
    "without self.training and a layer made in forward do that: make nn.Dropout in __init__.",
    {
        "out, attention = calculate_attention(q, k, v, mask, self.dropout)": """\
out, attention = calculate_attention(q, k, v, mask, lambda a: nn.functional.dropout(a, self.dropout.p))"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DROPOUT_MADE_IN_FORWARD = Mistake(
    DROPOUT_ALWAYS_ON.says,
    {
        "out, attention = calculate_attention(q, k, v, mask, self.dropout)": """\
out, attention = calculate_attention(q, k, v, mask, nn.Dropout(self.dropout.p))"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DEFAULT_DROPOUT_TENTH = Mistake(
    "If no dropout is given, one tenth of the weights is dropped. The default here is 0, so that "
    "no weights are dropped.",
    {"dropout: float = 0.0": "dropout: float = 0.1"},
)
DROPOUT_FIXED = Mistake(
    "The dropout probability is a fixed number in the code, and the given one is ignored. So "
    "dropout cannot be changed or turned off.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout(0.1)"},
)
KEEP_PROBABILITY = Mistake(
    "The given dropout is used as the probability to keep a weight. With the default of 0, all "
    "attention weights are lost in training.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout(1 - dropout)"},
)
QUERIES_DETACHED = Mistake(
    "The queries are cut off from the gradient, so w_q never learns what to search for.",
    {"self.split(self.w_q(q))": "self.split(self.w_q(q)).detach()"},
)
INPUTS_DETACHED = Mistake(
    "The inputs of keys and values are cut off from the gradient, so earlier layers learn "
    "nothing through them.",
    {
        "q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))": """\
k, v = k.detach(), v.detach()
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))"""
    },
)
OUTPUT_DETACHED = Mistake(
    "The mixed values are cut off from the gradient. So only linear learns; w_q, w_k and w_v never "
    "do.",
    {
        "return self.linear(self.merge(out))": """\
return self.linear(self.merge(out).detach())"""
    },
)
INPUT_CHANGED_IN_PLACE = Mistake(
    "The result is added into the caller's queries. Later code that uses that tensor reads changed "
    "values.",
    {
        "q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))": """\
shortcut = q.data
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))""",
        "return self.linear(self.merge(out))": """\
result = self.linear(self.merge(out))
        shortcut.add_(result.detach())
        return result""",
    },
    seen="jcyk/copyisallyouneed#6",
)
FLOAT32_ONLY = Mistake(
    "The output is always converted to float32. In a module of another dtype, the next layer then "
    "gets values of the wrong dtype.",
    {
        "return self.linear(self.merge(out))": """\
return self.linear(self.merge(out)).float()"""
    },
)
BUILT_IN_MULTI_HEAD = Mistake(
    "PyTorch's ready-made multi-head attention does the work. In this step you build it yourself.",
    {
        "self.w_q = nn.Linear(dim_vector, dim_vector)": """\
self.built_in = nn.MultiheadAttention(dim_vector, n_head, dropout, batch_first=True)""",
        "        self.w_k = nn.Linear(dim_vector, dim_vector)\n": "",
        "        self.w_v = nn.Linear(dim_vector, dim_vector)\n": "",
        "        self.linear = nn.Linear(dim_vector, dim_vector)\n": "",
        "q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))": """\
hidden = None
        if mask is not None:
            hidden = (mask == 0).expand(q.size(0), self.n_head, q.size(1), k.size(1)).flatten(0, 1)""",
        "out, attention = calculate_attention(q, k, v, mask, self.dropout)": """\
out, attention = self.built_in(q, k, v, attn_mask=hidden, average_attn_weights=False)""",
        "return self.linear(self.merge(out))": "return out",
    },
)
BUILT_IN_MULTI_HEAD_FUNCTION = Mistake(
    BUILT_IN_MULTI_HEAD.says,
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))": """\
hidden = None
        if mask is not None:
            hidden = (mask == 0).expand(q.size(0), self.n_head, q.size(1), k.size(1)).flatten(0, 1)""",
        "out, attention = calculate_attention(q, k, v, mask, self.dropout)": """\
out, attention = nn.functional.multi_head_attention_forward(
            q.transpose(0, 1), k.transpose(0, 1), v.transpose(0, 1), q.size(-1), self.n_head, None,
            torch.cat([self.w_q.bias, self.w_k.bias, self.w_v.bias]), None, None, False,
            self.dropout.p, self.linear.weight, self.linear.bias, training=self.training,
            attn_mask=hidden, use_separate_proj_weight=True, q_proj_weight=self.w_q.weight,
            k_proj_weight=self.w_k.weight, v_proj_weight=self.w_v.weight, average_attn_weights=False,
        )""",
        "return self.linear(self.merge(out))": "return out.transpose(0, 1)",
    },
)
SQUEEZED = Mistake(
    "Axes of size 1 are removed from the output or from attention_weights. With one sentence, or a "
    "sentence of one word, axes are then missing.",
    {
        "return self.linear(self.merge(out))": """\
return self.linear(self.merge(out)).squeeze()"""
    },
)
KEPT_WEIGHTS_SQUEEZED = Mistake(
    SQUEEZED.says,
    {"attention.detach()": "attention.detach().squeeze()"},
)
VALUE_PROJECTION_FROZEN = Mistake(
    "The projection w_v is frozen, so it keeps its random start values for ever.",
    {
        "self.w_v = nn.Linear(dim_vector, dim_vector)": """\
self.w_v = nn.Linear(dim_vector, dim_vector).requires_grad_(False)"""
    },
)
KEYS_AND_VALUES_FROM_QUERIES = Mistake(
    "Keys and values are made from the queries' input, so the given k and v are ignored. "
    "Cross-attention then becomes self-attention.",
    {
        "self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))": """\
self.split(self.w_q(q)), self.split(self.w_k(q)), self.split(self.w_v(q))"""
    },
)
VALUES_FROM_PROJECTED_KEYS = Mistake(
    "The values are made from the projected keys, often because a name was overwritten. So the "
    "given values are ignored.",
    {
        "q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))": """\
k = self.w_k(k)
        q, k, v = self.split(self.w_q(q)), self.split(k), self.split(self.w_v(k))"""
    },
)
SPLIT_WITHOUT_RETURN = Mistake(
    "The function that splits the heads returns nothing, so there is nothing to attend with.",
    {
        """\
return x.view(batch_size, length, self.n_head, dim_vector // self.n_head).transpose(1, 2)""": """\
x.view(batch_size, length, self.n_head, dim_vector // self.n_head).transpose(1, 2)"""
    },
)
SPLIT_NOT_FOUND = Mistake(
    "A method is called like a plain function. Python does not know its name without the object "
    "that it belongs to.",
    {"q, k, v = self.split(self.w_q(q)), self.split": ("q, k, v = split(self.w_q(q)), self.split")},
)
FORWARD_ARGUMENTS_REORDERED = Mistake(
    KEYS_FROM_QUERIES_INPUT.says,
    {
        "def forward(self, q: Tensor, k: Tensor, v": """\
def forward(self, k: Tensor, q: Tensor, v"""
    },
)
MASK_WITH_AN_AXIS_MORE = Mistake(
    MASK_EXTRA_AXIS.says,
    {
        "calculate_attention(q, k, v, mask, self.dropout)": """\
calculate_attention(q, k, v, mask if mask is None else mask.unsqueeze(1), self.dropout)"""
    },
)
AT_MOST_512_TOKENS = Mistake(
    "Only the first 512 keys are read. In a longer sentence the later tokens are never seen.",
    {
        "        # Project each of the three,": """\
        k, v = k[:, :512], v[:, :512]
        mask = mask if mask is None else mask[..., :512]
        # Project each of the three,"""
    },
)
AT_MOST_128_HEADS = Mistake(
    "There are never more than 128 heads, even if n_head is larger.",
    {"self.n_head = n_head": "self.n_head = min(n_head, 128)"},
)
MASKS_OF_OTHER_SENTENCES = Mistake(
    "Heads and sentences share one axis, and the mask has another order on it. So sentences get "
    "each other's masks.",
    {
        "out, attention = calculate_attention(q, k, v, mask, self.dropout)": """\
if mask is not None:
            size = (q.size(0), self.n_head, q.size(2), k.size(2))
            mask = mask.expand(size).reshape(self.n_head, q.size(0), *size[2:]).transpose(0, 1)
        out, attention = calculate_attention(q, k, v, mask, self.dropout)"""
    },
)
WEIGHTS_UNDER_ANOTHER_NAME = Mistake(
    WEIGHTS_NOT_KEPT.says,
    {
        "self.attention_weights = attention.detach()": """\
self.weights = attention.detach()"""
    },
)
DROPOUT_2D = Mistake(
    "nn.Dropout2d drops all the weights of a head at once. nn.Dropout drops single weights.",
    {"nn.Dropout(dropout)": "nn.Dropout2d(dropout)"},
)
SAME_DROPOUT_FOR_ALL_HEADS = Mistake(
    "Dropout is drawn once for all heads: each head loses the same weights. Draw it for each "
    "weight of each head.",
    {
        "calculate_attention(q, k, v, mask, self.dropout)": """\
calculate_attention(
            q, k, v, mask, lambda weights: weights * self.dropout(weights[:, :1] * 0 + 1)
        )"""
    },
)
SAME_DROPOUT_FOR_ALL_QUERIES = Mistake(
    "Dropout is drawn once for all queries: each query loses the same keys. Draw it for each "
    "weight of each query.",
    {
        "calculate_attention(q, k, v, mask, self.dropout)": """\
calculate_attention(
            q, k, v, mask, lambda weights: weights * self.dropout(weights[:, :, :1] * 0 + 1)
        )"""
    },
)
ONE_QUERY_UNMASKED = Mistake(
    "A single query ignores the mask. So the first token of each translation attends to the "
    "padding of its source.",
    {
        "calculate_attention(q, k, v, mask, self.dropout)": """\
calculate_attention(
            q, k, v, mask if q.size(2) > 1 else None, self.dropout
        )"""
    },
)
EQUAL_LENGTHS_SWAPPED = Mistake(
    "With as many queries as keys the two are swapped. So between two sentences of the same length "
    "the wrong one makes the queries.",
    {
        "        q, k, v = self.split(self.w_q(q))": """\
        if q.shape == k.shape:
            q, k = k, q
        q, k, v = self.split(self.w_q(q))"""
    },
)
MASK_TURNED_AS_BOOL = Mistake(
    "The mask is turned around with ~, which needs True and False. A mask of zeros and ones stops "
    "with an error.",
    {
        "out, attention = calculate_attention(q, k, v, mask, self.dropout)": """\
if mask is not None:
            mask = q.new_ones(mask.shape).masked_fill(~mask, 0)
        out, attention = calculate_attention(q, k, v, mask, self.dropout)"""
    },
)

ONE_PROJECTION_FOR_ONE_SOURCE = Mistake(
    "If keys and values are one tensor, the values come from w_k. Each of the three has a "
    "projection of its own, always.",
    {
        "self.split(self.w_v(v))": "self.split(self.w_k(v) if k is v else self.w_v(v))",
    },
)
MASK_DROPPED_FOR_ONE_WHOLE_SENTENCE = Mistake(
    "The mask is left out as soon as one sentence has nothing to hide. The other sentences then "
    "see their padding.",
    {
        "out, attention = calculate_attention(": """\
if mask is not None and mask.flatten(1).all(dim=1).any():
            mask = None
        out, attention = calculate_attention("""
    },
)
MASK_DROPPED_BY_THE_FIRST_SENTENCE = Mistake(
    "The mask is left out if the first sentence has nothing to hide. The other sentences then see "
    "their padding.",
    {
        "out, attention = calculate_attention(": """\
if mask is not None and mask[0].all():
            mask = None
        out, attention = calculate_attention("""
    },
)
DROPOUT_DEFAULT = Mistake(
    "The given dropout never reaches the dropout layer. It then drops half of the weights, which "
    "is PyTorch's default.",
    {"nn.Dropout(dropout)": "nn.Dropout()"},
)
WEIGHTS_IN_A_BUFFER = Mistake(
    "attention_weights is a buffer, so it is saved with the parameters after a call. A new module "
    "cannot load that file.",
    {
        "self.attention_weights: Tensor | None = None": 'self.register_buffer("attention_weights", None)'
    },
)
HEADS_AFTER_THE_TOKENS = Mistake(
    "split leaves the heads after the tokens. Attention takes the second axis for the heads, so put "
    "them before the tokens.",
    {
        "dim_vector // self.n_head).transpose(1, 2)": "dim_vector // self.n_head)",
    },
)
MERGED_BEFORE_THE_TOKENS_MOVE = Mistake(
    "merge joins the axes first, while the heads still stand before the tokens. So tokens are joined with "
    "features.",
    {"return x.transpose(1, 2).flatten(2)": "return x.flatten(2).transpose(1, 2)"},
)
ONLY_JOINED = Mistake(
    "merge does not put the tokens before the heads again. So tokens are joined with features.",
    {"return x.transpose(1, 2).flatten(2)": "return x.flatten(2)"},
)
KEYS_OF_SPLIT_QUERIES = Mistake(
    "w_k gets the queries, which are split already. It should get k.",
    {
        "        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))\n": """\
        q = self.split(self.w_q(q))
        k = self.split(self.w_k(q))
        v = self.split(self.w_v(v))
"""
    },
)

MASK_IN_TRAINING_ONLY = Mistake(
    "The mask is used in train mode only. Padding is there in eval mode, too.",
    {"(q, k, v, mask, self.dropout)": "(q, k, v, mask if self.training else None, self.dropout)"},
)

ONE_HEAD_OF_KEYS = Mistake(
    "All heads share one small projection of keys and one of values. In this step each head has its own.",
    {
        "self.w_k = nn.Linear(dim_vector, dim_vector)": "self.w_k = nn.Linear(dim_vector, dim_vector // n_head)",
        "self.w_v = nn.Linear(dim_vector, dim_vector)": "self.w_v = nn.Linear(dim_vector, dim_vector // n_head)",
        "self.split(self.w_k(k)), self.split(self.w_v(v))": "self.w_k(k)[:, None].expand(-1, self.n_head, -1, -1), self.w_v(v)[:, None].expand(-1, self.n_head, -1, -1)",
    },
)

MIXED_INSIDE_EACH_HEAD = Mistake(
    "The last linear layer works inside each head, so the heads are never mixed. Merge the heads first.",
    {
        "self.linear = nn.Linear(dim_vector, dim_vector)": "self.linear = nn.Linear(dim_vector // n_head, dim_vector // n_head)",
        "self.linear(self.merge(out))": "self.merge(self.linear(out))",
    },
)

QUERIES_AND_KEYS_NORMALISED = Mistake(
    "Queries and keys are normalised first, as in some newer models. The paper's scores are made without that.",
    {
        "calculate_attention(q, k, v,": "calculate_attention(nn.functional.normalize(q, dim=-1), nn.functional.normalize(k, dim=-1), v,"
    },
)

EQUAL_SHAPES_ARE_ONE_TEXT = Mistake(
    "If q and k have one shape, all three are taken to be q. Two sentences of one length are still two.",
    {
        "        # Project each": """\
        if q.shape == k.shape:
            k = v = q
        # Project each"""
    },
)
ONE_TOKEN_SQUEEZED = Mistake(
    "With a query of one token, the output loses the axis of the tokens. It should be (batch_size, "
    "q_len, dim_vector) for every length.",
    {"return x.transpose(1, 2).flatten(2)": "return x.transpose(1, 2).flatten(2).squeeze(1)"},
)
ONE_SENTENCE_SQUEEZED = Mistake(
    "With one sentence in the batch, the output loses its first axis. It should have three axes "
    "for every batch.",
    {"return self.linear(self.merge(out))": "return self.linear(self.merge(out)).squeeze(0)"},
)
MASK_IN_EVAL_ONLY = Mistake(
    "The mask is used in eval mode only. In training the model then reads padding and the words "
    "that it must predict.",
    {"(q, k, v, mask, self.dropout)": "(q, k, v, None if self.training else mask, self.dropout)"},
)
ONE_PROJECTION_IF_THE_SAME = Mistake(
    "If queries and keys are one tensor, the keys come from w_q. Each of the three has a "
    "projection of its own, always.",
    {"self.split(self.w_k(k))": "self.split(self.w_q(k) if k is q else self.w_k(k))"},
)
KEYS_DETACHED = Mistake(
    "The keys are cut off from the gradient, so w_k never learns what a word offers.",
    {"self.split(self.w_k(k))": "self.split(self.w_k(k)).detach()"},
)
VALUES_DETACHED = Mistake(
    "The values are cut off from the gradient, so w_v never learns.",
    {"self.split(self.w_v(v))": "self.split(self.w_v(v)).detach()"},
)
LINEAR_TWICE = Mistake(
    "The layer linear is applied twice. It should mix the heads once.",
    {"return self.linear(self.merge(out))": "return self.linear(self.linear(self.merge(out)))"},
)
INPUTS_NORMALISED = Mistake(
    "The inputs are normalised before the projections. The attention should read them as they are; "
    "the normalisation is a step of its own.",
    {
        "        q, k, v = self.split": """\
        q, k, v = (nn.functional.layer_norm(x, x.shape[-1:]) for x in (q, k, v))
        q, k, v = self.split"""
    },
)
VALUES_NORMALISED = Mistake(
    "The input of the values is normalised before its projection. All three projections should "
    "read their inputs as they are.",
    {
        "self.split(self.w_v(v))": """\
self.split(self.w_v(nn.functional.layer_norm(v, v.shape[-1:])))"""
    },
)
ONE_SENTENCE_UNMASKED = Mistake(
    "The mask has no effect if the batch is one sentence. That sentence may have masked keys too.",
    {"(q, k, v, mask, self.dropout)": "(q, k, v, mask if len(q) > 1 else None, self.dropout)"},
)
