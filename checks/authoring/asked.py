"""The promises about the questions of a step."""

from __future__ import annotations

from collections.abc import Iterator

from checks.contents import Step
from checks.engine.known import mistakes
from checks.questions.drawing import place_of
from checks.questions.kinds import Draw, questions_of


def faults_of_questions(step: Step, fewest: int) -> Iterator[tuple[str, str]]:
    """What is wrong with the questions, each with the name of the question, or "" for all."""
    found = questions_of(step)
    if len(found) < fewest:
        yield "", f"{fewest} questions at least are needed; written so far: {len(found)}."
    for one in found:
        for name in one.case(Draw((0,))).wrong:
            if name not in mistakes(step):
                yield one.name, f"{one.name}: there is no known mistake {name!r}."
        try:
            place_of(step, one.lesson)
        except ValueError as error:
            yield one.name, f"{one.name}: {error}"
