"""What people get wrong in s6_today/rotary.py.

Not here, on purpose:
- the rows of the table in the dtype of x before the rotation: the contract leaves that open;
- values rotated like keys, and queries rotated alone: that is step 6.4.
"""

from checks.engine.known import Mistake
from checks.s6_today.rotary.rights import (
    ANGLE,
    GIVES,
    PAIR,
    POSITION,
    RETURNS,
    ROWS,
    SPLITS,
    STACKS,
    TURNS,
)

HALF = "x.size(-1) // 2"
ENDS = "end = start + x.size(2)"
REFUSES_ODD = """\
    if dim_split % 2 != 0:
        raise ValueError(f"dim_split {dim_split} is odd: its features do not form pairs")
"""
TOO_SHORT = "if end > cos.size(0):"
REFUSES_SHORT = f"""\
    {TOO_SHORT}
        raise ValueError(
            f"start {{start}} and {{x.size(2)}} tokens do not fit a table of {{cos.size(0)}} rows"
        )
"""

# Which features form a pair

HALVES = Mistake(
    "Feature i is paired with feature i + dim_split / 2, not with its neighbour. Weights that were "
    "trained with neighbours then give wrong scores.",
    {
        SPLITS: "a, b = x.chunk(2, dim=-1)",
        STACKS: "pairs = torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)",
        RETURNS: "return pairs.to(x.dtype)",
    },
    seen="karpathy/nanochat#264, rasbt/LLMs-from-scratch#838",
)
ROTATE_HALF = Mistake(
    HALVES.says,
    {
        TURNS: f"""\
    half = torch.cat([-x[..., {HALF} :], x[..., : {HALF}]], dim=-1)
    cos, sin = torch.cat([cos, cos], dim=-1), torch.cat([sin, sin], dim=-1)
    return (x * cos + half * sin).to(x.dtype)
"""
    },
    seen="karpathy/nanochat#264, rasbt/LLMs-from-scratch#838",
)
WRITTEN_AS_HALVES = Mistake(
    "The pairs are read as neighbours but written back as two halves. Put the two new features of "
    "a pair side by side again.",
    {
        STACKS: "pairs = torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)",
        RETURNS: "return pairs.to(x.dtype)",
    },
)
STACKED_ON_THE_WRONG_AXIS = Mistake(
    WRITTEN_AS_HALVES.says,
    {STACKS: STACKS.replace("dim=-1", "dim=-2")},
)
READ_AS_HALVES = Mistake(
    "The pairs are read as two halves but written back as neighbours. So features end up in places "
    "where they do not belong.",
    {SPLITS: "a, b = x.chunk(2, dim=-1)"},
)
ANGLES_OF_HALVES = Mistake(
    "Neighbours are turned, but with a table that was made wide for halves. So the two features of "
    "a pair get different angles, and its length changes.",
    {
        TURNS: """\
    partners = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    cos, sin = torch.cat([cos, cos], dim=-1), torch.cat([sin, sin], dim=-1)
    return (x * cos + partners * sin).to(x.dtype)
"""
    },
    seen="baidu/ERNIE-Image#6",
)
ANGLES_OF_NEIGHBOURS = Mistake(
    "Halves are turned, but with a table that was made wide for neighbours. So the two features of "
    "a pair get different angles, and its length changes.",
    {
        TURNS: f"""\
    half = torch.cat([-x[..., {HALF} :], x[..., : {HALF}]], dim=-1)
    cos, sin = cos.repeat_interleave(2, dim=-1), sin.repeat_interleave(2, dim=-1)
    return (x * cos + half * sin).to(x.dtype)
"""
    },
    seen="baidu/ERNIE-Image#6",
)
SECOND_BEFORE_FIRST = Mistake(
    "The second feature of each pair is taken as the first one, and the other way round. So each "
    "pair comes back exchanged and turned the wrong way.",
    {SPLITS: "b, a = x[..., 0::2], x[..., 1::2]"},
)
ONLY_HALF_OF_THE_PAIRS = Mistake(
    "Only some of the pairs are turned, and the other features stay as they are. Here every pair "
    "has its angle.",
    {
        TURNS: f"""\
    {SPLITS}
    {STACKS}
    pairs = torch.where(torch.arange(cos.size(1))[:, None] < 1, pairs, torch.stack([a, b], dim=-1))
    {RETURNS}
"""
    },
)

