"""Questions about s6_today/rotary.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Case, Draw, question
from checks.s6_today.rotary.truth import rotary_table, rotate


@question(
    "answer = rotate(x, cos, sin).flatten()",
    lesson="Pair i consists of the neighbours, the features 2i and 2i + 1.",
)
def which_features_are_a_pair(draw: Draw) -> Case:
    """The features 0 and 1 are the first pair, and a turn by 90 degrees makes (-b, a) of (a, b)."""
    a, b, c, d = (float(n) for n in draw.sizes(4, 1, 9))
    cos, sin = np.array([[0.0, 1.0]]), np.array([[1.0, 0.0]])
    x = np.array([a, b, c, d])
    return Case(
        f"dim_split is 4. At this position the first pair is turned by 90 degrees (cos 0, sin 1), "
        f"and the second is not turned. x is {a:g} {b:g} {c:g} {d:g}. What comes out?",
        {"x": x.reshape(1, 1, 1, 4), "cos": cos, "sin": sin},
        rotate(x.reshape(1, 1, 1, 4), cos, sin).flatten(),
        {
            "halves": np.array([-c, b, a, d]),
            "turned-back": np.array([b, -a, c, d]),
            "written-as-halves": np.array([-b, c, a, d]),
            "read-as-halves": np.array([-c, a, b, d]),
            "second-before-first": np.array([-a, b, d, c]),
            "both-plus": np.array([b, a, c, d]),
            "angles-of-halves": np.array([-b, b, -d, d]),
        },
    )


@question(
    "cos, sin = rotary_table(4, 9, base)\nanswer = torch.atan2(sin, cos)[position].double()",
    lesson="angle[position, i] = position / base^(2i / dim_split)",
)
def the_angles_of_a_position(draw: Draw) -> Case:
    """The exponents of the base are 0 and 2/4, so the second angle is position / √base."""
    base, position = draw.one(16.0, 81.0, 256.0), draw.one(1, 2, 3)
    cos, sin = rotary_table(4, 9, base)
    return Case(
        f"dim_split is 4, base is {base:g}. {base:g}^(1/4) is {base**0.25:g}, {base:g}^(1/2) is "
        f"{base**0.5:g}. By which angles, in radians, are the two pairs of position {position} "
        "turned?",
        {"base": base, "position": position},
        np.arctan2(sin, cos)[position],
        {
            "exponent-without-two": position / base ** np.array([0, 0.25]),
            "exponent-twice": position / base ** np.array([0, 1.0]),
            "frequencies-reversed": position / base ** np.array([0.5, 0]),
            "one-frequency": position * np.ones(2),
            "base-fixed": position / np.array([1, 100.0]),
            "floored": position // base ** np.array([0, 0.5]),
        },
    )


@question(
    "x = torch.ones(1, 1, length, 2, dtype=torch.float64)\n"
    "answer = rotate(x, cos, 0 * cos, start)[0, 0, :, 0]",
    lesson="Token n of x stands at position start + n of the text.",
)
def which_rows_are_taken(draw: Draw) -> Case:
    """The first token of x stands at start, and each token after it one position later."""
    start, length, rows = draw.one(2, 3, 4), draw.one(2, 3), draw.one(9, 10)
    row = np.arange(float(rows))
    return Case(
        f"The keys of {start} tokens are cached, so start is {start}. x has {length} new tokens, "
        f"the table has {rows} rows, counted from 0. Which rows turn the new tokens?",
        {"cos": row[:, None], "start": start, "length": length},
        row[start : start + length],
        {
            "start-ignored": row[:length],
            "one-row-for-all": np.full(length, float(start)),
            "one-row-too-late": row[start + 1 : start + 1 + length],
            "last-rows": row[-length:],
            "rows-backwards": row[start : start + length][::-1],
        },
    )


@question(
    "answer = tuple(rotary_table(dim_split, max_len)[0].shape)",
    lesson="The table has one row for each position and one column for each pair.",
)
def shape_of_the_table(draw: Draw) -> Case:
    """Both features of a pair share an angle, so there are half as many columns as features."""
    dim_split, max_len = draw.one(6, 8, 10), draw.one(20, 30, 40)
    return Case(
        f"dim_split is {dim_split}, max_len is {max_len}. Which shape does the table of cosines "
        "have?",
        {"dim_split": dim_split, "max_len": max_len},
        rotary_table(dim_split, max_len)[0].shape,
        {
            "a-column-for-each-feature": (max_len, dim_split),
            "transposed": (dim_split // 2, max_len),
            "one-row-short": (max_len - 1, dim_split // 2),
        },
    )
