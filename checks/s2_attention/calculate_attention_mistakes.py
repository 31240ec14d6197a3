"""What people get wrong in s2_attention/calculate_attention.py."""

from checks.machine.known import Mistake

NO_SCALE = Mistake(
    "The scores are not divided by the root of dim_split, so they grow with the width and the "
    "softmax becomes almost one-hot.",
    {" / math.sqrt(q.size(-1))": ""},
)
SCALE_WITHOUT_ROOT = Mistake(
    "The scores are divided by dim_split as a whole, at once or by its root twice. The spread "
    "of a dot product grows with the root, so now all keys look alike.",
    {"math.sqrt(q.size(-1))": "q.size(-1)"},
)
SCALE_OF_WHOLE_WIDTH = Mistake(
    "The scores are divided by the root of the whole width; each head works with its own "
    "slice, dim_split.",
    {"math.sqrt(q.size(-1))": "math.sqrt(q.size(-1) * q.size(1))"},
)
SCALE_OF_HEADS = Mistake(
    "The scores are divided by the root of the number of heads: the wrong axis was measured.",
    {"math.sqrt(q.size(-1))": "math.sqrt(q.size(1))"},
)
SCALE_OF_Q_LEN = Mistake(
    "The scores are divided by the root of the number of queries. The scale depends on how "
    "many numbers are multiplied together, not on how many words there are.",
    {"math.sqrt(q.size(-1))": "math.sqrt(q.size(-2))"},
)
SCALE_OF_K_LEN = Mistake(
    "The scores are divided by the root of the number of keys. The scale depends on how many "
    "numbers are multiplied together, not on how many words there are.",
    {"math.sqrt(q.size(-1))": "math.sqrt(k.size(-2))"},
)
SCALE_MULTIPLIED = Mistake(
    "The scores are enlarged by the root of dim_split; they have to be made smaller.",
    {" / math.sqrt": " * math.sqrt"},
)
SCALE_TWICE = Mistake(
    "The scores are divided by dim_split as a whole, at once or by its root twice. The spread "
    "of a dot product grows with the root, so now all keys look alike.",
    {
        "score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))": """\
q = q / math.sqrt(q.size(-1))
    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))"""
    },
)
SCALE_ONLY_QUERIES_FOURTH_ROOT = Mistake(
    "Only one half of the scale is applied: the fourth root has to go to queries and keys both.",
    {"/ math.sqrt(q.size(-1))": "/ q.size(-1) ** 0.25"},
)
SCALE_AFTER_SOFTMAX = Mistake(
    "The scale comes after the softmax, where it only shrinks the weights, which no longer sum "
    "to 1.",
    {
        " / math.sqrt(q.size(-1))": "",
        "attention = score.softmax(dim=-1)": """\
attention = score.softmax(dim=-1) / math.sqrt(q.size(-1))""",
    },
)
SCALE_FIXED = Mistake(
    "The scale is written into the code as the 8 of the paper's heads of 64; it has to follow "
    "dim_split.",
    {"math.sqrt(q.size(-1))": "8"},
)
SOFTMAX_OVER_QUERIES = Mistake(
    "The softmax runs over the queries. Each query must spread one unit of attention over the "
    "keys; this way later words influence earlier ones.",
    {"softmax(dim=-1)": "softmax(dim=-2)"},
    seen="FudanNLP/fastNLP#254, nerminnuraydogan/vision-transformer#1",
)
SOFTMAX_OVER_HEADS = Mistake(
    "The softmax runs over the heads (PyTorch's guess if no axis is named), so heads compete "
    "with each other instead of the keys competing for each query.",
    {"softmax(dim=-1)": "softmax(dim=1)"},
    seen="PetrochukM/PyTorch-NLP#2",
)
SOFTMAX_WITHOUT_AXIS = Mistake(
    "The softmax runs over the heads (PyTorch's guess if no axis is named), so heads compete "
    "with each other instead of the keys competing for each query.",
    {"attention = score.softmax(dim=-1)": "attention = nn.functional.softmax(score)"},
    seen="PetrochukM/PyTorch-NLP#2",
)
SOFTMAX_OVER_BATCH = Mistake(
    "The softmax runs over the sentences of the batch, so they influence each other.",
    {"softmax(dim=-1)": "softmax(dim=0)"},
)
SOFTMAX_OVER_EVERYTHING = Mistake(
    "The softmax runs over queries and keys together, so all queries share one unit of attention.",
    {
        "attention = score.softmax(dim=-1)": """\
attention = score.flatten(-2).softmax(dim=-1).view_as(score)"""
    },
)
MASK_THROWN_AWAY = Mistake(
    "The mask has no effect: it is not used, or masking made a new tensor and the old one was "
    "used. Hidden keys still get their share.",
    {
        'score = score.masked_fill(mask == 0, float("-inf"))': """\
score.masked_fill(mask == 0, float("-inf"))"""
    },
    seen="espnet/espnet#1273, facebookresearch/ParlAI#3068",
)
MASK_IGNORED = Mistake(
    "The mask has no effect: it is not used, or masking made a new tensor and the old one was "
    "used. Hidden keys still get their share.",
    {
        """\
if mask is not None:
        score = score.masked_fill(mask == 0, float("-inf"))""": "pass"
    },
    seen="espnet/espnet#1273, facebookresearch/ParlAI#3068",
)
MASK_INVERTED = Mistake(
    "Exactly the keys that should be hidden stay visible: in this mask zero means hidden.",
    {"mask == 0": "mask != 0"},
    seen="hkproj/pytorch-transformer#19, pytorch/pytorch#27968",
)
FILL_ZERO = Mistake(
    "A hidden key ends up with a score of about zero. That is an ordinary score: the softmax "
    "still gives it weight.",
    {'float("-inf")': "0.0"},
)
FILL_TINY = Mistake(
    "A hidden key ends up with a score of about zero. That is an ordinary score: the softmax "
    "still gives it weight.",
    {'float("-inf")': "-1e-9"},
)
FILL_POSITIVE = Mistake(
    "Hidden keys get the highest score instead of the lowest.",
    {'float("-inf")': "1e9"},
)
FILL_MINUS_10 = Mistake(
    "The fill is so close to real scores that hidden keys still get some attention.",
    {'float("-inf")': "-10.0"},
    seen="huggingface/pytorch-openai-transformer-lm#45",
)
FILL_MINUS_100 = Mistake(
    "The fill is not low enough: when scores are large, hidden keys still get attention.",
    {'float("-inf")': "-100.0"},
    seen="huggingface/pytorch-openai-transformer-lm#45",
)
FILL_ADDED_MINUS_10 = Mistake(
    "Hidden keys get ten points less, so one with a good score still gets attention. Hidden "
    "means none, whatever the score.",
    {'score = score.masked_fill(mask == 0, float("-inf"))': ("score = score - 10.0 * (mask == 0)")},
    seen="huggingface/pytorch-openai-transformer-lm#45",
)
FILL_IS_MINIMUM_OF_SCORES = Mistake(
    "Hidden keys get the lowest of all scores; that is still a score, and it still gets weight.",
    {
        'score = score.masked_fill(mask == 0, float("-inf"))': """\
score = score.masked_fill(mask == 0, score.min().item())"""
    },
)
MASK_MULTIPLIES_SCORES = Mistake(
    "A hidden key ends up with a score of about zero. That is an ordinary score: the softmax "
    "still gives it weight.",
    {'score = score.masked_fill(mask == 0, float("-inf"))': "score = score * (mask != 0)"},
    seen="lsdefine/attention-is-all-you-need-keras#37",
)
MASK_AFTER_SOFTMAX = Mistake(
    "Hidden keys are taken out after the softmax, where they already got their share: the rest "
    "no longer sums to 1.",
    {
        """\
if mask is not None:
        score = score.masked_fill(mask == 0, float("-inf"))""": "pass",
        "attention = score.softmax(dim=-1)": """\
attention = score.softmax(dim=-1)
    if mask is not None:
        attention = attention * (mask != 0)""",
    },
)
MASK_ADDED = Mistake(
    "The mask is added as ones and zeros, which only nudges the scores.",
    {'score = score.masked_fill(mask == 0, float("-inf"))': "score = score + mask"},
)
VALUES_ZEROED = Mistake(
    "The values of hidden keys are erased, but the keys still swallow attention: it is the "
    "weights that must be zero.",
    {
        'score = score.masked_fill(mask == 0, float("-inf"))': """\
v = v.masked_fill(mask.transpose(-2, -1)[..., :1] == 0, 0.0)"""
    },
    seen="aimagelab/meshed-memory-transformer#27",
)
WEIGHTS_RETURNED_UNMASKED = Mistake(
    "The output is right, but the weights that are handed back come from before the masking.",
    {
        "attention = score.softmax(dim=-1)": """\
plain = (q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))).softmax(dim=-1)
    attention = score.softmax(dim=-1)""",
        "return attention @ v, attention": "return attention @ v, plain",
    },
    seen="aimagelab/meshed-memory-transformer#27",
)
MASK_ONLY_WITH_DROPOUT = Mistake(
    "The mask is only used when there is a dropout.",
    {"if mask is not None:": "if mask is not None and dropout is not None:"},
)
MASK_OF_FIRST_SENTENCE = Mistake(
    "The mask of the first sentence is used for all sentences of the batch.",
    {"mask == 0": "mask[:1] == 0"},
)
MASK_OF_FIRST_HEAD = Mistake(
    "The mask of the first head is used for all heads.",
    {"mask == 0": "mask[:, :1] == 0"},
)
MASK_OF_FIRST_QUERY = Mistake(
    "The mask of the first query is used for all queries.",
    {"mask == 0": "mask[:, :, :1] == 0"},
)
MASK_OF_LAST_QUERY = Mistake(
    "The mask of the last query is used for all queries, so a mask that hides the future hides "
    "nothing.",
    {"mask == 0": "mask[:, :, -1:] == 0"},
)
MASK_LINES_UP_WITH_HEADS = Mistake(
    "An axis of the mask is lost, so it lines up with the heads instead of the sentences.",
    {"mask == 0": "mask.squeeze(1) == 0"},
)
MASK_ONE_AXIS_TOO_MANY = Mistake(
    "The mask gets one more axis, so the result has five axes instead of four.",
    {"mask == 0": "mask.unsqueeze(1) == 0"},
)
MASK_TRANSPOSED = Mistake(
    "Queries and keys have changed places in the mask.",
    {"mask == 0": "mask.transpose(-2, -1) == 0"},
)
MASK_ONLY_BOOLEAN = Mistake(
    "The mask is negated as a boolean, so a mask of zeros and ones fails; zero hides as well "
    "as False.",
    {"mask == 0": "~mask"},
)
MASK_AS_TRUTH_VALUE = Mistake(
    "The whole mask is asked whether it is true, which has no answer for more than one number.",
    {"if mask is not None:": "if mask:"},
)
MASK_NEEDS_A_MASK = Mistake(
    "Without a mask the function fails; no mask means that everything is visible.",
    {
        """\
if mask is not None:
        score = score.masked_fill(mask == 0, float("-inf"))""": """\
score = score.masked_fill(mask == 0, float("-inf"))"""
    },
)
MASK_HIDES_ONLY_EXACT_FALSE = Mistake(
    "Only a boolean mask is honoured; one of zeros and ones is ignored.",
    {"if mask is not None:": 'if mask is not None and "bool" in str(mask.dtype):'},
)
ALWAYS_CAUSAL = Mistake(
    "Later keys are hidden from every query, though nobody asked for it: what is hidden is for "
    "the mask to say.",
    {
        "attention = score.softmax(dim=-1)": """\
score = score.masked_fill(score.new_ones(score.shape[-2:]).triu(1) == 1, float("-inf"))
    attention = score.softmax(dim=-1)"""
    },
)
KEYS_RESHAPED = Mistake(
    "The keys are reshaped instead of transposed, which mixes numbers of different keys.",
    {"k.transpose(-2, -1)": "k.reshape(*k.shape[:2], k.size(-1), k.size(-2))"},
)
WRONG_AXES_TRANSPOSED = Mistake(
    "The wrong axes of the keys change places. It must be the last two, so that each query "
    "meets each key of its own head.",
    {"k.transpose(-2, -1)": "k.transpose(1, 2)"},
)
NOT_TRANSPOSED = Mistake(
    "The keys are not transposed, so the shapes do not fit unless they happen to.",
    {"k.transpose(-2, -1)": "k"},
)
WHOLE_TRANSPOSE = Mistake(
    "The wrong axes of the keys change places. It must be the last two, so that each query "
    "meets each key of its own head.",
    {"k.transpose(-2, -1)": "k.permute(3, 2, 1, 0)"},
)
KEYS_ASK_QUERIES = Mistake(
    "Queries and keys have changed roles: there is one row of weights for each key.",
    {"q @ k.transpose(-2, -1)": "k @ q.transpose(-2, -1)"},
)
NO_SOFTMAX = Mistake(
    "There is no softmax: the weights are neither positive nor sum to 1.",
    {"attention = score.softmax(dim=-1)": "attention = score"},
)
DIVIDED_BY_SUM = Mistake(
    "The scores are divided by their sum instead of going through a softmax, so weights can be "
    "negative or huge.",
    {
        "attention = score.softmax(dim=-1)": """\
attention = score / score.sum(dim=-1, keepdim=True)"""
    },
)
LOG_SOFTMAX = Mistake(
    "The logarithm of the weights is taken; mixing needs the weights themselves.",
    {"score.softmax(dim=-1)": "score.log_softmax(dim=-1)"},
)
SIGMOID = Mistake(
    "Each score is squeezed between 0 and 1 on its own, so the weights of a query do not sum to 1.",
    {"score.softmax(dim=-1)": "score.sigmoid()"},
)
NO_EXPONENTIAL = Mistake(
    "Negative scores are cut off and the rest divided by its sum. The softmax takes the "
    "exponential of every score.",
    {
        "attention = score.softmax(dim=-1)": """\
attention = score.relu() + 1e-9
    attention = attention / attention.sum(dim=-1, keepdim=True)"""
    },
)
SOFTMAX_TWICE = Mistake(
    "The softmax is taken twice, which flattens the weights and gives hidden keys some back.",
    {"score.softmax(dim=-1)": "score.softmax(dim=-1).softmax(dim=-1)"},
    seen="ariecattan/SciCo#2, bkitano/llama-from-scratch#5",
)
SOFTMIN = Mistake(
    "The sign of the scores is wrong: the worst keys get the most attention.",
    {
        "score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))": """\
score = -q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))"""
    },
)
SOFTMAX_OVERFLOWS = Mistake(
    "The exponentials are taken without subtracting the largest score first, so large scores "
    "overflow and the weights are no numbers.",
    {
        "attention = score.softmax(dim=-1)": """\
attention = score.exp() / score.exp().sum(dim=-1, keepdim=True)"""
    },
)
BASE_TWO = Mistake(
    "The softmax is built on powers of two instead of the exponential function.",
    {
        "attention = score.softmax(dim=-1)": """\
attention = (score * math.log(2.0)).softmax(dim=-1)"""
    },
)
WEIGHTS_ON_KEYS = Mistake(
    "The weights mix the keys; they choose among the values.",
    {"return attention @ v, attention": "return attention @ k, attention"},
)
VALUES_AS_KEYS = Mistake(
    "The queries are compared with the values; they ask the keys.",
    {"q @ k.transpose": "q @ v.transpose"},
)
KEYS_AS_QUERIES = Mistake(
    "The keys are compared with themselves; the queries are never asked.",
    {"q @ k.transpose": "k @ k.transpose"},
)
COSINE_SIMILARITY = Mistake(
    "Queries and keys are scaled to length 1 first, so how strongly a key answers is lost.",
    {
        "score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))": """\
q, k = nn.functional.normalize(q, dim=-1), nn.functional.normalize(k, dim=-1)
    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))"""
    },
)
ORDER_OF_RESULTS = Mistake(
    "The weights are handed back first and the mixed values second; it is the other way round.",
    {"return attention @ v, attention": "return attention, attention @ v"},
)
RETURNS_SCORES = Mistake(
    "The scores are handed back instead of the weights.",
    {"return attention @ v, attention": "return attention @ v, score"},
)
RETURNS_OUTPUT_ONLY = Mistake(
    "Only the mixed values are handed back; the weights are missing.",
    {"return attention @ v, attention": "return attention @ v"},
)
RETURNS_WEIGHTS_ONLY = Mistake(
    "The weights are handed back where the mixed values should be, and the values never come in.",
    {"return attention @ v, attention": "return attention, attention"},
)
WEIGHTS_AVERAGED_OVER_HEADS = Mistake(
    "The weights are averaged over the heads before they are handed back; each head has its own.",
    {"return attention @ v, attention": "return attention @ v, attention.mean(dim=1)"},
)
HEADS_MERGED_ALREADY = Mistake(
    "The heads are merged here; that is the work of the next step.",
    {
        "return attention @ v, attention": """\
return (attention @ v).transpose(1, 2).flatten(2), attention"""
    },
)
DROPOUT_ALWAYS_ON = Mistake(
    "This form of dropout does not know about evaluation mode, so weights are dropped at "
    "random for ever.",
    {
        "attention = dropout(attention)": """\
attention = nn.functional.dropout(attention, dropout.p)"""
    },
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DROPOUT_DEFAULT_SHARE = Mistake(
    "Half of the weights are always dropped, whatever dropout is given and in whatever mode.",
    {"attention = dropout(attention)": "attention = nn.functional.dropout(attention)"},
    seen="huggingface/pytorch-image-models#1978, pytorch/pytorch#124464",
)
DROPOUT_IGNORED = Mistake(
    "The dropout that is handed over never acts on the weights themselves, so in training "
    "nothing, or always the same, is dropped.",
    {
        """\
if dropout is not None:
        attention = dropout(attention)""": "pass"
    },
)
DROPOUT_RESULT_LOST = Mistake(
    "The dropout that is handed over never acts on the weights themselves, so in training "
    "nothing, or always the same, is dropped.",
    {"attention = dropout(attention)": "dropout(attention)"},
)
DROPOUT_ON_SCORES = Mistake(
    "The scores are dropped instead of the weights: a score of zero is an average score, and "
    "the key keeps its weight.",
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
    "The mixed values are dropped from instead of the weights.",
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
    "The values are dropped from instead of the weights.",
    {"attention = dropout(attention)": "v = dropout(v)"},
)
DROPOUT_TWICE = Mistake(
    "The weights are dropped twice, so more than the asked share is lost.",
    {"attention = dropout(attention)": "attention = dropout(dropout(attention))"},
)
DROPOUT_RENORMALISED = Mistake(
    "After the dropout the weights are made to sum to 1 again; the dropout module is applied, "
    "and nothing after it.",
    {
        "attention = dropout(attention)": """\
attention = dropout(attention)
        attention = attention / attention.sum(dim=-1, keepdim=True).clamp(min=1e-9)"""
    },
)
DROPOUT_ONE_PATTERN_FOR_THE_BATCH = Mistake(
    "The dropout that is handed over never acts on the weights themselves, so in training "
    "nothing, or always the same, is dropped.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        "attention = dropout(attention)": """\
attention = attention * dropout(torch.ones_like(attention[:1]))""",
    },
)
DROPOUT_ONLY_WITH_MASK = Mistake(
    "The dropout is only applied when there is a mask.",
    {"if dropout is not None:": "if dropout is not None and mask is not None:"},
)
QUERIES_SCALED_IN_PLACE = Mistake(
    "The queries are divided in place, which spoils the tensor of the caller.",
    {
        "score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))": """\
q.data.div_(math.sqrt(q.size(-1)))
    score = q @ k.transpose(-2, -1)"""
    },
    seen="jcyk/copyisallyouneed#6",
)
KEYS_TRANSPOSED_IN_PLACE = Mistake(
    "The keys are transposed in place, so the caller's tensor comes back with another shape.",
    {"k.transpose(-2, -1)": "k.transpose_(-2, -1)"},
    seen="jcyk/copyisallyouneed#6",
)
MASK_FLIPPED_IN_PLACE = Mistake(
    "The mask is inverted in place, so the second call hides just the wrong keys.",
    {"mask == 0": "mask.logical_not_() != 0"},
    seen="jcyk/copyisallyouneed#6",
)
VALUES_CHANGED_IN_PLACE = Mistake(
    "The values of hidden keys are erased in the caller's tensor.",
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
    "The keys are cut off from the gradient and never learn.",
    {"k.transpose(-2, -1)": "k.detach().transpose(-2, -1)"},
)
VALUES_DETACHED = Mistake(
    "The values are cut off from the gradient and never learn.",
    {"return attention @ v, attention": "return attention @ v.detach(), attention"},
)
NO_GRAD = Mistake(
    "The weights are cut off from the gradient, so queries and keys can never learn what to "
    "look at.",
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
    "Everything is forced to single precision, whatever comes in.",
    {
        "score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))": """\
q, k, v = q.float(), k.float(), v.float()
    score = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))"""
    },
)
SOFTMAX_IN_FLOAT32 = Mistake(
    "The softmax is forced to single precision, so double inputs fail at the next product.",
    {"softmax(dim=-1)": 'softmax(dim=-1, dtype=__import__("torch").float32)'},
)
FILL_ON_CPU = Mistake(
    "A helper tensor is always made on the CPU, so the function breaks wherever else its "
    "inputs are.",
    {
        "from torch import Tensor, nn": """\
import torch
from torch import Tensor, nn""",
        'score = score.masked_fill(mask == 0, float("-inf"))': """\
score = score + torch.zeros(score.shape, dtype=score.dtype).masked_fill(mask.cpu() == 0, float("-inf"))""",
    },
)
BUILT_IN_ATTENTION = Mistake(
    "PyTorch's ready-made attention does the work; this step is to build it from plain operations.",
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
    "PyTorch's ready-made attention does the work; this step is to build it from plain operations.",
    {
        "return attention @ v, attention": """\
allowed = None if mask is None else mask != 0
    out = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
    return (out if dropout is None else attention @ v), attention"""
    },
)
BUILT_IN_ATTENTION_RENAMED = Mistake(
    "PyTorch's ready-made attention does the work; this step is to build it from plain operations.",
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
    "Axes of size one are thrown away, so a batch of one sentence, or a sentence of one word, "
    "comes out with too few axes.",
    {"return attention @ v, attention": "return (attention @ v).squeeze(), attention"},
)
