"""The tasks to learn: to translate, to classify texts, to go on writing (writing.py).

Each has its batches, loss and scores.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from checks.training.batches import even, in_order
from checks.training.model import learner
from checks.training.vocabulary import BOS, EOS, PAD, Vocabulary, library
from checks.training.writing import Writing

Scores = dict[str, Any]


class Translation:
    """Pairs of sentences. A source ends in eos; a target stands between bos and eos."""

    def __init__(
        self, pairs: tuple[list[str], list[str]], vocabularies: list[Vocabulary], max_len: int
    ):
        source = vocabularies[0].encode_all(pairs[0])
        target = [[BOS, *ids] for ids in vocabularies[-1].encode_all(pairs[1])]
        fits = [n for n in range(len(source)) if max(len(source[n]), len(target[n])) <= max_len]
        self.left_out = len(source) - len(fits)
        self.texts = [(pairs[0][n], pairs[1][n]) for n in fits]
        self.rows = [(source[n], target[n]) for n in fits]
        self.lengths = [(len(source), len(target)) for source, target in self.rows]
        self.vocabularies, self.max_len = vocabularies, max_len
        self.sequence_loss = learner("training.sequence_loss")

    def weight(self, numbers: list[int]) -> int:
        """The number of predictions in these rows: their weight in a batch's loss."""
        return sum(len(self.rows[n][1]) - 1 for n in numbers)

    def tokens(self, numbers: list[int]) -> int:
        return sum(sum(self.lengths[n]) for n in numbers)

    def loss(self, model: nn.Module, numbers: list[int], smoothing: float, device: Any) -> Tensor:
        """The mean over these rows' predictions, by the learner's own sequence_loss."""
        longest = [max(self.lengths[n][side] for n in numbers) for side in (0, 1)]
        src_len, trg_len = even(longest[0]), even(longest[1] - 1) + 1
        src = padded([self.rows[n][0] for n in numbers], device, min(src_len, self.max_len))
        trg = padded([self.rows[n][1] for n in numbers], device, min(trg_len, self.max_len))
        logits = model(src, trg[:, :-1])
        loss: Tensor = self.sequence_loss(logits.float(), trg[:, 1:], PAD, smoothing)
        return loss

    def predict(self, model: nn.Module, numbers: list[int], device: Any) -> dict[int, str]:
        """The output of the learner's greedy_decode for these rows."""
        found: dict[int, str] = {}
        for batch in in_order([self.lengths[n] for n in numbers], 4000):
            rows = [numbers[n] for n in batch]
            src = padded([self.rows[n][0] for n in rows], device)
            trg = learner("decoding.greedy_decode")(model, src, BOS, EOS, room(src, self.max_len))
            found.update(zip(rows, texts_of(trg, self.vocabularies[-1])))
        return found

    def merit(self, scores: Scores) -> float:
        """The negative loss chooses the best epoch: BLEU of a few sentences would be too random."""
        return -float(scores["validation"])

    def scores(self, predicted: dict[int, str], loss: float) -> Scores:
        """BLEU of the predicted texts, with a sample."""
        lower = self.vocabularies[-1].lower_case
        wanted = {n: self.texts[n][1].lower() if lower else self.texts[n][1] for n in predicted}
        score, signature = bleu([predicted[n] for n in sorted(predicted)], list_of(wanted))
        n = min(predicted)
        sample = f"{self.texts[n][0]} -> {predicted[n]}"
        return {"bleu": score, "signature": signature, "sample": sample}


class Classification:
    """Texts with labels; a text longer than max_len keeps its beginning."""

    def __init__(
        self,
        labelled: tuple[list[str], list[str]],
        vocabularies: list[Vocabulary],
        max_len: int,
        labels: list[str],
    ):
        self.labels, self.left_out, self.max_len = labels, 0, max_len
        self.texts = list(zip(*labelled))
        ids = vocabularies[0].encode_all(labelled[0])
        self.rows = [(row[:max_len], labels.index(self.texts[n][1])) for n, row in enumerate(ids)]
        self.lengths = [(len(ids), 1) for ids, _ in self.rows]

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

    def merit(self, scores: Scores) -> float:
        """The accuracy. It may still grow while a few confident errors raise the loss."""
        return float(scores["accuracy"])

    def scores(self, predicted: dict[int, str], loss: float) -> Scores:
        right = sum(self.texts[n][1] == label for n, label in predicted.items())
        n = min(predicted)
        sample = f"{self.texts[n][0]} -> {predicted[n]}"
        return {"accuracy": 100 * right / len(predicted), "sample": sample}


Task = Translation | Classification | Writing


def summed_loss(task: Task, model: nn.Module, batches: list[list[int]], device: Any) -> float:
    """The loss without smoothing over all predictions of these batches, not yet divided."""
    losses = (task.loss(model, batch, 0.0, device).item() for batch in batches)
    return sum(loss * task.weight(batch) for loss, batch in zip(losses, batches))


def padded(rows: list[list[int]], device: Any = None, length: int = 0) -> Tensor:
    """(batch_size, longest or `length`) int64, filled up with padding."""
    length = max(length, *map(len, rows))
    return torch.tensor([row + [PAD] * (length - len(row)) for row in rows], device=device)


def room(src: Tensor, max_len: int) -> int:
    """The longest length of a translation: a poor model repeats itself for ever."""
    return min(max_len, src.size(1) * 3 // 2 + 10)


def texts_of(trg: Tensor, vocabulary: Vocabulary) -> list[str]:
    """The texts between bos and eos."""
    texts = []
    for ids in trg[:, 1:].tolist():
        texts.append(vocabulary.decode(ids[: ids.index(EOS)] if EOS in ids else ids))
    return texts


def list_of(by_number: dict[int, str]) -> list[str]:
    return [by_number[number] for number in sorted(by_number)]


def bleu(translations: list[str], references: list[str]) -> tuple[float, str]:
    """sacrebleu's BLEU of decoded text, and the signature that says how it was computed."""
    metric = library("sacrebleu").metrics.BLEU()
    score = metric.corpus_score(translations, [references]).score
    return float(score), str(metric.get_signature())
