"""Right versions of s6_today/rotary.py that look different."""

from checks.engine.known import Right

OTHER_ORDER = Right(
    "The factors are exchanged.",
    {"self.gamma * x": "x * self.gamma"},
)
