"""What people get wrong in s1_embedding/positional_embedding.py."""

from checks.machine.known import Mistake

EXPONENT_DOUBLED = Mistake(
    "The counter already goes in steps of two and is doubled once more, so the waves grow "
    "longer twice as fast as in the paper.",
    {
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
wavelength = 10000.0 ** (2 * torch.arange(0, dim_vector, 2) / dim_vector)"""
    },
    seen="intro-llm/intro-llm.github.io#34",
)
EXPONENT_HALVED = Mistake(
    "The exponent counts the pairs but misses the factor two, so the waves grow longer only "
    "half as fast as in the paper.",
    {
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
wavelength = 10000.0 ** (torch.arange((dim_vector + 1) // 2) / dim_vector)"""
    },
)
WAVELENGTH_PER_COLUMN_DOUBLED = Mistake(
    "Every column has a wavelength of its own. The sine and the cosine of a pair must share "
    "one, or a shift by a few positions is no rotation.",
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
    "The cosines have wavelengths a little longer than their sines. A pair must share one.",
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
    "The base is one thousand, not the paper's ten thousand, so every wave but the first is "
    "too short.",
    {"10000.0 ** (torch": "1000.0 ** (torch"},
    seen="maxjcohen/transformer#62",
)
BASE_100000 = Mistake(
    "The base is a hundred thousand, not the paper's ten thousand, so every wave but the first "
    "is too long.",
    {"10000.0 ** (torch": "100000.0 ** (torch"},
    seen="maxjcohen/transformer#62",
)
POWER_BEFORE_DIVISION = Mistake(
    "The power is taken before the division by the width, so the exponent is no fraction and "
    "nearly all columns stand still.",
    {
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
wavelength = 10000.0 ** torch.arange(0.0, dim_vector, 2) * dim_vector"""
    },
)
FLOOR_DIVISION_OF_ALL = Mistake(
    "A floor division applies to the whole quotient, which turns the smooth range of "
    "wavelengths into a few round steps.",
    {
        "import torch\n": ("import math\n\nimport torch\n"),
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
wavelength = 1 / torch.exp(torch.arange((dim_vector + 1) // 2) * (-math.log(10000.0) / dim_vector // 2))""",
    },
    seen="zju3dv/LoFTR#41",
)
BASE_AND_EXPONENT_SWAPPED = Mistake(
    "The fraction is raised to a tiny power instead of being the power, so all columns swing "
    "at nearly the same speed.",
    {
        "angle = position / wavelength  # (max_len, number of pairs)": """\
angle = position * (torch.arange(0, dim_vector, 2) / dim_vector) ** 1e-4"""
    },
    seen="ivanvovk/WaveGrad#12",
)
INTEGER_EXPONENT = Mistake(
    "The exponent is divided as an integer and is always zero, so all columns swing at the "
    "same speed.",
    {
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) // dim_vector)"""
    },
    seen="Kyubyong/transformer#81",
)
EXPONENT_NEGATIVE = Mistake(
    "The sign of the exponent is wrong: the waves get shorter across the columns instead of "
    "longer, and neighbours look unrelated.",
    {
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
wavelength = 10000.0 ** -(torch.arange(0, dim_vector, 2) / dim_vector)"""
    },
)
MULTIPLIED_BY_WAVELENGTH = Mistake(
    "The position is multiplied by the wavelength instead of divided by it.",
    {
        "angle = position / wavelength  # (max_len, number of pairs)": (
            "angle = position * wavelength"
        )
    },
)
SINE_AND_COSINE_SWAPPED = Mistake(
    "Sines and cosines have changed places: even columns are sines, so position 0 starts with "
    "a zero.",
    {
        "table[:, 0::2] = torch.sin(angle)": "table[:, 0::2] = torch.cos(angle)",
        "table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]": """\
table[:, 1::2] = torch.sin(angle)[:, : dim_vector // 2]""",
    },
    seen="Open-Deep-ML/DML-OpenProblem#595",
)
ALL_SINES = Mistake(
    "All columns are sines. Half of them must be cosines, or two positions can look alike.",
    {
        "table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]": """\
table[:, 1::2] = torch.sin(angle)[:, : dim_vector // 2]"""
    },
)
NO_COSINES = Mistake(
    "The odd columns are never filled and stay zero.",
    {"table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]": "pass"},
)
POSITIONS_FROM_ONE = Mistake(
    "The first token counts as position 1; positions start at 0.",
    {
        "position = torch.arange(max_len, dtype=torch.get_default_dtype()).unsqueeze(1)": """\
position = torch.arange(1, max_len + 1, dtype=torch.get_default_dtype()).unsqueeze(1)"""
    },
)
ODD_WIDTH_CRASHES = Mistake(
    "With an odd width there is one cosine too many for the table, and the constructor fails.",
    {"torch.cos(angle)[:, : dim_vector // 2]": "torch.cos(angle)"},
    seen="codertimo/BERT-pytorch#78, thuml/Time-Series-Library#549",
)
ODD_WIDTH_REFUSED = Mistake(
    "An odd width is refused, but it has to work: the last sine simply has no cosine beside it.",
    {
        "position = torch.arange(max_len, dtype=torch.get_default_dtype()).unsqueeze(1)": """\
if dim_vector % 2:
            raise ValueError(f"dim_vector {dim_vector} is odd")
        position = torch.arange(max_len, dtype=torch.get_default_dtype()).unsqueeze(1)"""
    },
    seen="codertimo/BERT-pytorch#78, thuml/Time-Series-Library#549",
)
ODD_WIDTH_LAST_COLUMN_EMPTY = Mistake(
    "With an odd width the last column stays zero. It is a sine without a cosine.",
    {
        "table[:, 0::2] = torch.sin(angle)": """\
table[:, 0 : dim_vector // 2 * 2 : 2] = torch.sin(angle)[:, : dim_vector // 2]"""
    },
    seen="codertimo/BERT-pytorch#78, thuml/Time-Series-Library#549",
)
ODD_WIDTH_ROUNDED_UP = Mistake(
    "With an odd width the exponents are divided by the next even number, so every wave but "
    "the first is a little off.",
    {
        "torch.arange(0, dim_vector, 2) / dim_vector)": """\
torch.arange(0, dim_vector, 2) / (dim_vector + dim_vector % 2))"""
    },
    seen="codertimo/BERT-pytorch#78, thuml/Time-Series-Library#549",
)
LENGTH_FROM_BATCH = Mistake(
    "The sentences of the batch are counted instead of the words of a sentence.",
    {
        "seq_length, max_len = x.size(1), self.pe.size(0)": """\
seq_length, max_len = x.size(0), self.pe.size(0)"""
    },
    seen="KasperGroesLudvigsen/influenza_transformer#9, cmu-l3/anlp-fall2025-code#1",
)
ONE_ROW = Mistake(
    "A single position comes back instead of one row for each position.",
    {"return self.pe[:seq_length]": "return self.pe[seq_length - 1]"},
    seen="DiffPoseTalk/DiffPoseTalk#20",
)
ONE_ROW_REPEATED = Mistake(
    "Every word gets the same position, the last one, so word order is invisible.",
    {
        "return self.pe[:seq_length]": """\
return self.pe[seq_length - 1].expand(seq_length, -1)"""
    },
    seen="DiffPoseTalk/DiffPoseTalk#20",
)
CUTS_COLUMNS = Mistake(
    "The features were cut instead of the positions: the first axis of the table is the position.",
    {"return self.pe[:seq_length]": "return self.pe[:, :seq_length]"},
)
WHOLE_TABLE = Mistake(
    "The whole table comes back, however short the sentence is.",
    {"return self.pe[:seq_length]": "return self.pe"},
)
LAST_ROWS = Mistake(
    "The last rows of the table are returned. The first token of a sentence stands at position "
    "0, however long the table is.",
    {"return self.pe[:seq_length]": "return self.pe[max_len - seq_length :]"},
)
ONE_ROW_TOO_FEW = Mistake(
    "The last token of the sentence gets no position.",
    {"return self.pe[:seq_length]": "return self.pe[: seq_length - 1]"},
)
FIRST_ROW_SKIPPED = Mistake(
    "The first row is skipped, so every token stands one position too late.",
    {"return self.pe[:seq_length]": "return self.pe.roll(-1, 0)[:seq_length]"},
)
TRAINABLE_TABLE = Mistake(
    "The table is a parameter: the optimiser will change it, but it is fixed by the formula.",
    {'self.register_buffer("pe", table)': "self.pe = nn.Parameter(table)"},
)
FROZEN_PARAMETER = Mistake(
    "The table is a parameter that is told not to learn. It is not a parameter at all: it is "
    "counted, and handed to the optimiser, with the learned ones.",
    {
        'self.register_buffer("pe", table)': """\
self.pe = nn.Parameter(table, requires_grad=False)"""
    },
)
LEARNED_POSITIONS = Mistake(
    "The positions are random numbers to be learned, not the waves of the formula.",
    {
        'self.register_buffer("pe", table)': """\
self.pe = nn.Parameter(torch.randn(max_len, dim_vector))"""
    },
)
PLAIN_ATTRIBUTE = Mistake(
    "The table is a plain attribute, so it stays behind when the module is moved to another "
    "device or precision.",
    {'self.register_buffer("pe", table)': "self.pe = table"},
)
FLAG_CALLED = Mistake(
    "A flag is called as if it were a function, so the constructor fails. A buffer needs no "
    "such call.",
    {
        'self.register_buffer("pe", table)': """\
self.register_buffer("pe", table.requires_grad(False))"""
    },
)
DEVICE_HARD_WIRED = Mistake(
    "The rows are always handed out on the CPU, so the model breaks wherever else it runs.",
    {"return self.pe[:seq_length]": "return self.pe[:seq_length].cpu()"},
)
NEEDS_A_GPU = Mistake(
    "The table is put on a GPU in the constructor, so nothing works on a computer without one.",
    {'self.register_buffer("pe", table)': 'self.register_buffer("pe", table.cuda())'},
)
BATCH_AXIS_SECOND = Mistake(
    "An axis of size one sits between positions and features, so positions will line up with "
    "sentences instead of words.",
    {"return self.pe[:seq_length]": "return self.pe[:seq_length].unsqueeze(1)"},
    seen="NeuracoreAI/neuracore#154",
)
BATCH_AXIS_FIRST = Mistake(
    "The rows come with an axis too many in front; two axes are asked for, positions and features.",
    {"return self.pe[:seq_length]": "return self.pe[:seq_length].unsqueeze(0)"},
)
REPEATED_FOR_THE_BATCH = Mistake(
    "The rows are repeated for every sentence; two axes are asked for, positions and features.",
    {
        "return self.pe[:seq_length]": """\
return self.pe[:seq_length].expand(x.size(0), -1, -1)"""
    },
)
LOOKED_UP_BY_TOKEN = Mistake(
    "The row is chosen by which token it is, not by where it stands.",
    {"return self.pe[:seq_length]": "return self.pe[x % max_len]"},
)
TOO_LONG_ACCEPTED = Mistake(
    "A sentence longer than the table is not refused. It gets too few rows, or wrong ones, and "
    "the fault shows only much later.",
    {
        """\
        if seq_length > max_len:
            raise ValueError(f"the sentence has {seq_length} tokens, but max_len is {max_len}")
""": ""
    },
    seen="bentrevett/pytorch-seq2seq#89",
)
TOO_LONG_CLAMPED = Mistake(
    "A sentence longer than the table is not refused. It gets too few rows, or wrong ones, and "
    "the fault shows only much later.",
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
    "A sentence one token too long is let through.",
    {"if seq_length > max_len:": "if seq_length > max_len + 1:"},
)
LIMIT_IS_THE_WIDTH = Mistake(
    "The length is compared with the width of the table instead of its number of positions.",
    {"self.pe.size(0)": "self.pe.size(1)"},
)
WRONG_ERROR_TYPE = Mistake(
    "A sentence that is too long raises another kind of error than the promised ValueError.",
    {'raise ValueError(f"the sentence': 'raise IndexError(f"the sentence'},
)
ASSERT_FOR_RAISE = Mistake(
    "The length is checked by an assertion: that is another kind of error, and it vanishes "
    "when Python runs optimised.",
    {
        """\
if seq_length > max_len:
            raise ValueError(f"the sentence has {seq_length} tokens, but max_len is {max_len}")""": """\
assert seq_length <= max_len, f"{seq_length} tokens, max_len {max_len}\""""
    },
)
ERROR_WITHOUT_NUMBERS = Mistake(
    "The error names neither of the two lengths, so the reader cannot see how far off the "
    "sentence is.",
    {
        'raise ValueError(f"the sentence has {seq_length} tokens, but max_len is {max_len}")': """\
raise ValueError("the sentence is too long")"""
    },
)
ERROR_WITH_ONE_NUMBER = Mistake(
    "The error names the limit but not the length of the sentence.",
    {
        'raise ValueError(f"the sentence has {seq_length} tokens, but max_len is {max_len}")': """\
raise ValueError(f"the sentence has more than {max_len} tokens")"""
    },
)
ONLY_PRINTS = Mistake(
    "A sentence longer than the table is not refused. It gets too few rows, or wrong ones, and "
    "the fault shows only much later.",
    {
        'raise ValueError(f"the sentence has {seq_length} tokens, but max_len is {max_len}")': """\
print(f"{seq_length} tokens, but max_len is {max_len}")"""
    },
)
TABLE_ONE_LONGER = Mistake(
    "The table has one row more than max_len, so a sentence that is too long passes.",
    {
        "position = torch.arange(max_len, dtype=torch.get_default_dtype()).unsqueeze(1)": """\
max_len = max_len + 1
        position = torch.arange(max_len, dtype=torch.get_default_dtype()).unsqueeze(1)"""
    },
)
TABLE_ONE_SHORTER = Mistake(
    "The table has one row less than max_len, so the longest allowed sentence is refused.",
    {
        "position = torch.arange(max_len, dtype=torch.get_default_dtype()).unsqueeze(1)": """\
max_len = max_len - 1
        position = torch.arange(max_len, dtype=torch.get_default_dtype()).unsqueeze(1)"""
    },
)
DEGREES = Mistake(
    "The angles are taken as degrees, so the waves are far too long.",
    {
        "angle = position / wavelength  # (max_len, number of pairs)": """\
angle = torch.deg2rad(position / wavelength)"""
    },
)
HALVES = Mistake(
    "All sines come first and all cosines after them; here they take turns, column by column.",
    {
        "table[:, 0::2] = torch.sin(angle)": """\
table[:, : (dim_vector + 1) // 2] = torch.sin(angle)""",
        "table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]": """\
table[:, (dim_vector + 1) // 2 :] = torch.cos(angle)[:, : dim_vector // 2]""",
    },
)
ENDS_AT_THE_BASE = Mistake(
    "The exponents run up to exactly 1 because they are divided by the number of pairs less "
    "one; in the paper the last one stays below 1.",
    {
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
pairs = (dim_vector + 1) // 2
        wavelength = 10000.0 ** (torch.arange(pairs) / max(pairs - 1, 1))"""
    },
)
POSITIONS_AS_FRACTIONS = Mistake(
    "Positions are divided by the length of the table, so the first columns hardly change from "
    "word to word.",
    {
        "angle = position / wavelength  # (max_len, number of pairs)": (
            "angle = position / max_len / wavelength"
        )
    },
)
MAX_LEN_AS_BASE = Mistake(
    "The waves are scaled by the length of the table; the paper's constant is ten thousand "
    "whatever max_len is.",
    {"10000.0 ** (torch": "float(max_len) ** (torch"},
)
WAVES_REVERSED = Mistake(
    "The wavelengths run from long to short; the first pair has the shortest.",
    {
        "angle = position / wavelength  # (max_len, number of pairs)": (
            "angle = position / wavelength.flip(0)"
        )
    },
)
TWO_PI = Mistake(
    "The angle is multiplied by two pi. In the formula the position is divided by the power of "
    "ten thousand, and nothing else.",
    {
        "import torch\n": ("import math\n\nimport torch\n"),
        "angle = position / wavelength  # (max_len, number of pairs)": """\
angle = 2 * math.pi * position / wavelength""",
    },
)
SCALED_DOWN = Mistake(
    "The waves are divided by the root of the width. They reach from -1 to 1.",
    {
        'self.register_buffer("pe", table)': """\
self.register_buffer("pe", table / dim_vector**0.5)"""
    },
)
TABLE_ALWAYS_DOUBLE = Mistake(
    "The table is kept in double precision whatever PyTorch's default is, and everything that "
    "is added to it becomes double.",
    {'self.register_buffer("pe", table)': 'self.register_buffer("pe", table.double())'},
)
TABLE_ALWAYS_FLOAT32 = Mistake(
    "The table is forced to single precision, even where PyTorch's default is another.",
    {'self.register_buffer("pe", table)': 'self.register_buffer("pe", table.float())'},
)
ROWS_ALWAYS_FLOAT32 = Mistake(
    "The rows are handed out in single precision even when the module is double.",
    {"return self.pe[:seq_length]": "return self.pe[:seq_length].float()"},
)
ROWS_AS_INTEGERS = Mistake(
    "The rows are converted to the type of the token ids, so all waves are rounded to whole "
    "numbers.",
    {"return self.pe[:seq_length]": "return self.pe[:seq_length].to(x.dtype)"},
)
SIGN_OF_COSINE = Mistake(
    "The cosines have the wrong sign: position 0 has ones in the odd columns.",
    {"torch.cos(angle)[": "-torch.cos(angle)["},
)
OVERWRITES_THE_TABLE = Mistake(
    "Every call changes the table itself, so the second call no longer gives the same positions.",
    {"return self.pe[:seq_length]": "return self.pe[:seq_length].mul_(0.5)"},
    seen="jcyk/copyisallyouneed#6",
)
SQUEEZED = Mistake(
    "Axes of size one are thrown away, so a batch of one sentence, or a sentence of one word, "
    "comes out with too few axes.",
    {"return self.pe[:seq_length]": "return self.pe[:seq_length].squeeze()"},
)
