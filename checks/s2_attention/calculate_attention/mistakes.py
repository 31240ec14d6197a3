"""What people get wrong in s2_attention/calculate_attention.py.

Not here, on purpose:
- NaN in rows that are masked as a whole: their values are open;
- a fill of -1e9 that half precision cannot hold: half precision is not required, and the fill is
  right otherwise.
"""

from checks.engine.known import Mistake

# In the solution:
HIDE = 'score = score.masked_fill(mask == 0, float("-inf"))'

NO_SCALE = Mistake(
    "The scores are not divided by the square root of dim_split. They grow with dim_split, and the "
    "softmax then gives nearly all the weight to one key.",
    {" / math.sqrt(q.size(-1))": ""},
)
SCALE_WITHOUT_ROOT = Mistake(
    "The scores are divided by dim_split itself, not by its square root. They become too small, so "
    "the weights of the keys are too much alike.",
    {"math.sqrt(q.size(-1))": "q.size(-1)"},
)
SCALE_OF_WHOLE_WIDTH = Mistake(
    "The scores are divided by the square root of the whole width. A head has only dim_split "
    "features, so the scores become too small and the weights too even.",
    {"math.sqrt(q.size(-1))": "math.sqrt(q.size(-1) * q.size(1))"},
)
SCALE_OF_HEADS = Mistake(
    "The scores are divided by the square root of the number of heads, the size of the wrong axis. "
    "Scores grow with dim_split, not with n_head.",
    {"math.sqrt(q.size(-1))": "math.sqrt(q.size(1))"},
)
SCALE_OF_Q_LEN = Mistake(
    "The scores are divided by the square root of the number of queries. Scores grow with "
    "dim_split, so the weights now depend on how many queries there are.",
    {"math.sqrt(q.size(-1))": "math.sqrt(q.size(-2))"},
)
SCALE_OF_K_LEN = Mistake(
    "The scores are divided by the square root of the number of keys. Scores grow with dim_split, "
    "so the weights now depend on how many keys there are.",
    {"math.sqrt(q.size(-1))": "math.sqrt(k.size(-2))"},
)
SCALE_MULTIPLIED = Mistake(
    "The scores are multiplied by the square root of dim_split instead of divided by it. They "
    "become far too large, and nearly all the weight goes to one key.",
    {" / math.sqrt": " * math.sqrt"},
)
SCALE_TWICE = Mistake(
    SCALE_WITHOUT_ROOT.says,
    {
        "score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))": """\
q = q / math.sqrt(q.size(-1))
    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))"""
    },
)
SCALE_ONLY_QUERIES_FOURTH_ROOT = Mistake(
    "The scores are divided by dim_split to the power of 1/4 instead of 1/2. They stay too large, "
    "so the best key gets too much weight.",
    {"/ math.sqrt(q.size(-1))": "/ q.size(-1) ** 0.25"},
)
SCALE_AFTER_SOFTMAX = Mistake(
    "The division comes after the softmax, so the weights no longer sum to 1. The softmax itself "
    "gets scores that are too large.",
    {
        " / math.sqrt(q.size(-1))": "",
        "attention = score.softmax(dim=-1)": """\
attention = score.softmax(dim=-1) / math.sqrt(q.size(-1))""",
    },
)
SCALE_FIXED = Mistake(
    "The scores are always divided by 8, which fits only the paper's dim_split of 64. For another "
    "dim_split the weights are too even or too uneven.",
    {"math.sqrt(q.size(-1))": "8"},
)
SOFTMAX_OVER_QUERIES = Mistake(
    "The softmax runs over the queries instead of the keys. The weights of a query do not sum to "
    "1, and later words influence earlier ones in spite of a mask.",
    {"softmax(dim=-1)": "softmax(dim=-2)"},
    seen="FudanNLP/fastNLP#254, nerminnuraydogan/vision-transformer#1",
)
SOFTMAX_OVER_HEADS = Mistake(
    "The softmax runs over axis 1, so the heads compete, not the keys of a query. F.softmax and "
    "nn.Softmax take this axis, too, if you give no `dim`.",
    {"softmax(dim=-1)": "softmax(dim=1)"},
    seen="PetrochukM/PyTorch-NLP#2",
)
SOFTMAX_WITHOUT_AXIS = Mistake(
    SOFTMAX_OVER_HEADS.says,
    {"attention = score.softmax(dim=-1)": "attention = nn.functional.softmax(score)"},
    seen="PetrochukM/PyTorch-NLP#2",
)
SOFTMAX_OVER_BATCH = Mistake(
    "The softmax runs over the sentences of the batch instead of the keys. So sentences influence "
    "each other, and the weights of a query do not sum to 1.",
    {"softmax(dim=-1)": "softmax(dim=0)"},
)
SOFTMAX_OVER_EVERYTHING = Mistake(
    "The softmax runs over queries and keys together. The weights of all queries together sum to "
    "1, instead of those of each query.",
    {
        "attention = score.softmax(dim=-1)": """\
attention = score.flatten(-2).softmax(dim=-1).view_as(score)"""
    },
)
MASK_THROWN_AWAY = Mistake(
    "The mask has no effect: it is never used, or the masked scores are a new tensor that is never "
    "used. So masked keys keep their weight.",
    {
        HIDE: """\
score.masked_fill(mask == 0, float("-inf"))"""
    },
    seen="espnet/espnet#1273, facebookresearch/ParlAI#3068",
)
MASK_IGNORED = Mistake(
    MASK_THROWN_AWAY.says,
    {
        f"""\
if mask is not None:
        {HIDE}""": "pass"
    },
    seen="espnet/espnet#1273, facebookresearch/ParlAI#3068",
)
MASK_INVERTED = Mistake(
    "The mask is read the wrong way round: 0 means masked. Now the masked keys get the attention, "
    "and the visible ones get none.",
    {HIDE: 'score = score.masked_fill(mask != 0, float("-inf"))'},
    seen="hkproj/pytorch-transformer#19, pytorch/pytorch#27968",
)
FILL_ZERO = Mistake(
    "A masked key ends up with a score of about zero. That is an ordinary score, so the softmax "
    "still gives the key some weight.",
    {HIDE: "score = score.masked_fill(mask == 0, 0.0)"},
)
FILL_TINY = Mistake(
    FILL_ZERO.says,
    {HIDE: "score = score.masked_fill(mask == 0, -1e-9)"},
)
FILL_POSITIVE = Mistake(
    "Masked keys get a very high score instead of a very low one, so they take all the weight.",
    {HIDE: "score = score.masked_fill(mask == 0, 1e9)"},
)
FILL_MINUS_10 = Mistake(
    "The score of masked keys is too close to ordinary scores, so they keep a little weight. It "
    "must leave them none.",
    {HIDE: "score = score.masked_fill(mask == 0, -10.0)"},
    seen="huggingface/pytorch-openai-transformer-lm#45",
)
FILL_MINUS_100 = Mistake(
    "The score of masked keys is low, but not low enough. If the scores of the visible keys are "
    "very negative, masked keys still get weight.",
    {HIDE: "score = score.masked_fill(mask == 0, -100.0)"},
    seen="huggingface/pytorch-openai-transformer-lm#45",
)
FILL_ADDED_MINUS_10 = Mistake(
    "Masked keys only lose ten points of their score, so one with a high score still gets weight. "
    "A masked key must get no weight, even with the highest score.",
    {HIDE: ("score = score - 10.0 * (mask == 0)")},
    seen="huggingface/pytorch-openai-transformer-lm#45",
)
FILL_IS_MINIMUM_OF_SCORES = Mistake(
    "Masked keys get the lowest of all scores in the batch. That is still an ordinary score, so "
    "they keep some weight.",
    {
        HIDE: """\
score = score.masked_fill(mask == 0, score.min().item())"""
    },
)
MASK_MULTIPLIES_SCORES = Mistake(
    FILL_ZERO.says,
    {HIDE: "score = score * (mask != 0)"},
    seen="lsdefine/attention-is-all-you-need-keras#37",
)
MASK_AFTER_SOFTMAX = Mistake(
    "The mask is applied after the softmax, when masked keys have already taken part of the "
    "weight. The remaining weights do not sum to 1.",
    {
        f"""\
if mask is not None:
        {HIDE}""": "pass",
        "attention = score.softmax(dim=-1)": """\
attention = score.softmax(dim=-1)
    if mask is not None:
        attention = attention * (mask != 0)""",
    },
)
MASK_ADDED = Mistake(
    "The mask is added to the scores as ones and zeros. Visible keys get only one point more, so "
    "masked keys still get weight.",
    {HIDE: "score = score + mask"},
)
VALUES_ZEROED = Mistake(
    "The values of masked keys are set to zero, but these keys keep their weights. So the visible "
    "keys get too little weight.",
    {
        HIDE: """\
v = v.masked_fill(mask.transpose(-2, -1)[..., :1] == 0, 0.0)"""
    },
    seen="aimagelab/meshed-memory-transformer#27",
)
WEIGHTS_RETURNED_UNMASKED = Mistake(
    "The output is right, but the returned weights were computed without the mask. A picture of "
    "them would show attention on masked keys.",
    {
        "attention = score.softmax(dim=-1)": """\
plain = (q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))).softmax(dim=-1)
    attention = score.softmax(dim=-1)""",
        "return attention @ v, attention": "return attention @ v, plain",
    },
    seen="aimagelab/meshed-memory-transformer#27",
)
MASK_ONLY_WITH_DROPOUT = Mistake(
    "The mask is used only if a dropout is given too. Without a dropout, masked keys get weight.",
    {"if mask is not None:": "if mask is not None and dropout is not None:"},
)
MASK_OF_FIRST_SENTENCE = Mistake(
    "All sentences of the batch get the mask of the first one. In the other sentences, padding is "
    "read or real words are masked.",
    {HIDE: 'score = score.masked_fill(mask[:1] == 0, float("-inf"))'},
)
MASK_OF_FIRST_HEAD = Mistake(
    "All heads get the mask of the first one. A mask may differ from head to head, so the other "
    "heads see the wrong keys.",
    {HIDE: 'score = score.masked_fill(mask[:, :1] == 0, float("-inf"))'},
)
MASK_OF_FIRST_QUERY = Mistake(
    "All queries get the mask of the first one. With a mask that hides the future, every query "
    "then sees the first key only.",
    {HIDE: 'score = score.masked_fill(mask[:, :, :1] == 0, float("-inf"))'},
)
MASK_OF_LAST_QUERY = Mistake(
    "All queries get the mask of the last one, so a mask that hides the future hides nothing.",
    {HIDE: 'score = score.masked_fill(mask[:, :, -1:] == 0, float("-inf"))'},
)
MASK_LINES_UP_WITH_HEADS = Mistake(
    "The mask loses an axis, so it lines up with the heads instead of the sentences. The function "
    "then fails, or masks the wrong keys.",
    {HIDE: 'score = score.masked_fill(mask.squeeze(1) == 0, float("-inf"))'},
)
MASK_ONE_AXIS_TOO_MANY = Mistake(
    "The mask gets one axis too many. Every sentence then meets the masks of all sentences, and "
    "the result has five axes instead of four.",
    {HIDE: 'score = score.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))'},
)
MASK_TRANSPOSED = Mistake(
    "Queries and keys are swapped in the mask, so a mask that hides the future hides the past "
    "instead.",
    {HIDE: 'score = score.masked_fill(mask.transpose(-2, -1) == 0, float("-inf"))'},
)
MASK_ONLY_BOOLEAN = Mistake(
    "The mask is negated as if it were always boolean, so a mask of zeros and ones fails. A zero "
    "masks a key just as False does.",
    {HIDE: 'score = score.masked_fill(~mask, float("-inf"))'},
)
MASK_AS_TRUTH_VALUE = Mistake(
    "The mask as a whole is used as a condition. A tensor of many entries is neither true nor "
    "false, so PyTorch raises an error.",
    {"if mask is not None:": "if mask:"},
)
MASK_NEEDS_A_MASK = Mistake(
    "The function fails without a mask. The mask may be left out: then every key is visible.",
    {
        f"""\
if mask is not None:
        {HIDE}""": """\
score = score.masked_fill(mask == 0, float("-inf"))"""
    },
)
MASK_HIDES_ONLY_EXACT_FALSE = Mistake(
    "Only a boolean mask is used. A mask of zeros and ones is silently ignored, so masked keys get "
    "weight.",
    {"if mask is not None:": 'if mask is not None and "bool" in str(mask.dtype):'},
)
ALWAYS_CAUSAL = Mistake(
    "Later keys are masked for every query, even if the mask shows them. Only the mask decides: in "
    "an encoder, for example, words attend to later words too.",
    {
        "attention = score.softmax(dim=-1)": """\
score = score.masked_fill(score.new_ones(score.shape[-2:]).triu(1) == 1, float("-inf"))
    attention = score.softmax(dim=-1)"""
    },
)
KEYS_RESHAPED = Mistake(
    "The keys are reshaped instead of transposed. The shape is right, but entries of different "
    "keys are mixed, so the scores mean nothing.",
    {"k.transpose(-2, -1)": "k.reshape(*k.shape[:2], k.size(-1), k.size(-2))"},
)
WRONG_AXES_TRANSPOSED = Mistake(
    "The wrong axes of the keys are swapped. Only the last two must be swapped, so that each query "
    "meets each key of its own head.",
    {"k.transpose(-2, -1)": "k.transpose(1, 2)"},
)
NOT_TRANSPOSED = Mistake(
    "The keys are not transposed. The product fails or, if the sizes happen to fit, multiplies "
    "entries that do not belong together.",
    {"k.transpose(-2, -1)": "k"},
)
WHOLE_TRANSPOSE = Mistake(
    WRONG_AXES_TRANSPOSED.says,
    {"k.transpose(-2, -1)": "k.permute(3, 2, 1, 0)"},
)
KEYS_ASK_QUERIES = Mistake(
    "Queries and keys are swapped: there is one row of weights for each key instead of each query. "
    "So the output belongs to the wrong words.",
    {"q @ k.transpose(-2, -1)": "k @ q.transpose(-2, -1)"},
)
NO_SOFTMAX = Mistake(
    "There is no softmax: the raw scores are used as weights. They can be negative and do not sum "
    "to 1, so the values are not averaged.",
    {"attention = score.softmax(dim=-1)": "attention = score"},
)
DIVIDED_BY_SUM = Mistake(
    "The scores are divided by their sum instead of going through a softmax. The weights can then "
    "be negative, or huge if the sum is close to zero.",
    {
        "attention = score.softmax(dim=-1)": """\
attention = score / score.sum(dim=-1, keepdim=True)"""
    },
)
LOG_SOFTMAX = Mistake(
    "The logarithm of the weights is used, so none of them is positive. The values must be mixed "
    "with the weights themselves.",
    {"score.softmax(dim=-1)": "score.log_softmax(dim=-1)"},
)
SIGMOID = Mistake(
    "Each score is squeezed between 0 and 1 on its own. The keys do not compete with each "
    "other, so the weights of a query do not sum to 1.",
    {"score.softmax(dim=-1)": "score.sigmoid()"},
)
NO_EXPONENTIAL = Mistake(
    "Negative scores are set to zero, and the rest is divided by its sum. The softmax uses the "
    "exponential of every score, so each visible key gets some weight.",
    {
        "attention = score.softmax(dim=-1)": """\
attention = score.relu() + 1e-9
    attention = attention / attention.sum(dim=-1, keepdim=True)"""
    },
)
SOFTMAX_TWICE = Mistake(
    "The softmax is applied twice. The second one makes the weights more even and gives masked "
    "keys, which had none, some weight again.",
    {"score.softmax(dim=-1)": "score.softmax(dim=-1).softmax(dim=-1)"},
    seen="ariecattan/SciCo#2, bkitano/llama-from-scratch#5",
)
SOFTMIN = Mistake(
    "The scores have the wrong sign, so the keys that match a query worst get the most weight.",
    {
        "score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))": """\
score = -q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))"""
    },
)
SOFTMAX_OVERFLOWS = Mistake(
    "The exponentials are computed without subtracting the largest score first. Large scores "
    "overflow, and the weights become NaN (not a number).",
    {
        "attention = score.softmax(dim=-1)": """\
attention = score.exp() / score.exp().sum(dim=-1, keepdim=True)"""
    },
)
BASE_TWO = Mistake(
    "The softmax uses powers of 2 instead of the exponential function, so the differences between "
    "keys count too little.",
    {
        "attention = score.softmax(dim=-1)": """\
attention = (score * math.log(2.0)).softmax(dim=-1)"""
    },
)
WEIGHTS_ON_KEYS = Mistake(
    "The weights mix the keys instead of the values, so the values never reach the output.",
    {"return attention @ v, attention": "return attention @ k, attention"},
)
VALUES_AS_KEYS = Mistake(
    "The queries are compared with the values instead of the keys, so the keys have no "
    "influence on the weights.",
    {"q @ k.transpose": "q @ v.transpose"},
)
KEYS_AS_QUERIES = Mistake(
    "The keys are compared with each other, and the queries are never used. So the queries have no "
    "effect on the weights.",
    {"q @ k.transpose": "k @ k.transpose"},
)
COSINE_SIMILARITY = Mistake(
    "Queries and keys are scaled to length 1 first. Their lengths then have no effect, and the "
    "scores stay too small for a clear choice.",
    {
        "score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))": """\
q, k = nn.functional.normalize(q, dim=-1), nn.functional.normalize(k, dim=-1)
    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))"""
    },
)
ORDER_OF_RESULTS = Mistake(
    "The weights are returned first and the mixed values second. The order must be the other way "
    "round, or the caller takes one for the other.",
    {"return attention @ v, attention": "return attention, attention @ v"},
)
RETURNS_SCORES = Mistake(
    "The scores are returned instead of the weights. They do not sum to 1, so they do not show how "
    "the attention is divided.",
    {"return attention @ v, attention": "return attention @ v, score"},
)
RETURNS_OUTPUT_ONLY = Mistake(
    "Only the mixed values are returned. The weights are missing, so there is nothing to draw.",
    {"return attention @ v, attention": "return attention @ v"},
)
RETURNS_WEIGHTS_ONLY = Mistake(
    "The weights are returned in place of the mixed values, so the values never reach the output.",
    {"return attention @ v, attention": "return attention, attention"},
)
WEIGHTS_AVERAGED_OVER_HEADS = Mistake(
    "The weights are averaged over the heads before they are returned. Each head has its own, and "
    "the average hides what it attends to.",
    {"return attention @ v, attention": "return attention @ v, attention.mean(dim=1)"},
)
HEADS_MERGED_ALREADY = Mistake(
    "The heads are already merged here. Step 2.2 does that, and it would get the wrong shape.",
    {
        "return attention @ v, attention": """\
return (attention @ v).transpose(1, 2).flatten(2), attention"""
    },
)
DROPOUT_ALWAYS_ON = Mistake(
    "Weights are dropped in eval mode, too, so each call gives another result. F.dropout "
    "without `training` does that; the given dropout knows the mode.",
    {
        "attention = dropout(attention)": """\
attention = nn.functional.dropout(attention, dropout.p)"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DROPOUT_DEFAULT_SHARE = Mistake(
    "Half of the weights are dropped as soon as a dropout is given, even in eval mode. The "
    "probability of that dropout has no effect.",
    {"attention = dropout(attention)": "attention = nn.functional.dropout(attention)"},
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DROPOUT_IGNORED = Mistake(
    "The weights do not go through the given dropout, or its result is not used. So in "
    "training the weights themselves are not dropped.",
    {
        """\
if dropout is not None:
        attention = dropout(attention)""": "pass"
    },
)
DROPOUT_RESULT_LOST = Mistake(
    DROPOUT_IGNORED.says,
    {"attention = dropout(attention)": "dropout(attention)"},
)
DROPOUT_ON_SCORES = Mistake(
    "Dropout is applied to the scores instead of the weights. A dropped score becomes zero, an "
    "ordinary score, so the key keeps some weight.",
    {
        "attention = score.softmax(dim=-1)": """\
if dropout is not None:
        score = dropout(score)
    attention = score.softmax(dim=-1)""",
        """\
if dropout is not None:
        attention = dropout(attention)""": "pass",
    },
)
DROPOUT_ON_OUTPUT = Mistake(
    "Dropout is applied to the mixed values instead of the weights. So single entries of the "
    "result become zero, and no key is ever left out.",
    {
        """\
if dropout is not None:
        attention = dropout(attention)""": "pass",
        "return attention @ v, attention": """\
out = attention @ v
    return (out if dropout is None else dropout(out)), attention""",
    },
)
DROPOUT_ON_VALUES = Mistake(
    "Dropout is applied to the values before they are mixed, not to the weights. A dropped entry "
    "is then missing for all queries, and no key is left out.",
    {"attention = dropout(attention)": "v = dropout(v)"},
)
DROPOUT_TWICE = Mistake(
    "Dropout is applied to the weights twice, so more of them are dropped than the given "
    "probability says.",
    {"attention = dropout(attention)": "attention = dropout(dropout(attention))"},
)
DROPOUT_RENORMALISED = Mistake(
    "After dropout, the weights are scaled to sum to 1 again. Dropout already makes up for what it "
    "drops, so the weights need no second correction.",
    {
        "attention = dropout(attention)": """\
attention = dropout(attention)
        attention = attention / attention.sum(dim=-1, keepdim=True).clamp(min=1e-9)"""
    },
)
DROPOUT_ONE_PATTERN_FOR_THE_BATCH = Mistake(
    DROPOUT_IGNORED.says,
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "attention = dropout(attention)": """\
attention = attention * dropout(torch.ones_like(attention[:1]))""",
    },
)
DROPOUT_ONLY_WITH_MASK = Mistake(
    "The dropout is applied only if a mask is given too. Without a mask, nothing is dropped in "
    "training.",
    {"if dropout is not None:": "if dropout is not None and mask is not None:"},
)
QUERIES_SCALED_IN_PLACE = Mistake(
    "The queries are divided in place. That changes the caller's tensor, so the same call "
    "gives another result the next time.",
    {
        "score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))": """\
q.data.div_(math.sqrt(q.size(-1)))
    score = q @ k.transpose(-2, -1)"""
    },
    seen="jcyk/copyisallyouneed#6",
)
KEYS_TRANSPOSED_IN_PLACE = Mistake(
    "The keys are transposed in place. The caller's tensor then has another shape and does not fit "
    "its next use.",
    {"k.transpose(-2, -1)": "k.transpose_(-2, -1)"},
    seen="jcyk/copyisallyouneed#6",
)
MASK_FLIPPED_IN_PLACE = Mistake(
    "The mask is inverted in place. The first call is right, but it changes the caller's mask, so "
    "the next call masks exactly the wrong keys.",
    {HIDE: 'score = score.masked_fill(mask.logical_not_() != 0, float("-inf"))'},
    seen="jcyk/copyisallyouneed#6",
)
VALUES_CHANGED_IN_PLACE = Mistake(
    "The values of keys that are masked for every query are set to zero in the caller's tensor. "
    "Later code that uses that tensor reads zeros.",
    {
        "return attention @ v, attention": """\
if mask is not None:
        v.data.masked_fill_((attention.detach() == 0).all(dim=-2).unsqueeze(-1), 0.0)
    return attention @ v, attention"""
    },
    seen="jcyk/copyisallyouneed#6",
)
WEIGHTS_DETACHED = Mistake(
    "The weights are cut off from the gradient, so queries and keys never learn what to attend to.",
    {"score.softmax(dim=-1)": "score.softmax(dim=-1).detach()"},
)
KEYS_DETACHED = Mistake(
    "The keys are cut off from the gradient, so the layer that makes them never learns.",
    {"k.transpose(-2, -1)": "k.detach().transpose(-2, -1)"},
)
VALUES_DETACHED = Mistake(
    "The values are cut off from the gradient, so the layer that makes them never learns.",
    {"return attention @ v, attention": "return attention @ v.detach(), attention"},
)
NO_GRAD = Mistake(
    WEIGHTS_DETACHED.says,
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))": """\
with torch.no_grad():
        score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))""",
    },
)
FLOAT32_ONLY = Mistake(
    "Everything is converted to float32. Inputs in float64 lose digits, and the result has the "
    "wrong dtype.",
    {
        "score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))": """\
