"""The talk with a worker that holds a learner's step: questions, and answers or exceptions."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from checks.engine.asking.answers import error_of, fits, form_of
from checks.engine.asking.layout import Reading
from checks.engine.asking.learner import Files, LearnerError
from checks.engine.asking.received import Received
from checks.engine.asking.settings import SHARED, left_switched
from checks.engine.asking.transcript import Event, answered, refusal
from checks.engine.asking.values import HALF, Array, changed, describe, exact, to_wire
from checks.engine.files.source import arguments
from checks.engine.hosting.outcomes import Died
from checks.engine.hosting.process import Worker
from checks.engine.verdicts import Fail, Stopped, Verdict


class Readings:
    """How to read the parameters of a source: found once, then kept for all its checks."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.found: dict[Any, Reading | None] = {}


@dataclass
class Watched:
    """What is watched in a call: at most one of these."""

    spy: list[str] | None = None  # Calls of these functions of torch are reported and blocked.
    away: bool = False  # All arguments seem to be on another device, called meta.
    trace: bool = False  # The values that local variables and parts take.
    work: bool = False  # The multiplications of the matrix products are counted.
    records: bool = True  # Whether gradients are recorded.
    operands: bool = False  # If the call fails: the tensors that PyTorch's last function was given.


class Conversation:
    """Questions to one worker, with what they draw at random.

    `rng` draws the questions. `asides` draws questions that only some submissions get, so that the
    others stay the same. `seeds` is for random numbers in the learner's own code (dropout, first
    values).
    """

    def __init__(self, worker: Worker, files: Files, readings: Readings):
        self.worker, self.files, self.readings = worker, files, readings
        self.handles = 0  # The handle of the newest object in the worker.
        self.operands = False  # Whether those of a call that fails are asked for.

    def begin(self, rng: np.random.Generator) -> None:
        """Start another draw, with other questions and a new transcript."""
        self.rng, self.asides, self.seeds = rng, *rng.spawn(2)
        self.events: list[Event] = []
        self.made_before: Callable[[], None] | None = None  # Asks the last sized module again.

    def normal(
        self, *shape: int, scale: float = 1.0, rng: np.random.Generator | None = None
    ) -> Array:
        """Normal numbers that float32 holds exactly."""
        return exact((rng or self.rng).normal(0, scale, shape))

    def called(
        self,
        target: Any,
        method: str | None,
        shown: str,
        made: str,
        args: tuple[Any, ...],
        dtype: str,
        *,
        weighting: list[Array | None] | None = None,
        train: bool | None = None,
        unsure: str | None = None,
        watched: Watched | None = None,
    ) -> tuple[Received, Any]:
        """One call: its value, and what else the worker saw (changed inputs, gradients, calls).

        `shown` is the name of what is called, `made` the same with its arguments.
        """
        sent = [to_wire(arg, dtype) for arg in args]
        names = [*arguments(self.files.step).get(shown, []), *[""] * len(args)]
        given = _given(args, names, dtype, train)
        answer = self.ask(
            "call",
            f"in {shown} {given}",
            target=target,
            method=method,
            args=sent,
            same=[_first(arg, args) for arg in args] if weighting is None else None,
            weighting=weighting and [w if w is None else to_wire(w, dtype) for w in weighting],
            seed=self.seed(),
            train=train,
            **vars(replace(watched or Watched(), operands=self.operands)),
        )
        try:
            value = Received(answer["value"], "the output", f"{made} {given}", dtype, unsure)
        except (TypeError, ValueError, KeyError, AttributeError):  # A forged answer.
            raise Stopped("no_result", f"No valid answer came back in {shown} {given}.") from None
        value.args, value.names, value.changed = args, names, changed(sent, answer["inputs"])
        _expect_nothing_left(value, answer)
        return value, answer

    def seed(self) -> int:
        """A seed for random numbers in the learner's code: another one for each question."""
        return int(self.seeds.integers(1 << 31))

    def ask(
        self,
        do: str,
        doing: str,
        again: Callable[[], dict[str, Any]] | None = None,
        form: Any = None,
        **arguments: Any,
    ) -> Any:
        """Ask the worker one question. Raises Stopped for anything but an answer.

        `again` gives the arguments of the same question to a known version, if they differ. `form`
        is that of an answer to a question that the engine does not know.
        """
        event = Event(do, again or (lambda: arguments), refusal.get())
        self.events.append(event)
        try:
            answer = self.worker.ask(do, **arguments)
            if error := error_of(answer):
                event.answer = {"error": error}
                raise self._raised(error, doing)
            ok = answer["ok"]
            if not fits(ok, form_of(do, arguments) if form is None else form):
                raise ValueError(do)
            event.answer = {"ok": ok}
            answered.set((doing, ok["value"]["kind"] if do == "call" else ""))
            return ok
        except Died as death:
            raise self._death(death, doing) from None
        except (TypeError, ValueError, KeyError, AttributeError, IndexError):  # A forged answer.
            raise Stopped("no_result", f"No valid answer came back {doing}.") from None

    def _raised(self, error: dict[str, Any], doing: str) -> Stopped:
        if error["type"] == "Forbidden":
            return took_answers(error["message"])
        return LearnerError(error, self.files, doing)

    def _death(self, death: Died, doing: str) -> Stopped:
        place = None
        for path, line in re.findall(r'File "(.+?)", line (\d{1,9})\b', death.trace):
            place = place or self.files.place(path, int(line))
        seconds = f"{self.worker.seconds:g} s"
        ends: dict[str, tuple[Verdict, str]] = {
            "timeout": ("timeout", f"Your code did not finish within {seconds} {doing}."),
            "output_limit": ("output_limit", f"Your code printed without end {doing} ({seconds})."),
            "memory": ("memory", f"Your code was stopped {doing}: {death.detail}."),
            "crash": ("crash", f"Your code crashed the Python process {doing} ({death.detail})."),
            "no_result": (
                "no_result",
                f"Your code ended the Python process {doing} ({death.detail}).",
            ),
            "garbled": ("no_result", f"No valid answer came back {doing}."),
            "starved": ("infra", f"Other programs left it no time to finish {doing}."),
        }
        verdict, sentence = ends[death.how]
        if place is not None:
            sentence += f"\n  it was at {place.file}:{place.line}\n    {self.files.line(place)}"
        return Stopped(verdict, sentence, place)


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


def took_answers(how: object) -> Fail:
    return Fail("rule", f"This step {how}: write it yourself.")
