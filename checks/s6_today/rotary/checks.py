"""Checks for s6_today/rotary.py."""

from typing import Any

import numpy as np

from checks.engine.language import (
    Array,
    Crossed,
    Fail,
    Function,
    Kept,
    Place,
    Received,
    Submission,
    check,
    expect,
    expect_gradients,
    expect_manners,
    expect_that,
)
from checks.s6_today.rotary import truth
from checks.scenes.caches import angles

BATCH_SIZE, N_HEAD, LENGTH, DIM_SPLIT, ROWS = 2, 3, 4, 6, 11
FLOATS = ("float32", "float64")  # What the tables may be made of.


def table(submission: Submission) -> Function:
    return submission.function("rotary_table", lambda weights, *args: truth.rotary_table(*args))


def turn(submission: Submission, dtype: str = "float32") -> Function:
    def right(weights: object, x: Array, cos: Array, sin: Array, start: int = 0) -> Array:
        return truth.rotate(x, cos, sin, start)

    return submission.function("rotate", right, dtype)


def the_table(dim_split: int = DIM_SPLIT, dtype: str = "float32") -> list[Kept]:
    return angles(dim_split, ROWS, dtype)


def expect_table(got: Place, *args: Any) -> None:
    for part, right in zip(got.parts("cos", "sin"), truth.rotary_table(*args)):
        expect_that(_expect_fixed, part, right)


def _expect_fixed(part: Received, right: Array) -> None:
    """Fail unless these are the numbers, in any dtype of fractions, and they do not learn."""
    expect(part, right, dtype=part.dtype if part.dtype in FLOATS else "float32")
    if part.requires_grad:
        sentence = f"{part.name} requires a gradient, so training would change it."
        raise Fail("params", part.say(sentence), shows="table-learns")


@check
def the_table_has_an_angle_for_each_position_and_pair(submission: Submission) -> None:
    """The table has the cosine and the sine of position / base^(2i / dim_split): rows are
    positions, columns are pairs.
    """
    for dim_split, max_len in ((6, 11), (4, 9), (2, 5), (8, 3), (6, 1)):
        got = table(submission)(dim_split, max_len)

        expect_table(got, dim_split, max_len)


@check
def base_is_an_argument(submission: Submission) -> None:
    """base says how fast the angles fall from pair to pair; its default is 10000."""
    for base in (20.0, 2.5, 500.0, 100000.0):
        got = table(submission)(8, 12, base)

        expect_table(got, 8, 12, base)


@check
def far_positions_have_their_own_angles(submission: Submission) -> None:
    """Position 257 differs from 256, and 2049 from 2048; the table may also have 300 pairs."""
    for dim_split, max_len in ((4, 2100), (600, 7)):
        got = table(submission)(dim_split, max_len)

        expect_table(got, dim_split, max_len)


@check
def an_odd_width_is_refused(submission: Submission) -> None:
    """An odd dim_split raises a ValueError that names it."""
    for dim_split in (7, 15, 1):
        with submission.raises(ValueError, dim_split):
            table(submission)(dim_split, 4)


@check
def neighbours_turn_together(submission: Submission) -> None:
    """The features 2i and 2i + 1 are a pair. Each token's pairs are turned by the angles of its
    position.
    """
    cos, sin = the_table()
    for scale, *shape in ((1, BATCH_SIZE, N_HEAD, LENGTH), (1, 1, 1, ROWS), (100, 3, 2, 1)):
        x = submission.normal(*shape, DIM_SPLIT, scale=scale)

        out = turn(submission)(x, cos, sin)

        expect(out, truth.rotate(x, cos, sin))


@check
def start_is_the_position_of_the_first_token(submission: Submission) -> None:
    """Token n of x is turned by the angles of position start + n, up to the last row."""
    cos, sin = the_table()
    for start, length in ((3, LENGTH), (ROWS - LENGTH, LENGTH), (5, 1), (ROWS - 1, 1), (1, 2)):
        x = submission.normal(BATCH_SIZE, N_HEAD, length, DIM_SPLIT)
        alone = submission.normal(BATCH_SIZE, N_HEAD, 1, DIM_SPLIT)

        out = turn(submission)(x, cos, sin, start)
        out_alone = turn(submission)(alone, cos, sin, start)

        expect(out, truth.rotate(x, cos, sin, start))
        expect(out_alone, truth.rotate(alone, cos, sin, start))


