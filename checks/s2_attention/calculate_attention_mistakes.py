"""What people get wrong in s2_attention/calculate_attention.py.

Not here, on purpose:
- NaN in rows that are hidden as a whole: what they hold is open;
- a fill of -1e9 that half precision cannot hold: half precision is not asked for, and the fill is
  right otherwise.
"""

from checks.machine.known import Mistake

# In the solution:
HIDE = 'score = score + score.new_zeros(mask.shape).masked_fill(mask == 0, float("-inf"))'

NO_SCALE = Mistake(
    "The scores are not divided by the root of dim_split, so they grow with the width and the "
    "softmax becomes almost one-hot.",
    {" / math.sqrt(q.size(-1))": ""},
)
SCALE_WITHOUT_ROOT = Mistake(
    "The scores are divided by dim_split itself, not by its root. They become too small, so "
    "the weights of the keys become too much alike.",
    {"math.sqrt(q.size(-1))": "q.size(-1)"},
)
SCALE_OF_WHOLE_WIDTH = Mistake(
    "The scores are divided by the root of the whole width. A head works on dim_split numbers "
    "only, so the scores become too small and the attention too even.",
    {"math.sqrt(q.size(-1))": "math.sqrt(q.size(-1) * q.size(1))"},
)
SCALE_OF_HEADS = Mistake(
    "The scores are divided by the root of the number of heads: the wrong axis was measured. "
    "Scores grow with dim_split, not with n_head.",
    {"math.sqrt(q.size(-1))": "math.sqrt(q.size(1))"},
)
SCALE_OF_Q_LEN = Mistake(
    "The scores are divided by the root of the number of queries. Scores grow with dim_split, "
    "so now the weights depend on how many words ask.",
    {"math.sqrt(q.size(-1))": "math.sqrt(q.size(-2))"},
)
SCALE_OF_K_LEN = Mistake(
    "The scores are divided by the root of the number of keys. Scores grow with dim_split, so "
    "now the weights depend on how many words can be looked at.",
    {"math.sqrt(q.size(-1))": "math.sqrt(k.size(-2))"},
)
SCALE_MULTIPLIED = Mistake(
    "The scores are multiplied by the root of dim_split instead of divided by it. They become "
    "far too large, and the softmax almost one-hot.",
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
    "The scores are divided by the fourth root of dim_split, which is only half of the "
    "scaling. They stay too large, so the softmax is too sharp.",
    {"/ math.sqrt(q.size(-1))": "/ q.size(-1) ** 0.25"},
)
SCALE_AFTER_SOFTMAX = Mistake(
    "The division comes after the softmax, where it only shrinks the weights: they no longer "
    "sum to 1. The softmax itself sees scores that are too large.",
    {
        " / math.sqrt(q.size(-1))": "",
        "attention = score.softmax(dim=-1)": """\
attention = score.softmax(dim=-1) / math.sqrt(q.size(-1))""",
    },
)
SCALE_FIXED = Mistake(
    "The scores are always divided by 8, which fits only the paper's dim_split of 64. For "
    "other widths the softmax is too flat or too sharp.",
    {"math.sqrt(q.size(-1))": "8"},
)
SOFTMAX_OVER_QUERIES = Mistake(
    "The softmax runs over the queries. So the weights of a query do not sum to 1 over its "
    "keys, and later words influence earlier ones in spite of a mask.",
    {"softmax(dim=-1)": "softmax(dim=-2)"},
    seen="FudanNLP/fastNLP#254, nerminnuraydogan/vision-transformer#1",
)
SOFTMAX_OVER_HEADS = Mistake(
    "The softmax runs over the heads, named so or by PyTorch's guess if no axis is named. So "
    "the heads compete with each other instead of the keys of a query.",
    {"softmax(dim=-1)": "softmax(dim=1)"},
    seen="PetrochukM/PyTorch-NLP#2",
)
SOFTMAX_WITHOUT_AXIS = Mistake(
    SOFTMAX_OVER_HEADS.says,
    {"attention = score.softmax(dim=-1)": "attention = nn.functional.softmax(score)"},
    seen="PetrochukM/PyTorch-NLP#2",
)
SOFTMAX_OVER_BATCH = Mistake(
    "The softmax runs over the sentences of the batch. So sentences influence each other, and "
    "the weights of a query do not sum to 1 over its keys.",
    {"softmax(dim=-1)": "softmax(dim=0)"},
)
SOFTMAX_OVER_EVERYTHING = Mistake(
    "The softmax runs over queries and keys together, so all queries share one unit of "
    "attention instead of having one each.",
    {
        "attention = score.softmax(dim=-1)": """\
attention = score.flatten(-2).softmax(dim=-1).view_as(score)"""
    },
)
MASK_THROWN_AWAY = Mistake(
    "The mask has no effect: it is never used, or the masked scores are a new tensor and the "
    "unmasked ones go on. So hidden keys keep their share.",
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
    "The mask is read the wrong way round: zero means hidden. Now the keys that should be "
    "hidden get the attention, and the visible ones get none.",
    {HIDE: 'score = score.masked_fill(mask != 0, float("-inf"))'},
    seen="hkproj/pytorch-transformer#19, pytorch/pytorch#27968",
)
FILL_ZERO = Mistake(
    "A hidden key ends up with a score of about zero. That is an ordinary score, so the "
    "softmax still gives the key some weight.",
    {HIDE: "score = score.masked_fill(mask == 0, 0.0)"},
)
FILL_TINY = Mistake(
    FILL_ZERO.says,
    {HIDE: "score = score.masked_fill(mask == 0, -1e-9)"},
)
FILL_POSITIVE = Mistake(
    "Hidden keys get a very high score instead of a very low one, so they take all the attention.",
    {HIDE: "score = score.masked_fill(mask == 0, 1e9)"},
)
FILL_MINUS_10 = Mistake(
    "The score given to hidden keys is so close to ordinary scores that they keep a little "
    "attention. It must leave them none.",
    {HIDE: "score = score.masked_fill(mask == 0, -10.0)"},
    seen="huggingface/pytorch-openai-transformer-lm#45",
)
FILL_MINUS_100 = Mistake(
    "The score given to hidden keys is low, but not low enough: when the real scores are "
    "large, hidden keys still get attention.",
    {HIDE: "score = score.masked_fill(mask == 0, -100.0)"},
    seen="huggingface/pytorch-openai-transformer-lm#45",
)
FILL_ADDED_MINUS_10 = Mistake(
    "Hidden keys only lose ten points of their score, so one with a high score still gets "
    "attention. Hidden means no weight, whatever the score.",
    {HIDE: ("score = score - 10.0 * (mask == 0)")},
    seen="huggingface/pytorch-openai-transformer-lm#45",
)
FILL_IS_MINIMUM_OF_SCORES = Mistake(
    "Hidden keys get the lowest of all scores in the batch. That is still an ordinary score, "
    "so they keep some weight.",
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
    "Hidden keys are taken out after the softmax, where they have already taken their share. "
    "The weights that are left do not sum to 1.",
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
    "The mask is added to the scores as ones and zeros. That only gives visible keys one point "
    "more, so hidden keys still get attention.",
    {HIDE: "score = score + mask"},
)
VALUES_ZEROED = Mistake(
    "The values of hidden keys are erased, but the keys keep their weights. They still swallow "
    "attention, so the visible keys count too little.",
    {
        HIDE: """\
v = v.masked_fill(mask.transpose(-2, -1)[..., :1] == 0, 0.0)"""
    },
    seen="aimagelab/meshed-memory-transformer#27",
)
WEIGHTS_RETURNED_UNMASKED = Mistake(
    "The output is right, but the weights handed back were computed without the mask. A "
    "picture of them would show attention on hidden keys.",
    {
        "attention = score.softmax(dim=-1)": """\
plain = (q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))).softmax(dim=-1)
    attention = score.softmax(dim=-1)""",
        "return attention @ v, attention": "return attention @ v, plain",
    },
    seen="aimagelab/meshed-memory-transformer#27",
)
MASK_ONLY_WITH_DROPOUT = Mistake(
    "The mask is used only if a dropout is given as well, so without one hidden keys get "
    "attention.",
    {"if mask is not None:": "if mask is not None and dropout is not None:"},
)
MASK_OF_FIRST_SENTENCE = Mistake(
    "All sentences of the batch get the mask of the first one, so in the others padding is "
    "seen or real words are hidden.",
    {HIDE: 'score = score.masked_fill(mask[:1] == 0, float("-inf"))'},
)
MASK_OF_FIRST_HEAD = Mistake(
    "All heads get the mask of the first one. A mask may differ from head to head, so other "
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
    "The mask loses an axis, so it lines up with the heads instead of the sentences. The "
    "function then fails, or hides the wrong keys.",
    {HIDE: 'score = score.masked_fill(mask.squeeze(1) == 0, float("-inf"))'},
)
MASK_ONE_AXIS_TOO_MANY = Mistake(
    "The mask gets one more axis, so every sentence meets the masks of all sentences and the "
    "result has five axes instead of four.",
    {HIDE: 'score = score.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))'},
)
MASK_TRANSPOSED = Mistake(
    "Queries and keys have changed places in the mask, so a mask that hides the future hides "
    "the past instead.",
    {HIDE: 'score = score.masked_fill(mask.transpose(-2, -1) == 0, float("-inf"))'},
)
MASK_ONLY_BOOLEAN = Mistake(
    "The mask is negated as if it were always boolean, so a mask of zeros and ones fails. Zero "
    "hides a key just as False does.",
    {HIDE: 'score = score.masked_fill(~mask, float("-inf"))'},
)
MASK_AS_TRUTH_VALUE = Mistake(
    "The mask as a whole is asked whether it is true. For more than one number that has no "
    "answer, so PyTorch raises an error.",
    {"if mask is not None:": "if mask:"},
)
MASK_NEEDS_A_MASK = Mistake(
    "Without a mask the function fails, but the mask may be left out: then every key is visible.",
    {
        f"""\
if mask is not None:
        {HIDE}""": """\
score = score.masked_fill(mask == 0, float("-inf"))"""
    },
)
MASK_HIDES_ONLY_EXACT_FALSE = Mistake(
    "Only a boolean mask is used. One of zeros and ones is ignored without a word, so hidden "
    "keys get attention.",
    {"if mask is not None:": 'if mask is not None and "bool" in str(mask.dtype):'},
)
ALWAYS_CAUSAL = Mistake(
    "Later keys are hidden from every query, though nobody asked for it. Only the mask says "
    "what is hidden: an encoder, for example, looks ahead.",
    {
        "attention = score.softmax(dim=-1)": """\
score = score.masked_fill(score.new_ones(score.shape[-2:]).triu(1) == 1, float("-inf"))
    attention = score.softmax(dim=-1)"""
    },
)
KEYS_RESHAPED = Mistake(
    "The keys are reshaped instead of transposed. The shape is right, but numbers of different "
    "keys get mixed, so the scores mean nothing.",
    {"k.transpose(-2, -1)": "k.reshape(*k.shape[:2], k.size(-1), k.size(-2))"},
)
WRONG_AXES_TRANSPOSED = Mistake(
    "The wrong axes of the keys change places. It must be just the last two, so that each "
    "query meets each key of its own head.",
    {"k.transpose(-2, -1)": "k.transpose(1, 2)"},
)
NOT_TRANSPOSED = Mistake(
    "The keys are not transposed. The product fails or, if the sizes happen to fit, multiplies "
    "numbers that do not belong together.",
    {"k.transpose(-2, -1)": "k"},
)
WHOLE_TRANSPOSE = Mistake(
    WRONG_AXES_TRANSPOSED.says,
    {"k.transpose(-2, -1)": "k.permute(3, 2, 1, 0)"},
)
KEYS_ASK_QUERIES = Mistake(
    "Queries and keys have changed roles: there is one row of weights for each key instead of "
    "each query, so the output belongs to the wrong words.",
    {"q @ k.transpose(-2, -1)": "k @ q.transpose(-2, -1)"},
)
NO_SOFTMAX = Mistake(
    "There is no softmax, so the raw scores serve as weights. They can be negative and do not "
    "sum to 1, so the values are not averaged.",
    {"attention = score.softmax(dim=-1)": "attention = score"},
)
DIVIDED_BY_SUM = Mistake(
    "The scores are divided by their sum instead of going through a softmax. So weights can be "
    "negative, or huge when the sum is close to zero.",
    {
        "attention = score.softmax(dim=-1)": """\
attention = score / score.sum(dim=-1, keepdim=True)"""
    },
)
LOG_SOFTMAX = Mistake(
    "The logarithm of the weights is taken, so none of them is positive. The values must be "
    "mixed with the weights themselves.",
    {"score.softmax(dim=-1)": "score.log_softmax(dim=-1)"},
)
SIGMOID = Mistake(
    "Each score is squeezed between 0 and 1 on its own. The keys do not compete with each "
    "other, so the weights of a query do not sum to 1.",
    {"score.softmax(dim=-1)": "score.sigmoid()"},
)
NO_EXPONENTIAL = Mistake(
    "Negative scores are cut off and the rest is divided by its sum. The softmax takes the "
    "exponential of every score, so that each visible key gets its share.",
    {
        "attention = score.softmax(dim=-1)": """\
attention = score.relu() + 1e-9
    attention = attention / attention.sum(dim=-1, keepdim=True)"""
    },
)
SOFTMAX_TWICE = Mistake(
    "The softmax is taken twice. This flattens the weights and gives hidden keys, which had "
    "none, some weight back.",
    {"score.softmax(dim=-1)": "score.softmax(dim=-1).softmax(dim=-1)"},
    seen="ariecattan/SciCo#2, bkitano/llama-from-scratch#5",
)
SOFTMIN = Mistake(
    "The scores have the wrong sign, so the keys that answer a query worst get the most attention.",
    {
        "score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))": """\
score = -q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))"""
    },
)
SOFTMAX_OVERFLOWS = Mistake(
    "The exponentials are taken without subtracting the largest score first. Large scores "
    "overflow, and the weights are no longer numbers.",
    {
        "attention = score.softmax(dim=-1)": """\
attention = score.exp() / score.exp().sum(dim=-1, keepdim=True)"""
    },
)
BASE_TWO = Mistake(
    "The softmax is built on powers of two instead of the exponential function, so the "
    "differences between keys count too little.",
    {
        "attention = score.softmax(dim=-1)": """\
attention = (score * math.log(2.0)).softmax(dim=-1)"""
    },
)
WEIGHTS_ON_KEYS = Mistake(
    "The weights mix the keys instead of the values, so what the values hold never reaches the "
    "output.",
    {"return attention @ v, attention": "return attention @ k, attention"},
)
VALUES_AS_KEYS = Mistake(
    "The queries are compared with the values instead of the keys, so the keys have no "
    "influence on the weights.",
    {"q @ k.transpose": "q @ v.transpose"},
)
KEYS_AS_QUERIES = Mistake(
    "The keys are compared with themselves and the queries are never used, so what a query "
    "looks for has no effect.",
    {"q @ k.transpose": "k @ k.transpose"},
)
COSINE_SIMILARITY = Mistake(
    "Queries and keys are scaled to length 1 first. So how strongly a key answers is lost, and "
    "the scores stay too small for a clear choice.",
    {
        "score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))": """\
q, k = nn.functional.normalize(q, dim=-1), nn.functional.normalize(k, dim=-1)
    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))"""
    },
)
ORDER_OF_RESULTS = Mistake(
    "The weights are handed back first and the mixed values second. It is the other way round, "
    "so the caller takes one for the other.",
    {"return attention @ v, attention": "return attention, attention @ v"},
)
RETURNS_SCORES = Mistake(
    "The scores are handed back instead of the weights. They do not sum to 1, so they cannot "
    "be read as shares of attention.",
    {"return attention @ v, attention": "return attention @ v, score"},
)
RETURNS_OUTPUT_ONLY = Mistake(
    "Only the mixed values are handed back. The weights are missing, so there is nothing to draw.",
    {"return attention @ v, attention": "return attention @ v"},
)
RETURNS_WEIGHTS_ONLY = Mistake(
    "The weights are handed back in place of the mixed values, so the values never reach the "
    "output.",
    {"return attention @ v, attention": "return attention, attention"},
)
WEIGHTS_AVERAGED_OVER_HEADS = Mistake(
    "The weights are averaged over the heads before they are handed back. Each head has its "
    "own, and the average hides what it looks at.",
    {"return attention @ v, attention": "return attention @ v, attention.mean(dim=1)"},
)
HEADS_MERGED_ALREADY = Mistake(
    "The heads are merged here already. That is the work of step 2.2, which would get the "
    "wrong shape.",
    {
        "return attention @ v, attention": """\
return (attention @ v).transpose(1, 2).flatten(2), attention"""
    },
)
DROPOUT_ALWAYS_ON = Mistake(
    "The dropout does not follow evaluation mode, so even the finished model drops weights at "
    "random and gives another result each time.",
    {
        "attention = dropout(attention)": """\
attention = nn.functional.dropout(attention, dropout.p)"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DROPOUT_DEFAULT_SHARE = Mistake(
    "Half of the weights are dropped as soon as a dropout is given, whatever its share is and "
    "even in evaluation.",
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
    "Dropout acts on the scores instead of the weights. A dropped score becomes zero, which is "
    "an ordinary score, so the key keeps some weight.",
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
    "Dropout acts on the mixed values instead of the weights, so single numbers of the result "
    "vanish and no key is ever left out.",
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
    "Dropout acts on the values before they are mixed, not on the weights. So a dropped number "
    "is missing for all queries, and no key is ever left out.",
    {"attention = dropout(attention)": "v = dropout(v)"},
)
DROPOUT_TWICE = Mistake(
    "The weights go through the dropout twice, so more of them are lost than the asked share.",
    {"attention = dropout(attention)": "attention = dropout(dropout(attention))"},
)
DROPOUT_RENORMALISED = Mistake(
    "After the dropout the weights are made to sum to 1 again. The dropout already makes up "
    "for what it drops, so nothing must follow it.",
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
    "The dropout is applied only if there is a mask as well, so without a mask nothing is "
    "dropped in training.",
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
    "The keys are transposed in place, so the caller's tensor has another shape afterwards and "
    "does not fit its next use.",
    {"k.transpose(-2, -1)": "k.transpose_(-2, -1)"},
    seen="jcyk/copyisallyouneed#6",
)
MASK_FLIPPED_IN_PLACE = Mistake(
    "The mask is inverted in place. The first call is right, but it spoils the caller's mask, "
    "so the next call hides just the wrong keys.",
    {HIDE: 'score = score.masked_fill(mask.logical_not_() != 0, float("-inf"))'},
    seen="jcyk/copyisallyouneed#6",
)
VALUES_CHANGED_IN_PLACE = Mistake(
    "The values of keys that nobody may look at are erased in the caller's tensor, so whatever "
    "uses that tensor next gets zeros.",
    {
        "return attention @ v, attention": """\
if mask is not None:
        v.data.masked_fill_((attention.detach() == 0).all(dim=-2).unsqueeze(-1), 0.0)
    return attention @ v, attention"""
    },
    seen="jcyk/copyisallyouneed#6",
)
WEIGHTS_DETACHED = Mistake(
    "The weights are cut off from the gradient, so queries and keys can never learn what to "
    "look at.",
    {"score.softmax(dim=-1)": "score.softmax(dim=-1).detach()"},
)
KEYS_DETACHED = Mistake(
    "The keys are cut off from the gradient, so whatever makes them never learns how they "
    "should answer a query.",
    {"k.transpose(-2, -1)": "k.detach().transpose(-2, -1)"},
)
VALUES_DETACHED = Mistake(
    "The values are cut off from the gradient, so whatever makes them never learns what they "
    "should pass on.",
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
    "Everything is turned into single precision, whatever comes in. Double inputs lose digits, "
    "and the result no longer has their type.",
    {
        "score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))": """\
q, k, v = q.float(), k.float(), v.float()
    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))"""
    },
)
SOFTMAX_IN_FLOAT32 = Mistake(
    "The softmax always gives single precision, so with double inputs the product of weights "
    "and values fails.",
    {"softmax(dim=-1)": 'softmax(dim=-1, dtype=__import__("torch").float32)'},
)
FILL_ON_CPU = Mistake(
    "A helper tensor is always made on the CPU, so with a mask the function fails when its "
    "inputs are on another device.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        HIDE: """\
