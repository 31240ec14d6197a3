"""Right versions of s1_numbers/scaled.py."""

from checks.engine.known import Right
from checks.s1_numbers.scaled.mistakes import SCALES

OTHER_ORDER = Right("The factor comes first.", {SCALES: "return self.factor * double(x)"})
