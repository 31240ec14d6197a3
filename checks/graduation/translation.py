"""5.5: the learner's Transformer learns to translate numbers, German to English.

The order of units and tens is reversed, so attention has to learn where to attend.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from checks.graduation.task import Ask, Reason, Sample, Task
from checks.graduation.texts import PAD, Vocabulary, padded, received, spelled, split

SIZES = {"dim_vector": 64, "n_head": 4, "max_len": 64, "dim_hidden": 128, "num_layer": 1}
WARMUP, FACTOR = 120, 0.4  # The factor of the paper's learning rate.
MAX_LEN = 16  # Tokens of a translation; the longest right one has 9.
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


class Translation(Task):
    """German numbers, letter by letter -> English ones, word by word."""

    does = "Your Transformer learns to translate numbers, German to English"
    sentence = (
        "Trained by your train_step, your Transformer translates at least 95 of 100 German numbers "
        "that it has never seen."
    )

    def __init__(self, rng: np.random.Generator, steps: int = 600, asked: int = 300):
        super().__init__(rng, steps)
        groups = split(rng, 40, asked)
        pairs = [[(spelled(n, "de"), spelled(n, "en")) for n in group] for group in groups]
        self.on_the_way, self.asked, self.learned = pairs
        everything = [pair for group in pairs for pair in group]
        self.german = Vocabulary((german for german, _ in everything), "", begins=False)
        self.english = Vocabulary((english for _, english in everything), " ", begins=True)
        self.learned = [p for n, p in zip(groups[2], self.learned) for _ in range(_weight(n))]
        self.batches = self.shuffled(len(self.learned))

    def enrol(self, ask: Ask, seed: int) -> None:
        module, name = "s5_transformer.transformer", "Transformer"
        doing = "while your Transformer was being made"
        ask("enrol", doing, module=module, name=name, sizes=self._sizes(), seed=seed)
        ask(
            "translator",
            "while your translate was being imported",
            module="s5_transformer.translate",
            source=self.german.for_worker(),
            target=self.english.for_worker(),
            max_len=MAX_LEN,
        )

    def train(self, ask: Ask, first: int, count: int) -> list[float]:
        pairs = [[self.learned[at] for at in next(self.batches)] for _ in range(count)]
        losses: list[float] = ask(
            "train_translator",
            f"in the steps {first} to {first + count - 1} of your train_step",
            module="s5_transformer.training",
            first=first,
            batches=[self._arrays(batch) for batch in pairs],
            shares=[FACTOR * self.share(step) for step in range(first, first + count)],
            warmup_steps=WARMUP,
        )
        return losses

    def look(self, ask: Ask) -> list[Sample]:
        return self._translated(ask, self.on_the_way)

    def exam(self, ask: Ask) -> list[Sample]:
        return [
            s
            for at in range(0, len(self.asked), 50)
            for s in self._translated(ask, self.asked[at : at + 50])
        ]

    def about(self) -> dict[str, Any]:
        return {
            "task": "translate",
            "model": "transformer.Transformer",
            "sizes": self._sizes(),
            "source": self.german.for_worker(),
            "target": self.english.for_worker(),
            "max_len": SIZES["max_len"],
        }

    def reason(self, ask: Ask, share: float, losses: list[float]) -> Reason:
        return because(self._told(ask), share, losses)

    def _sizes(self) -> dict[str, Any]:
        return {
            **{"src_pad_idx": PAD, "trg_pad_idx": PAD, "dropout": 0.0, **SIZES},
            **{"encoder_vocab_size": len(self.german), "decoder_vocab_size": len(self.english)},
        }

    def _translated(self, ask: Ask, pairs: list[tuple[str, str]]) -> list[Sample]:
        texts = [german for german, _ in pairs]
        answers = ask("translate", "while it was translating", texts=texts)
        return [Sample(text, answer, en) for answer, (text, en) in zip(answers, pairs)]

    def _told(self, ask: Ask) -> float:
        """The fraction of right answers if the right words so far are given.

        Its numbers are not in the exam, because their words have to be sent.
        """
        src, trg = self._arrays(self.on_the_way)
        right = received(trg)
        best = received(ask("teach", "while it was given the right words", src=src, trg=trg))
        same = (best[:, :-1] == right[:, 1:]) | (right[:, 1:] == PAD)
        return float(same.all(axis=1).mean())

    def _arrays(self, pairs: list[tuple[str, str]]) -> tuple[Any, Any]:
        german, english = zip(*pairs)
        sources = [self.german.encode(text) for text in german]
        return padded(sources), padded([self.english.encode(text) for text in english])


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
