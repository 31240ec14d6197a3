"""Shown to learners of s1_numbers/scaled.py: hints."""

HINTS = ["Which numbers are learned?", "A parameter is multiplied.", "return double(x) * ____"]
