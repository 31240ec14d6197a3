"""What people get wrong in s2_attention/multi_head_attention.py."""

from checks.machine.known import Mistake

SPLIT_WITHOUT_TRANSPOSE = Mistake(
    "The memory is cut straight into heads, so each head gets pieces of different words. The "
    "words must stay whole while the features are divided.",
    {
        """\
return x.view(batch_size, length, self.n_head, dim_vector // self.n_head).transpose(1, 2)""": """\
return x.view(batch_size, self.n_head, length, dim_vector // self.n_head)"""
    },
    seen="649453932/Chinese-Text-Classification-Pytorch#53, reczoo/FuxiCTR#30",
)
MERGE_WITHOUT_TRANSPOSE = Mistake(
    "The heads are joined before words and heads changed places back, so each output mixes "
    "several words.",
    {
        "return x.transpose(1, 2).flatten(2)": """\
return x.reshape(x.size(0), x.size(2), -1)"""
    },
    seen="jsbaan/transformer-from-scratch#6",
)
SPLIT_AND_MERGE_WITHOUT_TRANSPOSE = Mistake(
    "Split and merge undo each other, which hides that the attention in between runs over "
    "scrambled words.",
    {
        """\
return x.view(batch_size, length, self.n_head, dim_vector // self.n_head).transpose(1, 2)""": """\
return x.view(batch_size, self.n_head, length, dim_vector // self.n_head)""",
        "return x.transpose(1, 2).flatten(2)": """\
return x.reshape(x.size(0), x.size(2), -1)""",
    },
)
NO_OUTPUT_PROJECTION = Mistake(
    "The heads are joined but never mixed: the last linear layer is not used.",
    {"return self.linear(self.merge(out))": "return self.merge(out)"},
)
OUTPUT_PROJECTION_MISSING = Mistake(
    "The layer that mixes the heads does not exist, so heads never exchange information.",
    {
        "        self.linear = nn.Linear(dim_vector, dim_vector)\n": "",
        "return self.linear(self.merge(out))": "return self.merge(out)",
    },
)
ONE_PROJECTION_FOR_THREE = Mistake(
    "Queries, keys and values share one projection; each needs its own view of the input.",
    {
        "self.w_k = nn.Linear(dim_vector, dim_vector)": "self.w_k = self.w_q",
        "self.w_v = nn.Linear(dim_vector, dim_vector)": "self.w_v = self.w_q",
    },
)
ONE_PROJECTION_USED = Mistake(
    "All three go through the projection of the queries; the other two are never used.",
    {
        "q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))": """\
q, k, v = (self.split(self.w_q(each)) for each in (q, k, v))"""
    },
)
KEYS_AND_VALUES_SHARE = Mistake(
    "Values go through the projection of the keys; the one of the values is never used.",
    {"self.w_v(v))": "self.w_k(v))"},
)
QUERIES_AND_KEYS_SHARE = Mistake(
    "Queries and keys share one projection; each needs its own.",
    {"self.w_k = nn.Linear(dim_vector, dim_vector)": "self.w_k = self.w_q"},
)
CHAIN_OVERWRITES = Mistake(
    "A name is overwritten before it is used, so keys and values are made from the queries and "
    "the other inputs are ignored.",
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
    "The values are made from the input of the keys. In later steps both are the same, here "
    "they need not be.",
    {"self.split(self.w_v(v))": "self.split(self.w_v(k))"},
    seen="Sea-Snell/grokking#7",
)
KEYS_FROM_QUERIES_INPUT = Mistake(
    "The keys are made from the input of the queries, so there is no looking at another sentence.",
    {"self.split(self.w_k(k))": "self.split(self.w_k(q))"},
    seen="Sea-Snell/grokking#7",
)
VALUES_FROM_QUERIES_INPUT = Mistake(
    "The values are made from the input of the queries.",
    {"self.split(self.w_v(v))": "self.split(self.w_v(q))"},
    seen="Sea-Snell/grokking#7",
)
QUERIES_FROM_KEYS_INPUT = Mistake(
    "The queries are made from the input of the keys, so the output has the length of the "
    "wrong sentence.",
    {"self.split(self.w_q(q))": "self.split(self.w_q(k))"},
    seen="Sea-Snell/grokking#7",
)
PROJECTIONS_SWAPPED = Mistake(
    "The projections of keys and values have changed places.",
    {
        "q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))": """\
q, k, v = self.split(self.w_q(q)), self.split(self.w_v(k)), self.split(self.w_k(v))"""
    },
)
QUERIES_PROJECTED_TWICE = Mistake(
    "The queries go through their projection twice.",
    {"self.w_q(q)": "self.w_q(self.w_q(q))"},
)
QUERIES_NOT_PROJECTED = Mistake(
    "The queries are not projected at all.",
    {"self.split(self.w_q(q))": "self.split(q)"},
)
VALUES_NOT_PROJECTED = Mistake(
    "The values are not projected at all.",
    {"self.split(self.w_v(v))": "self.split(v)"},
)
SMALL_MATRIX_FOR_ALL_HEADS = Mistake(
    "Every head applies the same small matrix to its own slice; each head must have its own "
    "projection of the whole vector.",
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
    "The number of heads has no effect: it is still one big attention.",
    {"self.n_head = n_head": "self.n_head = 1"},
)
HEADS_FIXED = Mistake(
    "The number of heads is written into the code.",
    {"self.n_head = n_head": "self.n_head = 2"},
)
HEADS_IGNORED_WEIGHTS_REPEATED = Mistake(
    "One big attention is computed and its weights are shown once for each head.",
    {
        "self.n_head = n_head": "self.n_head, self.shown = 1, n_head",
        "self.attention_weights = attention.detach()": """\
self.attention_weights = attention.detach().repeat(1, self.shown, 1, 1)""",
    },
)
HEADS_AVERAGED = Mistake(
    "The heads are averaged instead of laid side by side, so none keeps its own information.",
    {
        "return x.transpose(1, 2).flatten(2)": """\
return x.mean(dim=1).repeat(1, 1, self.n_head)"""
    },
)
HEADS_AND_WIDTH_SWAPPED = Mistake(
    "The number of heads and the width of a head have changed places in the split.",
    {
        """\
return x.view(batch_size, length, self.n_head, dim_vector // self.n_head).transpose(1, 2)""": """\
return x.view(batch_size, length, dim_vector // self.n_head, self.n_head).transpose(1, 2)"""
    },
)
HEADS_TAKE_EVERY_NTH_FEATURE = Mistake(
    "Head h takes every n_head-th feature; it owns a block of neighbouring ones.",
    {
        """\
return x.view(batch_size, length, self.n_head, dim_vector // self.n_head).transpose(1, 2)""": """\
return x.view(batch_size, length, -1, self.n_head).permute(0, 3, 1, 2)""",
        "return x.transpose(1, 2).flatten(2)": "return x.permute(0, 2, 3, 1).flatten(2)",
    },
)
MERGE_FEATURES_BEFORE_HEADS = Mistake(
    "The pieces are joined in another order than they were cut, so the last layer sees "
    "shuffled features.",
    {"return x.transpose(1, 2).flatten(2)": "return x.permute(0, 2, 3, 1).flatten(2)"},
)
MERGE_HEADS_REVERSED = Mistake(
    "The heads are joined from last to first.",
    {
        "return x.transpose(1, 2).flatten(2)": """\
return x.flip(1).transpose(1, 2).flatten(2)"""
    },
)
ALL_HEADS_READ_THE_FIRST = Mistake(
    "Every head works on the features of the first one.",
    {
        """\
return x.view(batch_size, length, self.n_head, dim_vector // self.n_head).transpose(1, 2)""": """\
heads = x.view(batch_size, length, self.n_head, dim_vector // self.n_head).transpose(1, 2)
        return heads[:, :1].expand_as(heads)"""
    },
)
VIEW_AFTER_TRANSPOSE = Mistake(
    "After the axes changed places the numbers no longer lie in order, and a plain view fails.",
    {
        "return x.transpose(1, 2).flatten(2)": """\
return x.transpose(1, 2).view(x.size(0), x.size(2), -1)"""
    },
)
MASK_NOT_HANDED_ON = Mistake(
    "The mask is accepted but never handed to the attention.",
    {"(q, k, v, mask, self.dropout)": "(q, k, v, None, self.dropout)"},
    seen="pmixer/SASRec.pytorch#36",
)
MASK_INVERTED = Mistake(
    "The mask is inverted before it is handed on, so exactly the hidden keys are seen.",
    {
        "(q, k, v, mask, self.dropout)": """\
(q, k, v, None if mask is None else mask == 0, self.dropout)"""
    },
    seen="hkproj/pytorch-transformer#19, pytorch/pytorch#27968",
)
MASK_FIRST_SENTENCE = Mistake(
    "All sentences get the mask of the first.",
    {
        "(q, k, v, mask, self.dropout)": """\
(q, k, v, None if mask is None else mask[:1], self.dropout)"""
    },
)
MASK_FIRST_HEAD = Mistake(
    "All heads get the mask of the first.",
    {
        "(q, k, v, mask, self.dropout)": """\
(q, k, v, None if mask is None else mask[:, :1], self.dropout)"""
    },
)
MASK_EXTRA_AXIS = Mistake(
    "The mask gets one more axis for the heads, though it has one already.",
    {
        "(q, k, v, mask, self.dropout)": """\
(q, k, v, None if mask is None else mask.unsqueeze(1), self.dropout)"""
    },
)
MASK_AXIS_LOST = Mistake(
    "The axis of the heads is taken out of the mask, so sentences line up with heads.",
    {
        "(q, k, v, mask, self.dropout)": """\
(q, k, v, None if mask is None else mask[:, 0], self.dropout)"""
    },
)
SCALE_OF_WHOLE_WIDTH = Mistake(
    "Each head divides by the root of the whole width instead of its own, so attention is "
    "flatter than intended.",
    {
        "out, attention = calculate_attention(q, k, v, mask, self.dropout)": """\
out, attention = calculate_attention(q / self.n_head**0.5, k, v, mask, self.dropout)"""
    },
)
SCALED_AGAIN = Mistake(
    "The scores are scaled here once more, though the attention of step 2.1 does it.",
    {
        "out, attention = calculate_attention(q, k, v, mask, self.dropout)": """\
out, attention = calculate_attention(q / q.size(-1) ** 0.5, k, v, mask, self.dropout)"""
    },
)
NO_SCALE = Mistake(
    "The scale is undone here, so the scores grow with the width of a head.",
    {
        "out, attention = calculate_attention(q, k, v, mask, self.dropout)": """\
out, attention = calculate_attention(q * q.size(-1) ** 0.5, k, v, mask, self.dropout)"""
    },
)
SOFTMAX_OVER_QUERIES = Mistake(
    "The attention is written out here, with the softmax over the queries instead of the keys.",
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
    "Keys and values are handed to the attention the wrong way round.",
    {"(q, k, v, mask, self.dropout)": "(q, v, k, mask, self.dropout)"},
)
QUERIES_AND_KEYS_SWAPPED = Mistake(
    "Queries and keys are handed to the attention the wrong way round.",
    {"(q, k, v, mask, self.dropout)": "(k, q, v, mask, self.dropout)"},
)
RESIDUAL_INSIDE = Mistake(
    "The input is added here already; the layer around it does that, and it would count twice.",
    {
        "q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))": """\
shortcut = q
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))""",
        "return self.linear(self.merge(out))": """\
return shortcut + self.linear(self.merge(out))""",
    },
)
NORM_INSIDE = Mistake(
    "The result is normalised here; that is the work of the layer around it.",
    {
        "self.linear = nn.Linear(dim_vector, dim_vector)": """\
self.linear = nn.Linear(dim_vector, dim_vector)
        self.norm = nn.LayerNorm(dim_vector)""",
        "return self.linear(self.merge(out))": """\
return self.norm(self.linear(self.merge(out)))""",
    },
)
PYTHON_LIST = Mistake(
    "The projections sit in a plain Python list, where PyTorch does not look: they are neither "
    "trained nor saved nor moved.",
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
    "The projections are followed by an activation; they are linear maps.",
    {
        "q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))": """\
q, k, v = (self.split(each.relu()) for each in (self.w_q(q), self.w_k(k), self.w_v(v)))"""
    },
)
RELU_ON_VALUES = Mistake(
    "The values lose their negative numbers to an activation that has no place here.",
    {"self.split(self.w_v(v))": "self.split(self.w_v(v).relu())"},
)
RELU_ON_OUTPUT = Mistake(
    "The output goes through an activation, so it can no longer be negative.",
    {
        "return self.linear(self.merge(out))": """\
return self.linear(self.merge(out)).relu()"""
    },
)
LAYERS_MADE_IN_FORWARD = Mistake(
    "The last layer is made anew at every call, with new random numbers each time, so it can "
    "learn nothing.",
    {
        "self.linear = nn.Linear(dim_vector, dim_vector)": "self.dim_vector = dim_vector",
        "return self.linear(self.merge(out))": """\
return nn.Linear(self.dim_vector, self.dim_vector)(self.merge(out))""",
    },
)
NO_BIASES = Mistake(
    "The projections have no biases; here every linear layer has one.",
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
    "The projection of the queries has no bias.",
    {
        "self.w_q = nn.Linear(dim_vector, dim_vector)": """\
self.w_q = nn.Linear(dim_vector, dim_vector, bias=False)"""
    },
)
NO_BIAS_FOR_KEYS = Mistake(
    "The projection of the keys has no bias.",
    {
        "self.w_k = nn.Linear(dim_vector, dim_vector)": """\
self.w_k = nn.Linear(dim_vector, dim_vector, bias=False)"""
    },
)
NO_BIAS_FOR_VALUES = Mistake(
    "The projection of the values has no bias.",
    {
        "self.w_v = nn.Linear(dim_vector, dim_vector)": """\
self.w_v = nn.Linear(dim_vector, dim_vector, bias=False)"""
    },
)
NO_BIAS_IN_OUTPUT = Mistake(
    "The layer that mixes the heads has no bias.",
    {
        "self.linear = nn.Linear(dim_vector, dim_vector)": """\
self.linear = nn.Linear(dim_vector, dim_vector, bias=False)"""
    },
)
UNUSED_LAYER = Mistake(
    "There is a layer that nothing uses; its parameters never learn.",
    {
        "self.linear = nn.Linear(dim_vector, dim_vector)": """\
self.linear = nn.Linear(dim_vector, dim_vector)
        self.w_o = nn.Linear(dim_vector, dim_vector)"""
    },
)
NO_DIVISIBILITY_CHECK = Mistake(
    "A width that the heads cannot share evenly is not refused: it fails much later with a "
    "message about shapes, or features are lost in silence.",
    {
        """\
        if dim_vector % n_head != 0:
            raise ValueError(f"{n_head} heads cannot share dim_vector {dim_vector} evenly")
""": ""
    },
)
WIDTH_TRUNCATED = Mistake(
    "A width that the heads cannot share evenly is not refused: it fails much later with a "
    "message about shapes, or features are lost in silence.",
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
    "The wrong number is divided: good widths are refused.",
    {"if dim_vector % n_head != 0:": "if n_head % dim_vector != 0:"},
)
DIVISIBILITY_BY_TWO = Mistake(
    "A width that the heads cannot share evenly is not refused: it fails much later with a "
    "message about shapes, or features are lost in silence.",
    {"if dim_vector % n_head != 0:": "if dim_vector % 2 != 0:"},
)
DIVISIBILITY_INVERTED = Mistake(
    "The check is the wrong way round: it refuses exactly the widths that can be shared.",
    {"if dim_vector % n_head != 0:": "if dim_vector % n_head == 0:"},
)
WRONG_ERROR_TYPE = Mistake(
    "A width that cannot be shared raises another kind of error than the promised ValueError.",
    {"raise ValueError": "raise TypeError"},
)
ASSERT_FOR_RAISE = Mistake(
    "The width is checked by an assertion, which is another kind of error and vanishes when "
    "Python runs optimised.",
    {
        """\
if dim_vector % n_head != 0:
            raise ValueError(f"{n_head} heads cannot share dim_vector {dim_vector} evenly")""": """\
assert dim_vector % n_head == 0, f"{n_head} heads, dim_vector {dim_vector}\""""
    },
)
ERROR_WITHOUT_NUMBERS = Mistake(
    "The error names neither the width nor the number of heads.",
    {
        'raise ValueError(f"{n_head} heads cannot share dim_vector {dim_vector} evenly")': """\
raise ValueError("the heads cannot share the width evenly")"""
    },
)
ONLY_PRINTS = Mistake(
    "A width that the heads cannot share evenly is not refused: it fails much later with a "
    "message about shapes, or features are lost in silence.",
    {
        'raise ValueError(f"{n_head} heads cannot share dim_vector {dim_vector} evenly")': """\
print(f"{n_head} heads cannot share {dim_vector}")"""
    },
)
LENGTHS_ASSUMED_EQUAL = Mistake(
    "Keys and values are cut with the length of the queries; in cross-attention the two "
    "sentences differ in length.",
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
    "Only as many keys are looked at as there are queries; the rest of a longer sentence is "
    "ignored.",
    {
        "q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))": """\
k, v = k[:, : q.size(1)], v[:, : q.size(1)]
        mask = None if mask is None else mask[..., : q.size(1)]
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))"""
    },
)
WEIGHTS_NOT_DETACHED = Mistake(
    "The weights are kept with their gradient, so the whole computation stays in memory after "
    "the step.",
    {"self.attention_weights = attention.detach()": "self.attention_weights = attention"},
)
WEIGHTS_NOT_KEPT = Mistake(
    "After a call in evaluation mode no weights are kept, so there is nothing to draw.",
    {"        self.attention_weights = attention.detach()\n": ""},
)
WEIGHTS_OF_FIRST_CALL = Mistake(
    "The weights of the first call are kept for ever; the last call is asked for.",
    {
        "self.attention_weights = attention.detach()": """\
if self.attention_weights is None:
            self.attention_weights = attention.detach()"""
    },
)
WEIGHTS_ONLY_IN_EVAL = Mistake(
    "The weights are kept in evaluation only; after a training step old ones are shown, or none.",
    {
        "self.attention_weights = attention.detach()": """\
if not self.training:
            self.attention_weights = attention.detach()"""
    },
)
WEIGHTS_ONLY_IN_TRAINING = Mistake(
    "After a call in evaluation mode no weights are kept, so there is nothing to draw.",
    {
        "self.attention_weights = attention.detach()": """\
if self.training:
            self.attention_weights = attention.detach()"""
    },
)
WEIGHTS_AVERAGED = Mistake(
    "The kept weights are averaged over the heads; each head has its own picture.",
    {
        "self.attention_weights = attention.detach()": """\
self.attention_weights = attention.detach().mean(dim=1)"""
    },
)
WEIGHTS_OF_FIRST_HEAD = Mistake(
    "Only the weights of the first head are kept.",
    {
        "self.attention_weights = attention.detach()": """\
self.attention_weights = attention.detach()[:, 0]"""
    },
)
WEIGHTS_OF_FIRST_SENTENCE = Mistake(
    "Only the weights of the first sentence are kept.",
    {
        "self.attention_weights = attention.detach()": """\
self.attention_weights = attention.detach()[0]"""
    },
)
WEIGHTS_TRANSPOSED = Mistake(
    "The kept weights have queries and keys in the wrong order.",
    {
        "self.attention_weights = attention.detach()": """\
self.attention_weights = attention.detach().transpose(-2, -1)"""
    },
)
OUTPUT_KEPT_FOR_WEIGHTS = Mistake(
    "The mixed values are kept instead of the weights.",
    {"self.attention_weights = attention.detach()": ("self.attention_weights = out.detach()")},
)
SCORES_KEPT_FOR_WEIGHTS = Mistake(
    "The scores are kept instead of the weights.",
    {
        "self.attention_weights = attention.detach()": """\
self.attention_weights = (q @ k.transpose(-2, -1) / q.size(-1) ** 0.5).detach()"""
    },
)
UNMASKED_WEIGHTS_KEPT = Mistake(
    "The kept weights are computed without the mask, so the picture shows attention on hidden "
    "keys.",
    {
        "self.attention_weights = attention.detach()": """\
self.attention_weights = calculate_attention(q, k, v)[1].detach()"""
    },
    seen="aimagelab/meshed-memory-transformer#27",
)
WEIGHTS_COLLECTED = Mistake(
    "The weights of all calls are collected in a list instead of keeping the last.",
    {
        "self.attention_weights: Tensor | None = None": "self.attention_weights = []",
        "self.attention_weights = attention.detach()": """\
self.attention_weights.append(attention.detach())""",
    },
)
WEIGHTS_MISSING_BEFORE_CALL = Mistake(
    "Before the first call the attribute for the weights does not exist; it should be None.",
    {"        self.attention_weights: Tensor | None = None\n": ""},
)
WEIGHTS_ZERO_BEFORE_CALL = Mistake(
    "Before the first call the attribute for the weights holds a number; it should be None.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "self.attention_weights: Tensor | None = None": ("self.attention_weights = torch.zeros(1)"),
    },
)
WEIGHTS_SHARED_BY_ALL_MODULES = Mistake(
    "The weights are kept on the class, so every attention shows those of whichever was called "
    "last.",
    {
        "self.attention_weights: Tensor | None = None": ("type(self).attention_weights = None"),
        "self.attention_weights = attention.detach()": """\
type(self).attention_weights = attention.detach()""",
    },
)
WEIGHTS_AS_NUMPY = Mistake(
    "The weights are kept as a NumPy array; a tensor is asked for.",
    {
        "self.attention_weights = attention.detach()": """\
self.attention_weights = attention.detach().cpu().numpy()"""
    },
)
RETURNS_A_PAIR = Mistake(
    "The weights are handed back beside the output; only the output is asked for.",
    {
        "return self.linear(self.merge(out))": """\
return self.linear(self.merge(out)), attention"""
    },
)
DROPOUT_NOT_HANDED_ON = Mistake(
    "The dropout never reaches the attention weights.",
    {"(q, k, v, mask, self.dropout)": "(q, k, v, mask)"},
)
DROPOUT_ON_OUTPUT = Mistake(
    "The output is dropped from instead of the attention weights.",
    {
        "(q, k, v, mask, self.dropout)": "(q, k, v, mask)",
        "return self.linear(self.merge(out))": """\
return self.dropout(self.linear(self.merge(out)))""",
    },
)
DROPOUT_ON_WEIGHTS_AND_OUTPUT = Mistake(
    "The output is dropped from as well as the weights.",
    {
        "return self.linear(self.merge(out))": """\
return self.dropout(self.linear(self.merge(out)))"""
    },
)
DROPOUT_ON_VALUES = Mistake(
    "The values are dropped from instead of the attention weights.",
    {"(q, k, v, mask, self.dropout)": "(q, k, self.dropout(v), mask)"},
)
DROPOUT_ALWAYS_ON = Mistake(
    "The dropout does not know about evaluation mode, so even the finished model drops weights "
    "at random.",
    {
        "out, attention = calculate_attention(q, k, v, mask, self.dropout)": """\
out, attention = calculate_attention(q, k, v, mask, lambda a: nn.functional.dropout(a, self.dropout.p))"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DROPOUT_MADE_IN_FORWARD = Mistake(
    "The dropout does not know about evaluation mode, so even the finished model drops weights "
    "at random.",
    {
        "out, attention = calculate_attention(q, k, v, mask, self.dropout)": """\
out, attention = calculate_attention(q, k, v, mask, nn.Dropout(self.dropout.p))"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DEFAULT_DROPOUT_TENTH = Mistake(
    "Unless a share is given nothing is to be dropped here; a tenth is.",
    {"dropout: float = 0.0": "dropout: float = 0.1"},
)
DROPOUT_FIXED = Mistake(
    "The share to drop is written into the code; the given one is ignored.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout(0.1)"},
)
KEEP_PROBABILITY = Mistake(
    "The number is taken as the share to keep.",
    {"self.dropout = nn.Dropout(dropout)": "self.dropout = nn.Dropout(1 - dropout)"},
)
QUERIES_DETACHED = Mistake(
    "The queries are cut off from the gradient, so their projection never learns.",
    {"self.split(self.w_q(q))": "self.split(self.w_q(q)).detach()"},
)
INPUTS_DETACHED = Mistake(
    "Keys and values are cut off from what made them, so earlier layers learn nothing through "
    "them.",
    {
        "q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))": """\
k, v = k.detach(), v.detach()
        q, k, v = self.split(self.w_q(q)), self.split(self.w_k(k)), self.split(self.w_v(v))"""
    },
)
OUTPUT_DETACHED = Mistake(
    "The mixed values are cut off from the gradient, so only the last layer learns.",
    {
        "return self.linear(self.merge(out))": """\
return self.linear(self.merge(out).detach())"""
    },
)
INPUT_CHANGED_IN_PLACE = Mistake(
    "The caller's queries are overwritten on the way.",
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
    "The output is forced to single precision, whatever the precision of the module.",
    {
        "return self.linear(self.merge(out))": """\
return self.linear(self.merge(out)).float()"""
    },
)
BUILT_IN_MULTI_HEAD = Mistake(
    "PyTorch's ready-made multi-head attention does the work; this step is to build it.",
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
    "PyTorch's ready-made multi-head attention does the work in its form as a function; this "
    "step is to build it.",
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
    "Axes of size one are thrown away, so a batch of one sentence, or a sentence of one word, "
    "comes out with too few axes.",
    {
        "return self.linear(self.merge(out))": """\
return self.linear(self.merge(out)).squeeze()"""
    },
)
KEPT_WEIGHTS_SQUEEZED = Mistake(
    "Axes of size one are thrown away, so a batch of one sentence, or a sentence of one word, "
    "comes out with too few axes.",
    {"attention.detach()": "attention.detach().squeeze()"},
)
VALUE_PROJECTION_FROZEN = Mistake(
    "The projection of the values is told not to learn.",
    {
        "self.w_v = nn.Linear(dim_vector, dim_vector)": """\
self.w_v = nn.Linear(dim_vector, dim_vector).requires_grad_(False)"""
    },
)