# How a pair is turned

TURNED_BACK = Mistake(
    "Each pair is turned the other way, by minus its angle. Trained weights expect the contract's "
    "direction, and so do keys that are cached already.",
    {STACKS: "pairs = torch.stack([a * cos + b * sin, b * cos - a * sin], dim=-1)"},
    seen="karpathy/nanochat@3616a02",
)
BOTH_PLUS = Mistake(
    "Both new features are sums. One of them is a difference: otherwise the pair changes its "
    "length instead of only turning.",
    {STACKS: "pairs = torch.stack([a * cos + b * sin, a * sin + b * cos], dim=-1)"},
)
BOTH_MINUS = Mistake(
    "Both new features are differences. Only the first is one: otherwise the pair is mirrored or "
    "stretched instead of turned.",
    {STACKS: "pairs = torch.stack([a * cos - b * sin, a * sin - b * cos], dim=-1)"},
)
SINES_FOR_COSINES = Mistake(
    "Sines and cosines are swapped in the rotation. Position 0 should leave a vector unchanged, "
    "but here it turns every pair by 90 degrees.",
    {STACKS: "pairs = torch.stack([a * sin - b * cos, a * cos + b * sin], dim=-1)"},
)
NOT_EXCHANGED = Mistake(
    "Each new feature is made from its own old value alone. A rotation mixes the two features of a "
    "pair.",
    {STACKS: "pairs = torch.stack([a * cos - a * sin, b * sin + b * cos], dim=-1)"},
)
COSINES_ONLY = Mistake(
    "The features are multiplied by the cosines alone. Without the sines, pairs become shorter "
    "instead of turning.",
    {STACKS: "pairs = torch.stack([a * cos, b * cos], dim=-1)"},
)
ADDED = Mistake(
    "The rotation is added to x, like the waves of step 1.2. It should take the place of x.",
    {RETURNS: "return x + pairs.flatten(-2).to(x.dtype)"},
)
NEW_FIRST_IN_THE_SECOND = Mistake(
    "The second feature of a pair is computed from the first one that is already turned. Both need "
    "the old values.",
    {
        TURNS: f"""\
    x = x.clone()
    {SPLITS}
    x[..., 0::2] = a * cos - b * sin
    x[..., 1::2] = a * sin + b * cos
    return x
"""
    },
)
OVERWRITES_X = Mistake(
    "The rotation overwrites x itself. The caller may still need the old values, and the gradient "
    "does too.",
    {
        TURNS: f"""\
    {SPLITS}
    first, second = a * cos - b * sin, a * sin + b * cos
    x[..., 0::2], x[..., 1::2] = first, second
    return x
"""
    },
)
WITHOUT_GRADIENT = Mistake(
    "The rotation cuts x off from the gradient. So the layers that make queries and keys never "
    "learn.",
    {SPLITS: "a, b = x.detach()[..., 0::2], x.detach()[..., 1::2]"},
)

# The angles