q, k, v = q.float(), k.float(), v.float()
    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))"""
    },
)
SOFTMAX_IN_FLOAT32 = Mistake(
    "The softmax always returns float32. With float64 inputs, the product of weights and values "
    "fails.",
    {"softmax(dim=-1)": 'softmax(dim=-1, dtype=__import__("torch").float32)'},
)
FILL_ON_CPU = Mistake(
    "A helper tensor is on the CPU, wherever q is. With a mask, the function fails if its inputs are "
    "on another device.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        HIDE: """\
score = score + torch.zeros(score.shape, dtype=score.dtype).masked_fill(mask.cpu() == 0, float("-inf"))""",
    },
)
BUILT_IN_ATTENTION = Mistake(
    "PyTorch's ready-made attention does the work. In this step you build it yourself from plain "
    "operations.",
    {
        "from torch import Tensor, nn": """\
import torch.nn.functional as F
from torch import Tensor, nn""",
        "return attention @ v, attention": """\
out = F.scaled_dot_product_attention(q, k, v, attn_mask=None if mask is None else mask != 0)
    return (out if dropout is None else attention @ v), attention""",
    },
)
BUILT_IN_ATTENTION_LONG_NAME = Mistake(
    BUILT_IN_ATTENTION.says,
    {
        "return attention @ v, attention": """\
