"""Questions as they are asked: with inputs, options, and what each wrong option means."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple
from zlib import crc32

from checks.contents import COURSE, Step
from checks.engine.known import Mistake, mistakes
from checks.lessons.parts import part_of
from checks.questions.kinds import Case, Draw, Question, needs_decimals, questions_of, shown

COUNT = 4  # Questions at a time.
WRONG = 3  # Wrong options.
TRIES = 200  # Inputs that are drawn until enough mistakes give different answers.
KEYS = "abcd"


class Option(NamedTuple):
    """An answer in words; `mistake` is the name of the mistake that gives it, "" if it is right."""

    key: str
    text: str
    mistake: str


class Place(NamedTuple):
    """Where a sentence of the lesson stands."""

    file: str
    line: int
    heading: str
    says: str


class Asked(NamedTuple):
    """A drawn question. `others` are answers of more mistakes, which are not among the options."""

    question: Question
    text: str
    options: list[Option]
    others: list[Option]
    place: Place

    @property
    def right(self) -> Option:
        return next(option for option in self.options if not option.mistake)


class NoDraw(Exception):
    """No inputs were found on which enough mistakes differ."""


def asked(step: Step, seed: int) -> list[Asked]:
    """Some questions about a step. The same seed gives the same ones."""
    pool = questions_of(step)
    order = Draw((seed,)).random.permutation(len(pool)).tolist()
    found: list[Asked] = []
    for number in range(COUNT if pool else 0):
        question = pool[order[number % len(pool)]]  # With few of them, one comes again.
        found.append(drawn(step, question, seed, number, {one.text for one in found}))
    return found


def drawn(
    step: Step, question: Question, seed: int, number: int = 0, before: Collection[str] = ()
) -> Asked:
    """One question with inputs on which at least three mistakes give different answers. Its text is
    not one of those before.
    """
    own = crc32(f"{step.id} {question.name}".encode())  # Other steps draw other numbers.
    for attempt in range(TRIES):
        draw = Draw((seed, number, attempt, own))
        case = question.case(draw)
        right, wrong = texts(case)
        if len(wrong) >= WRONG and case.text not in before:
            break
    else:
        raise NoDraw(f"{step.id} {question.name}")
    chosen = [list(wrong)[n] for n in draw.random.permutation(len(wrong))]
    answers = [(right, ""), *((text, wrong[text]) for text in chosen[:WRONG])]
    places = draw.random.permutation(len(answers))
    options = [Option(key, *answers[n]) for key, n in zip(KEYS, places)]
    others = [Option("", text, wrong[text]) for text in chosen[WRONG:]]
    return Asked(question, case.text, options, others, place_of(step, question.lesson))


def texts(case: Case) -> tuple[str, dict[str, str]]:
    """The right answer in words, and the different wrong ones, each with the name of a mistake.
    All numbers have the same form.
    """
    decimals = any(map(needs_decimals, [case.right, *case.wrong.values()]))
    show = case.show or (lambda answer: shown(answer, decimals))
    right = show(case.right)
    wrong: dict[str, str] = {}
    for name, answer in case.wrong.items():
        wrong.setdefault(show(answer), name)
    wrong.pop(right, None)
    return right, wrong


def mistake_of(step: Step, option: Option) -> Mistake:
    return mistakes(step)[option.mistake]


def place_of(step: Step, sentence: str) -> Place:
    """Where the sentence stands in the step's part of the lesson. Raises ValueError if it is not
    there.
    """
    text = (COURSE / step.lesson).read_text("utf-8")
    part = part_of(step)
    start = text.index(part)
    found = re.search(r"\s+".join(map(re.escape, sentence.split())), part)
    if found is None:
        raise ValueError(f"{step.lesson}, {step.id}: this does not stand there: {sentence}")
    headings = re.findall(r"^#+ (.+)$", part[: found.start()], re.MULTILINE)
    line = text.count("\n", 0, start + found.start()) + 1
    plain = re.sub(r"\*\*|`", "", " ".join(sentence.split()))
    return Place(step.lesson, line, ", ".join(dict.fromkeys([headings[0], headings[-1]])), plain)
