"""Stand-ins for large arguments of a learner's function, which the judge knows completely.

A course declares its own kinds, each with a class of the same name for the worker (course.py says
where). A stand-in is first sent with its settings, later by its handle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from checks.engine.asking.received import Received
from checks.engine.asking.values import Argument, to_wire

if TYPE_CHECKING:
    from checks.engine.planning.submission import Submission


class StandIn(Argument):
    """`settings` are sent once; `trains` (train or eval mode) is sent whenever it is not None."""

    described = ""

    def __init__(self, submission: Submission, **settings: Any):
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
