"""A small task that a Transformer learns in seconds: to write digits backwards."""

from __future__ import annotations

from typing import Any

import numpy as np

from checks.graduation.task import Ask, Reason
from checks.graduation.texts import Vocabulary
from checks.graduation.writing import Pair, Writing

DIGITS = "0123456789"
SHORTEST, LONGEST = 4, 7
LEARNED, ASKED, STEPS = 12_000, 100, 300
SIZES = {"dim_vector": 32, "n_head": 4, "max_len": 16, "dim_hidden": 64, "num_layer": 2}


class Backwards(Writing):
    """Digits -> the same digits, last first: "4 7 2 9" -> "9 2 7 4".

    It needs what translation needs: positions, attention to the source, masks for padding and for
    the future, a beginning and an end.
    """

    does = "A small Transformer learns to write digits backwards"
    sentence = "A small Transformer writes digits backwards."
    batch_size = 32
    sizes = SIZES
    warmup, factor, longest = 60, 1.0, LONGEST + 2

    def __init__(self, seed: int):
        rng = np.random.default_rng([seed, 5])
        pairs = list(dict.fromkeys(_drawn(rng) for _ in range(LEARNED)))
        asked, learned = pairs[:ASKED], pairs[ASKED:]
        source, target = (Vocabulary([" ".join(DIGITS)], " ", begins) for begins in (False, True))
        super().__init__(rng, STEPS, learned, asked, asked, source, target)

    def look(self, ask: Ask) -> list[Any]:
        return []  # Each look takes time, and only the end counts here.

    def about(self) -> dict[str, Any]:
        raise NotImplementedError("this model is not kept")

    def reason(self, ask: Ask, share: float, losses: list[float]) -> Reason:
        raise NotImplementedError("nothing is required of this model")


def _drawn(rng: np.random.Generator) -> Pair:
    length = rng.integers(SHORTEST, LONGEST + 1)
    digits = [DIGITS[n] for n in rng.integers(len(DIGITS), size=length)]
    return " ".join(digits), " ".join(reversed(digits))
