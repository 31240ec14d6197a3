"""Shown to learners of s6_today/rotary.py: hints, an example, its pictures."""

from checks.engine.drawing.example import Example, Picture

HINTS = [
    "Two hands of a clock are turned by 40 and by 70 degrees. Now turn both by 100 more. What "
    "happens to the angle between them?",
    "The table: a column of positions divided by a row of powers of base. torch.arange counts, "
    "and [:, None] makes a column of it.",
    "Pair i has the power 2i / dim_split. For dim_split 6 the powers are 0, 2/6 and 4/6.",
    "Token 0 of x stands at position start. So cos[start:end] has its rows, with end = start + "
    "length. Both numbers are needed for the error as well.",
    "x[..., 0::2] are the first features of all pairs, x[..., 1::2] the second ones.",
    "torch.stack(…, dim=-1) puts the two new features of a pair side by side. flatten(-2) joins "
    "the last two axes again. torch.cat cannot do this: it gives halves.",
    "pairs = torch.stack([a * cos - b * sin, ____], dim=-1)",
]
EXAMPLE = Example(
    {
        "batch_size": 7,
        "n_head": 5,
        "length": 4,
        "dim_split": 6,
        "max_len": 9,
        "pairs": 3,
        "both": 2,
    },
    """\
cos, sin = rotary_table(dim_split=6, max_len=9, base=20.0)
x = torch.randn(7, 5, 4, 6)
out = rotate(x, cos, sin, start=5)
turned_rows = rotate(torch.ones(1, 1, 9, 6), cos, sin)[0, 0]
""",
)
PICTURES = [
    Picture(
        "cosines: a row per position, a column per pair",
        "cos",
        "position",
        "pair",
        column_names="pair0 pair1 pair2",
    ),
    Picture("a vector of ones, turned to each position", "turned_rows", "position", "feature"),
]
