"""The task to classify: texts with labels, for the classifier of step 5.6."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from checks.training.batches import even, in_order, padded
from checks.training.kinds import Settings
from checks.training.model import SIZES, Tables, find_tables, learner, set_first_values
from checks.training.parts import Part
from checks.training.vocabulary import PAD, Vocabulary, cut, learn


class Classification:
    """Texts with labels; a text longer than max_len keeps its beginning."""

    vocabulary_class = Vocabulary

    def __init__(
        self,
        labelled: Part,
        vocabularies: list[Vocabulary],
        max_len: int,
        labels: list[str],
    ):
        self.labels, self.left_out, self.max_len = labels, 0, max_len
        self.texts = list(zip(*labelled))
        ids = vocabularies[0].encode_all(labelled[0])
        self.rows = [(row[:max_len], labels.index(self.texts[n][1])) for n, row in enumerate(ids)]
        self.lengths = [(len(ids), 1) for ids, _ in self.rows]

    @classmethod
    def of(cls, part: Part, vocabularies: list[Vocabulary], settings: Settings) -> Classification:
        return cls(part, vocabularies, settings["max_len"], settings["labels"])

    @staticmethod
    def learned(part: Part, settings: Settings, say: Callable[[str], None]) -> list[Vocabulary]:
        return [learn(part[0], settings["vocab_size"], settings["lower_case"])]

    @staticmethod
    def model(settings: Settings, vocab_sizes: list[int]) -> tuple[nn.Module, Tables]:
        sizes = {name: settings[name] for name in SIZES}
        made: nn.Module = learner("classifier.TextClassifier")(
            vocab_size=vocab_sizes[0], num_class=len(settings["labels"]), pad_idx=PAD, **sizes
        )
        tables = find_tables(made, vocab_sizes[0], 0)
        set_first_values(made, tables)
        return made, tables

    @staticmethod
    def scored(
        model: nn.Module, part: Part, vocabularies: list[Vocabulary], settings: Settings
    ) -> str:
        """The accuracy, by the same function that classifies later."""
        found = labels_of(model, part[0], vocabularies, settings)
        right = sum(label == wanted for label, wanted in zip(found, part[1]))
        return f"{right} of {len(found)} right, accuracy {100 * right / len(found):.2f} %"

    def weight(self, numbers: list[int]) -> int:
        return len(numbers)

    def tokens(self, numbers: list[int]) -> int:
        return sum(len(self.rows[n][0]) for n in numbers)

    def loss(self, model: nn.Module, numbers: list[int], smoothing: float, device: Any) -> Tensor:
        longest = even(max(self.lengths[n][0] for n in numbers))
        rows = [self.rows[n][0] for n in numbers]
        logits = model(padded(rows, device, min(longest, self.max_len)))
        wanted = torch.tensor([self.rows[n][1] for n in numbers], device=device)
        return F.cross_entropy(logits.float(), wanted, label_smoothing=smoothing)

    def predict(self, model: nn.Module, numbers: list[int], device: Any) -> dict[int, str]:
        """The labels with the highest scores."""
        found: dict[int, str] = {}
        for batch in in_order([self.lengths[n] for n in numbers], 8000):
            rows = [numbers[n] for n in batch]
            best = model(padded([self.rows[n][0] for n in rows], device)).argmax(dim=-1)
            found.update(zip(rows, (self.labels[label] for label in best.tolist())))
        return found

    def merit(self, scores: dict[str, Any]) -> float:
        """The accuracy. It may still grow while a few confident errors raise the loss."""
        return float(scores["accuracy"])

    def scores(self, predicted: dict[int, str], loss: float) -> dict[str, Any]:
        right = sum(self.texts[n][1] == label for n, label in predicted.items())
        n = min(predicted)
        sample = f"{self.texts[n][0]} -> {predicted[n]}"
        return {"accuracy": 100 * right / len(predicted), "sample": sample}


def labels_of(
    model: nn.Module, lines: list[str], vocabularies: list[Any], settings: Settings
) -> list[str]:
    """The label with the highest score for each line; an empty line for an empty line."""
    device = next(model.parameters()).device
    ids = cut(lines, vocabularies[0], settings["max_len"])
    labels = [""] * len(lines)
    real = [n for n, line in enumerate(lines) if line]
    for batch in in_order([(len(ids[n]), 1) for n in real], 8000):
        rows = [real[n] for n in batch]
        with torch.no_grad():
            best = model(padded([ids[n] for n in rows], device)).argmax(dim=-1).tolist()
        for n, label in zip(rows, best):
            labels[n] = settings["labels"][label]
    return labels
