"""Questions about s6_today/byte_pairs.py."""

from __future__ import annotations

from checks.questions.kinds import Case, Draw, question
from checks.s6_today.byte_pairs.truth import byte_pairs


@question(
    "answer = load(BytePairs(3), weights)(x)",
    lesson="AUTHOR: a sentence of the lesson that settles it.",
)
def three_entries(draw: Draw) -> Case:
    """AUTHOR: why the right answer is right, in one sentence."""
    x, weights = draw.whole(3, low=1, high=5), {"gamma": draw.whole(3, low=2, high=4)}
    return Case(
        f"AUTHOR: x is {x}, gamma is {weights['gamma']}. What comes out?",
        {"x": x, "weights": weights},
        byte_pairs(x, weights),
        {"gamma-added": weights["gamma"] + x},  # AUTHOR: three mistakes at least.
    )