EXPONENT_WITHOUT_TWO = Mistake(
    "The exponent lacks the factor 2, so angles fall only half as fast from pair to pair. A model "
    "trained with the right table then gets its distances wrong.",
    {ANGLE: "angle = position / base ** (pair / dim_split)"},
)
EXPONENT_TWICE = Mistake(
    "The exponent grows twice as fast as it should. Divide by dim_split, or count the pairs in "
    "steps of one.",
    {ANGLE: "angle = position / base ** (2 * pair / (dim_split // 2))"},
)
EXPONENT_TO_THE_END = Mistake(
    "The exponents are spread so that the last one is 1. The divisor is dim_split, so the last one "
    "stays below 1.",
    {ANGLE: "angle = position / base ** (pair / max(dim_split // 2 - 1, 1))"},
)
FREQUENCIES_REVERSED = Mistake(
    "The order of the pairs is reversed: the slowest pair comes first. The first pair should turn "
    "fastest, by a whole radian per position.",
    {PAIR: PAIR.replace("torch.arange(dim_split // 2", "torch.arange(dim_split // 2 - 1, -1, -1")},
)
MULTIPLIED = Mistake(
    "The positions are multiplied by the powers of base instead of divided by them. So the pairs "
    "turn faster and faster, far beyond a full circle.",
    {ANGLE: "angle = position * base ** (2 * pair / dim_split)"},
)
BASE_FIXED = Mistake(
    "The base is always 10000, and the argument is ignored. Many models are trained with a larger "
    "base.",
    {ANGLE: "angle = position / 10000.0 ** (2 * pair / dim_split)"},
)
FLOORED = Mistake(
    "The division drops everything after the decimal point. So angles stay 0 for many positions "
    "and then jump.",
    {ANGLE: "angle = position // base ** (2 * pair / dim_split)"},
)
FULL_CIRCLES = Mistake(
    "The angles are multiplied by 2π. They are already in radians.",
    {ANGLE: "angle = 2 * torch.pi * position / base ** (2 * pair / dim_split)"},
)
DEGREES = Mistake(
    "The angles are converted as if they were degrees. They are already in radians.",
    {ANGLE: "angle = torch.deg2rad(position / base ** (2 * pair / dim_split))"},
)
ONE_FREQUENCY = Mistake(
    "All pairs turn equally fast. Each pair needs its own frequency: fast pairs see near tokens, "
    "slow pairs see far ones.",
    {ANGLE: "angle = position / base ** (0 * pair)"},
)
POSITIONS_FROM_ONE = Mistake(
    "Positions count from 1. Attention depends on distances alone, so a model may not show it, but "
    "row 0 of this table should have angle 0.",
    {POSITION: POSITION.replace("torch.arange(max_len", "torch.arange(1, max_len + 1")},
)
POSITIONS_IN_BFLOAT16 = Mistake(
    "The positions are counted in bfloat16, which has no 257: it becomes 256. So far tokens share "
    "a position.",
    {POSITION: POSITION.replace("float32", "bfloat16")},
    seen="huggingface/transformers#29285",
)
POSITIONS_IN_FLOAT16 = Mistake(
    "The positions are counted in float16, which has no 2049: it becomes 2048. So far tokens share "
    "a position.",
    {POSITION: POSITION.replace("float32", "float16")},
)
ANGLES_IN_BFLOAT16 = Mistake(
    "The angles are rounded to bfloat16 before the cosine. They keep about three digits, so far "
    "positions get wrong angles.",
    {GIVES: "angle = angle.bfloat16().float()\n    return angle.cos(), angle.sin()"},
)
TABLE_IN_FLOAT16 = Mistake(
    "The table is float16. It should be float32, because small angles and far positions need more "
    "digits.",
    {GIVES: "return angle.cos().half(), angle.sin().half()"},
)
TABLE_IN_BFLOAT16 = Mistake(
    "The table is bfloat16. It should be float32, because small angles and far positions need more "
    "digits.",
    {GIVES: "return angle.cos().bfloat16(), angle.sin().bfloat16()"},
    seen="KellerJordan/modded-nanogpt#39",
)
SINES_FIRST = Mistake(
    "The sines come before the cosines. The contract has the cosines first, and its callers rely on "
    "that.",
    {GIVES: "return angle.sin(), angle.cos()"},
)
TABLE_OF_ANGLES = Mistake(
    "The table holds the angles themselves. It should hold their cosines and their sines.",
    {GIVES: "return angle, angle"},
)
TRANSPOSED = Mistake(
    "Rows and columns of the table are swapped. Each position needs a row, so that the rows of a "
    "text can be cut out.",
    {GIVES: "return angle.T.cos(), angle.T.sin()"},
)
A_COLUMN_FOR_EACH_FEATURE = Mistake(
    "The table has a column for every feature. Both features of a pair share one angle, so "
    "dim_split // 2 columns are enough.",
    {GIVES: "angle = torch.cat([angle, angle], dim=-1)\n    return angle.cos(), angle.sin()"},
)
EACH_ANGLE_TWICE = Mistake(
    A_COLUMN_FOR_EACH_FEATURE.says,
    {GIVES: "angle = angle.repeat_interleave(2, dim=-1)\n    return angle.cos(), angle.sin()"},
)
ONE_ROW_SHORT = Mistake(
    "The table has one row too few. max_len positions need max_len rows.",
    {POSITION: POSITION.replace("torch.arange(max_len", "torch.arange(max_len - 1")},
)
KEPT_FROM_THE_FIRST_CALL = Mistake(
    "The table of the first call is kept and returned for all later calls. Other arguments need "
    "another table.",
    {
        "def rotary_table(": "TABLE = []\n\n\ndef rotary_table(",
        GIVES: """\
if not TABLE:
        TABLE.append((angle.cos(), angle.sin()))
    return TABLE[0]""",
    },
)
LEARNS = Mistake(
    "The table is made of parameters, so training would change it. Angles are fixed by their "
    "formula.",
    {
        GIVES: "return torch.nn.Parameter(angle.cos()), torch.nn.Parameter(angle.sin())",
    },
)

