"""What people get wrong in s5_transformer/masks.py.

Not here, on purpose:
- NaN where a whole row is hidden by padding: values at padding positions are open.
"""

from checks.machine.known import Mistake

SOURCE_INVERTED = Mistake(
    "The source mask is the wrong way round: it marks padding as visible and words as hidden. "
    "The model would read nothing but padding.",
    {"src != src_pad_idx": "src == src_pad_idx"},
    seen="pytorch/pytorch#27968",
)
TARGET_INVERTED = Mistake(
    "The padding part of the target mask is the wrong way round: padding is visible and words "
    "are hidden. A word with no padding before it has nothing left to look at.",
    {"trg != trg_pad_idx": "trg == trg_pad_idx"},
    seen="pytorch/pytorch#27968",
)
TARGET_RESULT_INVERTED = Mistake(
    "The whole target mask is the wrong way round: it marks what is hidden instead of what is "
    "visible. Each word sees the words that it must predict and none before it.",
    {"return real & past": "return ~(real & past)"},
    seen="pytorch/pytorch#27968",
)
SOURCE_ON_QUERY_AXIS = Mistake(
    "Padding of the source stands on the axis of the queries. It has to be hidden as something "
    "to look at, on the last axis; this way every word still looks at padding.",
    {"src_pad_idx)[:, None, None, :]": "src_pad_idx)[:, None, :, None]"},
)
SOURCE_ON_BOTH_AXES = Mistake(
    "The source mask covers queries as well as keys. One row for all queries is asked for; "
    "this mask leaves padding nothing to look at and does not fit the queries of the target.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
real = src != src_pad_idx
    return real[:, None, None, :] & real[:, None, :, None]"""
    },
)
SOURCE_REPEATED = Mistake(
    "The source mask is repeated for every source word as a query. In the decoder the queries "
    "are target words, and their number is another, so one row for all is asked for.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
return (src != src_pad_idx)[:, None, None, :].expand(-1, 1, src.size(1), -1)"""
    },
)
TARGET_ON_QUERY_AXIS = Mistake(
    "The rows of padding are blanked instead of its columns, so a word still looks at padding "
    "that stands before it. Padding has to be hidden as something to look at, on the last axis.",
    {"trg_pad_idx)[:, None, None, :]": "trg_pad_idx)[:, None, :, None]"},
    seen="bentrevett/pytorch-seq2seq#96",
)
TARGET_ON_BOTH_AXES = Mistake(
    "The rows of padding are blanked as well as its columns. Only the columns should be: a "
    "blank row has nothing left to look at, which can turn into NaN.",
    {"return real & past": "return real & past & real.transpose(-2, -1)"},
    seen="bentrevett/pytorch-seq2seq#96",
)
TARGET_CAUSAL_ONLY = Mistake(
    "The target mask hides the future but not the padding. Padding that stands before a word "
    "is then read as if it were a word.",
    {"return real & past": "return past.expand(real.size(0), 1, -1, -1)"},
)
TARGET_CAUSAL_ONLY_ONE_SENTENCE = Mistake(
    "The target mask is the triangle alone, one for the whole batch. Each sentence has its "
    "padding in other places, and none of it is hidden.",
    {"return real & past": "return past[None, None]"},
)
TARGET_PADDING_ONLY = Mistake(
    "The future is not hidden: every word can look at the words after it, the very ones that "
    "it must predict. Training then looks perfect, and translation fails.",
    {"return real & past": "return real.expand(-1, 1, trg_len, -1)"},
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
TARGET_PADDING_ONLY_ONE_ROW = Mistake(
    "The target mask has one row for all queries, with padding hidden and the future open. "
    "What is future differs from word to word, so each needs a row of its own.",
    {"return real & past": "return real"},
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
UPPER_TRIANGLE = Mistake(
    "The triangle is the wrong half: the future is kept and the past hidden. Each word sees "
    "itself and the words that it must predict, and none that stand before it.",
    {".tril()": ".triu()"},
)
UPPER_TRIANGLE_ABOVE = Mistake(
    "Only the future is visible: a word sees neither the past nor itself. It reads just the "
    "words that it must predict, and the last one has nothing to look at.",
    {".tril()": ".triu(1)"},
)
DIAGONAL_TOO_HIGH = Mistake(
    "The triangle reaches one place too far: each word also sees the very next one, which it "
    "must predict. Training then looks perfect, and translation fails.",
    {".tril()": ".tril(1)"},
    seen="MONAI/GenerativeModels#314",
)
DIAGONAL_TOO_LOW = Mistake(
    "The triangle ends one place too early: a word may not look at itself. The first word then "
    "has nothing to look at, which can turn into NaN.",
    {".tril()": ".tril(-1)"},
)
NO_TRIANGLE = Mistake(
    TARGET_PADDING_ONLY.says,
    {".tril()": ""},
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
ONLY_THE_DIAGONAL = Mistake(
    "Each word may look at itself alone. The words before it are hidden, so the decoder cannot "
    "know what it has written so far.",
    {
        "torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()": """\
torch.eye(trg_len, dtype=torch.bool, device=trg.device)"""
    },
)
OR_FOR_AND = Mistake(
    "A key is visible if it is real or not in the future; both must hold. This way words see "
    "the words that they must predict, and padding before them as well.",
    {"return real & past": "return real | past"},
)
XOR_FOR_AND = Mistake(
    "A key is visible if just one of the two holds: it is real, or it is not in the future. "
    "Both must hold; this way the real words up to the query are hidden.",
    {"return real & past": "return real ^ past"},
)
SOURCE_PAD_FIXED_0 = Mistake(
    "Token 0 is taken for padding in the source, whatever src_pad_idx is. With another "
    "vocabulary padding is then read, and a real word is hidden.",
    {"src != src_pad_idx": "src != 0"},
)
TARGET_PAD_FIXED_0 = Mistake(
    "Token 0 is taken for padding in the target, whatever trg_pad_idx is. With another "
    "vocabulary padding is then read, and a real word is hidden.",
    {"trg != trg_pad_idx": "trg != 0"},
    seen="hyunwoongko/transformer#11",
)
TARGET_PAD_FIXED_1 = Mistake(
    "Token 1 is taken for padding in the target, whatever trg_pad_idx is. With another "
    "vocabulary padding is then read, and a real word is hidden.",
    {"trg != trg_pad_idx": "trg != 1"},
)
SOURCE_TRUTH_OF_TOKENS = Mistake(
    SOURCE_PAD_FIXED_0.says,
    {"(src != src_pad_idx)": "src.bool()"},
)
SOURCE_ABOVE_PADDING = Mistake(
    "Tokens with a smaller number than the padding token count as padding too. Unless padding "
    "is token 0, real words are then hidden.",
    {"src != src_pad_idx": "src > src_pad_idx"},
)
TARGET_ABOVE_PADDING = Mistake(
    SOURCE_ABOVE_PADDING.says,
    {"trg != trg_pad_idx": "trg > trg_pad_idx"},
)
TARGET_BELOW_PADDING = Mistake(
    "Tokens with a larger number than the padding token count as padding too. If padding is "
    "token 0, as it often is, every word of the target is hidden.",
    {"trg != trg_pad_idx": "trg < trg_pad_idx"},
)
BYTE_TRIANGLE_ON_CPU = Mistake(
    "The triangle is made of bytes and always on the CPU. The mask then holds numbers instead "
    "of truth values, and on a GPU the code stops with an error.",
    {
        "past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()": """\
past = torch.ones(trg_len, trg_len).tril().type(torch.ByteTensor)"""
    },
)
TRIANGLE_ON_CPU = Mistake(
    "The triangle is always made on the CPU; it has to be where the tokens are. On a GPU the "
    "two parts cannot be joined, and the code stops with an error.",
    {", device=trg.device": ""},
)
FLOAT_TRIANGLE = Mistake(
    'The triangle is made of floats instead of truth values. The operator for "and" cannot '
    "join it with the padding, so the code stops with an error.",
    {"dtype=torch.bool, ": ""},
)
FLOAT_PRODUCT = Mistake(
    "The two parts are multiplied as floats, so the mask holds numbers instead of truth "
    'values. The operators for "and" and "not" refuse such a mask with an error.',
    {"dtype=torch.bool, ": "", "return real & past": "return real * past"},
)
INTEGER_TRIANGLE = Mistake(
    "The triangle is made of integers, so the finished mask holds integers too. Truth values "
    'are asked for: on integers the operator for "not" flips bits and hides nothing.',
    {"dtype=torch.bool": "dtype=torch.long"},
)
BITS_FLIPPED = Mistake(
    TARGET_PADDING_ONLY.says,
    {
        "past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()": """\
past = (~torch.ones(trg_len, trg_len, dtype=torch.long, device=trg.device).triu(1)).bool()"""
    },
)
SOURCE_AS_INTEGERS = Mistake(
    "The source mask is turned into the integers 0 and 1. Truth values are asked for: on "
    'integers the operator for "not" flips bits and hides nothing.',
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
return (src != src_pad_idx)[:, None, None, :].long()"""
    },
)
SOURCE_AS_FLOATS = Mistake(
    "The source mask is turned into floats. Truth values are asked for: the operators for "
    '"and" and "not" refuse floats with an error.',
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
return (src != src_pad_idx)[:, None, None, :].float()"""
    },
)
SOURCE_ADDITIVE = Mistake(
    "The source mask is made to be added to the scores: zero for words, a huge negative number "
    "for padding. The attention here takes zero for hidden, so it would read only padding.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
hidden = (src == src_pad_idx)[:, None, None, :]
    return torch.zeros(hidden.shape, device=src.device).masked_fill(hidden, -1e9)"""
    },
)
TARGET_AS_INTEGERS = Mistake(
    "The finished target mask is turned into the integers 0 and 1. Truth values are asked for: "
    'on integers the operator for "not" flips bits and hides nothing.',
    {"return real & past": "return (real & past).int()"},
)
SOURCE_TWO_AXES = Mistake(
    "The source mask lacks the axes of heads and queries. Its sentences then line up with the "
    "queries, so words get the padding of other sentences, or the sizes do not fit.",
    {"(src != src_pad_idx)[:, None, None, :]": "src != src_pad_idx"},
)
SOURCE_THREE_AXES = Mistake(
    "The source mask lacks one axis, so its sentences line up with the heads. Each head then "
    "gets the padding of another sentence, or the sizes do not fit.",
    {"src_pad_idx)[:, None, None, :]": "src_pad_idx)[:, None, :]"},
)
SOURCE_FIVE_AXES = Mistake(
    "The source mask has one axis too many. The scores have four, for sentences, heads, "
    "queries and keys, and with a fifth the attention gives a result of the wrong shape.",
    {"src_pad_idx)[:, None, None, :]": "src_pad_idx)[:, None, None, None, :]"},
)
TARGET_THREE_AXES = Mistake(
    "The target mask lacks the axis of the heads, so its sentences line up with the heads. "
    "Each head then gets the mask of another sentence, or the sizes do not fit.",
    {"return real & past": "return (real & past)[:, 0]"},
)
TARGET_BATCH_LOST = Mistake(
    "In the padding part of the target mask the sentences stand where the queries belong. Each "
    "query then gets the padding of another sentence, or the sizes do not fit.",
    {"real = (trg != trg_pad_idx)[:, None, None, :]": ("real = (trg != trg_pad_idx)[None, None]")},
)
SOURCE_AXES_IN_FRONT = Mistake(
    "The two axes of size one stand before the sentences instead of behind them. The sentences "
    "then line up with the queries, so words get the padding of other sentences.",
    {"src_pad_idx)[:, None, None, :]": "src_pad_idx)[None, None]"},
)
LENGTH_OF_BATCH = Mistake(
    "The triangle is as large as the number of sentences; it must be as large as a sentence is "
    "long. The two parts of the mask then fit only by chance.",
    {"trg_len = trg.size(1)": "trg_len = trg.size(0)"},
    seen="Xflick/EEND_PyTorch#18",
)
LENGTH_ONE_SHORT = Mistake(
    "The triangle is one place shorter than the target, as if its last word were cut off "
    "already. It does not fit the tokens that it is given.",
    {"trg_len = trg.size(1)": "trg_len = trg.size(1) - 1"},
    seen="Xflick/EEND_PyTorch#18",
)
LENGTH_FIXED = Mistake(
    "The triangle has a fixed size, whatever the length of the target. It does not fit targets "
    "of any other length.",
    {"trg_len = trg.size(1)": "trg_len = 100"},
    seen="Xflick/EEND_PyTorch#18",
)
SOURCE_CAUSAL = Mistake(
    "The source mask hides the future too. The source is known from the start and may be read "
    "in both directions, so this way its early words lose most of the sentence.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
length = src.size(1)
    past = torch.ones(length, length, dtype=torch.bool, device=src.device).tril()
    return (src != src_pad_idx)[:, None, None, :] & past"""
    },
)
SOURCE_SEES_EVERYTHING = Mistake(
    "The source mask hides nothing, so padding is read as if it were words. The result then "
    "depends on how far a sentence happens to be padded.",
    {"src != src_pad_idx": "src == src"},
    seen="DaoyuanLi2816/Molecule-Generator#22, jingyaogong/minimind-v#76",
)
SOURCE_FIRST_SENTENCE = Mistake(
    "All sentences get the source mask of the first. Where the lengths differ, padding of the "
    "others is read or their words are hidden.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
return (src[:1] != src_pad_idx)[:, None, None, :].repeat(src.size(0), 1, 1, 1)"""
    },
)
TARGET_FIRST_SENTENCE = Mistake(
    "In the target mask all sentences get the padding of the first. Where the lengths differ, "
    "padding of the others is read or their words are hidden.",
    {
        "real = (trg != trg_pad_idx)[:, None, None, :]": """\
real = (trg[:1] != trg_pad_idx)[:, None, None, :].repeat(trg.size(0), 1, 1, 1)"""
    },
)
TARGET_CUT_AT_FIRST_PADDING = Mistake(
    "Everything behind the first padding token is hidden; only padding itself should be. Where "
    "padding stands at the front or in between, real words are lost.",
    {
        "real = (trg != trg_pad_idx)[:, None, None, :]": """\
real = (trg != trg_pad_idx).cumprod(dim=1).bool()[:, None, None, :]"""
    },
)
SOURCE_CUT_AT_FIRST_PADDING = Mistake(
    TARGET_CUT_AT_FIRST_PADDING.says,
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
return (src != src_pad_idx).cumprod(dim=1).bool()[:, None, None, :]"""
    },
)
SOURCE_LAST_TOKEN = Mistake(
    "The source mask is shifted by one position: each place tells about the token before it. "
    "The first padding token is then read, and a real word may be hidden.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
return (src != src_pad_idx).roll(1, dims=1)[:, None, None, :]"""
    },
)
SOURCE_FIRST_TOKEN_ALWAYS_SEEN = Mistake(
    "The first token of the source is visible even if it is padding. Padding can stand at the "
    "front too, and it must be hidden wherever it stands.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
real = src != src_pad_idx
    real[:, 0] = True
    return real[:, None, None, :]"""
    },
)
TARGET_PADDING_SEES_ITSELF = Mistake(
    "Each token may look at itself, even if it is padding. Padding is to be hidden from every "
    "query, itself included, or it is read as if it were a word.",
    {
        "return real & past": """\
return (real & past) | torch.eye(trg_len, dtype=torch.bool, device=trg.device)"""
    },
)
SOURCE_CHANGED_IN_PLACE = Mistake(
    "The caller's tokens are overwritten on the way. The embedding still has to read them, and "
    "would find other ones.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
return src.ne_(src_pad_idx).bool()[:, None, None, :]"""
    },
    seen="jcyk/copyisallyouneed#6",
)
TARGET_CHANGED_IN_PLACE = Mistake(
    "The caller's target tokens are overwritten on the way. The embedding still has to read "
    "them, and would find other ones.",
    {
        "real = (trg != trg_pad_idx)[:, None, None, :]": """\
real = trg.ne_(trg_pad_idx).bool()[:, None, None, :]"""
    },
    seen="jcyk/copyisallyouneed#6",
)
WINDOW = Mistake(
    "A word sees only itself and the one before it. The whole past is to be visible, or a word "
    "cannot look back at how the sentence began.",
    {".tril()": ".tril().triu(-1)"},
)
TRANSPOSED = Mistake(
    "Queries and keys have changed places in the finished target mask. Each word then sees "
    "itself and the words that it must predict, and none that stand before it.",
    {"return real & past": "return (real & past).transpose(-2, -1)"},
)
SOURCE_SQUEEZED = Mistake(
    "Axes of size one are thrown away on the way. For a batch of one sentence, or for "
    "sentences of one word, the mask then has too few axes and does not line up with the scores.",
    {
        "(src != src_pad_idx)[:, None, None, :]": """\
(src != src_pad_idx).squeeze()[..., None, None, :]"""
    },
)
TARGET_MASKS_AS_A_PAIR = Mistake(
    "The two conditions come back as a pair instead of one mask. A key must pass both at once.",
    {"return real & ": "return real, "},
)
FIRST_KEY_ALWAYS_OPEN = Mistake(
    "The first word may always be looked at, even if it is padding. Padding is hidden wherever "
    "it stands.",
    {
        "return real & past": """\
real[..., 0] = True
    return real & past"""
    },
)
