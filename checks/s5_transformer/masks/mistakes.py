"""What people get wrong in s5_transformer/masks.py.

Not here, on purpose:
- NaN where padding masks a whole row: values at padding positions are open.
"""

from checks.engine.known import Mistake

SOURCE_INVERTED = Mistake(
    "The source mask is inverted: padding is visible and words are masked. The model would read "
    "nothing but padding.",
    {"src != src_pad_idx": "src == src_pad_idx"},
    seen="pytorch/pytorch#27968",
)
TARGET_INVERTED = Mistake(
    "The padding part of the target mask is inverted: padding is visible and words are masked. A "
    "word with no padding before it has nothing to attend to.",
    {"trg != trg_pad_idx": "trg == trg_pad_idx"},
    seen="pytorch/pytorch#27968",
)
TARGET_RESULT_INVERTED = Mistake(
    "The whole target mask is inverted: it marks the masked places instead of the visible ones. "
    "Each word sees the words that it must predict, and no word before it.",
    {"return real & past": "return ~(real & past)"},
    seen="pytorch/pytorch#27968",
)
SOURCE_ON_QUERY_AXIS = Mistake(
    "The source mask puts padding on the query axis. Put it on the key axis, the last one, or "
    "every word still attends to padding.",
    {"src_pad_idx)[:, None, None, :]": "src_pad_idx)[:, None, :, None]"},
)
SOURCE_ON_BOTH_AXES = Mistake(
    "The source mask covers queries as well as keys. It needs one row for all queries: in the "
    "decoder the queries are target words, and their number differs.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
real = src != src_pad_idx
    return real[:, None, None, :] & real[:, None, :, None]"""
    },
)
SOURCE_REPEATED = Mistake(
    "The source mask has one row for every source word. It needs one row for all queries: in the "
    "decoder the queries are target words, and their number differs.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
return (src != src_pad_idx)[:, None, None, :].expand(-1, 1, src.size(1), -1)"""
    },
)
TARGET_ON_QUERY_AXIS = Mistake(
    "You mask the rows of padding instead of its columns, so words still attend to padding before "
    "them. Padding must be masked as a key, on the last axis.",
    {"trg_pad_idx)[:, None, None, :]": "trg_pad_idx)[:, None, :, None]"},
    seen="bentrevett/pytorch-seq2seq#96",
)
TARGET_ON_BOTH_AXES = Mistake(
    "You mask the rows of padding as well as its columns. Mask only the columns: a row in which "
    "every key is masked can give NaN.",
    {"return real & past": "return real & past & real.transpose(-2, -1)"},
    seen="bentrevett/pytorch-seq2seq#96",
)
TARGET_CAUSAL_ONLY = Mistake(
    "The target mask hides the future but not the padding. Padding that stands before a word is "
    "then read as if it were a word.",
    {"return real & past": "return past.expand(real.size(0), 1, -1, -1)"},
)
TARGET_CAUSAL_ONLY_ONE_SENTENCE = Mistake(
    "The target mask is only the triangle, one for the whole batch. Each sentence has its padding "
    "in other places, and none of it is masked.",
    {"return real & past": "return past[None, None]"},
)
TARGET_PADDING_ONLY = Mistake(
    "The future is not masked: every word sees the words after it, which it must predict. "
    "Training then looks perfect, and translation fails.",
    {"return real & past": "return real.expand(-1, 1, trg_len, -1)"},
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
TARGET_PADDING_ONLY_ONE_ROW = Mistake(
    "The target mask has one row for all queries, so the future is visible. Each word has a "
    "different future and needs its own row.",
    {"return real & past": "return real"},
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
UPPER_TRIANGLE = Mistake(
    "The triangle is the wrong half: the future is visible and the past is masked. Each word sees "
    "itself and the words that it must predict, and no word before it.",
    {".tril()": ".triu()"},
)
UPPER_TRIANGLE_ABOVE = Mistake(
    "Only the future is visible: a word sees neither the past nor itself. It reads the words that "
    "it must predict, and the last word has nothing to attend to.",
    {".tril()": ".triu(1)"},
)
DIAGONAL_TOO_HIGH = Mistake(
    "The triangle reaches one place too far: each word also sees the very next one, which it "
    "must predict. Training then looks perfect, and translation fails.",
    {".tril()": ".tril(1)"},
    seen="MONAI/GenerativeModels#314",
)
DIAGONAL_TOO_LOW = Mistake(
    "The triangle ends one place too early: a word does not see itself. The first word then has "
    "no visible key, which can give NaN.",
    {".tril()": ".tril(-1)"},
)
NO_TRIANGLE = Mistake(
    TARGET_PADDING_ONLY.says,
    {".tril()": ""},
    seen="alex-matton/causal-transformer-decoder#1, kzl/decision-transformer#30",
)
ONLY_THE_DIAGONAL = Mistake(
    "Each word sees only itself. The words before it are masked, so the decoder does not know "
    "what it has written so far.",
    {
        "torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()": """\
torch.eye(trg_len, dtype=torch.bool, device=trg.device)"""
    },
)
OR_FOR_AND = Mistake(
    "A key is visible if it is real or not in the future, but both must hold. Now words see the "
    "words that they must predict, and padding before them.",
    {"return real & past": "return real | past"},
)
XOR_FOR_AND = Mistake(
    "A key is visible if exactly one condition holds: it is real, or it is not in the future. "
    "Both must hold; now the real words up to the query are masked.",
    {"return real & past": "return real ^ past"},
)
SOURCE_PAD_FIXED_0 = Mistake(
    "In the source, token 0 is always treated as padding and src_pad_idx is ignored. With another "
    "vocabulary, padding is read and a real word is masked.",
    {"src != src_pad_idx": "src != 0"},
)
TARGET_PAD_FIXED_0 = Mistake(
    "In the target, token 0 is always treated as padding and trg_pad_idx is ignored. With another "
    "vocabulary, padding is read and a real word is masked.",
    {"trg != trg_pad_idx": "trg != 0"},
    seen="hyunwoongko/transformer#11",
)
TARGET_PAD_FIXED_1 = Mistake(
    "In the target, token 1 is always treated as padding and trg_pad_idx is ignored. With another "
    "vocabulary, padding is read and a real word is masked.",
    {"trg != trg_pad_idx": "trg != 1"},
)
SOURCE_TRUTH_OF_TOKENS = Mistake(
    SOURCE_PAD_FIXED_0.says,
    {"(src != src_pad_idx)": "src.bool()"},
)
SOURCE_ABOVE_PADDING = Mistake(
    "Tokens with a smaller id than the padding token also count as padding. Unless padding is "
    "token 0, real words are masked.",
    {"src != src_pad_idx": "src > src_pad_idx"},
)
TARGET_ABOVE_PADDING = Mistake(
    SOURCE_ABOVE_PADDING.says,
    {"trg != trg_pad_idx": "trg > trg_pad_idx"},
)
TARGET_BELOW_PADDING = Mistake(
    "Tokens with a larger id than the padding token also count as padding. If padding is token 0, "
    "as it often is, every word of the target is masked.",
    {"trg != trg_pad_idx": "trg < trg_pad_idx"},
)
BYTE_TRIANGLE_ON_CPU = Mistake(
    "The triangle is made of bytes, on the CPU, wherever the tokens are. The mask then holds numbers instead of "
    "booleans, and on a GPU the code stops with an error.",
    {
        "past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()": """\
past = torch.ones(trg_len, trg_len).tril().type(torch.ByteTensor)"""
    },
)
TRIANGLE_ON_CPU = Mistake(
    "The triangle is not on the device of the tokens. On a GPU the two parts of the mask cannot "
    "be combined, and the code stops with an error.",
    {", device=trg.device": ""},
)
FLOAT_TRIANGLE = Mistake(
    'The triangle holds floats instead of booleans. The operator for "and" cannot combine it with '
    "the padding, so the code stops with an error.",
    {"dtype=torch.bool, ": ""},
)
FLOAT_PRODUCT = Mistake(
    "You multiply the two parts as floats, so the mask holds numbers instead of booleans. The "
    'operators for "and" and "not" stop with an error on such a mask.',
    {"dtype=torch.bool, ": "", "return real & past": "return real * past"},
)
INTEGER_TRIANGLE = Mistake(
    "The triangle holds integers, so the finished mask does too. It must be boolean: on integers "
    'the operator for "not" flips bits and masks nothing.',
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
    "The source mask holds the integers 0 and 1. It must be boolean: on integers the operator for "
    '"not" flips bits and masks nothing.',
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
return (src != src_pad_idx)[:, None, None, :].long()"""
    },
)
SOURCE_AS_FLOATS = Mistake(
    'The source mask holds floats. It must be boolean: the operators for "and" and "not" stop '
    "with an error on floats.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
return (src != src_pad_idx)[:, None, None, :].float()"""
    },
)
SOURCE_ADDITIVE = Mistake(
    "The source mask is made to be added to the scores: 0 for words, a huge negative number for "
    "padding. The attention here masks where it finds 0, so it reads only padding.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
hidden = (src == src_pad_idx)[:, None, None, :]
    return torch.zeros(hidden.shape, device=src.device).masked_fill(hidden, -1e9)"""
    },
)
TARGET_AS_INTEGERS = Mistake(
    "The finished target mask holds the integers 0 and 1. It must be boolean: on integers the "
    'operator for "not" flips bits and masks nothing.',
    {"return real & past": "return (real & past).int()"},
)
SOURCE_TWO_AXES = Mistake(
    "The source mask lacks the axes of heads and queries. PyTorch then matches its sentences with "
    "the queries: words get other sentences' padding, or the sizes do not fit.",
    {"(src != src_pad_idx)[:, None, None, :]": "src != src_pad_idx"},
)
SOURCE_THREE_AXES = Mistake(
    "The source mask lacks one axis, so PyTorch matches its sentences with the heads. Each head "
    "gets the padding of another sentence, or the sizes do not fit.",
    {"src_pad_idx)[:, None, None, :]": "src_pad_idx)[:, None, :]"},
)
SOURCE_FIVE_AXES = Mistake(
    "The source mask has one axis too many. The scores have four: sentences, heads, queries and "
    "keys; a fifth axis gives the result of the attention a wrong shape.",
    {"src_pad_idx)[:, None, None, :]": "src_pad_idx)[:, None, None, None, :]"},
)
TARGET_THREE_AXES = Mistake(
    "The target mask lacks the axis of the heads, so PyTorch matches its sentences with the "
    "heads. Each head gets the mask of another sentence, or the sizes do not fit.",
    {"return real & past": "return (real & past)[:, 0]"},
)
TARGET_BATCH_LOST = Mistake(
    "In the padding part of the target mask, the sentences stand on the query axis. Each query "
    "gets the padding of another sentence, or the sizes do not fit.",
    {"real = (trg != trg_pad_idx)[:, None, None, :]": ("real = (trg != trg_pad_idx)[None, None]")},
)
SOURCE_AXES_IN_FRONT = Mistake(
    "The two axes of size 1 stand before the batch axis instead of after it. PyTorch matches the "
    "sentences with the queries, so words get other sentences' padding.",
    {"src_pad_idx)[:, None, None, :]": "src_pad_idx)[None, None]"},
)
LENGTH_OF_BATCH = Mistake(
    "The triangle is as large as the number of sentences, but it must be as large as the target "
    "is long. The two parts of the mask then rarely fit.",
    {"trg_len = trg.size(1)": "trg_len = trg.size(0)"},
    seen="Xflick/EEND_PyTorch#18",
)
LENGTH_ONE_SHORT = Mistake(
    "The triangle is one place shorter than the target, as if the last word were already cut off. "
    "It does not fit the given tokens.",
    {"trg_len = trg.size(1)": "trg_len = trg.size(1) - 1"},
    seen="Xflick/EEND_PyTorch#18",
)
LENGTH_FIXED = Mistake(
    "The triangle has a fixed size. It does not fit targets of any other length.",
    {"trg_len = trg.size(1)": "trg_len = 100"},
    seen="Xflick/EEND_PyTorch#18",
)
SOURCE_CAUSAL = Mistake(
    "The source mask hides the future too. The whole source is known from the start, so its early "
    "words should see all of it.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
length = src.size(1)
    past = torch.ones(length, length, dtype=torch.bool, device=src.device).tril()
    return (src != src_pad_idx)[:, None, None, :] & past"""
    },
)
SOURCE_SEES_EVERYTHING = Mistake(
    "The source mask hides nothing, so padding is read as if it were words. The result then "
    "depends on the amount of padding.",
    {"src != src_pad_idx": "src == src"},
    seen="DaoyuanLi2816/Molecule-Generator#22, jingyaogong/minimind-v#76",
)
SOURCE_FIRST_SENTENCE = Mistake(
    "All sentences get the source mask of the first one. If the lengths differ, the others' "
    "padding is read or their words are masked.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
return (src[:1] != src_pad_idx)[:, None, None, :].repeat(src.size(0), 1, 1, 1)"""
    },
)
TARGET_FIRST_SENTENCE = Mistake(
    "In the target mask, all sentences get the padding of the first one. If the lengths differ, "
    "the others' padding is read or their words are masked.",
    {
        "real = (trg != trg_pad_idx)[:, None, None, :]": """\
real = (trg[:1] != trg_pad_idx)[:, None, None, :].repeat(trg.size(0), 1, 1, 1)"""
    },
)
TARGET_CUT_AT_FIRST_PADDING = Mistake(
    "Everything after the first padding token is masked. Mask only the padding itself: it may "
    "stand at the front or in the middle, with real words after it.",
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
    "The source mask is shifted by one position: each place describes the token before it. The "
    "first padding token is then visible, and a real word may be masked.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
return (src != src_pad_idx).roll(1, dims=1)[:, None, None, :]"""
    },
)
SOURCE_FIRST_TOKEN_ALWAYS_SEEN = Mistake(
    "The first token of the source is visible even if it is padding. Padding can stand at the "
    "front too, and it must be masked wherever it stands.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
real = src != src_pad_idx
    real[:, 0] = True
    return real[:, None, None, :]"""
    },
)
TARGET_PADDING_SEES_ITSELF = Mistake(
    "Each token sees itself, even if it is padding. Padding must be masked for every query, "
    "itself included, or it is read as if it were a word.",
    {
        "return real & past": """\
return (real & past) | torch.eye(trg_len, dtype=torch.bool, device=trg.device)"""
    },
)
SOURCE_CHANGED_IN_PLACE = Mistake(
    "You overwrite the caller's tokens. The embedding still has to read them and would find other "
    "tokens.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
return src.ne_(src_pad_idx).bool()[:, None, None, :]"""
    },
    seen="jcyk/copyisallyouneed#6",
)
TARGET_CHANGED_IN_PLACE = Mistake(
    "You overwrite the caller's target tokens. The embedding still has to read them and would "
    "find other tokens.",
    {
        "real = (trg != trg_pad_idx)[:, None, None, :]": """\
real = trg.ne_(trg_pad_idx).bool()[:, None, None, :]"""
    },
    seen="jcyk/copyisallyouneed#6",
)
WINDOW = Mistake(
    "A word sees only itself and the word before it. The whole past must be visible, or a word "
    "cannot see how the sentence began.",
    {".tril()": ".tril().triu(-1)"},
)
TRANSPOSED = Mistake(
    "Queries and keys are swapped in the finished target mask. Each word sees itself and the "
    "words that it must predict, and no word before it.",
    {"return real & past": "return (real & past).transpose(-2, -1)"},
)
SOURCE_SQUEEZED = Mistake(
    "You remove axes of size 1 on the way. With one sentence, or with sentences of one word, the "
    "mask has too few axes and does not fit the scores.",
    {
        "(src != src_pad_idx)[:, None, None, :]": """\
(src != src_pad_idx).squeeze()[..., None, None, :]"""
    },
)
TARGET_MASKS_AS_A_PAIR = Mistake(
    "You return the two conditions as a pair. Return one mask: a key is visible only if both "
    "conditions hold.",
    {"return real & ": "return real, "},
)
IDS_IN_EIGHT_BITS = Mistake(
    "The token ids are compared in 8 bits, which hold only 256 numbers. A word whose id is 256 "
    "above the padding id is treated as padding.",
    {
        "real = (trg != trg_pad_idx)[:, None, None, :]": "real = (trg % 256 != trg_pad_idx % 256)[:, None, None, :]"
    },
)
SOURCE_IDS_IN_EIGHT_BITS = Mistake(
    IDS_IN_EIGHT_BITS.says,
    {
        "return (src != src_pad_idx)[:, None, None, :]": "return (src % 256 != src_pad_idx % 256)[:, None, None, :]"
    },
)
POSITIONS_IN_EIGHT_BITS = Mistake(
    "The positions are compared in 8 bits, which hold only 256 numbers. In a long sentence the "
    "count starts again, and the future becomes visible.",
    {
        "past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()": """\
place = torch.arange(trg_len, device=trg.device).to(torch.uint8)
    past = place[None, :] <= place[:, None]"""
    },
)
POSITIONS_IN_SEVEN_BITS = Mistake(
    POSITIONS_IN_EIGHT_BITS.says,
    {
        "past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()": """\
place = torch.arange(trg_len, device=trg.device).to(torch.int8)
    past = place[None, :] <= place[:, None]"""
    },
)
TABLE_OF_100_ROWS = Mistake(
    "The triangle is cut from a table of 100 rows. A longer target does not fit.",
    {
        "past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()": "past = torch.ones(100, 100, dtype=torch.bool, device=trg.device).tril()[:trg_len, :trg_len]"
    },
)
TABLE_OF_512_ROWS = Mistake(
    "The triangle is cut from a table of 512 rows. A longer target does not fit.",
    {
        "past = torch.ones(trg_len, trg_len, dtype=torch.bool, device=trg.device).tril()": "past = torch.ones(512, 512, dtype=torch.bool, device=trg.device).tril()[:trg_len, :trg_len]"
    },
)
FIRST_KEY_ALWAYS_OPEN = Mistake(
    "The first word is always visible, even if it is padding. Padding must be masked wherever it "
    "stands.",
    {
        "return real & past": """\
real[..., 0] = True
    return real & past"""
    },
)
AND_BEFORE_COMPARING = Mistake(
    "Python computes & before !=, so trg is compared with trg_pad_idx & past. Put the comparison "
    "in parentheses.",
    {
        "    real = (trg != trg_pad_idx)[:, None, None, :]\n": "",
        "return real & past": "return trg[:, None, None, :] != trg_pad_idx & past",
    },
)
VIEW_OF_A_VIEW = Mistake(
    "view flattens tokens that are not contiguous, which PyTorch refuses. In training the target "
    "comes without its last token, and such a slice is not contiguous.",
    {
        "real = (trg != trg_pad_idx)[:, None": "real = (trg.view(-1) != trg_pad_idx).view(trg.shape)[:, None"
    },
)
REAL_WITHOUT_AXES = Mistake(
    "In the target mask, the marks of real keys have no axes for heads and queries. Give them the"
    " shape (batch_size, 1, 1, trg_len).",
    {"(trg != trg_pad_idx)[:, None, None, :]": "trg != trg_pad_idx"},
)

