"""5.5: the learner's Transformer learns to translate numbers, German to English.

The order of units and tens is reversed, so attention has to learn where to attend.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from checks.graduation.task import Ask, Reason
from checks.graduation.texts import Vocabulary, spelled, split
from checks.graduation.writing import Writing

SIZES = {"dim_vector": 64, "n_head": 4, "max_len": 64, "dim_hidden": 128, "num_layer": 1}
GAP = 0.1  # Without a leak, told and alone differ only by their sets of numbers.
LEARNED = 0.1  # A loss below which the numbers should be translated.
LEAK = (
    "If your model reads the right words so far, it gets {told:.0f} % of the numbers right; alone "
    "it gets {alone:.0f} %. Both should be the same, so it sees the future. Check the target mask: "
    "how it is made (5.1) and where it is used (5.2)."
)
EASIER = (
    "The loss of your train_step has fallen to {loss:.3f}, but only {alone:.0f} % of the numbers "
    "are translated. Your model has learned something easier. Check what the decoder reads and "
    "what it must predict (5.3), and the target mask (5.1, 5.2)."
)
TOO_LITTLE = (
    "The loss began at {first:.3f} and ended at {loss:.3f}: your model has learned too little. "
    "Check how the loss changes the weights (5.3): python run_step.py 5.3."
)


class Translation(Writing):
    """German numbers, letter by letter -> English ones, word by word."""

    does = "Your Transformer learns to translate numbers, German to English"
    sentence = (
        "Trained by your train_step, your Transformer translates at least 95 of 100 German numbers "
        "that it has never seen."
    )
    sizes = SIZES
    warmup, factor = 120, 0.4
    longest = 16  # The longest right translation has 9 tokens.

    def __init__(self, rng: np.random.Generator, steps: int = 600, asked: int = 300):
        groups = split(rng, 40, asked)
        pairs = [[(spelled(n, "de"), spelled(n, "en")) for n in group] for group in groups]
        on_the_way, exam, others = pairs
        everything = [pair for group in pairs for pair in group]
        german = Vocabulary((german for german, _ in everything), "", begins=False)
        english = Vocabulary((english for _, english in everything), " ", begins=True)
        learned = [p for n, p in zip(groups[2], others) for _ in range(_weight(n))]
        super().__init__(rng, steps, learned, on_the_way, exam, german, english)

    def about(self) -> dict[str, Any]:
        return {
            "task": "translate",
            "model": "transformer.Transformer",
            "sizes": self.all_sizes(),
            "source": self.source.for_worker(),
            "target": self.target.for_worker(),
            "max_len": self.sizes["max_len"],
        }

    def reason(self, ask: Ask, share: float, losses: list[float]) -> Reason:
        return because(self.told(ask), share, losses)


def _weight(number: int) -> int:
    """How often a round uses the number: there are few numbers below 1,000."""
    return 4 if number < 1_000 else 1


def because(told: float, alone: float, losses: list[float]) -> Reason:
    """Why so few are right: by the fractions with the right words given and alone, and the losses.

    For a decoder that cannot see the future, both fractions are the same. Each counts a number as
    right if every next word is the best one after the right words so far.
    """
    first, loss = losses[0], sum(losses[-10:]) / len(losses[-10:])
    facts = {"told": 100 * told, "alone": 100 * alone, "first": first, "loss": loss}
    mask = ("s5_transformer/masks.py", "def get_trg_mask")
    step = ("s5_transformer/training.py", "def train_step")
    if told - alone > GAP:
        return Reason(LEAK.format(**facts), mask, "leak-of-the-future")
    if loss < LEARNED and alone < 0.5:
        return Reason(EASIER.format(**facts), step, "leak-of-the-future")
    return Reason(TOO_LITTLE.format(**facts), step)
