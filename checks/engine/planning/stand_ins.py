"""Stand-ins for large arguments of a learner's function, which the judge knows completely.

A course declares its own kinds, each with a class of the same name for the worker (course.py says
where). A stand-in is first sent with its settings, later by its handle.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from checks.engine.asking.answers import Answers
from checks.engine.asking.received import Received
from checks.engine.asking.values import Argument, to_wire
from checks.engine.planning.module import Module
from checks.engine.planning.place import Place
from checks.engine.planning.questions import Questions


class StandIn(Argument):
    """`settings` are sent once; `trains` (train or eval mode) is sent whenever it is not None."""

    described = ""

    def __init__(self, submission: Questions, **settings: Any):
        self.submission, self.settings = submission, settings
        self.trains: bool | None = None
        self.handle: int | None = None

    def sent(self, dtype: str) -> dict[str, Any]:
        if self.handle is not None:
            return {"at_hand": self.handle, "train": self.trains}
        self.submission.handles += 1
        self.handle = self.submission.handles
        return {
            "stand_in": type(self).__name__.lower(),
            "with": {name: to_wire(value, dtype) for name, value in self.settings.items()},
            "handle": self.handle,
            "train": self.trains,
        }


class State(NamedTuple):
    """The state of a model: its mode, and its parameters by name, as they are reported.

    `training` is None if only some of its parts are in train mode. `recording`: whether operations
    are recorded for gradients. `saved`: the names of the buffers that are saved.
    """

    training: bool | None
    recording: bool
    parameters: dict[str, Any]
    saved: list[str]

    def parameter(self, name: str, tried: str = "the model afterwards") -> Received:
        """The numbers of one parameter."""
        return Received(self.parameters[name], name, tried, "float32")


def state(submission: Questions, model: Module | StandIn) -> Place:
    """The place of the present state of a model."""
    doing = "when the model was looked at afterwards"
    number = submission.ask("state", doing, handle=model.handle)

    def read(answers: Answers) -> State:
        answer = answers.ok(number)
        parameters = dict(answer["parameters"])
        return State(answer["training"], answer["recording"], parameters, answer["saved"])

    return Place(submission.planned, number, read)


def attribute(stand_in: StandIn, name: str) -> Place:
    """The place of the present value of an attribute of a stand-in."""
    submission = stand_in.submission
    doing = "when it was looked at afterwards"
    number = submission.ask("attribute", doing, handle=stand_in.handle, name=name)

    def read(answers: Answers) -> Received:
        called = f"`{name}` of {stand_in.described}"
        return Received(answers.ok(number), called, "afterwards", "float32")

    return Place(submission.planned, number, read)
