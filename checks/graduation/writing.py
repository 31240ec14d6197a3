"""A task that a Transformer learns with the steps of stage 5: to write an answer to a text."""

from __future__ import annotations

from typing import Any

import numpy as np

from checks.graduation.task import Ask, Sample, Task
from checks.graduation.texts import PAD, Vocabulary, padded, received

Pair = tuple[str, str]  # A text, and the right answer.


class Writing(Task):
    """Texts with answers. `sizes`: of the model. `factor`: of the paper's learning rate."""

    sizes: dict[str, int]
    warmup: int
    factor: float
    longest: int  # Tokens of an answer that the model may write.

    def __init__(
        self,
        rng: np.random.Generator,
        steps: int,
        learned: list[Pair],
        on_the_way: list[Pair],
        asked: list[Pair],
        source: Vocabulary,
        target: Vocabulary,
    ):
        super().__init__(rng, steps)
        self.learned, self.on_the_way, self.asked = learned, on_the_way, asked
        self.source, self.target = source, target
        self.batches = self.shuffled(len(learned))

    def enrol(self, ask: Ask, seed: int) -> None:
        module, name = "s5_transformer.transformer", "Transformer"
        doing = "while your Transformer was being made"
        ask("enrol", doing, module=module, name=name, sizes=self.all_sizes(), seed=seed)
        ask(
            "translator",
            "while your translate was being imported",
            module="s5_transformer.translate",
            source=self.source.for_worker(),
            target=self.target.for_worker(),
            max_len=self.longest,
        )

    def train(self, ask: Ask, first: int, count: int) -> list[float]:
        pairs = [[self.learned[at] for at in next(self.batches)] for _ in range(count)]
        losses: list[float] = ask(
            "train_translator",
            f"in the training steps {first} to {first + count - 1}",
            module="s5_transformer.training",
            first=first,
            batches=[self._arrays(batch) for batch in pairs],
            shares=[self.factor * self.share(step) for step in range(first, first + count)],
            warmup_steps=self.warmup,
        )
        return losses

    def look(self, ask: Ask) -> list[Sample]:
        return self._written(ask, self.on_the_way)

    def exam(self, ask: Ask) -> list[Sample]:
        return [
            s
            for at in range(0, len(self.asked), 50)
            for s in self._written(ask, self.asked[at : at + 50])
        ]

    def told(self, ask: Ask) -> float:
        """The fraction of right answers if the right tokens so far are given.

        It asks what is asked on the way, because those answers have to be sent.
        """
        src, trg = self._arrays(self.on_the_way)
        right = received(trg)
        best = received(ask("teach", "while it was given the right words", src=src, trg=trg))
        same = (best[:, :-1] == right[:, 1:]) | (right[:, 1:] == PAD)
        return float(same.all(axis=1).mean())

    def all_sizes(self) -> dict[str, Any]:
        """The arguments that make the model."""
        return {
            **{"src_pad_idx": PAD, "trg_pad_idx": PAD, "dropout": 0.0, **self.sizes},
            **{"encoder_vocab_size": len(self.source), "decoder_vocab_size": len(self.target)},
        }

    def _written(self, ask: Ask, pairs: list[Pair]) -> list[Sample]:
        texts = [text for text, _ in pairs]
        answers = ask("translate", "while it was translating", texts=texts)
        return [Sample(text, answer, right) for answer, (text, right) in zip(answers, pairs)]

    def _arrays(self, pairs: list[Pair]) -> tuple[Any, Any]:
        texts, answers = zip(*pairs)
        sources = [self.source.encode(text) for text in texts]
        return padded(sources), padded([self.target.encode(text) for text in answers])
