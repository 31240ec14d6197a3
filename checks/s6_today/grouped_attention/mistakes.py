"""What people get wrong in s6_today/grouped_attention.py."""

from checks.engine.known import Mistake

GAMMA_ADDED = Mistake(
    "AUTHOR: what is wrong and why it matters, for the learner.",
    {"self.gamma * x": "self.gamma + x"},
)
