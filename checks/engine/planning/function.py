"""A function of the learner's, to be called with the judge's numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from checks.engine.asking.answers import Answers
from checks.engine.asking.layout import Sizes
from checks.engine.asking.learner import Files
from checks.engine.asking.received import Received
from checks.engine.asking.settings import SHARED, left_switched
from checks.engine.asking.values import HALF, Array, changed, describe, plain, to_wire
from checks.engine.files.source import arguments
from checks.engine.planning.place import Place
from checks.engine.planning.questions import Questions
from checks.engine.verdicts import Fail, Stopped

Gradients = dict[str, Any]  # {"inputs": [array, …], "parameters": {role: array}}


@dataclass
class Watched:
    """What is watched in a call: at most one of these."""

    spy: list[str] | None = None  # Calls of these functions of torch are reported and blocked.
    away: bool = False  # All arguments seem to be on another device, called meta.
    trace: bool = False  # The values that local variables and parts take.
    work: bool = False  # The multiplications of the matrix products are counted.
    records: bool = True  # Whether gradients are recorded.
    operands: bool = False  # If the call fails: the tensors that PyTorch's last function was given.


@dataclass
class Called:
    """What was called, as it was at that time: the formula, the weights, a way to call it again."""

    function: Function
    made: str
    trains: bool | None
    built_with: Sizes
    weights: dict[str, Array]
    truth: Callable[..., Any] | None
    number: int  # Of the question.
    answers: Answers

    @property
    def files(self) -> Files:
        return self.answers.files

    def __call__(self, *args: Any) -> Received:
        return self.called(*args)[0]

    def called(self, *args: Any, **watched: Any) -> tuple[Received, dict[str, Any]]:
        """Ask the worker that gave the answers once more. Raises Stopped."""
        assert self.answers.live is not None
        self.answers.asked_more += 1
        asked = self.function.asked(args, None, None, Watched(**watched), self.answers.asked_more)
        asked["train"] = self.trains
        answer = self.answers.live.ask("call", f"in {self.made}", **asked)
        names = self.function.names_of(args)
        value = _received(answer, self.made, self.function.dtype, args, names, None)
        value.function = self
        return value, answer


class Function:
    """A function of the learner's. A call notes a question, and gives the place of the answer."""

    trains: bool | None = None  # Train mode (True) or eval mode; None for a function.
    built_with: Sizes = ()  # Arguments of the module that its layout may depend on.

    def __init__(
        self,
        submission: Questions,
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

    def __call__(self, *args: Any) -> Place:
        return self.called(*args)

    def called(
        self,
        *args: Any,
        method: str | None = None,
        weighting: list[Array | None] | None = None,
        may_fail: bool = False,
        **watched: Any,
    ) -> Place:
        """One call: the place of its value. `watched`: the fields of Watched."""
        self.flush()
        own = f".{method}" if method else ""
        names = self.names_of(args, own)
        given = _given(args, names, self.dtype, self.trains)
        asked = self.asked(args, method, weighting, Watched(**watched), self.submission.seed())
        doing = f"in {self._name}{own} {given}"
        number = self.submission.ask("call", doing, may_fail=may_fail, **asked)
        called = self._now(number) if method is None else None
        tried, unsure = f"{self.made}{own} {given}", self.unsure()

        def read(answers: Answers) -> Received:
            says = unsure(answers)
            value = _received(answers.ok(number), tried, self.dtype, args, names, says)
            value.changed = changed(asked["args"], answers.ok(number)["inputs"])
            value.function = called and replace(called, answers=answers)
            return value

        place = Place(self.submission.planned, number, read)
        if not may_fail and self.submission.refusal is None:
            self.submission.planned.note(
                lambda answers: _expect_nothing_left(place.of(answers), answers.ok(number))
            )
        return place

    def asked(
        self,
        args: tuple[Any, ...],
        method: str | None,
        weighting: list[Array | None] | None,
        watched: Watched,
        seed: int,
    ) -> dict[str, Any]:
        """The arguments of the question."""
        of_outputs = weighting and [w if w is None else to_wire(w, self.dtype) for w in weighting]
        return {
            "target": self.handle,
            "method": method,
            "args": [to_wire(arg, self.dtype) for arg in args],
            "same": [_first(arg, args) for arg in args] if weighting is None else None,
            "weighting": of_outputs,
            "seed": seed,
            "train": self.trains,
            **vars(watched),
        }

    def counted(self, *args: Any) -> tuple[Place, Place]:
        """One call: the places of its value, and of the number of its multiplications."""
        place = self.called(*args, work=True)
        planned, number = self.submission.planned, place.number
        return place, Place(planned, number, lambda answers: answers.ok(number)["work"])

    def gradients(self, weighting: list[Array | None], *args: Any) -> Place:
        """The place of the gradients of sum(output * weighting). A missing gradient is 0."""
        asked = self.called(*args, weighting=weighting)
        shapes = {role: weight.shape for role, weight in self.weights.items()}

        def read(answers: Answers) -> Gradients:
            found = answers.ok(asked.number)["gradients"]
            if found["sparse"]:
                says = asked.of(answers).say("gives a sparse gradient.")
                raise Fail("gradient", says, shows="sparse-gradient")
            if found["parameters"].keys() != shapes.keys():
                raise Stopped("no_result", "No valid answer came back: a gradient is missing.")
            inputs = [_gradient(g, np.shape(arg)) for g, arg in zip(found["inputs"], args)]
            by_role = {r: _gradient(found["parameters"][r], s) for r, s in shapes.items()}
            return {"inputs": inputs, "parameters": by_role}

        return Place(self.submission.planned, asked.number, read)

    def train(self, train: bool = True) -> None:
        """Switch to train or eval mode. A function has no mode."""

    def flush(self) -> None:
        """Send the weights that were set. A function has none."""

    def unsure(self) -> Callable[[Answers], str | None]:
        """Why wrong values may be the checker's fault. Those of a function are not."""
        return lambda answers: None

    def names_of(self, args: tuple[Any, ...], own: str = "") -> list[str]:
        """The names of the arguments in the solution; "" where there are no more."""
        path = self.submission.planned.path
        return [*arguments(path).get(self._name + own, []), *[""] * len(args)]

    @property
    def _name(self) -> str:
        return self.made.partition("(")[0]

    def _now(self, number: int) -> Called:
        nobody: Any = None  # The answers are not known yet.
        return Called(
            self,
            self.made,
            self.trains,
            self.built_with,
            dict(self.weights),
            self.truth,
            number,
            nobody,
        )


def _received(
    answer: dict[str, Any],
    tried: str,
    dtype: str,
    args: tuple[Any, ...],
    names: list[str],
    unsure: str | None,
) -> Received:
    """The value that a call returned."""
    value = Received(answer["value"], "the output", tried, dtype, unsure)
    value.args, value.names = args, names
    return value


def _gradient(found: Any, shape: tuple[int, ...]) -> Array:
    """A gradient in the shape of its argument. Raises Stopped for a forged one."""
    array = np.zeros(shape) if found is None else plain(found)
    if array.shape != shape:
        raise Stopped("no_result", "No valid answer came back: a gradient has another shape.")
    return array


def _given(args: tuple[Any, ...], names: list[str], dtype: str, train: bool | None) -> str:
    """With which arguments something is called, and how, in words."""
    given = f"with {', '.join(map(describe, args, names))}{f' in {dtype}' * (dtype in HALF)}"
    return f"in train mode {given}" if train else given


def _first(arg: Any, args: tuple[Any, ...]) -> int | None:
    """Where the same array is passed for the first time: the worker makes one tensor of it."""
    if not isinstance(arg, np.ndarray):
        return None
    return next(n for n, other in enumerate(args) if other is arg)


def _expect_nothing_left(value: Received, answer: Any) -> None:
    """Fail if the call changed the whole program, or returned what somebody else has."""
    if switched := answer["switched"]:
        raise left_switched(switched, value.say)
    if answer["shares"]:
        raise Fail("values", value.say(SHARED[answer["shares"]]), shows="not-a-new-one")
