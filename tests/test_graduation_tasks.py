"""What a graduation asks: numbers, languages, counts; what is sent and what is not."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from checks.contents import COURSE
from checks.engine.asking import answers
from checks.engine.worker import wire
from checks.graduation.counting import Counting
from checks.graduation.forms import form_of
from checks.graduation.languages import NAMES, Languages
from checks.graduation.task import Sample
from checks.graduation.texts import FAMILIAR, on_the_wire, received, spelled, split
from checks.graduation.translation import Translation

pytestmark = pytest.mark.room


def test_numbers_are_spelled_without_and_and_hyphens() -> None:
    assert spelled(345, "de") == "dreihundertfünfundvierzig"
    assert spelled(345, "en") == "three hundred forty five"
    assert spelled(9_999, "en") == "nine thousand nine hundred ninety nine"
    assert all(re.fullmatch("[a-z ]+", spelled(number, "en")) for number in range(0, 10_000, 7))


def test_no_number_is_in_two_groups() -> None:
    groups = split(np.random.default_rng(1), 40, 300)

    assert [len(group) for group in groups] == [40, 300, 9_660] and groups[0][0] == FAMILIAR
    assert sorted(number for group in groups for number in group) == list(range(10_000))
    assert groups != split(np.random.default_rng(2), 40, 300)


def test_a_text_belongs_to_one_language() -> None:
    task = Languages(np.random.default_rng(1))
    texts = [text for group in (task.on_the_way, task.asked, task.learned) for text, _ in group]

    assert max(Counter(texts).values()) == 1
    assert {language for _, language in task.asked} == set(range(len(NAMES)))


def test_right_answers_of_the_exam_are_never_sent() -> None:
    task = Translation(np.random.default_rng(1), steps=20, asked=30)
    hidden = {tuple(task.target.encode(english)) for _, english in task.asked}
    sent: list[Any] = []

    def ask(lesson: str, doing: str, **arguments: Any) -> Any:
        sent.append(arguments)
        if lesson == "train_translator":
            return [1.0] * len(arguments["batches"])
        if lesson == "teach":
            return arguments["trg"]
        return ["nine"] * len(arguments.get("texts", ()))

    task.enrol(ask, 1)
    task.look(ask)
    task.train(ask, 1, 20)
    assert not any(sample.right for sample in task.exam(ask))
    task.reason(ask, 0.0, [3.0])

    arrays = [array for arguments in sent for array in _arrays(arguments)]
    rows = {tuple(token for token in row if token) for array in arrays for row in received(array)}
    texts = [text for arguments in sent for text in arguments.get("texts", ())]
    assert {german for german, _ in task.asked} <= set(texts)
    assert len(rows) > 1_000 and not hidden & rows
    assert not {english for _, english in task.asked} & set(texts)


def test_no_training_text_has_a_number_that_is_held_out() -> None:
    task = Counting(np.random.default_rng(1))
    held = [spelled(start + n, "en") for start in task.on_the_way + task.asked for n in range(5)]
    learned = {number for text in task.learned for number in text.strip().split(" , ")}

    assert len(set(held)) == len(held) == 5 * 340 and not set(held) & learned
    assert spelled(FAMILIAR, "en") in held[:5] and len(learned) > 7_000
    carries = sum(sample.question.endswith(" nine ,") for sample in _silence(task))
    assert 120 < carries < 180  # Half of the beginnings end just before a new ten.


def _silence(task: Counting) -> list[Sample]:
    return task.exam(lambda lesson, doing, **given: [""] * len(given["texts"]))


def test_right_counts_of_the_exam_are_never_sent() -> None:
    task = Counting(np.random.default_rng(1), steps=20, asked=30)
    sent = list[str]()

    def ask(lesson: str, doing: str, **given: Any) -> Any:
        batches = given.get("batches", [])
        sent.extend([*given.get("texts", []), *given.get("wholes", []), given.get("text", "")])
        sent.extend(text for batch in batches for text in batch)
        return [1.0] * len(batches) if batches else ["nine"] * len(given.get("texts", []))

    task.enrol(ask, 1)
    task.look(ask)
    task.train(ask, 1, 20)
    samples = task.exam(ask)
    assert len(samples) == 30 and not any(sample.right for sample in samples)
    assert "6.7" in task.reason(ask, 0.0, [3.0]).says  # "nine" is not what was encoded.

    numbers = {number for text in sent for number in re.split(r"\s*[,\n]\s*", text.strip())}
    assert {sample.question.strip("… ,") for sample in samples} <= numbers
    assert not {number for s in samples for number in s.wanted.split(" , ")} & numbers


def _arrays(value: Any) -> list[wire.Array]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [array for item in value for array in _arrays(item)]
    return [value] if isinstance(value, wire.Array) else []


def test_forged_answers_are_none() -> None:
    def fits(lesson: str, ok: Any, **arguments: Any) -> bool:
        return answers.fits(ok, form_of(lesson, arguments))

    tokens = on_the_wire(np.zeros((3, 4), np.int64))
    assert fits("train_translator", [0.5, 0.5], batches=[1, 2])
    assert not fits("train_translator", [0.5], batches=[1, 2])
    assert not fits("train_classifier", [0.5, "0.5"], batches=[1, 2])
    assert fits("translate", ["one", "two"], texts=["eins", "zwei"])
    assert not fits("translate", ["one", None], texts=["eins", "zwei"])
    assert fits("write", ["one"], texts=["nine"])
    assert not fits("told", ["one", "two"], texts=["nine"], wholes=["nine ten"])
    assert not fits("reread", [1], texts=["nine"]) and not fits("spell", "one", texts=["nine"])
    assert fits("teach", tokens, trg=tokens)
    assert not fits("teach", on_the_wire(np.zeros((3, 5), np.int64)), trg=tokens)
    assert not fits("classify", tokens, tokens=tokens)


def test_first_values_do_not_depend_on_the_learners(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(wire.__file__).parent)  # Where a worker finds its modules.
    monkeypatch.syspath_prepend(COURSE / "checks" / "extensions")
    begin = importlib.import_module("school").begin

    class Odd(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.table = nn.Embedding(9, 6, padding_idx=2)
            self.gain, self.shift = nn.Parameter(torch.ones(6)), nn.Parameter(torch.zeros(6))
            self.bias = nn.Parameter(torch.full((6,), torch.nan))
            self.row = nn.Parameter(torch.randn(1, 1, 6))
            self.fused = nn.Parameter(torch.randn(3, 6, 4) * 100)
            self.dead = nn.Parameter(torch.zeros(6, 18))

    model = Odd()
    begin(model)

    assert (model.gain == 1).all()
    assert not any(vector.any() for vector in (model.shift, model.bias, model.row))
    assert not model.table.weight[2].any() and model.table.weight[[0, 1, 3, 8]].all()
    for matrix, fans in ((model.table.weight, 15), (model.fused, 10), (model.dead, 24)):
        assert 0.5 * (6 / fans) ** 0.5 < matrix.abs().max() <= (6 / fans) ** 0.5
