"""What people get wrong in s1_embedding/positional_embedding.py."""

from checks.engine.known import Mistake

EXPONENT_DOUBLED = Mistake(
    "The counter already goes in steps of two, and it is doubled once more. The exponent grows "
    "twice as fast as in the paper, so the last columns hardly change from position to position.",
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
    "Each column has its own wavelength, and the exponent is doubled as well. The sine and cosine "
    "of a pair need the same wavelength, so that a shift in position rotates the pair.",
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
    "The sines are right, but each cosine has a longer wave than its sine. Both need the same "
    "wavelength, so that a shift in position rotates the pair.",
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
    "The power is taken before the division by dim_vector, so the exponents are whole numbers. "
    "The waves become very long, and all columns but the first two hardly change.",
    {
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
wavelength = 10000.0 ** torch.arange(0.0, dim_vector, 2) * dim_vector"""
    },
)
FLOOR_DIVISION_OF_ALL = Mistake(
    "A floor division rounds the whole quotient, so the exponent grows by a whole number from "
    "pair to pair. The wavelengths then hardly depend on dim_vector.",
    {
        "import torch\n": ("import math\n\nimport torch\n"),
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
wavelength = 1 / torch.exp(torch.arange((dim_vector + 1) // 2) * (-math.log(10000.0) / dim_vector // 2))""",
    },
    seen="zju3dv/LoFTR#41",
)
BASE_AND_EXPONENT_SWAPPED = Mistake(
    "The fraction is raised to a tiny power, but it should be the exponent itself. The first pair "
    "never changes, and all others have nearly the same wavelength.",
    {
        "angle = position / wavelength  # (max_len, number of pairs)": """\
angle = position * (torch.arange(0, dim_vector, 2) / dim_vector) ** 1e-4"""
    },
    seen="ivanvovk/WaveGrad#12",
)
INTEGER_EXPONENT = Mistake(
    "The exponent is rounded down to a whole number and is always zero. All pairs then have the "
    "same wavelength: each repeats the first pair.",
    {
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) // dim_vector)"""
    },
    seen="Kyubyong/transformer#81",
)
EXPONENT_NEGATIVE = Mistake(
    "The position is multiplied by the wavelength instead of divided by it, or the exponent has "
    "the wrong sign. Neighbouring positions then look unrelated.",
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
    "Sines and cosines are swapped, but the sines belong in the even columns. Position 0 now "
    "starts with 1, where it must start with 0.",
    {
        "table[:, 0::2] = torch.sin(angle)": "table[:, 0::2] = torch.cos(angle)",
        "table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]": """\
table[:, 1::2] = torch.sin(angle)[:, : dim_vector // 2]""",
    },
    seen="Open-Deep-ML/DML-OpenProblem#595",
)
ALL_SINES = Mistake(
    "The odd columns hold sines too, so each pair holds the same value twice. Without the cosine, "
    "a pair cannot show whether its wave rises or falls.",
    {
        "table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]": """\
table[:, 1::2] = torch.sin(angle)[:, : dim_vector // 2]"""
    },
)
NO_COSINES = Mistake(
    "The odd columns are never filled and stay zero, so half of the features say nothing about "
    "the position.",
    {"table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]": "pass"},
)
POSITIONS_FROM_ONE = Mistake(
    "The table begins with position 1, but positions start at 0. So every row belongs to the next "
    "position.",
    {
        "position = torch.arange(max_len).unsqueeze(1)": """\
position = torch.arange(1, max_len + 1).unsqueeze(1)"""
    },
)
ODD_WIDTH_CRASHES = Mistake(
    "If dim_vector is odd, there is one column fewer for cosines than for sines, so filling the "
    "table fails. The last sine has no cosine beside it.",
    {"torch.cos(angle)[:, : dim_vector // 2]": "torch.cos(angle)"},
    seen="codertimo/BERT-pytorch#78, thuml/Time-Series-Library#549",
)
ODD_WIDTH_REFUSED = Mistake(
    "An odd dim_vector is refused, but it must work. The last sine then simply has no cosine "
    "beside it.",
    {
        "position = torch.arange(max_len).unsqueeze(1)": """\
if dim_vector % 2:
            raise ValueError(f"dim_vector {dim_vector} is odd")
        position = torch.arange(max_len).unsqueeze(1)"""
    },
    seen="codertimo/BERT-pytorch#78, thuml/Time-Series-Library#549",
)
ODD_WIDTH_LAST_COLUMN_EMPTY = Mistake(
    "If dim_vector is odd, the last column is never filled, so one feature says nothing about the "
    "position. It should hold a sine, which has no cosine beside it.",
    {
        "table[:, 0::2] = torch.sin(angle)": """\
table[:, 0 : dim_vector // 2 * 2 : 2] = torch.sin(angle)[:, : dim_vector // 2]"""
    },
    seen="codertimo/BERT-pytorch#78, thuml/Time-Series-Library#549",
)
ODD_WIDTH_ROUNDED_UP = Mistake(
    "If dim_vector is odd, the exponents are divided by the next even number. Every wave but the "
    "first is then a little too short.",
    {
        "torch.arange(0, dim_vector, 2) / dim_vector)": """\
torch.arange(0, dim_vector, 2) / (dim_vector + dim_vector % 2))"""
    },
    seen="codertimo/BERT-pytorch#78, thuml/Time-Series-Library#549",
)
LENGTH_FROM_BATCH = Mistake(
    "The length is read from the wrong axis: it is the number of sentences, not the number of "
    "words in a sentence. So the rows do not fit the words.",
    {
        "seq_length, max_len = x.size(1), self.pe.size(0)": """\
seq_length, max_len = x.size(0), self.pe.size(0)"""
    },
    seen="KasperGroesLudvigsen/influenza_transformer#9, cmu-l3/anlp-fall2025-code#1",
)
ONE_ROW = Mistake(
    "Only the row of the last position is returned, instead of one row for each position. Added "
    "to a sentence, it gives all words the same position.",
    {"return self.pe[:seq_length]": "return self.pe[seq_length - 1]"},
    seen="DiffPoseTalk/DiffPoseTalk#20",
)
ONE_ROW_REPEATED = Mistake(
    "The row of the last position is repeated for every word. All words get the same position, so "
    "word order is lost.",
    {
        "return self.pe[:seq_length]": """\
return self.pe[seq_length - 1].expand(seq_length, -1)"""
    },
    seen="DiffPoseTalk/DiffPoseTalk#20",
)
CUTS_COLUMNS = Mistake(
    "The table is cut along its features instead of its positions. So the rows of all positions "
    "are returned, and features may be missing.",
    {"return self.pe[:seq_length]": "return self.pe[:, :seq_length]"},
)
WHOLE_TABLE = Mistake(
    "The whole table is returned, even for a short sentence. Its rows do not fit the words that "
    "they are added to.",
    {"return self.pe[:seq_length]": "return self.pe"},
)
LAST_ROWS = Mistake(
    "The last rows of the table are returned instead of the first ones. The first token of a "
    "sentence must get position 0 for every max_len.",
    {"return self.pe[:seq_length]": "return self.pe[max_len - seq_length :]"},
)
ONE_ROW_TOO_FEW = Mistake(
    "One row is missing, so the last token of the sentence gets no position. The rows do not fit "
    "the words.",
    {"return self.pe[:seq_length]": "return self.pe[: seq_length - 1]"},
)
FIRST_ROW_SKIPPED = Mistake(
    "The first row of the table is skipped, so every token gets the row of the next position.",
    {"return self.pe[:seq_length]": "return self.pe.roll(-1, 0)[:seq_length]"},
)
TRAINABLE_TABLE = Mistake(
    "The table is a parameter that learns, so the optimiser will change it. The formula gives the "
    "waves, and they must stay fixed.",
    {'self.register_buffer("pe", table)': "self.pe = nn.Parameter(table)"},
)
FROZEN_PARAMETER = Mistake(
    "The table is a frozen parameter, but it should not be a parameter at all. It is now counted "
    "with the learned ones and passed to the optimiser.",
    {
        'self.register_buffer("pe", table)': """\
self.pe = nn.Parameter(table, requires_grad=False)"""
    },
)
LEARNED_POSITIONS = Mistake(
    "The table holds random numbers that must be learned, not the waves of the formula. Positions "
    "that never occur in training then mean nothing.",
    {
        'self.register_buffer("pe", table)': """\
self.pe = nn.Parameter(torch.randn(max_len, dim_vector))"""
    },
)
PLAIN_ATTRIBUTE = Mistake(
    "The table is a plain attribute instead of a buffer. It stays behind when the module moves to "
    "another device or dtype.",
    {'self.register_buffer("pe", table)': "self.pe = table"},
)
FLAG_CALLED = Mistake(
    "A flag of the table is called as if it were a function, so the constructor fails. A buffer "
    "never learns and does not need this call.",
    {
        'self.register_buffer("pe", table)': """\
self.register_buffer("pe", table.requires_grad(False))"""
    },
)
DEVICE_HARD_WIRED = Mistake(
    "The rows are on the CPU, wherever the table is. On any other device they cannot be added to the "
    "words.",
    {"return self.pe[:seq_length]": "return self.pe[:seq_length].cpu()"},
)
NEEDS_A_GPU = Mistake(
    "The table is put on a GPU in the constructor. The module cannot even be built on a computer "
    "without one.",
    {'self.register_buffer("pe", table)': 'self.register_buffer("pe", table.cuda())'},
)
BATCH_AXIS_SECOND = Mistake(
    "There is an axis of size 1 between positions and features. When the rows are added to the "
    "words, positions are matched with sentences instead of words.",
    {"return self.pe[:seq_length]": "return self.pe[:seq_length].unsqueeze(1)"},
    seen="NeuracoreAI/neuracore#154",
)
BATCH_AXIS_FIRST = Mistake(
    "The rows have an extra axis in front, but only two axes are wanted: positions and features. "
    "The addition in step 1.3 repeats them over the batch.",
    {"return self.pe[:seq_length]": "return self.pe[:seq_length].unsqueeze(0)"},
)
REPEATED_FOR_THE_BATCH = Mistake(
    "The rows are repeated for every sentence. Only two axes are wanted, positions and features, "
    "because all sentences use the same rows.",
    {
        "return self.pe[:seq_length]": """\
return self.pe[:seq_length].expand(x.size(0), -1, -1)"""
    },
)
LOOKED_UP_BY_TOKEN = Mistake(
    "The row is chosen by the token's id, not by its place in the sentence. The same word gets "
    "the same row everywhere, so word order is lost.",
    {"return self.pe[:seq_length]": "return self.pe[x % max_len]"},
)
LOOKED_UP_BY_ID = Mistake(
    LOOKED_UP_BY_TOKEN.says,
    {"return self.pe[:seq_length]": "return self.pe[x]"},
)
LOOKED_UP_BY_FIRST_IDS = Mistake(
    LOOKED_UP_BY_TOKEN.says,
    {"return self.pe[:seq_length]": "return self.pe[x[0]]"},
)
ADDED_TO_THE_IDS = Mistake(
    "The rows are added to the token ids, but only the rows should be returned. Step 1.3 adds "
    "them to the vectors of the words.",
    {"return self.pe[:seq_length]": "return x + self.pe[:seq_length]"},
)
ADDED_TO_A_COLUMN_OF_IDS = Mistake(
    ADDED_TO_THE_IDS.says,
    {"return self.pe[:seq_length]": "return x.unsqueeze(-1) + self.pe[:seq_length]"},
)
TOO_LONG_ACCEPTED = Mistake(
    "A sentence longer than max_len raises no error here. A slice then gives fewer rows than the "
    "sentence has tokens.",
    {
        """\
        if seq_length > max_len:
            raise ValueError(f"the sentence has {seq_length} tokens, but max_len is {max_len}")
""": ""
    },
    seen="bentrevett/pytorch-seq2seq#89",
)
TOO_LONG_CLAMPED = Mistake(
    "A sentence longer than max_len raises no error. All tokens from max_len on get the last row.",
    {
        """\
        if seq_length > max_len:
            raise ValueError(f"the sentence has {seq_length} tokens, but max_len is {max_len}")
""": "",
        "return self.pe[:seq_length]": """\
return self.pe[torch.arange(seq_length).clamp(max=max_len - 1)]""",
    },
)
FULL_LENGTH_REFUSED = Mistake(
    "A sentence of exactly max_len tokens is refused, although the table has a row for each of "
    "them.",
    {"if seq_length > max_len:": "if seq_length >= max_len:"},
)
LIMIT_ONE_TOO_LATE = Mistake(
    "A sentence one token longer than max_len is accepted, although the table has no row for its "
    "last token.",
    {"if seq_length > max_len:": "if seq_length > max_len + 1:"},
)
LIMIT_IS_THE_WIDTH = Mistake(
    "The length is compared with dim_vector instead of max_len. So valid sentences are refused, "
    "or sentences that are too long are accepted.",
    {"self.pe.size(0)": "self.pe.size(1)"},
)
WRONG_ERROR_TYPE = Mistake(
    "A sentence that is too long raises another kind of error than the promised ValueError. So a "
    "caller who catches ValueError misses it.",
    {'raise ValueError(f"the sentence': 'raise IndexError(f"the sentence'},
)
ASSERT_FOR_RAISE = Mistake(
    "The length is checked by an assertion, which raises another kind of error than ValueError. "
    "The check also disappears when Python runs optimised.",
    {
        """\
if seq_length > max_len:
            raise ValueError(f"the sentence has {seq_length} tokens, but max_len is {max_len}")""": """\
assert seq_length <= max_len, f"{seq_length} tokens, max_len {max_len}\""""
    },
)
ERROR_WITHOUT_NUMBERS = Mistake(
    "The error names neither of the two lengths. The reader cannot see by how much the sentence "
    "is too long.",
    {
        'raise ValueError(f"the sentence has {seq_length} tokens, but max_len is {max_len}")': """\
raise ValueError("the sentence is too long")"""
    },
)
ERROR_WITH_ONE_NUMBER = Mistake(
    "The error names max_len but not the length of the sentence. The reader cannot see by how "
    "much it is too long.",
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
    "The table has one row more than max_len, so a sentence that is one token too long is "
    "accepted.",
    {
        "position = torch.arange(max_len).unsqueeze(1)": """\
max_len = max_len + 1
        position = torch.arange(max_len).unsqueeze(1)"""
    },
)
TABLE_ONE_SHORTER = Mistake(
    "The table has one row fewer than max_len, so the longest allowed sentence is refused.",
    {
        "position = torch.arange(max_len).unsqueeze(1)": """\
max_len = max_len - 1
        position = torch.arange(max_len).unsqueeze(1)"""
    },
)
DEGREES = Mistake(
    "The angles are in degrees, but the formula uses radians. The waves are about 57 times too "
    "long, so neighbouring positions look nearly alike.",
    {
        "angle = position / wavelength  # (max_len, number of pairs)": """\
angle = torch.deg2rad(position / wavelength)"""
    },
)
HALVES = Mistake(
    "All sines come first and all cosines after them. In the formula they alternate, column by "
    "column, so the columns are in the wrong order.",
    {
        "table[:, 0::2] = torch.sin(angle)": """\
table[:, : (dim_vector + 1) // 2] = torch.sin(angle)""",
        "table[:, 1::2] = torch.cos(angle)[:, : dim_vector // 2]": """\
table[:, (dim_vector + 1) // 2 :] = torch.cos(angle)[:, : dim_vector // 2]""",
    },
)
ENDS_AT_THE_BASE = Mistake(
    "The exponents reach exactly 1, because they are divided by the number of pairs minus one. In "
    "the paper they stay below 1, so every wave but the first is too long.",
    {
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
pairs = (dim_vector + 1) // 2
        wavelength = 10000.0 ** (torch.arange(pairs) / max(pairs - 1, 1))"""
    },
)
POSITIONS_AS_FRACTIONS = Mistake(
    "The positions are divided by max_len first, so the waves hardly change from word to word. "
    "The same position also gets another row when max_len changes.",
    {
        "angle = position / wavelength  # (max_len, number of pairs)": (
            "angle = position / max_len / wavelength"
        )
    },
)
MAX_LEN_AS_BASE = Mistake(
    "The base is max_len instead of the paper's ten thousand. The same position then gets another "
    "row when max_len changes.",
    {"10000.0 ** (torch": "float(max_len) ** (torch"},
)
WAVES_REVERSED = Mistake(
    "The wavelengths go from long to short across the columns. The first pair must have the "
    "shortest wave, so the pairs are in reverse order.",
    {
        "angle = position / wavelength  # (max_len, number of pairs)": (
            "angle = position / wavelength.flip(0)"
        )
    },
)
TWO_PI = Mistake(
    "The angle is multiplied by two pi, so every wave is too short. The first pair makes a full "
    "turn at each step and is the same at all positions.",
    {
        "import torch\n": ("import math\n\nimport torch\n"),
        "angle = position / wavelength  # (max_len, number of pairs)": """\
angle = 2 * math.pi * position / wavelength""",
    },
)
SCALED_DOWN = Mistake(
    "The waves are divided by the square root of dim_vector. They must reach from -1 to 1, or the "
    "positions are too weak beside the words.",
    {
        'self.register_buffer("pe", table)': """\
self.register_buffer("pe", table / dim_vector**0.5)"""
    },
)
TABLE_ALWAYS_DOUBLE = Mistake(
    "The table is always float64, even if PyTorch's default dtype is not. The sum with the words "
    "becomes float64 too, and the next layer refuses it.",
    {'self.register_buffer("pe", table)': 'self.register_buffer("pe", table.double())'},
)
ROWS_ALWAYS_FLOAT32 = Mistake(
    "The rows are always returned as float32, even if the module is float64. So digits of the "
    "positions are lost.",
    {"return self.pe[:seq_length]": "return self.pe[:seq_length].float()"},
)
ROWS_AS_INTEGERS = Mistake(
    "The rows are converted to the dtype of the token ids, which are whole numbers. Nearly all "
    "values become 0, so the positions are lost.",
    {"return self.pe[:seq_length]": "return self.pe[:seq_length].to(x.dtype)"},
)
SIGN_OF_COSINE = Mistake(
    "The cosines have the wrong sign. Position 0 has -1 in the odd columns, where it must have 1.",
    {"torch.cos(angle)[": "-torch.cos(angle)["},
)
OVERWRITES_THE_TABLE = Mistake(
    "Every call changes the table itself, so the same sentence gets other positions at the "
    "next call.",
    {"return self.pe[:seq_length]": "return self.pe[:seq_length].mul_(0.5)"},
    seen="jcyk/copyisallyouneed#6",
)
SQUEEZED = Mistake(
    "Axes of size 1 are removed. For a sentence of one word the result is then a vector instead "
    "of a table with one row.",
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
    "The wavelengths use a logarithm to base ten, but the exponential needs the natural one. So "
    "all waves but the first are too short.",
    {
        "wavelength = 10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": """\
wavelength = torch.exp(torch.arange(0, dim_vector, 2) * (4.0 / dim_vector))"""
    },
)
ROWS_OF_THE_BATCH = Mistake(
    "The result has as many rows as the batch has sentences. It must have one row for each token "
    "of a sentence.",
    {"return self.pe[:seq_length]": "return self.pe[: x.size(0)]"},
)
AXIS_IN_BETWEEN = Mistake(
    "The table has an axis of size 1 between positions and features, as in models that put the "
    "sentence axis first. The positions then line up with the wrong axis.",
    {
        'self.register_buffer("pe", table)': """\
self.register_buffer("pe", table.unsqueeze(1))"""
    },
)
AT_MOST_512_POSITIONS = Mistake(
    "The table stops after 512 positions, even if max_len is larger. A longer sentence is "
    "refused, or gets too few rows.",
    {
        "table = torch.zeros(max_len, dim_vector)": """\
max_len = min(max_len, 512)
        position = position[:max_len]
        table = torch.zeros(max_len, dim_vector)"""
    },
)
POSITIONS_IN_EIGHT_BITS = Mistake(
    "The positions are cut to 8 bits, which hold 256 numbers. After that the count starts again, "
    "so far positions look like near ones.",
    {
        "position = torch.arange(max_len).unsqueeze(1)": """\
position = torch.arange(max_len).to(torch.uint8).unsqueeze(1)"""
    },
)
POSITIONS_IN_HALF_PRECISION = Mistake(
    "The positions are 16-bit floats, which hold whole numbers only up to 2048. Beyond that, "
    "neighbouring positions get the same row.",
    {
        "position = torch.arange(max_len).unsqueeze(1)": """\
position = torch.arange(max_len).half().unsqueeze(1)"""
    },
)
WHOLE_NUMBERS = Mistake(
    "The table has the integer dtype of the positions, so every wave is cut to whole numbers. "
    "Nearly all positions then look alike.",
    {
        "table = torch.zeros(max_len, dim_vector)": """\
table = torch.zeros(max_len, dim_vector, dtype=torch.int64)"""
    },
)

POSITION_COUNTED_ON = Mistake(
    "A sentence of one token gets the position after that of the last one. Every sentence begins "
    "at position 0, also one of a single token.",
    {
        "return self.pe[:seq_length]": """\
self.at = getattr(self, "at", -1) + 1 if seq_length == 1 else -1
        return self.pe[max(self.at, 0) :][:seq_length]"""
    },
)
REFUSED_IN_EVAL_MODE_ONLY = Mistake(
    "In train mode a sentence longer than max_len is not refused. A training then goes on with too "
    "few rows, or stops with an error about sizes.",
    {"if seq_length > max_len:": "if seq_length > max_len and not self.training:"},
)

POSITIONS_BY_LINSPACE = Mistake(
    "torch.linspace includes its end, so the positions are stretched: 0, 1.1, 2.2 … Use torch.arange.",
    {"torch.arange(max_len).unsqueeze(1)": "torch.linspace(0, max_len, max_len).unsqueeze(1)"},
)

EVEN_WIDTH_IN_THE_EXPONENT = Mistake(
    "If dim_vector is odd, the exponent divides by the even number below it. It divides by dim_vector itself.",
    {
        "torch.arange(0, dim_vector, 2) / dim_vector)": "torch.arange(0, dim_vector, 2) / max(2, dim_vector // 2 * 2))"
    },
)

POWER_BEFORE_THE_ROOT = Mistake(
    "10000 is raised to a whole number first, which is infinite in float32 from column 10 on. Divide inside the exponent.",
    {
        "10000.0 ** (torch.arange(0, dim_vector, 2) / dim_vector)": "(10000.0 ** torch.arange(0, dim_vector, 2)) ** (1 / dim_vector)"
    },
)
ANGLE_MODULO = Mistake(
    "The angle is reduced by full circles of 6.28. A full circle is 2 pi, so the rows of far "
    "positions are more and more wrong.",
    {"angle = position / wavelength": "angle = position / wavelength % 6.28"},
)
POSITIONS_IN_BFLOAT16 = Mistake(
    "The positions are in bfloat16, which holds whole numbers only up to 256. Beyond that, "
    "neighbouring positions get the same row.",
    {
        "position = torch.arange(max_len).unsqueeze(1)": """\
position = torch.arange(max_len).bfloat16().float().unsqueeze(1)"""
    },
)
ANGLES_IN_FLOAT16 = Mistake(
    "The angles are rounded to float16, which has three digits. Far positions then get the waves "
    "of their neighbours.",
    {"angle = position / wavelength": "angle = (position / wavelength).half().float()"},
)
LIMIT_OF_THE_BATCH = Mistake(
    "The number of sentences is compared with max_len. max_len limits the length of a sentence; a "
    "batch may have any number of them.",
    {"if seq_length > max_len:": "if x.size(0) > max_len:"},
)
LIMIT_OF_THE_IDS = Mistake(
    "The largest token id is compared with max_len. An id is a row of the token table; only the "
    "length of the sentence counts here.",
    {"if seq_length > max_len:": "if seq_length > max_len or int(x.max()) >= max_len:"},
)
LAST_COSINE_OF_ODD_WIDTHS = Mistake(
    "If dim_vector is odd, the last column holds a cosine. It is an even column, so it holds a "
    "sine.",
    {
        "        # Keep the table as": """\
        if dim_vector % 2:
            table[:, -1] = torch.cos(angle[:, -1])
        # Keep the table as"""
    },
)
