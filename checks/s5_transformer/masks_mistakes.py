"""What people get wrong in s5_transformer/masks.py."""

from checks.machine.known import Mistake

SOURCE_INVERTED = Mistake(
    "The source mask marks padding as visible and words as hidden.",
    {"src != src_pad_idx": "src == src_pad_idx"},
    seen="pytorch/pytorch#27968",
)
TARGET_INVERTED = Mistake(
    "The padding part of the target mask marks padding as visible and words as hidden.",
    {"trg != trg_pad_idx": "trg == trg_pad_idx"},
    seen="pytorch/pytorch#27968",
)
TARGET_RESULT_INVERTED = Mistake(
    "The whole target mask is inverted: it marks what is hidden instead of what is visible.",
    {"return real & past": "return ~(real & past)"},
    seen="pytorch/pytorch#27968",
)
SOURCE_ON_QUERY_AXIS = Mistake(
    "Source padding sits on the axis of the queries; it has to be hidden as something to look "
    "at, on the last axis.",
    {"src_pad_idx)[:, None, None, :]": "src_pad_idx)[:, None, :, None]"},
)
SOURCE_ON_BOTH_AXES = Mistake(
    "The source mask covers queries as well as keys; one row for all queries is asked for.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
real = src != src_pad_idx
    return real[:, None, None, :] & real[:, None, :, None]"""
    },
)
SOURCE_REPEATED = Mistake(
    "The source mask is repeated for every query; one row for all queries is asked for.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
return (src != src_pad_idx)[:, None, None, :].expand(-1, 1, src.size(1), -1)"""
    },
)
TARGET_ON_QUERY_AXIS = Mistake(
    "The rows of padding words are blanked instead of the columns, so real words may still "
    "look at padding.",
    {"trg_pad_idx)[:, None, None, :]": "trg_pad_idx)[:, None, :, None]"},
    seen="bentrevett/pytorch-seq2seq#96",
)
TARGET_ON_BOTH_AXES = Mistake(
    "Rows of padding words are blanked as well, so they have nothing left to look at; only "
    "keys are hidden.",
    {"return real & past": "return real & past & real.transpose(-2, -1)"},
    seen="bentrevett/pytorch-seq2seq#96",
)
TARGET_CAUSAL_ONLY = Mistake(
    "The future is hidden but padding is not.",
    {"return real & past": "return past.expand(real.size(0), 1, -1, -1)"},
)
TARGET_CAUSAL_ONLY_ONE_SENTENCE = Mistake(
    "The future is hidden but padding is not, and there is one mask for the whole batch.",
    {"return real & past": "return past[None, None]"},
)
TARGET_PADDING_ONLY = Mistake(
    "The future is not hidden: every word can look at the words after it, the very ones that "
    "it must learn to predict.",
    {"return real & past": "return real.expand(-1, 1, trg_len, -1)"},
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
TARGET_PADDING_ONLY_ONE_ROW = Mistake(
    "The future is not hidden, and there is one row for all queries.",
    {"return real & past": "return real"},
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
UPPER_TRIANGLE = Mistake(
    "The future is kept and the past hidden.",
    {".tril()": ".triu()"},
)
UPPER_TRIANGLE_ABOVE = Mistake(
    "Only the future is visible.",
    {".tril()": ".triu(1)"},
)
DIAGONAL_TOO_HIGH = Mistake(
    "Each word may also see the very next one, which is the word it must predict.",
    {".tril()": ".tril(1)"},
    seen="MONAI/GenerativeModels#314",
)
DIAGONAL_TOO_LOW = Mistake(
    "A word may not look at itself, and the first word has nothing to look at.",
    {".tril()": ".tril(-1)"},
)
NO_TRIANGLE = Mistake(
    "The future is not hidden: every word can look at the words after it, the very ones that "
    "it must learn to predict.",
    {".tril()": ""},
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
ONLY_THE_DIAGONAL = Mistake(
    "Each word may look at itself alone.",
    {
        "torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()": """\
torch.eye(trg_len, dtype=torch.bool, device=trg.device)"""
    },
)
OR_FOR_AND = Mistake(
    "A key is visible if it is real or not in the future; both must hold.",
    {"return real & past": "return real | past"},
)
XOR_FOR_AND = Mistake(
    "A key is visible if it is either real or not in the future, but not both; both must hold.",
    {"return real & past": "return real ^ past"},
)
SOURCE_PAD_FIXED_0 = Mistake(
    "Token 0 is taken for padding whatever padding index is given, so with another vocabulary "
    "padding is read and a word is lost.",
    {"src != src_pad_idx": "src != 0"},
)
TARGET_PAD_FIXED_0 = Mistake(
    "The padding token of the target is written into the code as 0.",
    {"trg != trg_pad_idx": "trg != 0"},
    seen="hyunwoongko/transformer#11",
)
TARGET_PAD_FIXED_1 = Mistake(
    "The padding token of the target is written into the code as 1.",
    {"trg != trg_pad_idx": "trg != 1"},
)
SOURCE_TRUTH_OF_TOKENS = Mistake(
    "Token 0 is taken for padding whatever padding index is given, so with another vocabulary "
    "padding is read and a word is lost.",
    {"(src != src_pad_idx)": "src.bool()"},
)
SOURCE_ABOVE_PADDING = Mistake(
    "Tokens below the padding token count as padding too.",
    {"src != src_pad_idx": "src > src_pad_idx"},
)
TARGET_ABOVE_PADDING = Mistake(
    "Tokens below the padding token count as padding too.",
    {"trg != trg_pad_idx": "trg > trg_pad_idx"},
)
TARGET_BELOW_PADDING = Mistake(
    "Tokens above the padding token count as padding too.",
    {"trg != trg_pad_idx": "trg < trg_pad_idx"},
)
BYTE_TRIANGLE_ON_CPU = Mistake(
    "The triangle is made of bytes and always on the CPU, so the mask is no truth value and "
    "the model breaks on a GPU.",
    {
        "past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()": """\
past = torch.ones(trg_len, trg_len).tril().type(torch.ByteTensor)"""
    },
)
TRIANGLE_ON_CPU = Mistake(
    "The triangle is always made on the CPU; it has to be where the tokens are.",
    {", device=trg.device": ""},
)
FLOAT_TRIANGLE = Mistake(
    "The triangle is made of floats, and floats cannot be joined by a logical operator.",
    {"dtype=torch.bool, ": ""},
)
FLOAT_PRODUCT = Mistake(
    "The two masks are multiplied as floats; truth values are asked for.",
    {"dtype=torch.bool, ": "", "return real & past": "return real * past"},
)
INTEGER_TRIANGLE = Mistake(
    "The triangle is made of integers, so the mask is no truth value.",
    {"dtype=torch.bool": "dtype=torch.long"},
)
BITS_FLIPPED = Mistake(
    "The future is not hidden: every word can look at the words after it, the very ones that "
    "it must learn to predict.",
    {
        "past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()": """\
past = (~torch.ones(trg_len, trg_len, dtype=torch.long, device=trg.device).triu(1)).bool()"""
    },
)
SOURCE_AS_INTEGERS = Mistake(
    "The source mask is made of zeros and ones; truth values are asked for.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
return (src != src_pad_idx)[:, None, None, :].long()"""
    },
)
SOURCE_AS_FLOATS = Mistake(
    "The source mask is made of floats; truth values are asked for.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
return (src != src_pad_idx)[:, None, None, :].float()"""
    },
)
SOURCE_ADDITIVE = Mistake(
    "The source mask is made to be added to scores; truth values are asked for.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
hidden = (src == src_pad_idx)[:, None, None, :]
    return torch.zeros(hidden.shape, device=src.device).masked_fill(hidden, -1e9)"""
    },
)
TARGET_AS_INTEGERS = Mistake(
    "The target mask is made of zeros and ones; truth values are asked for.",
    {"return real & past": "return (real & past).int()"},
)
SOURCE_TWO_AXES = Mistake(
    "The source mask lacks the axes of heads and queries.",
    {"(src != src_pad_idx)[:, None, None, :]": "src != src_pad_idx"},
)
SOURCE_THREE_AXES = Mistake(
    "The source mask lacks an axis: it would line up with the heads instead of the sentences.",
    {"src_pad_idx)[:, None, None, :]": "src_pad_idx)[:, None, :]"},
)
SOURCE_FIVE_AXES = Mistake(
    "The source mask has an axis too many.",
    {"src_pad_idx)[:, None, None, :]": "src_pad_idx)[:, None, None, None, :]"},
)
TARGET_THREE_AXES = Mistake(
    "The target mask lacks the axis of the heads.",
    {"return real & past": "return (real & past)[:, 0]"},
)
TARGET_BATCH_LOST = Mistake(
    "The padding lost the axis of the batch, so sentences line up with queries.",
    {"real = (trg != trg_pad_idx)[:, None, None, :]": ("real = (trg != trg_pad_idx)[None, None]")},
)
SOURCE_AXES_IN_FRONT = Mistake(
    "The two axes of size one stand in front of the batch instead of behind it.",
    {"src_pad_idx)[:, None, None, :]": "src_pad_idx)[None, None]"},
)
LENGTH_OF_BATCH = Mistake(
    "The triangle is as large as the batch instead of as long as the sentences.",
    {"trg_len = trg.size(1)": "trg_len = trg.size(0)"},
    seen="Xflick/EEND_PyTorch#18",
)
LENGTH_ONE_SHORT = Mistake(
    "The triangle is made for the target without its last word.",
    {"trg_len = trg.size(1)": "trg_len = trg.size(1) - 1"},
    seen="Xflick/EEND_PyTorch#18",
)
LENGTH_FIXED = Mistake(
    "The triangle has a fixed length.",
    {"trg_len = trg.size(1)": "trg_len = 100"},
    seen="Xflick/EEND_PyTorch#18",
)
SOURCE_CAUSAL = Mistake(
    "The source mask hides the future too; the source may be read in both directions.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
length = src.size(1)
    past = torch.ones(length, length, dtype=torch.bool, device=src.device).tril()
    return (src != src_pad_idx)[:, None, None, :] & past"""
    },
)
SOURCE_SEES_EVERYTHING = Mistake(
    "The source mask hides nothing.",
    {"src != src_pad_idx": "src == src"},
    seen="DaoyuanLi2816/Molecule-Generator#22, jingyaogong/minimind-v#76",
)
SOURCE_FIRST_SENTENCE = Mistake(
    "All sentences get the source mask of the first.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
return (src[:1] != src_pad_idx)[:, None, None, :].repeat(src.size(0), 1, 1, 1)"""
    },
)
TARGET_FIRST_SENTENCE = Mistake(
    "All sentences get the padding of the first.",
    {
        "real = (trg != trg_pad_idx)[:, None, None, :]": """\
real = (trg[:1] != trg_pad_idx)[:, None, None, :].repeat(trg.size(0), 1, 1, 1)"""
    },
)
TARGET_CUT_AT_FIRST_PADDING = Mistake(
    "Everything behind the first padding token is hidden; only padding itself is.",
    {
        "real = (trg != trg_pad_idx)[:, None, None, :]": """\
real = (trg != trg_pad_idx).cumprod(dim=1).bool()[:, None, None, :]"""
    },
)
SOURCE_CUT_AT_FIRST_PADDING = Mistake(
    "Everything behind the first padding token is hidden; only padding itself is.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
return (src != src_pad_idx).cumprod(dim=1).bool()[:, None, None, :]"""
    },
)
SOURCE_LAST_TOKEN = Mistake(
    "The mask is shifted by one position.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
return (src != src_pad_idx).roll(1, dims=1)[:, None, None, :]"""
    },
)
SOURCE_FIRST_TOKEN_ALWAYS_SEEN = Mistake(
    "The first token is visible even if it is padding.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
real = src != src_pad_idx
    real[:, 0] = True
    return real[:, None, None, :]"""
    },
)
TARGET_PADDING_SEES_ITSELF = Mistake(
    "Each word may look at itself even if it is padding; padding is hidden from everyone.",
    {
        "return real & past": """\
return (real & past) | torch.eye(trg_len, dtype=torch.bool, device=trg.device)"""
    },
)
SOURCE_CHANGED_IN_PLACE = Mistake(
    "The caller's tokens are overwritten by the comparison.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
return src.ne_(src_pad_idx).bool()[:, None, None, :]"""
    },
    seen="jcyk/copyisallyouneed#6",
)
TARGET_CHANGED_IN_PLACE = Mistake(
    "The caller's tokens are overwritten by the comparison.",
    {
        "real = (trg != trg_pad_idx)[:, None, None, :]": """\
real = trg.ne_(trg_pad_idx).bool()[:, None, None, :]"""
    },
    seen="jcyk/copyisallyouneed#6",
)
WINDOW = Mistake(
    "A word sees only itself and the one before it; the whole past is visible.",
    {".tril()": ".tril().triu(-1)"},
)
TRANSPOSED = Mistake(
    "Queries and keys have changed places in the finished mask.",
    {"return real & past": "return (real & past).transpose(-2, -1)"},
)
SOURCE_SQUEEZED = Mistake(
    "Axes of size one are thrown away, so a batch of one sentence, or a sentence of one word, "
    "comes out with too few axes.",
    {
        "(src != src_pad_idx)[:, None, None, :]": """\
(src != src_pad_idx).squeeze()[..., None, None, :]"""
    },
)
