"""Places of answers that have not come yet, and what is expected of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from checks.engine.asking.values import Argument

if TYPE_CHECKING:
    from checks.engine.asking.answers import Answers
    from checks.engine.planning.planned import Planned


class Place(Argument):
    """Where an answer will be: of which question, and what is read from it.

    It is also an argument for a later call: the worker hands on what it returned itself.
    """

    described = "what the call before returned"

    def __init__(
        self,
        planned: Planned,
        number: int,
        read: Callable[[Answers], Any],
        path: tuple[int, ...] = (),
    ):
        """number: of the question. path: where the value stands in tuples and lists."""
        self.planned, self.number, self.read, self.path = planned, number, read, path

    def of(self, answers: Answers) -> Any:
        """What is there, once the answer has come."""
        if self not in answers.values:
            answers.values[self] = self.read(answers)
        return answers.values[self]

    def part(self, at: int) -> Place:
        """The place of a member of a tuple or list."""

        def read(answers: Answers) -> Any:
            return self.of(answers).items[at]

        return Place(self.planned, self.number, read, (*self.path, at))

    def parts(self, *names: str) -> list[Place]:
        """The places of the members of a tuple, each with a name. Expects just as many."""
        expect_that(lambda got: got.parts(*names), self)
        return [self.part(at) for at, _ in enumerate(names)]

    @property
    def first(self) -> Place:
        """The place of the value itself, or of the first member of a tuple."""

        def read(answers: Answers) -> Any:
            return self.of(answers).first

        return Place(self.planned, self.number, read, self.path)

    def sent(self, dtype: str) -> Any:
        return {"answer_to": self.number, "path": list(self.path)}


def expect_that(holds: Callable[..., Any], *values: Any) -> None:
    """Expect that `holds` raises no Fail for these values: places of answers, or plain values.

    It runs when the answers have come.
    """
    place = next((value for value in values if isinstance(value, Place)), None)
    if place is None:
        holds(*values)
    else:
        place.planned.note(lambda answers: holds(*_at(values, answers)))


def chosen(choose: Callable[..., Any], *values: Any) -> Any:
    """The place of what `choose` makes of these values, when the answers have come."""
    place = next((value for value in values if isinstance(value, Place)), None)
    if place is None:
        return choose(*values)

    def read(answers: Answers) -> Any:
        return choose(*_at(values, answers))

    made = Place(place.planned, place.number, read)
    place.planned.note(lambda answers: made.of(answers))  # It may fail: here is its turn.
    return made


def _at(values: tuple[Any, ...], answers: Answers) -> list[Any]:
    return [value.of(answers) if isinstance(value, Place) else value for value in values]