allowed = None if mask is None else mask != 0
    out = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
    return (out if dropout is None else attention @ v), attention"""
    },
)
BUILT_IN_ATTENTION_RENAMED = Mistake(
    BUILT_IN_ATTENTION.says,
    {
        "from torch import Tensor, nn": """\
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention as attend""",
        "return attention @ v, attention": """\
allowed = None if mask is None else mask != 0
    out = attend(q, k, v, attn_mask=allowed)
    return (out if dropout is None else attention @ v), attention""",
    },
)
SQUEEZED = Mistake(
    "Axes of size 1 are removed. With one sentence, one head or one query, the output then has too "
    "few axes.",
    {"return attention @ v, attention": "return (attention @ v).squeeze(), attention"},
)
FILL_MINUS_1 = Mistake(
    "Masked keys get a score of -1. That is an ordinary score, so the softmax still gives them "
    "weight.",
    {HIDE: "score = score.masked_fill(mask == 0, -1.0)"},
)
FILL_ADDED_MINUS_100 = Mistake(
    "Masked keys only lose 100 points of their score, so one with a very high score still gets "
    "weight. A masked key must get no weight, even with the highest score.",
    {HIDE: ("score = score - 100.0 * (mask == 0)")},
)
DROPOUT_ALSO_ON_OUTPUT = Mistake(
    "Dropout is applied to the weights and once more to the mixed values. So more is dropped than "
    "the given probability says.",
    {
        "return attention @ v, attention": """\
