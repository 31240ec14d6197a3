"""6.8: the learner's LanguageModel learns to go on counting in words.

Its texts count five numbers upwards. Some stretches of five numbers are held out: no training text
has any of their numbers. The model reads the first two of a stretch and writes the other three.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from checks.graduation.task import Ask, Reason, Sample, Task
from checks.graduation.texts import FAMILIAR, NUMBERS, spelled

SIZES = {
    **{"dim_vector": 64, "n_head": 4, "n_kv_head": 2, "dim_hidden": 128, "num_layer": 2},
    "max_len": 64,
}
RATE, WARMUP = 3e-3, 50
STRETCH, GIVEN = 5, 2  # Numbers of a text, and how many of them the model is given.
LEARNED_FROM, ON_THE_WAY = 5_000, 40  # Texts.
MERGED_FROM = 1_000  # Texts for `learn`: enough, and quick even if it counts every single piece.
MERGES = 70  # Then nearly every word is one token.
LONGEST = 40  # Tokens that the model may write. The longest right answer has 20.
END = ord("\n")  # The byte that ends a text, which is a token of its own.
GAP = 0.1  # Without a mistake, the three fractions of `because` differ only by their numbers.
LEAK = (
    "If your model reads the right words so far, it gets {told:.0f} % of the texts right; if it "
    "must write them itself, {reread:.0f} %. Both should be the same, so it sees the future. "
    "Check the mask (6.5)."
)
CACHE = (
    "If your model reads the whole text again for each word, without caches, it gets "
    "{reread:.0f} % right; with your write it gets {alone:.0f} %. Both should be the same. Check "
    "what your write reads in each step (6.8), and what the model does with its caches (6.5): the "
    "positions, and the mask."
)
LOST = (
    "Your encode and decode do not give this text back:\n"
    "  {text}\n"
    "    -> {back}\n"
    "Check both (6.7): python run_step.py 6.7."
)
TOO_LITTLE = (
    "The loss began at {first:.3f} and ended at {loss:.3f}: your model has learned too little. "
    "Check that every part learns (6.5): python run_step.py 6.5."
)


class Counting(Task):
    """Two numbers in words -> the next three: "thirty eight , thirty nine ," -> "forty , …".

    Each text begins with a blank, as if it were cut out of a longer one. So the first word is the
    same token as anywhere else.
    """

    does = "Your LanguageModel learns to count in words"
    sentence = (
        "Your LanguageModel learns to count. It goes on rightly after at least 99 of 100 "
        "beginnings, among numbers that it has never seen."
    )
    bar = 0.99

    def __init__(self, rng: np.random.Generator, steps: int = 800, asked: int = 300):
        super().__init__(rng, steps)
        stretches = _stretches(rng)
        self.on_the_way, self.asked = stretches[:ON_THE_WAY], stretches[ON_THE_WAY:][:asked]
        held = {n for start in [*self.on_the_way, *self.asked] for n in _numbers(start)}
        free = [n for n in range(NUMBERS - STRETCH) if held.isdisjoint(_numbers(n))]
        starts = [free[at] for at in rng.permutation(len(free))[:LEARNED_FROM]]
        self.learned = [_text(start) for start in starts for _ in range(_weight(start))]
        self.batches = self.shuffled(len(self.learned))

    def enrol(self, ask: Ask, seed: int) -> None:
        doing = "while your LanguageModel was being made"
        module, name = "s6_today.language_model", "LanguageModel"
        ask("enrol", doing, module=module, name=name, sizes=self._sizes(), seed=seed)
        ask(
            "speaker",
            "while your learn was finding byte pairs",
            tokens="s6_today.byte_pairs",
            module="s6_today.speak",
            text="".join(self.learned[:MERGED_FROM]),
            num_merge=MERGES,
        )

    def train(self, ask: Ask, first: int, count: int) -> list[float]:
        steps = range(first, first + count)
        losses: list[float] = ask(
            "train_speaker",
            f"in the training steps {first} to {first + count - 1}",
            batches=[[self.learned[at] for at in next(self.batches)] for _ in steps],
            rates=[RATE * min(1.0, step / WARMUP) * self.share(step) for step in steps],
        )
        return losses

    def look(self, ask: Ask) -> list[Sample]:
        return self._written(ask, self.on_the_way)

    def exam(self, ask: Ask) -> list[Sample]:
        parts = [self.asked[at : at + 50] for at in range(0, len(self.asked), 50)]
        return [sample for part in parts for sample in self._written(ask, part)]

    def about(self) -> dict[str, Any]:
        return {
            "task": "count",
            "model": "language_model.LanguageModel",
            "sizes": self._sizes(),
            "max_len": SIZES["max_len"],
        }

    def reason(self, ask: Ask, share: float, losses: list[float]) -> Reason:
        """It asks about the numbers on the way, because it has to send the right answers."""
        texts = [_text(start) for start in self.on_the_way]
        back = ask("spell", "while your decode was given what encode had made", texts=texts)
        told = ask(
            "told",
            "while your model was given the right words",
            texts=[_beginning(start) for start in self.on_the_way],
            wholes=texts,
        )
        reread = self._written(ask, self.on_the_way, "reread")
        return because(
            next(((a, b) for a, b in zip(texts, back) if a != b), None),
            sum(_same(a, start) for a, start in zip(told, self.on_the_way)) / len(told),
            sum(sample.right for sample in reread) / len(reread),
            share,
            losses,
        )

    def _sizes(self) -> dict[str, Any]:
        return {"vocab_size": 256 + MERGES, **SIZES}

    def _written(self, ask: Ask, starts: list[int], lesson: str = "write") -> list[Sample]:
        answers = ask(
            lesson,
            "while your model was counting",
            texts=[_beginning(start) for start in starts],
            num_new=LONGEST,
            end=END,
        )
        return [
            Sample(f"… {spelled(start + GIVEN - 1, 'en')} ,", answer.strip(), _rest(start))
            for answer, start in zip(answers, starts)
        ]


def _stretches(rng: np.random.Generator) -> list[int]:
    """The first numbers of stretches that do not overlap, in random order.

    The one with FAMILIAR comes first. Half of them go into a new ten. Numbers below 1,000 are few,
    and so are those around a thousand. The others of these are always learned from.
    """
    first = FAMILIAR - GIVEN
    starts = range(first % STRETCH, NUMBERS - STRETCH, STRETCH)
    many = [n for n in starts if n > 1_000 and 100 <= n % 1_000 < 990]
    return [first, *(n for n in rng.permutation(many).tolist() if n != first)]


def _numbers(start: int) -> range:
    return range(start, start + STRETCH)


def _text(start: int) -> str:
    return f" {_counted(_numbers(start))}\n"


def _beginning(start: int) -> str:
    return f" {_counted(_numbers(start)[:GIVEN])} ,"


def _rest(start: int) -> str:
    return _counted(_numbers(start)[GIVEN:])


def _counted(numbers: range) -> str:
    return " , ".join(spelled(number, "en") for number in numbers)


def _same(answer: str, start: int) -> bool:
    return answer.strip() == _rest(start)


def _weight(start: int) -> int:
    """How often a round uses the text: there are few numbers of these kinds."""
    return 4 if start < 1_000 or not 100 <= start % 1_000 < 990 else 1


def because(
    lost: tuple[str, str] | None, told: float, reread: float, alone: float, losses: list[float]
) -> Reason:
    """Why so few are right.

    lost: a text, and what encode and decode made of it, if that is another text.
    told: the fraction that is right if the right words so far are given.
    reread: the same if the model writes without caches.
    alone: the same if the learner's `write` does it.
    """
    first, loss = losses[0], sum(losses[-10:]) / len(losses[-10:])
    facts = {"told": 100 * told, "reread": 100 * reread, "alone": 100 * alone}
    model = ("s6_today/language_model.py", r"class LanguageModel\(")
    if lost is not None:
        text, back = (part.strip() for part in lost)
        says = LOST.format(text=text, back=back or "(nothing)")
        return Reason(says, ("s6_today/byte_pairs.py", "def decode"))
    if told - reread > GAP:
        return Reason(LEAK.format(**facts), model, "next-token-seen")
    if reread - alone > GAP:
        return Reason(CACHE.format(**facts), ("s6_today/speak.py", "def write"), "caches-differ")
    return Reason(TOO_LITTLE.format(first=first, loss=loss), model)
