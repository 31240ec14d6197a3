"""Right versions of s1_numbers/double.py."""

from checks.engine.known import Right

SUM = Right("The number is added to itself.", {"2 * x": "x + x"})
