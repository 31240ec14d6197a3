"""The state of a model, or of a stand-in for one, in a plan."""

from __future__ import annotations

from typing import Any

from checks.engine.asking.received import Received
from checks.engine.asking.stand_ins import State
from checks.engine.planning.answers import Answers
from checks.engine.planning.place import Place


def state(submission: Any, model: Any) -> Place:
    """The place of the present state of a model."""
    doing = "when the model was looked at afterwards"
    number = submission.ask("state", doing, handle=model.handle)

    def read(answers: Answers) -> State:
        answer = answers.ok(number)
        parameters = dict(answer["parameters"])
        return State(answer["training"], answer["recording"], parameters, answer["saved"])

    return Place(submission.planned, number, read)


def attribute(stand_in: Any, name: str) -> Place:
    """The place of the present value of an attribute of a stand-in."""
    submission = stand_in.submission
    doing = "when it was looked at afterwards"
    number = submission.ask("attribute", doing, handle=stand_in.handle, name=name)

    def read(answers: Answers) -> Received:
        called = f"`{name}` of {stand_in.described}"
        return Received(answers.ok(number), called, "afterwards", "float32")

    return Place(submission.planned, number, read)