out = attention @ v
    return (out if dropout is None else dropout(out)), attention"""
    },
)
BOOL_MASK_SUBTRACTED = Mistake(
    "A boolean mask is subtracted like a number, which PyTorch refuses. A mask may be boolean, or "
    "hold zeros and ones.",
    {
        HIDE: """\
score = score.masked_fill((1 - mask) == 1, float("-inf"))"""
    },
)
MASK_AS_INDEX = Mistake(
    "The mask is used as an index, which must have the shape of the scores. A mask with axes of "
    "size 1 does not fit, although it could be broadcast.",
    {HIDE: ('score[mask == 0] = float("-inf")')},
)
DROPOUT_ALWAYS_CALLED = Mistake(
    "The dropout is called even if no dropout is given, so the function then fails.",
    {
        """\
    if dropout is not None:
        attention = dropout(attention)""": "    attention = dropout(attention)"
    },
)
AT_MOST_64_KEYS = Mistake(
    "Only the first 64 keys take part. In a longer sentence the later tokens are never read.",
    {
        "    # Make `score`, how": """\
    k, v = k[:, :, :64], v[:, :, :64]
    mask = mask if mask is None else mask[..., :64]
    # Make `score`, how"""
    },
)
AT_MOST_512_KEYS = Mistake(
    "Only the first 512 keys take part. In a longer sentence the later tokens are never read.",
    {
        "    # Make `score`, how": """\
    k, v = k[:, :, :512], v[:, :, :512]
    mask = mask if mask is None else mask[..., :512]
    # Make `score`, how"""
    },
)
FLOAT_MASK_OVERWRITTEN = Mistake(
    "A mask of numbers is overwritten in place. The caller uses it again for the next layer, and "
    "there it hides other keys.",
    {
        "    if mask is not None:\n": """\
    if mask is not None:
        if mask.is_floating_point():
            mask -= 1
            score = score + mask * 1e9
            mask = mask.new_ones(mask.shape)
"""
    },
)
ROOT_OF_A_SHAPE = Mistake(
    "The square root is taken of a whole shape, which is not a number. Only the size of the last "
    "axis counts.",
    {"math.sqrt(q.size(-1))": "math.sqrt(q.size())"},
)
VIEW_OF_A_VIEW = Mistake(
    "view joins axes of a tensor that is not contiguous, which PyTorch refuses. The heads of step "
    "2.2 come from transpose, so they are such tensors.",
    {
        "score = q @ k.transpose(-2, -1)": """\
flat = q.view(-1, *q.shape[-2:]) @ k.reshape(-1, *k.shape[-2:]).transpose(-2, -1)
    score = flat.view(*q.shape[:-1], k.size(-2))"""
    },
)
EXPONENTIALS_MASKED = Mistake(
    "The largest score is subtracted, and the mask is applied after the exponential. If a masked "
    "score is far larger than the visible ones, their exponentials are 0: the weights are 0 / 0.",
    {
        """\
        score = score.masked_fill(mask == 0, float("-inf"))
""": """\
        weight = (score - score.amax(dim=-1, keepdim=True)).exp() * (mask != 0)
        score = (weight / weight.sum(dim=-1, keepdim=True)).log()
"""
    },
)
ONE_QUERY_UNMASKED = Mistake(
    "A single query ignores the mask. So the first token of each translation attends to the "
    "padding of its source.",
    {"if mask is not None:": "if mask is not None and q.size(-2) > 1:"},
)
SQUARE_MASK_TURNED = Mistake(
    "With as many queries as keys the mask is read with its axes exchanged. So in self-attention "
    "each token sees the future and nothing of the past.",
    {
        HIDE: """\
if mask.size(-1) == mask.size(-2):
            mask = mask.transpose(-2, -1)
        score = score.masked_fill(mask == 0, float("-inf"))"""
    },
)
AXIS_FOR_THREE = Mistake(
    "A mask of three axes gets a new axis for the heads. Its own first axis then no longer "
    "stands for the heads.",
    {
        HIDE: """\
if mask.dim() == 3:
            mask = mask.unsqueeze(1)
        score = score.masked_fill(mask == 0, float("-inf"))"""
    },
)