# Which rows

START_IGNORED = Mistake(
    "start is ignored: the first token of x always gets position 0. With a cache, every new token "
    "then stands at position 0.",
    {ROWS: "cos, sin = cos[: x.size(2)], sin[: x.size(2)]"},
)
START_FOR_ONE_TOKEN_ALONE = Mistake(
    "start counts only where x has a single token. Several tokens after a cache stand at positions "
    "from start on, too.",
    {
        ROWS: """\
first = start if x.size(2) == 1 else 0
    cos, sin = cos[first : first + x.size(2)], sin[first : first + x.size(2)]"""
    },
)
START_FOR_SEVERAL_TOKENS_ALONE = Mistake(
    "start is ignored where x has a single token. This token then stands at position 0.",
    {
        ROWS: """\
first = start if x.size(2) > 1 else 0
    cos, sin = cos[first : first + x.size(2)], sin[first : first + x.size(2)]"""
    },
)
ONE_ROW_FOR_ALL = Mistake(
    "All tokens of x are turned by the angles of position start. Each token needs its own row.",
    {ROWS: "cos, sin = cos[start], sin[start]"},
)
ONE_ROW_TOO_LATE = Mistake(
    "The rows begin one too late. The first token of x stands at position start itself.",
    {ROWS: "cos, sin = cos[start + 1 : end + 1], sin[start + 1 : end + 1]"},
)
LAST_ROWS = Mistake(
    "The last rows of the table are taken. The positions of the tokens begin at start.",
    {ROWS: "cos, sin = cos[-x.size(2) :], sin[-x.size(2) :]"},
)
LAST_ROWS_AFTER_A_START = Mistake(
    "If start is not 0, the last rows of the table are taken. The tokens stand at start and after "
    "it, wherever that is.",
    {
        ROWS: """\
rows = slice(0, end) if start == 0 else slice(-x.size(2), None)
    cos, sin = cos[rows], sin[rows]"""
    },
)
ROWS_BACKWARDS = Mistake(
    "The rows are taken in reverse order, so the first token gets the last position.",
    {ROWS: "cos, sin = cos[start:end].flip(0), sin[start:end].flip(0)"},
)
START_AS_LENGTH = Mistake(
    "start is used as the length. It is the position of the first token of x.",
    {ROWS: "cos, sin = cos[: start or end][-x.size(2) :], sin[: start or end][-x.size(2) :]"},
)
ALONG_THE_HEADS = Mistake(
    "The angles change from head to head, not from token to token. The length is the third axis of "
    "x.",
    {
        ENDS: "end = start + x.size(1)",
        ROWS: "cos, sin = cos[start:end, None], sin[start:end, None]",
    },
    seen="facebookresearch/xformers#841, mlfoundations/open_lm#4",
)
LENGTH_OF_THE_HEADS = Mistake(
    "The number of heads is used as the length of x. The length is the third axis of x.",
    {ENDS: "end = start + x.size(1)"},
    seen="facebookresearch/xformers#841, mlfoundations/open_lm#4",
)
ALONG_THE_BATCH = Mistake(
    "The angles change from sentence to sentence, not from token to token. The length is the third "
    "axis of x.",
    {
        ENDS: "end = start + x.size(0)",
        ROWS: "cos, sin = cos[start:end, None, None], sin[start:end, None, None]",
    },
)

# The dtype of the result

