"""The promises about the questions of a step."""

from __future__ import annotations

from collections.abc import Iterator

from checks.contents import Step
from checks.engine.known import mistakes
from checks.questions.drawing import TRIES, WRONG, NoDraw, drawn, place_of
from checks.questions.kinds import Draw, Question, questions_of

SEEDS = 5  # Each question is drawn with so many.


def faults_of_questions(step: Step, fewest: int) -> Iterator[tuple[str, str]]:
    """What is wrong with the questions, each with the name of the question, or "" for all."""
    found = questions_of(step)
    if len(found) < fewest:
        yield "", f"{fewest} questions at least are needed; written so far: {len(found)}."
    for one in found:
        if says := _fault(step, one):
            yield one.name, f"{one.name}: {says}"


def _fault(step: Step, one: Question) -> str:
    """What is wrong with a question; "" if nothing is."""
    for name in one.case(Draw((0,))).wrong:
        if name not in mistakes(step):
            return f"there is no known mistake {name!r}."
    if not one.lesson.strip():
        return "`lesson` is a sentence of the step's part of the lesson, and it is empty."
    try:
        place_of(step, one.lesson)
        for seed in range(SEEDS):
            drawn(step, one, seed)
    except ValueError as error:
        return str(error)
    except NoDraw:
        return (
            f"in {TRIES} draws there were never {WRONG} wrong answers that differ from each other "
            "and from the right one. Give the answer of one more mistake, or draw other inputs."
        )
    return ""