score = score + torch.zeros(score.shape, dtype=score.dtype).masked_fill(mask.cpu() == 0, float("-inf"))""",
    },
)
BUILT_IN_ATTENTION = Mistake(
    "PyTorch's ready-made attention does the work. This step is there to build it yourself "
    "from plain operations.",
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
    "Axes of size one are thrown away, so with one sentence, one head or one query the output "
    "has too few axes.",
    {"return attention @ v, attention": "return (attention @ v).squeeze(), attention"},
)
FILL_MINUS_1 = Mistake(
    "Hidden keys get a score of -1, an ordinary score, so the softmax still gives them weight.",
    {HIDE: "score = score.masked_fill(mask == 0, -1.0)"},
)
FILL_ADDED_MINUS_100 = Mistake(
    "Hidden keys only lose a hundred points, so one with a very high score still shines "
    "through. Hidden means no weight, whatever the score.",
    {HIDE: ("score = score - 100.0 * (mask == 0)")},
)
DROPOUT_ALSO_ON_OUTPUT = Mistake(
    "The dropout acts on the weights and once more on the mixed values, so more is lost than "
    "was asked for.",
    {
        "return attention @ v, attention": """\
out = attention @ v
    return (out if dropout is None else dropout(out)), attention"""
    },
)
BOOL_MASK_SUBTRACTED = Mistake(
    "A mask of False and True is subtracted like a number, which PyTorch refuses. Masks may be "
    "boolean as well as zeros and ones.",
    {
        HIDE: """\
score = score.masked_fill((1 - mask) == 1, float("-inf"))"""
    },
)
MASK_AS_INDEX = Mistake(
    "The mask is used as an index, which must have the shape of the scores. A mask with axes "
    "of size one does not fit, though it would broadcast.",
    {HIDE: ('score[mask == 0] = float("-inf")')},
)
DROPOUT_ALWAYS_CALLED = Mistake(
    "The dropout is called even where there is none, so the function fails without it.",
    {
        """\
    if dropout is not None:
        attention = dropout(attention)""": "    attention = dropout(attention)"
    },
)
ROOT_OF_A_SHAPE = Mistake(
    "The root is taken of a whole shape, which is no number. It is the size of the last axis "
    "that counts.",
    {"math.sqrt(q.size(-1))": "math.sqrt(q.size())"},
)