DROPOUT_SWITCHED_ON = Mistake(
    "You switch the given dropout to train mode. In eval mode it then drops weights, too: its "
    "mode is the caller's.",
    {"attention = dropout(attention)": "attention = dropout.train()(attention)"},
)
DROPOUT_SWITCHED_OFF = Mistake(
    "You switch the given dropout to eval mode, so it never drops: its mode is the caller's.",
    {"attention = dropout(attention)": "attention = dropout.eval()(attention)"},
)
HALF_OF_DIM = Mistake(
    "Python reads d ** 1 / 2 as (d ** 1) / 2, half of d. The square root is d ** 0.5, or "
    "math.sqrt(d).",
    {"math.sqrt(q.size(-1))": "(q.size(-1) ** 1 / 2)"},
)
HALF_OF_DIM_WITHOUT_BRACKETS = Mistake(
    HALF_OF_DIM.says,
    {"math.sqrt(q.size(-1))": "q.size(-1) ** 1 / 2"},
)
QUERIES_TRANSPOSED = Mistake(
    "The queries are transposed, not the keys. So features of queries are multiplied with keys, "
    "and no score of a query and a key comes out.",
    {"q @ k.transpose(-2, -1)": "q.transpose(-2, -1) @ k"},
)
ZERO_TIMES_INFINITY = Mistake(
    "Infinity becomes NaN here: its minus sign is missing, or it is multiplied by 0, as by a "
    "mask. masked_fill writes minus infinity only where a key is hidden.",
    {HIDE: 'score = score * mask + (mask == 0) * float("-inf")'},
)
ZERO_TIMES_INFINITY_ADDED = Mistake(
    ZERO_TIMES_INFINITY.says,
    {HIDE: 'score = score + (mask == 0) * float("-inf")'},
)
PLUS_INFINITY = Mistake(
    ZERO_TIMES_INFINITY.says,
    {HIDE: 'score = score.masked_fill(mask == 0, float("inf"))'},
)
ENTRY_BY_ENTRY = Mistake(
    "The sign * multiplies entry by entry. The product of two matrices is written @.",
    {"q @ k.transpose(-2, -1)": "q * k.transpose(-2, -1)"},
)
VALUES_STAND_FIRST = Mistake(
    "The values stand before the weights in the product. Each row of weights should mix the values: "
    "attention @ v.",
    {"return attention @ v": "return v @ attention"},
)

