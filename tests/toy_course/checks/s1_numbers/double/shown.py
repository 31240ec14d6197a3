"""Shown to learners of s1_numbers/double.py: hints."""

HINTS = ["What is twice 3?", "Multiply.", "return 2 * ____"]
