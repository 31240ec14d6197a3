"""What people get wrong in s1_numbers/scaled.py."""

from checks.engine.known import Mistake

SCALES = "return double(x) * self.factor"
NOT_DOUBLED = Mistake("You scale x itself. Double it first.", {SCALES: "return x * self.factor"})
