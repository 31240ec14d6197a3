"""Checks for s1_numbers/scaled.py."""

from checks.engine.language import Submission, check, expect, expect_gradients


@check
def the_factor_scales(submission: Submission) -> None:
    """Every number is doubled, and then multiplied by its factor."""
    scaled = submission.build("Scaled", dtype="float64", width=3)
    x = submission.normal(2, 3)
    scaled.draw({"factor": (3,)}, lambda weights, x: 2 * x * weights["factor"], x)

    expect(scaled(x), 2 * x * scaled.weights["factor"])
    expect_gradients(scaled, x)
