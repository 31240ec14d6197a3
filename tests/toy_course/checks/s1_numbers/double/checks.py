"""Checks for s1_numbers/double.py."""

from checks.engine.language import Submission, check, expect


@check
def every_number_is_doubled(submission: Submission) -> None:
    """Every number comes back twice as large."""
    double = submission.function("double", lambda weights, x: 2 * x)
    x = submission.normal(2, 3)

    out = double(x)

    expect(out, 2 * x)