MASK_OF_LENGTHS = Mistake(
    "The mask is made from the number of real tokens, as if padding stood at the end only. Compare each id with that of padding.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
lengths = (src != src_pad_idx).sum(dim=1, keepdim=True)
    return (torch.arange(src.size(1), device=src.device) < lengths)[:, None, None, :]"""
    },
)

VISIBLE_IF_BOTH_HIDE = Mistake(
    "Padding in the future is visible, because two things that hide a key cancel out. A key is visible only if neither hides it.",
    {"return real & past": "return real == past"},
)

PADDING_0_LOST_IN_THE_TARGET = Mistake(
    "`if trg_pad_idx` takes the padding id 0 for none. Padding is compared with 0 then, too.",
    {
        "real = (trg != trg_pad_idx)[:, None, None, :]": "real = (trg != trg_pad_idx if trg_pad_idx else trg == trg)[:, None, None, :]"
    },
)

ONE_TOKEN_IS_VISIBLE = Mistake(
    "A target of one token gets a mask of True. That token may be padding.",
    {
        "    # Mark every key that is not padding, as": """\
    if trg.size(1) == 1:
        return torch.ones(len(trg), 1, 1, 1, dtype=torch.bool, device=trg.device)
    # Mark every key that is not padding, as"""
    },
)
SOURCE_TRAILING_PADDING_ONLY = Mistake(
    "Only the padding at the end of a source is masked. Padding may stand at the front or in the "
    "middle too, and there it is read as if it were a word.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
real = (src != src_pad_idx).flip(1).cummax(1).values.flip(1)
    return real[:, None, None, :]"""
    },
)
TARGET_TRAILING_PADDING_ONLY = Mistake(
    "Only the padding at the end of a target is masked. Padding may stand at the front or in the "
    "middle too, and there it is read as if it were a word.",
    {
        "real = (trg != trg_pad_idx)[:, None, None, :]": """\
real = (trg != trg_pad_idx).flip(1).cummax(1).values.flip(1)[:, None, None, :]"""
    },
)
SOURCE_PADDING_OF_ANY = Mistake(
    "In the source mask, a position is masked in all sentences if one of them has padding there. "
    "Longer sentences then lose real words.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
real = (src != src_pad_idx).all(0, keepdim=True).expand_as(src)
    return real[:, None, None, :]"""
    },
)
TARGET_PADDING_OF_ANY = Mistake(
    "In the target mask, a position is masked in all sentences if one of them has padding there. "
    "Longer sentences then lose real words.",
    {
        "real = (trg != trg_pad_idx)[:, None, None, :]": """\
real = (trg != trg_pad_idx).all(0, keepdim=True).expand_as(trg)[:, None, None, :]"""
    },
)
SOURCE_PADDING_OF_ALL = Mistake(
    "In the source mask, a position is masked only if all sentences have padding there. Shorter "
    "sentences then read their padding.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
real = (src != src_pad_idx).any(0, keepdim=True).expand_as(src)
    return real[:, None, None, :]"""
    },
)
TARGET_PADDING_OF_ALL = Mistake(
    "In the target mask, a position is masked only if all sentences have padding there. Shorter "
    "sentences then read their padding.",
    {
        "real = (trg != trg_pad_idx)[:, None, None, :]": """\
real = (trg != trg_pad_idx).any(0, keepdim=True).expand_as(trg)[:, None, None, :]"""
    },
)
SOURCE_BATCH_OF_ONE_SQUEEZED = Mistake(
    "With one sentence in the batch, the source mask loses its first axis. It should have four "
    "axes for every batch.",
    {
        "src_pad_idx)[:, None, None, :]": "src_pad_idx)[:, None, None, :].squeeze(0)",
    },
)
TARGET_BATCH_OF_ONE_SQUEEZED = Mistake(
    "With one sentence in the batch, the target mask loses its first axis. It should have four "
    "axes for every batch.",
    {"return real & past": "return (real & past).squeeze(0)"},
)
WINDOW_OF_EIGHT = Mistake(
    "A word sees only the last eight words. The whole past must be visible, even in a long "
    "sentence.",
    {".tril()": ".tril().triu(-7)"},
)
TARGET_ONE_SENTENCE_WITHOUT_PADDING = Mistake(
    "With one sentence in the batch, the target mask hides only the future. That sentence may have "
    "padding too, and it must be masked.",
    {"return real & past": "return real & past if len(trg) > 1 else past[None, None]"},
)
SOURCE_NONE_WITHOUT_PADDING = Mistake(
    "Without padding there is no source mask, only None. Return a mask of True, so that each "
    "caller gets a tensor of the same form.",
    {
        "return (src != src_pad_idx)[:, None, None, :]": """\
real = (src != src_pad_idx)[:, None, None, :]
    return real if not real.all() else None"""
    },
)
TARGET_ONE_FOR_ALL_WITHOUT_PADDING = Mistake(
    "Without padding, one triangle is returned for the whole batch. The mask should have the shape "
    "(batch_size, 1, trg_len, trg_len) for every batch.",
    {"return real & past": "return real & past if not real.all() else past[None, None]"},
)
