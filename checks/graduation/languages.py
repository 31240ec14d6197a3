"""5.6: the learner's TextClassifier learns to recognise languages, letter by letter."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from checks.graduation.task import Ask, Reason, Sample, Task
from checks.graduation.texts import PAD, Vocabulary, on_the_wire, padded, received, spelled, split

LANGUAGES = {
    **{"de": "German", "en": "English", "fr": "French", "es": "Spanish", "it": "Italian"},
    **{"nl": "Dutch", "da": "Danish", "sv": "Swedish"},
}
NAMES = list(LANGUAGES.values())
SIZES = {"dim_vector": 32, "n_head": 4, "max_len": 64, "dim_hidden": 64, "num_layer": 1}
RATE, WARMUP = 5e-3, 20
LEARNED_FROM = 1_000  # Numbers, each in every language.
TOO_LITTLE = (
    "The loss began at {first:.3f} and ended at {loss:.3f}; guessing gets {guess:.1f} % right. "
    "Check the mean and the padding: the texts of a batch have different lengths."
)


class Languages(Task):
    """A number in words, letter by letter -> its language."""

    does = f"Your TextClassifier learns to recognise {len(NAMES)} languages"
    sentence = (
        f"Your TextClassifier learns to recognise {len(NAMES)} languages. It is right for at least "
        "95 of 100 numbers that it has never seen."
    )

    def __init__(self, rng: np.random.Generator, steps: int = 300, asked: int = 100):
        super().__init__(rng, steps)
        first, second, rest = split(rng, 5, asked)
        groups = [self._texts(group) for group in (first, second, rest[:LEARNED_FROM])]
        counts = Counter(text for group in groups for text, _ in group)
        # Words like "six" are the same in two languages: no classifier can know the language.
        unique = [[pair for pair in group if counts[pair[0]] == 1] for group in groups]
        self.on_the_way, self.asked, self.learned = unique
        self.letters = Vocabulary((text for g in unique for text, _ in g), "", begins=False)
        self.batches = self.shuffled(len(self.learned))

    def enrol(self, ask: Ask, seed: int) -> None:
        ask(
            "enrol",
            "while your TextClassifier was being made",
            module="s5_transformer.classifier",
            name="TextClassifier",
            sizes=self._sizes(),
            seed=seed,
        )

    def train(self, ask: Ask, first: int, count: int) -> list[float]:
        pairs = [[self.learned[at] for at in next(self.batches)] for _ in range(count)]
        steps = range(first, first + count)
        losses: list[float] = ask(
            "train_classifier",
            f"in the training steps {first} to {first + count - 1}",
            batches=[[self._tokens(batch), self._classes(batch)] for batch in pairs],
            rates=[RATE * min(1.0, step / WARMUP) * self.share(step) for step in steps],
        )
        return losses

    def look(self, ask: Ask) -> list[Sample]:
        return self._told_apart(ask, self.on_the_way)

    def exam(self, ask: Ask) -> list[Sample]:
        return self._told_apart(ask, self.asked)

    def about(self) -> dict[str, Any]:
        return {
            "task": "classify",
            "model": "classifier.TextClassifier",
            "sizes": self._sizes(),
            "source": self.letters.for_worker(),
            "labels": NAMES,
            "max_len": SIZES["max_len"],
        }

    def reason(self, ask: Ask, share: float, losses: list[float]) -> Reason:
        loss = sum(losses[-10:]) / len(losses[-10:])
        return Reason(TOO_LITTLE.format(first=losses[0], loss=loss, guess=100 / len(NAMES)))

    def _sizes(self) -> dict[str, Any]:
        sizes = {"vocab_size": len(self.letters), "num_class": len(NAMES), "pad_idx": PAD}
        return {**sizes, **SIZES, "dropout": 0.0}

    def _told_apart(self, ask: Ask, pairs: list[tuple[str, int]]) -> list[Sample]:
        doing = "while it was recognising languages"
        answers = received(ask("classify", doing, tokens=self._tokens(pairs)))
        names = [NAMES[n] if 0 <= n < len(NAMES) else f"class {n}" for n in answers.tolist()]
        return [Sample(text, name, NAMES[n]) for name, (text, n) in zip(names, pairs)]

    def _texts(self, numbers: list[int]) -> list[tuple[str, int]]:
        return [(spelled(n, code), k) for n in numbers for k, code in enumerate(LANGUAGES)]

    def _tokens(self, pairs: list[tuple[str, int]]) -> Any:
        return padded([self.letters.encode(text) for text, _ in pairs])

    def _classes(self, pairs: list[tuple[str, int]]) -> Any:
        return on_the_wire(np.array([number for _, number in pairs]))