@check
def positions_run_along_the_tokens(submission: Submission) -> None:
    """With as many heads or sentences as tokens, angles still change from token to token alone."""
    for shape in ((2, 5, 5), (5, 2, 5), (4, 4, 4), (5, 3, 2)):
        cos, sin = the_table(4)
        x = submission.normal(*shape, 4)

        out = turn(submission)(x, cos, sin, 2)

        expect(out, truth.rotate(x, cos, sin, 2))


@check
def a_short_table_is_refused(submission: Submission) -> None:
    """A table with fewer rows than start + length raises a ValueError that names start, the length
    and the rows.
    """
    for start, length, rows in ((0, 9, 5), (123456, 6, 20), (17, 4, 20), (15, 1, 15)):
        x = submission.normal(BATCH_SIZE, N_HEAD, length, DIM_SPLIT)
        cos, sin = angles(DIM_SPLIT, rows)

        with submission.raises(ValueError, start, length, rows):
            turn(submission)(x, cos, sin, start)


@check
def the_result_has_the_dtype_of_x(submission: Submission) -> None:
    """The result has the dtype of x (float16, bfloat16, float32, float64), with every table."""
    cos = np.array([[1.0, 1, 1], [0, -1, 1], [-1, 1, 0], [0, 0, -1]])  # Turns by 0, 90, 180 …
    sin = np.array([[0.0, 0, 0], [1, 0, 0], [0, 0, -1], [-1, 1, 0]])
    whole = submission.tokens(9, BATCH_SIZE, N_HEAD, LENGTH, DIM_SPLIT, low=-9).astype(float)
    for dtype in ("float16", "bfloat16", "float64", "float32"):
        for of_table in FLOATS:
            tables = [Kept("cos", cos, of_table), Kept("sin", sin, of_table)]

            out = turn(submission)(Kept("x", whole, dtype), *tables)

            expect(out, truth.rotate(whole, cos, sin), dtype=dtype)


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches x, turned back."""
    x = submission.normal(BATCH_SIZE, N_HEAD, LENGTH, DIM_SPLIT)

    expect_gradients(turn(submission, "float64"), x, *the_table(dtype="float64"), 3)


@check
def heads_may_be_views(submission: Submission) -> None:
    """x need not be contiguous: heads are split with a transpose."""
    x = submission.normal(BATCH_SIZE, N_HEAD, LENGTH, DIM_SPLIT).view(Crossed)
    cos, sin = the_table()

    out = turn(submission)(x, cos, sin, 3)

    expect(out, truth.rotate(np.asarray(x), cos, sin, 3))


@check
def large_sizes_work_too(submission: Submission) -> None:
    """Large sizes work too: hundreds of tokens, heads, sentences or features, and a late start."""
    for *shape, dim_split, start in (
        *((1, 1, 600, 4, 0), (1, 1, 2, 4, 700), (1, 1, 3, 600, 0)),
        *((1, 300, 2, 4, 5), (300, 1, 2, 4, 5)),
    ):
        x = submission.normal(*shape, dim_split)
        cos, sin = angles(dim_split, start + shape[2] + 2, base=10000.0)

        out = turn(submission)(x, cos, sin, start)

        expect(out, truth.rotate(x, cos, sin, start))


@check
def it_has_manners(submission: Submission) -> None:
    """Two calls give the same result; the inputs are not changed; it works on any device."""
    x = submission.normal(BATCH_SIZE, N_HEAD, LENGTH, DIM_SPLIT)

    expect_manners(turn(submission), x, *the_table(), 3)
    for dim_split, max_len, base in ((6, 5, 20.0), (6, 9, 20.0), (6, 9, 10000.0), (6, 5, 20.0)):
        expect_table(table(submission)(dim_split, max_len, base), dim_split, max_len, base)