DTYPE_OF_THE_TABLE = Mistake(
    "The result does not come back in the dtype of x. A model in float16 then stops with an error, "
    "or goes on in float32 and needs twice the memory.",
    {RETURNS: "return pairs.flatten(-2)"},
)
ALWAYS_FLOAT32 = Mistake(
    "The result is always float32. It should have the dtype of x.",
    {RETURNS: "return pairs.flatten(-2).float()"},
)

# What is refused

ODD_ACCEPTED = Mistake(
    "An odd dim_split is accepted. Its last feature has no partner, so later the sizes do not fit.",
    {REFUSES_ODD: ""},
)
EVEN_REFUSED = Mistake(
    "Even widths are refused and odd ones are accepted. It should be the other way round.",
    {"if dim_split % 2 != 0:": "if dim_split % 2 == 0:"},
)
MULTIPLES_OF_FOUR = Mistake(
    "A dim_split that is no multiple of 4 is refused. Pairs need an even dim_split, nothing more.",
    {"if dim_split % 2 != 0:": "if dim_split % 4 != 0:"},
)
ODD_ASSERTED = Mistake(
    "An odd dim_split ends in an AssertionError, which Python leaves out with -O. It should be a "
    "ValueError.",
    {REFUSES_ODD: '    assert dim_split % 2 == 0, f"dim_split {dim_split} is odd"\n'},
)
ODD_NOT_NAMED = Mistake(
    "The error for an odd dim_split does not name it. So nobody can see which number was wrong.",
    {'f"dim_split {dim_split} is odd: its features do not form pairs"': '"dim_split must be even"'},
)
SHORT_TABLE_ACCEPTED = Mistake(
    "A table that is too short is not refused. The error then comes later, in other words, or one "
    "row is used for all tokens.",
    {REFUSES_SHORT: ""},
)
START_NOT_COUNTED = Mistake(
    "Only the length of x is compared with the table, without start. So a text that is too long "
    "because of its cache is not refused.",
    {TOO_SHORT: "if x.size(2) > cos.size(0):"},
)
LAST_ROW_REFUSED = Mistake(
    "The last row of the table is refused. start + length may be as large as the number of rows.",
    {TOO_SHORT: "if end >= cos.size(0):"},
)
ONE_ROW_TOO_FEW_ACCEPTED = Mistake(
    "A table with one row too few is accepted. Compare the number of rows with start + length.",
    {TOO_SHORT: "if end - 1 > cos.size(0):"},
)
COLUMNS_COUNTED = Mistake(
    "start + length is compared with the number of pairs, the wrong axis of the table.",
    {TOO_SHORT: "if end > cos.size(1):"},
)
SHORT_TABLE_NOT_NAMED = Mistake(
    "The error for a short table does not name start, the length and the rows. Its reader has to "
    "search for them.",
    {
        'f"start {start} and {x.size(2)} tokens do not fit a table of {cos.size(0)} rows"': (
            '"the table is too short"'
        )
    },
)
SHORT_TABLE_ASSERTED = Mistake(
    "A short table ends in an AssertionError, which Python leaves out with -O. It should be a "
    "ValueError.",
    {REFUSES_SHORT: "    assert end <= cos.size(0), (start, x.size(2), cos.size(0))\n"},
)
WHOLE_BASE = Mistake(
    "base is cut to a whole number, so a base of 2.5 turns as fast as 2.",
    {"base ** (": "int(base) ** ("},
)
SAME_TABLE_AGAIN = Mistake(
    "Two calls return the same two tensors. A change of one table is then a change of all.",
    {
        "import torch\n": "from functools import lru_cache\n\nimport torch\n",
        "def rotary_table": "@lru_cache\ndef rotary_table",
    },
)
ANGLE_MODULO = Mistake(
    "The angle is reduced by full circles of 6.28. A full circle is 2 pi, so far positions are "
    "more and more wrong.",
    {
        "angle = position / base ** (2 * pair / dim_split)": """\
angle = position / base ** (2 * pair / dim_split) % 6.28"""
    },
)
ONE_TOKEN_NOT_TURNED = Mistake(
    "A single token is not turned. With a cache each new token comes alone, and it stands at "
    "position start.",
    {
        "    # Take the rows of these positions.": """\
    if x.size(2) == 1:
        return x
    # Take the rows of these positions."""
    },
)
