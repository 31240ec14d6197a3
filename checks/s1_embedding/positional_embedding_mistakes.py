"""What people get wrong in s1_embedding/positional_embedding.py."""

from checks.machine.known import Mistake

EXPONENT_DOUBLED = Mistake(
    "The counter already goes in steps of two and is doubled once more. The exponent grows "
    "twice as fast as in the paper, so the last columns hardly tell positions apart.",
    {
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
wavelength = 10000.0 ** (2 * torch.arange(0, dim_vector, 2) / dim_vector)"""
    },
    seen="intro-llm/intro-llm.github.io#34",
)
EXPONENT_HALVED = Mistake(
    "The exponent counts the pairs of columns but lacks the factor two. It grows only half as "
    "fast as in the paper, so every wave but the first is too short.",
    {
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
wavelength = 10000.0 ** (torch.arange((dim_vector + 1) // 2) / dim_vector)"""
    },
)
WAVELENGTH_PER_COLUMN_DOUBLED = Mistake(
    "Each column has its own wavelength, and the exponent is doubled as well. The sine and "
    "cosine of a pair must share one, or a shift in position is no rotation of the pair.",
    {
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
wavelength = 10000.0 ** (2 * torch.arange(dim_vector) / dim_vector)""",
        "table[:, 0::2] = torch.sin(angle)": "table[:, 0::2] = torch.sin(angle)[:, 0::2]",
        "table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]": """\
table[:, 1::2] = torch.cos(angle)[:, 1::2]""",
    },
    seen="BrianPulfer/PapersReimplementations#9, Kyubyong/transformer#38",
)
WAVELENGTH_PER_COLUMN = Mistake(
    "The sines are right, but each cosine has a longer wave than its sine. A pair must share "
    "one wavelength, or a shift in position is no rotation of the pair.",
    {
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
wavelength = 10000.0 ** (torch.arange(dim_vector) / dim_vector)""",
        "table[:, 0::2] = torch.sin(angle)": "table[:, 0::2] = torch.sin(angle)[:, 0::2]",
        "table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]": """\
table[:, 1::2] = torch.cos(angle)[:, 1::2]""",
    },
    seen="maxjcohen/transformer#62",
)
BASE_1000 = Mistake(
    "The base is one thousand, not the paper's ten thousand. Every wave but the first is too "
    "short, so the last columns repeat too soon.",
    {"10000.0 ** (torch": "1000.0 ** (torch"},
    seen="maxjcohen/transformer#62",
)
BASE_100000 = Mistake(
    "The base is a hundred thousand, not the paper's ten thousand. Every wave but the first is "
    "too long, so the last columns change too little from word to word.",
    {"10000.0 ** (torch": "100000.0 ** (torch"},
    seen="maxjcohen/transformer#62",
)
POWER_BEFORE_DIVISION = Mistake(
    "The power is taken before the division by dim_vector, so the exponents are no fractions. "
    "The waves become huge, and all columns but the first two almost stand still.",
    {
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
wavelength = 10000.0 ** torch.arange(0.0, dim_vector, 2) * dim_vector"""
    },
)
FLOOR_DIVISION_OF_ALL = Mistake(
    "A floor division rounds the whole quotient, so from pair to pair the exponent grows by a "
    "whole number. The wavelengths then hardly follow dim_vector any more.",
    {
        "import torch\n": ("import math\n\nimport torch\n"),
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
wavelength = 1 / torch.exp(torch.arange((dim_vector + 1) // 2) * (-math.log(10000.0) / dim_vector // 2))""",
    },
    seen="zju3dv/LoFTR#41",
)
BASE_AND_EXPONENT_SWAPPED = Mistake(
    "The fraction is raised to a tiny power instead of being the power itself. The first pair "
    "stands still and all others swing at nearly the same speed.",
    {
        "angle = position / wavelength  # (max_len, number of pairs)": """\
angle = position * (torch.arange(0, dim_vector, 2) / dim_vector) ** 1e-4"""
    },
    seen="ivanvovk/WaveGrad#12",
)
INTEGER_EXPONENT = Mistake(
    "The exponent is rounded down to a whole number and is always zero. All pairs swing at the "
    "same speed, so together they tell no more than the first pair.",
    {
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) // dim_vector)"""
    },
    seen="Kyubyong/transformer#81",
)
EXPONENT_NEGATIVE = Mistake(
    "The angle is the position times the wavelength, or the exponent has the wrong sign: it "
    "should be the position divided by it. Neighbouring positions then look unrelated.",
    {
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
wavelength = 10000.0 ** -(torch.arange(0, dim_vector, 2) / dim_vector)"""
    },
)
MULTIPLIED_BY_WAVELENGTH = Mistake(
    EXPONENT_NEGATIVE.says,
    {
        "angle = position / wavelength  # (max_len, number of pairs)": (
            "angle = position * wavelength"
        )
    },
)
SINE_AND_COSINE_SWAPPED = Mistake(
    "Sines and cosines have changed places: the sines belong in the even columns. Position 0 "
    "now starts with a one, where it must start with a zero.",
    {
        "table[:, 0::2] = torch.sin(angle)": "table[:, 0::2] = torch.cos(angle)",
        "table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]": """\
table[:, 1::2] = torch.sin(angle)[:, : dim_vector // 2]""",
    },
    seen="Open-Deep-ML/DML-OpenProblem#595",
)
ALL_SINES = Mistake(
    "The odd columns hold sines too, so each pair holds the same number twice. Without the "
    "cosine, a pair cannot tell a rising wave from a falling one.",
    {
        "table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]": """\
table[:, 1::2] = torch.sin(angle)[:, : dim_vector // 2]"""
    },
)
NO_COSINES = Mistake(
    "The odd columns are never filled and stay zero, so half of the width says nothing about "
    "the position.",
    {"table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]": "pass"},
)
POSITIONS_FROM_ONE = Mistake(
    "The table begins with position 1, but positions start at 0. So every row is that of the "
    "next position.",
    {
        "position = torch.arange(max_len, dtype=torch.get_default_dtype()).unsqueeze(1)": """\
position = torch.arange(1, max_len + 1, dtype=torch.get_default_dtype()).unsqueeze(1)"""
    },
)
ODD_WIDTH_CRASHES = Mistake(
    "With an odd dim_vector there is one cosine more than there are columns for it, so filling "
    "the table fails. The last sine has no cosine beside it.",
    {"torch.cos(angle)[:, : dim_vector // 2]": "torch.cos(angle)"},
    seen="codertimo/BERT-pytorch#78, thuml/Time-Series-Library#549",
)
ODD_WIDTH_REFUSED = Mistake(
    "An odd dim_vector is refused, but it has to work: the last sine simply has no cosine "
    "beside it.",
    {
        "position = torch.arange(max_len, dtype=torch.get_default_dtype()).unsqueeze(1)": """\
if dim_vector % 2:
            raise ValueError(f"dim_vector {dim_vector} is odd")
        position = torch.arange(max_len, dtype=torch.get_default_dtype()).unsqueeze(1)"""
    },
    seen="codertimo/BERT-pytorch#78, thuml/Time-Series-Library#549",
)
ODD_WIDTH_LAST_COLUMN_EMPTY = Mistake(
    "With an odd dim_vector the last column is never filled, so one feature says nothing about "
    "the position. It is a sine that only lacks its cosine.",
    {
        "table[:, 0::2] = torch.sin(angle)": """\
table[:, 0 : dim_vector // 2 * 2 : 2] = torch.sin(angle)[:, : dim_vector // 2]"""
    },
    seen="codertimo/BERT-pytorch#78, thuml/Time-Series-Library#549",
)
ODD_WIDTH_ROUNDED_UP = Mistake(
    "With an odd dim_vector the exponents are divided by the next even number, so every wave "
    "but the first is a little too short.",
    {
        "torch.arange(0, dim_vector, 2) / dim_vector)": """\
torch.arange(0, dim_vector, 2) / (dim_vector + dim_vector % 2))"""
    },
    seen="codertimo/BERT-pytorch#78, thuml/Time-Series-Library#549",
)
LENGTH_FROM_BATCH = Mistake(
    "The length is read from the wrong axis: the sentences of the batch are counted, not the "
    "words of a sentence. So the rows do not fit the words.",
    {
        "seq_length, max_len = x.size(1), self.pe.size(0)": """\
seq_length, max_len = x.size(0), self.pe.size(0)"""
    },
    seen="KasperGroesLudvigsen/influenza_transformer#9, cmu-l3/anlp-fall2025-code#1",
)
ONE_ROW = Mistake(
    "A single row comes back, that of the last position, instead of one row for each position. "
    "Added to a sentence, it gives all words the same position.",
    {"return self.pe[:seq_length]": "return self.pe[seq_length - 1]"},
    seen="DiffPoseTalk/DiffPoseTalk#20",
)
ONE_ROW_REPEATED = Mistake(
    "The row of the last position is repeated for every word. All words seem to stand at the "
    "same place, so word order is lost.",
    {
        "return self.pe[:seq_length]": """\
return self.pe[seq_length - 1].expand(seq_length, -1)"""
    },
    seen="DiffPoseTalk/DiffPoseTalk#20",
)
CUTS_COLUMNS = Mistake(
    "The table is cut along its features instead of its positions. So the rows of all "
    "positions come back, and features may be missing.",
    {"return self.pe[:seq_length]": "return self.pe[:, :seq_length]"},
)
WHOLE_TABLE = Mistake(
    "The whole table comes back, however short the sentence is. Its rows do not fit the words "
    "that they will be added to.",
    {"return self.pe[:seq_length]": "return self.pe"},
)
LAST_ROWS = Mistake(
    "The last rows of the table come back instead of the first ones. The first token of a "
    "sentence stands at position 0, whatever max_len is.",
    {"return self.pe[:seq_length]": "return self.pe[max_len - seq_length :]"},
)
ONE_ROW_TOO_FEW = Mistake(
    "One row is missing: the last token of the sentence gets no position, and the rows do not "
    "fit the words.",
    {"return self.pe[:seq_length]": "return self.pe[: seq_length - 1]"},
)
FIRST_ROW_SKIPPED = Mistake(
    "The first row of the table is skipped on the way out, so every token gets the row of the "
    "position after its own.",
    {"return self.pe[:seq_length]": "return self.pe.roll(-1, 0)[:seq_length]"},
)
TRAINABLE_TABLE = Mistake(
    "The table is a parameter that learns, so the optimiser will change it. The formula fixes "
    "the waves once and for all.",
    {'self.register_buffer("pe", table)': "self.pe = nn.Parameter(table)"},
)
FROZEN_PARAMETER = Mistake(
    "The table is a parameter that is told not to learn. It should be no parameter at all: now "
    "it is counted with the learned ones and handed to the optimiser.",
    {
        'self.register_buffer("pe", table)': """\
self.pe = nn.Parameter(table, requires_grad=False)"""
    },
)
LEARNED_POSITIONS = Mistake(
    "The positions are random numbers to be learned, not the waves of the formula. Positions "
    "that never occur in training then mean nothing.",
    {
        'self.register_buffer("pe", table)': """\
self.pe = nn.Parameter(torch.randn(max_len, dim_vector))"""
    },
)
PLAIN_ATTRIBUTE = Mistake(
    "The table is a plain attribute instead of a buffer, so it stays behind when the module is "
    "moved to another device or precision.",
    {'self.register_buffer("pe", table)': "self.pe = table"},
)
FLAG_CALLED = Mistake(
    "A flag of the table is called as if it were a function, so the constructor fails. A "
    "buffer never learns and needs no such call.",
    {
        'self.register_buffer("pe", table)': """\
self.register_buffer("pe", table.requires_grad(False))"""
    },
)
DEVICE_HARD_WIRED = Mistake(
    "The rows are always handed out on the CPU, so on any other device they cannot be added to "
    "the words.",
    {"return self.pe[:seq_length]": "return self.pe[:seq_length].cpu()"},
)
NEEDS_A_GPU = Mistake(
    "The table is put on a GPU in the constructor, so the module cannot even be built on a "
    "computer without one.",
    {'self.register_buffer("pe", table)': 'self.register_buffer("pe", table.cuda())'},
)
BATCH_AXIS_SECOND = Mistake(
    "An axis of size one sits between positions and features. When the rows are added to the "
    "words, positions then line up with sentences instead of words.",
    {"return self.pe[:seq_length]": "return self.pe[:seq_length].unsqueeze(1)"},
    seen="NeuracoreAI/neuracore#154",
)
BATCH_AXIS_FIRST = Mistake(
    "The rows come with an extra axis in front. Only two axes are asked for, positions and "
    "features: the addition in step 1.3 spreads them over the batch.",
    {"return self.pe[:seq_length]": "return self.pe[:seq_length].unsqueeze(0)"},
)
REPEATED_FOR_THE_BATCH = Mistake(
    "The rows are repeated for every sentence. Only two axes are asked for, positions and "
    "features, because all sentences share the same rows.",
    {
        "return self.pe[:seq_length]": """\
return self.pe[:seq_length].expand(x.size(0), -1, -1)"""
    },
)
LOOKED_UP_BY_TOKEN = Mistake(
    "The row is chosen by which token it is, not by where it stands. The same word gets the "
    "same row everywhere, so word order is lost.",
    {"return self.pe[:seq_length]": "return self.pe[x % max_len]"},
)
TOO_LONG_ACCEPTED = Mistake(
    "A sentence longer than max_len is not refused: no error is raised. What the caller gets "
    "instead is of no use, and the fault shows much later or never.",
    {
        """\
        if seq_length > max_len:
            raise ValueError(f"the sentence has {seq_length} tokens, but max_len is {max_len}")
""": ""
    },
    seen="bentrevett/pytorch-seq2seq#89",
)
TOO_LONG_CLAMPED = Mistake(
    TOO_LONG_ACCEPTED.says,
    {
        """\
        if seq_length > max_len:
            raise ValueError(f"the sentence has {seq_length} tokens, but max_len is {max_len}")
""": "",
        "return self.pe[:seq_length]": """\
return self.pe[torch.arange(seq_length).clamp(max=max_len - 1)]""",
    },
    seen="bentrevett/pytorch-seq2seq#89",
)
FULL_LENGTH_REFUSED = Mistake(
    "A sentence of exactly max_len tokens is refused, although the table has a row for each of "
    "them.",
    {"if seq_length > max_len:": "if seq_length >= max_len:"},
)
LIMIT_ONE_TOO_LATE = Mistake(
    "A sentence one token longer than max_len is let through, although the table has no row "
    "for its last token.",
    {"if seq_length > max_len:": "if seq_length > max_len + 1:"},
)
LIMIT_IS_THE_WIDTH = Mistake(
    "The length is compared with dim_vector instead of max_len. So good sentences are refused, "
    "or sentences that are too long get through.",
    {"self.pe.size(0)": "self.pe.size(1)"},
)
WRONG_ERROR_TYPE = Mistake(
    "A sentence that is too long raises another kind of error than the promised ValueError, so "
    "a caller that waits for a ValueError misses it.",
    {'raise ValueError(f"the sentence': 'raise IndexError(f"the sentence'},
)
ASSERT_FOR_RAISE = Mistake(
    "The length is checked by an assertion. That raises another kind of error than ValueError, "
    "and it vanishes when Python runs optimised.",
    {
        """\
if seq_length > max_len:
            raise ValueError(f"the sentence has {seq_length} tokens, but max_len is {max_len}")""": """\
assert seq_length <= max_len, f"{seq_length} tokens, max_len {max_len}\""""
    },
)
ERROR_WITHOUT_NUMBERS = Mistake(
    "The error names neither of the two lengths, so the reader cannot see how far the sentence "
    "is over the limit.",
    {
        'raise ValueError(f"the sentence has {seq_length} tokens, but max_len is {max_len}")': """\
raise ValueError("the sentence is too long")"""
    },
)
ERROR_WITH_ONE_NUMBER = Mistake(
    "The error names max_len but not the length of the sentence, so the reader cannot see how "
    "much is too much.",
    {
        'raise ValueError(f"the sentence has {seq_length} tokens, but max_len is {max_len}")': """\
raise ValueError(f"the sentence has more than {max_len} tokens")"""
    },
)
ONLY_PRINTS = Mistake(
    TOO_LONG_ACCEPTED.says,
    {
        'raise ValueError(f"the sentence has {seq_length} tokens, but max_len is {max_len}")': """\
print(f"{seq_length} tokens, but max_len is {max_len}")"""
    },
)
TABLE_ONE_LONGER = Mistake(
    "The table has one row more than max_len, so a sentence that is one token too long gets "
    "through.",
    {
        "position = torch.arange(max_len, dtype=torch.get_default_dtype()).unsqueeze(1)": """\
max_len = max_len + 1
        position = torch.arange(max_len, dtype=torch.get_default_dtype()).unsqueeze(1)"""
    },
)
TABLE_ONE_SHORTER = Mistake(
    "The table has one row fewer than max_len, so the longest allowed sentence is refused.",
    {
        "position = torch.arange(max_len, dtype=torch.get_default_dtype()).unsqueeze(1)": """\
max_len = max_len - 1
        position = torch.arange(max_len, dtype=torch.get_default_dtype()).unsqueeze(1)"""
    },
)
DEGREES = Mistake(
    "The angles are taken as degrees, but the formula means radians. The waves are about 57 "
    "times too long, so neighbouring positions look nearly alike.",
    {
        "angle = position / wavelength  # (max_len, number of pairs)": """\
angle = torch.deg2rad(position / wavelength)"""
    },
)
HALVES = Mistake(
    "All sines come first and all cosines after them. In the formula they take turns, column "
    "by column, so here the columns are in the wrong order.",
    {
        "table[:, 0::2] = torch.sin(angle)": """\
table[:, : (dim_vector + 1) // 2] = torch.sin(angle)""",
        "table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]": """\
table[:, (dim_vector + 1) // 2 :] = torch.cos(angle)[:, : dim_vector // 2]""",
    },
)
ENDS_AT_THE_BASE = Mistake(
    "The exponents run up to exactly 1, because they are divided by the number of pairs less "
    "one. In the paper they stay below 1, so here every wave but the first is too long.",
    {
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
pairs = (dim_vector + 1) // 2
        wavelength = 10000.0 ** (torch.arange(pairs) / max(pairs - 1, 1))"""
    },
)
POSITIONS_AS_FRACTIONS = Mistake(
    "Positions are divided by max_len first. So the waves hardly change from word to word, and "
    "the same position gets another row when max_len changes.",
    {
        "angle = position / wavelength  # (max_len, number of pairs)": (
            "angle = position / max_len / wavelength"
        )
    },
)
MAX_LEN_AS_BASE = Mistake(
    "The base is max_len instead of the paper's ten thousand, so the same position gets "
    "another row when max_len changes.",
    {"10000.0 ** (torch": "float(max_len) ** (torch"},
)
WAVES_REVERSED = Mistake(
    "The wavelengths run from long to short across the columns. The first pair must have the "
    "shortest wave, so here the pairs are in reverse order.",
    {
        "angle = position / wavelength  # (max_len, number of pairs)": (
            "angle = position / wavelength.flip(0)"
        )
    },
)
TWO_PI = Mistake(
    "The angle is multiplied by two pi, so every wave is too short. The first pair even makes "
    "a full turn at each step and is the same at all positions.",
    {
        "import torch\n": ("import math\n\nimport torch\n"),
        "angle = position / wavelength  # (max_len, number of pairs)": """\
angle = 2 * math.pi * position / wavelength""",
    },
)
SCALED_DOWN = Mistake(
    "The waves are divided by the root of dim_vector. They must reach from -1 to 1, or the "
    "positions are too weak beside the words.",
    {
        'self.register_buffer("pe", table)': """\
self.register_buffer("pe", table / dim_vector**0.5)"""
    },
)
TABLE_ALWAYS_DOUBLE = Mistake(
    "The table is kept in double precision, whatever PyTorch's default is. What it is added to "
    "becomes double too, and the next layer refuses it.",
    {'self.register_buffer("pe", table)': 'self.register_buffer("pe", table.double())'},
)
TABLE_ALWAYS_FLOAT32 = Mistake(
    "The table is kept in single precision, even where PyTorch's default is another. With "
    "double as the default, digits of the positions are lost.",
    {'self.register_buffer("pe", table)': 'self.register_buffer("pe", table.float())'},
)
ROWS_ALWAYS_FLOAT32 = Mistake(
    "The rows are handed out in single precision even when the module is double, so digits of "
    "the positions are lost.",
    {"return self.pe[:seq_length]": "return self.pe[:seq_length].float()"},
)
ROWS_AS_INTEGERS = Mistake(
    "The rows are turned into the type of the token ids, which are whole numbers. Nearly all "
    "values become 0, so the positions are lost.",
    {"return self.pe[:seq_length]": "return self.pe[:seq_length].to(x.dtype)"},
)
SIGN_OF_COSINE = Mistake(
    "The cosines have the wrong sign, so the odd columns are upside down. Position 0 has -1 "
    "there, where it must have 1.",
    {"torch.cos(angle)[": "-torch.cos(angle)["},
)
OVERWRITES_THE_TABLE = Mistake(
    "Every call changes the table itself, so the same sentence gets other positions at the "
    "next call.",
    {"return self.pe[:seq_length]": "return self.pe[:seq_length].mul_(0.5)"},
    seen="jcyk/copyisallyouneed#6",
)
SQUEEZED = Mistake(
    "Axes of size one are thrown away, so for a sentence of one word a bare vector comes out "
    "instead of a table with one row.",
    {"return self.pe[:seq_length]": "return self.pe[:seq_length].squeeze()"},
)
POWER_BEFORE_DIVISION_TENSOR = Mistake(
    POWER_BEFORE_DIVISION.says,
    {
        "10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
10000.0 ** torch.arange(0, dim_vector, 2) / dim_vector"""
    },
)
LOGARITHM_TO_BASE_TEN = Mistake(
    "The wavelengths use a logarithm to base ten where the exponential needs the natural one. "
    "So all waves but the first are too short.",
    {
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
wavelength = torch.exp(torch.arange(0, dim_vector, 2) * (4.0 / dim_vector))"""
    },
)
ROWS_OF_THE_BATCH = Mistake(
    "The answer has as many rows as the batch has sentences: the batch axis was measured "
    "instead of the length. Each token needs its row.",
    {"return self.pe[:seq_length]": "return self.pe[: x.size(0)]"},
)
AXIS_IN_BETWEEN = Mistake(
    "The table has an axis of size one between positions and features, a leftover of models "
    "with the sentence first. It then lines up with the wrong axis.",
    {
        'self.register_buffer("pe", table)': """\
self.register_buffer("pe", table.unsqueeze(1))"""
    },
)
WHOLE_NUMBERS = Mistake(
    "The table takes the integer type of the positions, so every wave is cut to whole numbers "
    "and nearly all positions look alike.",
    {
        "table = torch.zeros(max_len, dim_vector)": """\
table = torch.zeros(max_len, dim_vector, dtype=torch.int64)"""
    },
)
