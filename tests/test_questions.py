"""`ask`: questions whose answers are computed, each wrong one by a known mistake."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest
import torch
from conftest import STEP
from kept import part
from witness import Names, answer, file_of, same

from checks.contents import COURSE, SOLUTIONS, STAGES, STEPS, Step
from checks.engine.commands.screen import WIDTH, wrapped
from checks.engine.files.source import solution
from checks.engine.known import mistakes
from checks.questions.command import laid_out
from checks.questions.drawing import COUNT, Option, asked, drawn, place_of, texts
from checks.questions.kinds import Draw, questions_of, shown, which

MANY = bool(os.environ.get("CI"))
CHEAP = ("s1_embedding", "s2_attention", "masks", "training")  # The others run whole layers.
EACH = [(step, number) for step in STEPS for number in range(len(questions_of(step)))]
each_question = pytest.mark.parametrize(
    ("step", "number"), EACH, ids=[f"{s.id}-{questions_of(s)[n].name}" for s, n in EACH]
)
each_step = pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
CRITICAL = 16.27  # Of chi-squared with three degrees of freedom, at 0.001.


@pytest.fixture(scope="module", autouse=True)
def solutions_are_importable() -> Iterator[None]:
    before, threads = set(sys.modules), torch.get_num_threads()
    sys.path.insert(0, str(SOLUTIONS))
    torch.set_default_dtype(torch.float64)  # So that the table of positions is as exact.
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
    torch.set_default_dtype(torch.float32)
    sys.path.remove(str(SOLUTIONS))
    for name in set(sys.modules) - before:
        if name.split(".")[0] in STAGES:
            del sys.modules[name]


@cache
def file(step: Step, mistake: str) -> Names:
    return file_of(mistakes(step)[mistake].source(step) if mistake else solution(step), step)


# The answers


@each_question
def test_the_step_itself_gives_the_right_answer_and_each_mistake_its_own(
    step: Step, number: int
) -> None:
    """The answers come from NumPy; here the step's file answers in torch, with a mistake or not."""
    question = questions_of(step)[number]
    many = 1000 if os.environ.get("ALL") else 50
    cheap = {step.stage, step.name} & {*CHEAP}
    for seed in range((many if cheap else many // 10) if MANY else 2):
        case = question.case(Draw((seed, number, 0)))
        for name, expected in {"": case.right, **case.wrong}.items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = answer(question, file(step, name), case.given)
            assert same(found, expected), (seed, name or "the solution", found, expected)


@each_question
def test_every_wrong_option_differs_and_means_one_mistake(step: Step, number: int) -> None:
    question = questions_of(step)[number]
    for seed in range(10 if MANY else 4):
        one = drawn(step, question, seed, number)
        assert len({option.text for option in one.options}) == len(one.options) == 4
        assert [option.key for option in one.options] == ["a", "b", "c", "d"]
        assert sum(not option.mistake for option in one.options) == 1
        assert all(option.mistake in mistakes(step) for option in one.options if option.mistake)


@pytest.mark.ci
@pytest.mark.parametrize(("step", "number"), part(EACH, 8))
def test_each_declared_mistake_is_offered_now_and_then(step: Step, number: int) -> None:
    """A mistake that never differs, or always says what another one says, is not to be declared."""
    question = questions_of(step)[number]
    cases = [question.case(Draw((seed, number, 0))) for seed in range(100)]
    offered = {name for case in cases for name in texts(case)[1].values()}
    assert set(cases[0].wrong) == offered


def test_the_right_one_stands_anywhere() -> None:
    places = Counter(
        one.right.key
        for step in (STEPS if MANY else [STEP["2.1"], STEP["2.3"], STEP["5.1"]])
        for seed in range(10 if MANY else 200)
        for one in asked(step, seed)
    )
    expected = places.total() / 4
    assert sum((places[key] - expected) ** 2 / expected for key in "abcd") < CRITICAL


def test_the_same_seed_asks_the_same() -> None:
    def told(seed: int) -> list[tuple[str, list[Option]]]:
        return [(one.text, one.options) for one in asked(STEP["2.1"], seed)]

    assert told(7) == told(7) != told(8)


@each_step
def test_every_step_has_questions_and_none_comes_twice(step: Step) -> None:
    assert len(questions_of(step)) >= (5 if step.stage == STAGES[1] and step.id < "2.4" else 3)
    for seed in range(5 if MANY else 3):
        assert len({one.text for one in asked(step, seed)}) == COUNT


# What is said


@each_question
def test_the_lesson_has_the_sentence_that_settles_it(step: Step, number: int) -> None:
    place = place_of(step, questions_of(step)[number].lesson)
    lines = (COURSE / place.file).read_text("utf-8").splitlines()
    first = place.says.split()[0]
    assert first in re.sub(r"\*\*|`", "", lines[place.line - 1])
    assert place.heading.startswith(f"{step.id} ")


def test_a_sentence_that_is_not_there_is_named() -> None:
    with pytest.raises(ValueError, match="does not stand there: It is a fish"):
        place_of(STEP["2.1"], "It is a fish.")


@each_question
def test_one_sentence_says_why(step: Step, number: int) -> None:
    why = questions_of(step)[number].why
    is_one_sentence = why.endswith(".") and ". " not in why and len(why.split()) <= 25
    assert is_one_sentence, f"The docstring says why in one sentence, at most 25 words: {why!r}"


@each_step
def test_no_line_of_the_solution_is_told(step: Step) -> None:
    given = {line.strip() for line in solution(step).splitlines()}
    lines = {line for line in given if re.search(r"[=(]", line) and not line.startswith("#")}
    for seed in range(5 if MANY else 3):
        for one in asked(step, seed):
            said = " ".join([one.text, one.question.why, *(each.text for each in one.options)])
            told = [line for line in lines if len(line) > 12 and line in said]
            assert not told, f"{one.question.name} has a line of the solution: {told}"


@each_step
def test_it_fits_80_columns_and_a_screen(step: Step) -> None:
    for seed in range(5 if MANY else 3):
        for one in asked(step, seed):
            lines = laid_out(one.options)
            text = [row for line in one.text.split("\n") for row in wrapped(line)]
            assert max(map(len, lines)) <= WIDTH, (one.question.name, lines)
            assert len(lines) + len(text) <= 18, one.question.name


def test_answers_in_words() -> None:
    assert shown((2, 3)) == "(2, 3)" and shown(4) == "4"
    assert shown([0.5, 2.0, -0.00001]) == "0.50  2.00  0.00" and shown([2.0, 1e-5]) == "2  0"
    assert shown(2.0, decimals=True) == "2.00"
    assert shown([[True, False], [True, True]]) == "1  0\n1  1"
    assert shown([float("nan"), float("inf"), -float("inf")]) == "NaN  infinity  -infinity"
    show = which("token")
    assert show([True, True]) == "all of them" and show([False, False]) == "none of them"
    assert show([False, True]) == "only token 1" and show([True, True, False]) == "tokens 0 and 1"