INTEGER_MASK_TURNED = Mistake(
    "~ turns True into False, but an int 1 into -2, which counts as true, so all keys are masked. Write mask == 0.",
    {"score.masked_fill(mask == 0,": "score.masked_fill((~mask).bool(),"},
)

HIGHEST_BEFORE_THE_MASK = Mistake(
    "The highest score is taken before the mask. If a masked key has it, the weights of all others may become 0.",
    {
        "    # Give masked keys": """\
    highest = score.amax(dim=-1, keepdim=True)
    # Give masked keys""",
        "attention = score.softmax(dim=-1)": """\
attention = (score - highest).exp()
    attention = attention / attention.sum(dim=-1, keepdim=True)""",
    },
)

WHOLE_ROOT = Mistake(
    "math.isqrt rounds the square root down. Divide by math.sqrt, which does not round.",
    {"math.sqrt(q.size(-1))": "math.isqrt(q.size(-1))"},
)

KEYS_OF_ALL_HEADS_ADDED = Mistake(
    "The keys of all heads are added up, as by an einsum with another letter for the heads of k. Each head has its own keys.",
    {"q @ k.transpose(-2, -1)": "q @ k.sum(dim=1, keepdim=True).transpose(-2, -1)"},
)

SUMMED_APART = Mistake(
    "Weights and values are summed apart, as by an einsum with two letters for the keys. Every query then gets the plain sum of the values.",
    {
        "return attention @ v, attention": "return attention.sum(dim=-1, keepdim=True) * v.sum(dim=-2, keepdim=True), attention"
    },
)

