"""A function of the learner's, in the worker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from checks.engine.asking.conversation import Conversation, Watched
from checks.engine.asking.layout import Sizes
from checks.engine.asking.learner import Files
from checks.engine.asking.received import Received
from checks.engine.asking.values import Array, plain
from checks.engine.verdicts import Fail, Stopped


class Function:
    """A function of the learner's, to be called with the judge's numbers."""

    unsure: str | None = None  # The message if the roles of the parameters are not certain.
    trains: bool | None = None  # Train mode (True) or eval mode; None for a function.
    built_with: Sizes = ()  # Arguments of the module that its layout may depend on.

    def __init__(
        self,
        submission: Conversation,
        handle: int | str,
        made: str,
        truth: Callable[..., Any] | None,
        dtype: str,
    ):
        """handle: the worker's name for it. made: the call that made it, or its name."""
        self.submission, self.handle, self.made, self.dtype = submission, handle, made, dtype
        self.truth = truth
        self.weights: dict[str, Array] = {}
        self.open_rows: dict[str, int] = {}  # Rows of a table whose gradient is not checked.

    @property
    def files(self) -> Files:
        return self.submission.files

    def __call__(self, *args: Any) -> Received:
        return self.called(*args)[0]

    def called(
        self,
        *args: Any,
        method: str | None = None,
        weighting: list[Array | None] | None = None,
        **watched: Any,
    ) -> tuple[Received, dict[str, Any]]:
        """One call: its value, and what else the worker saw. `watched`: the fields of Watched."""
        own = f".{method}" if method else ""
        value, answer = self.submission.called(
            self.handle,
            method,
            self.made.partition("(")[0] + own,
            self.made + own,
            args,
            self.dtype,
            unsure=self.unsure,
            train=self.trains,
            weighting=weighting,
            watched=Watched(**watched),
        )
        value.function = self if method is None else None
        return value, answer

    def watched(self, *args: Any, **watched: Any) -> Received:
        """The value of one call."""
        return self.called(*args, **watched)[0]

    def counted(self, *args: Any) -> tuple[Received, Any]:
        """The value of one call, and the number of its multiplications."""
        value, answer = self.called(*args, work=True)
        return value, answer["work"]

    def gradients(self, weighting: list[Array | None], *args: Any) -> Any:
        """The gradients of sum(output * weighting): {"inputs": [...], "parameters": {role: ...}}.

        A missing gradient counts as 0.
        """
        value, answer = self.called(*args, weighting=weighting)
        found = answer["gradients"]
        inputs = [
            np.zeros(np.shape(arg)) if g is None else plain(g)
            for arg, g in zip(args, found["inputs"])
        ]
        try:
            by_role = self._by_role(found["parameters"])
        except (ValueError, IndexError):  # Not one gradient per parameter, or a wrong size.
            raise Stopped("no_result", f"No valid answer came back in {self.made}.") from None
        self.submission.events[-1].by_role = by_role
        if found["sparse"]:
            raise Fail("gradient", value.say("gives a sparse gradient."), shows="sparse-gradient")
        return {"inputs": inputs, "parameters": by_role}

    def train(self, train: bool = True) -> None:
        """Switch to train or eval mode. A function has no mode."""

    def _by_role(self, gradients: dict[str, Any]) -> dict[str, Array]:
        return {}
