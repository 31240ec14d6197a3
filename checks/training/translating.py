"""The task to translate: pairs of sentences, for the Transformer of step 5.2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import Tensor, nn

from checks.engine.commands.words import Usage
from checks.training.batches import even, in_order, padded
from checks.training.kinds import Settings
from checks.training.model import SIZES, Tables, find_tables, learner, set_first_values, tie
from checks.training.parts import Part
from checks.training.vocabulary import BOS, EOS, PAD, Vocabulary, cut, learn, library


class Translation:
    """Pairs of sentences. A source ends in eos; a target stands between bos and eos."""

    vocabulary_class = Vocabulary

    def __init__(self, pairs: Part, vocabularies: list[Vocabulary], max_len: int):
        source = vocabularies[0].encode_all(pairs[0])
        target = [[BOS, *ids] for ids in vocabularies[-1].encode_all(pairs[1])]
        fits = [n for n in range(len(source)) if max(len(source[n]), len(target[n])) <= max_len]
        self.left_out = len(source) - len(fits)
        self.texts = [(pairs[0][n], pairs[1][n]) for n in fits]
        self.rows = [(source[n], target[n]) for n in fits]
        self.lengths = [(len(source), len(target)) for source, target in self.rows]
        self.vocabularies, self.max_len = vocabularies, max_len
        self.sequence_loss = learner("training.sequence_loss")

    @classmethod
    def of(cls, part: Part, vocabularies: list[Vocabulary], settings: Settings) -> Translation:
        """Raises Usage if no pair fits."""
        made = cls(part, vocabularies, settings["max_len"])
        if not made.rows:
            raise Usage(f"No pair fits into --max-len {settings['max_len']} tokens.")
        return made

    @staticmethod
    def learned(part: Part, settings: Settings, say: Callable[[str], None]) -> list[Vocabulary]:
        """One for both languages, or one for each."""
        texts = [part[0], part[1]] if settings["separate"] else [part[0] + part[1]]
        return [learn(each, settings["vocab_size"], settings["lower_case"]) for each in texts]

    @staticmethod
    def model(settings: Settings, vocab_sizes: list[int]) -> tuple[nn.Module, Tables]:
        sizes = {name: settings[name] for name in SIZES}
        source, target = vocab_sizes[0], vocab_sizes[-1]
        made: nn.Module = learner("transformer.Transformer")(
            src_pad_idx=PAD,
            trg_pad_idx=PAD,
            encoder_vocab_size=source,
            decoder_vocab_size=target,
            **sizes,
        )
        tables = find_tables(made, source, target)
        set_first_values(made, tables)
        if settings["tie"]:
            tie(tables, joint=len(vocab_sizes) == 1)
        return made, tables

    @staticmethod
    def scored(
        model: nn.Module, part: Part, vocabularies: list[Vocabulary], settings: Settings
    ) -> str:
        """BLEU, by the same function that translates later."""
        found = translations(model, part[0], vocabularies, settings["max_len"], 4, 0.6)
        wanted = [text.lower() for text in part[1]] if settings["lower_case"] else part[1]
        score, signature = bleu(found, wanted)
        return f"BLEU {score:.2f}, beam 4, length penalty 0.6, {signature}"

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

    def merit(self, scores: dict[str, Any]) -> float:
        """The negative loss chooses the best epoch: BLEU of a few sentences would be too random."""
        return -float(scores["validation"])

    def scores(self, predicted: dict[int, str], loss: float) -> dict[str, Any]:
        """BLEU of the predicted texts, with a sample."""
        lower = self.vocabularies[-1].lower_case
        rows = sorted(predicted)
        wanted = [self.texts[n][1].lower() if lower else self.texts[n][1] for n in rows]
        score, signature = bleu([predicted[n] for n in rows], wanted)
        n = min(predicted)
        sample = f"{self.texts[n][0]} -> {predicted[n]}"
        return {"bleu": score, "signature": signature, "sample": sample}


def translations(
    model: nn.Module,
    lines: list[str],
    vocabularies: list[Any],
    max_len: int,
    beam: int,
    penalty: float,
) -> list[str]:
    """The translations, by the learner's own greedy_decode or beam_search.

    An empty line gives an empty line.
    """
    device = next(model.parameters()).device
    ids = cut(lines, vocabularies[0], max_len)
    found = [""] * len(lines)
    real = [n for n, line in enumerate(lines) if line]
    for batch in in_order([(len(ids[n]), 1) for n in real], 4000):
        rows = [real[n] for n in batch]
        src = padded([ids[n] for n in rows], device)
        longest = room(src, max_len)
        if beam == 1:
            trg = learner("decoding.greedy_decode")(model, src, BOS, EOS, longest)
        else:
            trg = learner("decoding.beam_search")(model, src, BOS, EOS, longest, beam, penalty)
        for n, text in zip(rows, texts_of(trg, vocabularies[-1])):
            found[n] = text
    return found


def room(src: Tensor, max_len: int) -> int:
    """The longest length of a translation: a poor model repeats itself for ever."""
    return min(max_len, src.size(1) * 3 // 2 + 10)


def texts_of(trg: Tensor, vocabulary: Vocabulary) -> list[str]:
    """The texts between bos and eos."""
    texts = []
    for ids in trg[:, 1:].tolist():
        texts.append(vocabulary.decode(ids[: ids.index(EOS)] if EOS in ids else ids))
    return texts


def bleu(translations: list[str], references: list[str]) -> tuple[float, str]:
    """sacrebleu's BLEU of decoded text, and the signature that says how it was computed."""
    metric = library("sacrebleu").metrics.BLEU()
    score = metric.corpus_score(translations, [references]).score
    return float(score), str(metric.get_signature())