NO_TRANSPOSE_IF_SQUARE = Mistake(
    "k is not transposed if it has as many keys as features. The shapes fit then, but the numbers are wrong.",
    {"k.transpose(-2, -1)": "(k if k.size(-2) == k.size(-1) else k.transpose(-2, -1))"},
)

ONE_KEY_GIVES_ITS_VALUE = Mistake(
    "With one key the value comes back as it is: one row, although there may be several queries.",
    {
        "    # Make `score`": """\
    if k.size(-2) == 1:
        return v, v[..., :1] * 0 + 1
    # Make `score`"""
    },
)
FILL_BELOW_THE_SMALLEST = Mistake(
    "Masked keys get a score a little below the smallest one of their query. They still keep some "
    "weight, and a masked key must get none.",
    {
        'score = score.masked_fill(mask == 0, float("-inf"))': """\
score = score.where(mask != 0, score.amin(dim=-1, keepdim=True) - 10)"""
    },
)
FILL_IS_MINIMUM_OF_QUERY = Mistake(
    "Masked keys get the smallest score of their query. That is an ordinary score, so they keep "
    "some weight.",
    {
        'score = score.masked_fill(mask == 0, float("-inf"))': """\
score = score.where(mask != 0, score.amin(dim=-1, keepdim=True))"""
    },
)
FLOAT_MASK_ADDED = Mistake(
    "A mask of floats is added to the scores, as PyTorch's own attention does. Here 0 means masked "
    "in every dtype, so masked keys keep their weight.",
    {
        'score = score.masked_fill(mask == 0, float("-inf"))': """\
if mask.is_floating_point():
            score = score + mask
        else:
            score = score.masked_fill(mask == 0, float("-inf"))"""
    },
)
ONE_SENTENCE_UNMASKED = Mistake(
    "The mask has no effect if the batch is one sentence. That sentence may have masked keys too.",
    {"if mask is not None:": "if mask is not None and len(q) > 1:"},
)
SQUARE_IS_CAUSAL = Mistake(
    "With as many queries as keys, later keys are masked, even if the mask shows them. In an "
    "encoder each word should see the later words too.",
    {
        "    attention = score.softmax(dim=-1)": """\
    if score.size(-1) == score.size(-2):
        score = score.masked_fill(score.new_ones(score.shape[-2:]).triu(1) == 1, float("-inf"))
    attention = score.softmax(dim=-1)"""
    },
)
DROPOUT_ON_RETURNED_ONLY = Mistake(
    "Dropout acts on the returned weights only. The values are mixed with all weights, so nothing "
    "is dropped where it counts.",
    {
        "        attention = dropout(attention)": """\
        return attention @ v, dropout(attention)"""
    },
)
QUERIES_DETACHED = Mistake(
    "The queries are cut off from the gradient, so the layer that makes them never learns.",
    {"score = q @": "score = q.detach() @"},
)
KEYS_NORMALISED = Mistake(
    "The keys are scaled to length 1 first. The length of a key then has no effect on its score.",
    {"k.transpose(-2, -1)": "nn.functional.normalize(k, dim=-1).transpose(-2, -1)"},
)
QUERIES_NORMALISED = Mistake(
    "The queries are scaled to length 1 first. The length of a query then has no effect on its "
    "weights.",
    {"score = q @": "score = nn.functional.normalize(q, dim=-1) @"},
)
ONE_SENTENCE_SQUEEZED = Mistake(
    "With one sentence in the batch, the output loses its first axis. It should have four axes for "
    "every batch.",
    {"return attention @ v, attention": "return (attention @ v).squeeze(0), attention"},
)
WEIGHTS_SQUEEZED = Mistake(
    "Axes of size 1 are removed from the returned weights. With one sentence, one head or one "
    "query, they then have too few axes.",
    {"return attention @ v, attention": "return attention @ v, attention.squeeze()"},
)
