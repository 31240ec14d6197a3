"""Right versions of s6_today/rotary.py that look different."""

from checks.engine.known import Right

# In the solution:
POSITION = "position = torch.arange(max_len, dtype=torch.float32)[:, None]"
PAIR = "pair = torch.arange(dim_split // 2, dtype=torch.float32)"
ANGLE = "angle = position / base ** (2 * pair / dim_split)"
GIVES = "return angle.cos(), angle.sin()"
ROWS = "cos, sin = cos[start:end], sin[start:end]"
SPLITS = "a, b = x[..., 0::2], x[..., 1::2]"
STACKS = "pairs = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1)"
RETURNS = "return pairs.flatten(-2).to(x.dtype)"
TURNS = f"    {SPLITS}\n    {STACKS}\n    {RETURNS}\n"

COMPLEX_NUMBERS = Right(
    "Each pair is a complex number, which is multiplied by cos + i sin: the first code of Llama.",
    {
        TURNS: """\
    wide = torch.promote_types(x.dtype, torch.float32)
    numbers = torch.view_as_complex(x.to(wide).reshape(*x.shape[:-1], -1, 2))
    turned = numbers * torch.complex(cos, sin).to(numbers.dtype)
    return torch.view_as_real(turned).flatten(3).type_as(x)
"""
    },
    mixes=True,
)
PARTNERS = Right(
    "x times the cosines plus its partners times the sines; each angle stands there twice.",
    {
        TURNS: """\
    partners = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    cos, sin = cos.repeat_interleave(2, dim=-1), sin.repeat_interleave(2, dim=-1)
    return (x * cos + partners * sin).to(x.dtype)
"""
    },
)
MATRICES = Right(
    "Each pair is multiplied by its matrix of rotation.",
    {
        TURNS: """\
    turns = torch.stack([cos, -sin, sin, cos], dim=-1).unflatten(-1, (2, 2))
    wide = torch.promote_types(x.dtype, cos.dtype)
    pairs = x.unflatten(-1, (-1, 2)).to(wide)
    return torch.einsum("lprc,bhlpc->bhlpr", turns.to(wide), pairs).flatten(-2).to(x.dtype)
"""
    },
)
FILLED_IN = Right(
    "The two results are written into a new tensor.",
    {
        TURNS: f"""\
    {SPLITS}
    out = torch.empty_like(x)
    out[..., 0::2] = a * cos - b * sin
    out[..., 1::2] = a * sin + b * cos
    return out
"""
    },
)
ONE_PAIR_AFTER_THE_OTHER = Right(
    "A loop turns one pair after the other.",
    {
        TURNS: """\
    columns = []
    for i in range(x.size(-1) // 2):
        a, b, c, s = x[..., 2 * i], x[..., 2 * i + 1], cos[:, i], sin[:, i]
        columns += [a * c - b * s, b * c + a * s]
    return torch.stack(columns, dim=-1).to(x.dtype)
"""
    },
)
UNBOUND = Right(
    "The pairs get an axis of their own and are taken apart with unbind.",
    {
        SPLITS: "a, b = x.reshape(*x.shape[:-1], x.shape[-1] // 2, 2).unbind(-1)",
        RETURNS: "return pairs.reshape(x.shape).to(x.dtype)",
    },
)
HALVES_OF_A_REORDERED_VECTOR = Right(
    "The features are put into another order, turned as halves, and put back.",
    {
        TURNS: """\
    order = torch.cat([torch.arange(0, x.size(-1), 2), torch.arange(1, x.size(-1), 2)])
    a, b = x[..., order].chunk(2, dim=-1)
    turned = torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)
    return turned[..., order.argsort()].to(x.dtype)
"""
    },
)
WIDE_INSIDE = Right(
    "The rotation itself is computed in float32 at least.",
    {
        SPLITS: "wide = x.to(torch.promote_types(x.dtype, cos.dtype))\n    a, b = wide[..., 0::2], wide[..., 1::2]"
    },
)
TABLE_IN_THE_DTYPE_OF_X = Right(
    "The rows of the table take the dtype of x before the rotation.",
    {ROWS: "cos, sin = cos[start:end].to(x.dtype), sin[start:end].to(x.dtype)"},
)
ROWS_BY_NUMBER = Right(
    "The rows are taken by their numbers, and get axes for batch and heads.",
    {
        ROWS: """\
places = start + torch.arange(x.size(2), device=x.device)
    cos, sin = cos[places][None, None], sin[places][None, None]"""
    },
)
NARROWED = Right(
    "narrow takes the rows, and shape gives the sizes.",
    {
        "end = start + x.size(2)": "_, _, length, _ = x.shape\n    end = start + length",
        ROWS: "cos, sin = cos.narrow(0, start, length), sin.narrow(0, start, length)",
    },
)
EVEN_NUMBERS = Right(
    "The even numbers are counted directly, and torch.outer makes the angles.",
    {
        POSITION: "position = torch.arange(max_len).float()",
        PAIR: "frequency = 1.0 / (base ** (torch.arange(0, dim_split, 2).float() / dim_split))",
        ANGLE: "angle = torch.outer(position, frequency)",
        GIVES: "return torch.cos(angle), torch.sin(angle)",
    },
    mixes=True,
)
BY_LOGARITHM = Right(
    "The powers are computed with exp and log.",
    {
        ANGLE: """\
import math

    angle = position * torch.exp(-2 * pair / dim_split * math.log(base))"""
    },
)
IN_FLOAT64 = Right(
    "The angles are computed in float64, and the table is float32.",
    {
        POSITION: POSITION.replace("float32", "float64"),
        PAIR: PAIR.replace("float32", "float64"),
        GIVES: "return angle.cos().float(), angle.sin().float()",
    },
)
A_TABLE_OF_FLOAT64 = Right(
    "The table is float64.",
    {
        POSITION: POSITION.replace("float32", "float64"),
        PAIR: PAIR.replace("float32", "float64"),
    },
)
POLAR = Right(
    "The table is made of complex numbers of length 1.",
    {
        GIVES: """\
numbers = torch.polar(torch.ones_like(angle), angle)
    return numbers.real, numbers.imag"""
    },
)
A_LIST = Right(
    "The two tables come in a list, without gradients.",
    {GIVES: "with torch.no_grad():\n        return [angle.cos(), angle.sin()]"},
)
