"""What a check talks to: the learner's step in a worker, and random questions for it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from checks.contents import COURSE
from checks.machine.asking.answers import well_formed
from checks.machine.asking.compare import Received
from checks.machine.asking.learner import Files, LearnerError, frames
from checks.machine.asking.module import Function, Known, Module
from checks.machine.asking.transcript import Event, answered, refusal
from checks.machine.asking.values import Array, describe, exact, to_wire
from checks.machine.course.contract import arguments
from checks.machine.hosting.process import Died, Worker
from checks.machine.verdicts import Fail, Stopped

ANSWERS = ("solutions", "checks")


class Submission:
    """One step of a submission, loaded in a worker.

    `rng` draws the questions; `asides` draws what only some submissions are asked, so that it
    shifts no question; `seeds` is for what the learner's own code draws (dropout, first values).
    """

    def __init__(
        self,
        worker: Worker,
        files: Files,
        known: Known,
        frugal: bool = False,
    ):
        """`frugal`: one module serves wherever the same one is built again, on every draw."""
        self.worker, self.files, self.known, self.frugal = worker, files, known, frugal
        self.names: list[list[Any]] = []
        self.handles = 0
        self.made: dict[str, list[Module]] = {}
        self.begin(np.random.default_rng(0))

    def begin(self, rng: np.random.Generator) -> None:
        """Another draw: other questions, a new transcript."""
        self.rng, self.asides, self.seeds = rng, *rng.spawn(2)
        self.events: list[Event] = []
        self.at_hand = {call: list(several) for call, several in self.made.items()}

    def load(self, module: str, seed: int) -> None:
        """Import the step. Raises Stopped if that gives no module."""
        answer = self.ask(
            "load",
            "while the file was being imported",
            root=self.files.root,
            files=frames(self.files.contents),
            helpers=frames(self.files.helpers),
            module=module,
            banned=list(ANSWERS),
            guarded=self._guarded(),
            seed=seed,
        )
        if "forbidden" in answer:
            raise _took_answers(answer["forbidden"])
        self.names = answer["names"]

    # Random questions

    def normal(
        self, *shape: int, scale: float = 1.0, rng: np.random.Generator | None = None
    ) -> Array:
        """Normal numbers that float32 holds exactly."""
        return exact((rng or self.rng).normal(0, scale, shape))

    def tokens(self, vocab_size: int, *shape: int, low: int = 0) -> Array:
        """Token ids from low to vocab_size - 1."""
        return self.rng.integers(low, vocab_size, shape)

    def mask(self, *shape: int) -> Array:
        """A bool mask in which every row (last axis) shows something and hides something."""
        mask = self.rng.random(shape) < 0.6
        shown = self.rng.integers(0, shape[-1], shape[:-1])
        hidden = (shown + self.rng.integers(1, shape[-1], shape[:-1])) % shape[-1]
        np.put_along_axis(mask, shown[..., None], True, -1)
        np.put_along_axis(mask, hidden[..., None], False, -1)
        return mask

    # Questions to the learner's code

    def build(
        self,
        name: str,
        *args: Any,
        dtype: str = "float32",
        default_dtype: str = "float32",
        fresh: bool = False,
        home: str | None = None,
        **kwargs: Any,
    ) -> Module:
        """Make `name(**kwargs)` under a default dtype, move it to `dtype`, in eval mode.

        `fresh`: it matters how it comes from its constructor, not only what it computes.
        `home`: the module of the earlier step that has it, if it is not this step's.
        """
        if home is None:
            self.require(name)
        shown = ", ".join([*map(repr, args), *(f"{k}={v!r}" for k, v in kwargs.items())])
        call = f"{name}({shown})"
        key = f"{call} {dtype} {default_dtype}"
        seed = self._seed()
        if not fresh and (at_hand := self.at_hand.get(key)):
            return at_hand.pop(0).anew()
        self.handles += 1
        answer = self.ask(
            "build",
            f"while {call} was being made",
            handle=self.handles,
            name=name,
            home=home,
            args=list(args),
            kwargs=kwargs,
            dtype=dtype,
            default_dtype=default_dtype,
            seed=seed,
        )
        if answer.get("kind") != "module":
            raise Fail("values", f"{call} makes a {answer.get('kind')}, expected an nn.Module.")
        module = Module(self, self.handles, call, dtype, answer, kwargs.get("n_head", 1))
        module.built = self.events[-1]
        if self.frugal and not fresh:
            self.made.setdefault(key, []).append(module)
        return module

    def function(self, name: str, truth: Callable[..., Any], dtype: str = "float32") -> Function:
        """The function `name` of the step. `truth(weights, *args)` is what it should give."""
        self.require(name)
        return Function(self, name, truth, dtype)

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
        spy: list[str] | None = None,
        ban: bool = False,
        away: bool = False,
        trace: bool = False,
        train: bool | None = None,
        work: bool = False,
        unsure: str | None = None,
    ) -> tuple[Received, Any]:
        """One call: its value, and what else the worker saw (changed inputs, gradients, calls).

        `shown` is the name of what is called, `made` the same with what it was made with. `away`:
        as if all that is given were on another device, called meta. `work`: how many
        multiplications its matrix products take, too.
        """
        names = [*arguments(self.files.step).get(shown, []), *[""] * len(args)]
        given = f"with {', '.join(map(describe, args, names))}"
        answer = self.ask(
            "call",
            f"in {shown} {given}",
            target=target,
            method=method,
            args=[to_wire(arg, dtype) for arg in args],
            weighting=weighting and [w if w is None else to_wire(w, dtype) for w in weighting],
            spy=spy,
            ban=ban,
            away=away,
            seed=self._seed(),
            trace=trace,
            train=train,
            work=work,
        )
        try:
            value = Received(answer["value"], "the output", f"{made} {given}", dtype, unsure)
        except (TypeError, ValueError, KeyError, AttributeError):  # A forged answer.
            raise Stopped("no_result", f"No valid answer came back in {shown} {given}.") from None
        value.args, value.names = args, names
        return value, answer

    def require(self, name: str) -> None:
        """Raises Stopped if the step has nothing of that name."""
        names = [str(entry[0]) for entry in self.names]
        if name in names:
            return
        own = [str(entry[0]) for entry in self.names if entry[1]]
        near = difflib.get_close_matches(name, own, 1, 0.5)
        hint = f" Did you mean {near[0]}? Rename it to {name}." if near else ""
        raise Stopped("missing", f"There is no {name} in this file.{hint}")

    def _guarded(self) -> list[str]:
        """Folders with answers in them; not if they are what is being checked."""
        folders = [COURSE / name for name in ANSWERS]
        return [str(f) for f in folders if not Path(self.files.root).is_relative_to(f)]

    def _seed(self) -> int:
        """Of what the learner's code draws at random: another one for each question."""
        return int(self.seeds.integers(1 << 31))

    def ask(
        self,
        do: str,
        doing: str,
        again: Callable[[], dict[str, Any]] | None = None,
        **arguments: Any,
    ) -> Any:
        """One question to the worker. Raises Stopped for anything but an answer.

        `again` gives the arguments with which a known version is asked the same, if other ones.
        """
        event = Event(do, again or (lambda: arguments), refusal.get())
        self.events.append(event)
        try:
            event.answer = self.worker.ask(do, **arguments)
            ok = self._answer(event.answer, doing)
            if not well_formed(do, arguments, ok):
                raise ValueError(do)
            answered.set(doing)
            return ok
        except Died as death:
            raise self._death(death, doing) from None
        except (TypeError, ValueError, KeyError, AttributeError, IndexError):  # A forged answer.
            raise Stopped("no_result", f"No valid answer came back {doing}.") from None

    def _answer(self, answer: Any, doing: str) -> Any:
        if isinstance(answer, dict) and isinstance(answer.get("error"), dict):
            if answer["error"].get("type") == "Forbidden":
                raise _took_answers(answer["error"].get("message"))
            raise LearnerError(answer["error"], self.files, doing)
        if not isinstance(answer, dict) or "ok" not in answer:
            raise Stopped("no_result", f"No valid answer came back {doing}.")
        return answer["ok"]

    def _death(self, death: Died, doing: str) -> Stopped:
        place = None
        for path, line in re.findall(r'File "(.+?)", line (\d+)', death.trace):
            place = place or self.files.place(path, int(line))
        seconds = f"{self.worker.seconds:g} s"
        sentence = {
            "timeout": f"Your code did not finish within {seconds} {doing}.",
            "output_limit": f"Your code printed without end {doing} ({seconds}).",
            "memory": f"Your code was stopped {doing}: {death.detail}.",
            "crash": f"Your code crashed the Python process {doing} ({death.detail}).",
            "no_result": f"Your code ended the Python process {doing} ({death.detail or 'exit'}).",
            "starved": f"Other programs left it no time to finish {doing}.",
        }[death.how]
        if place is not None:
            sentence += f"\n  it was at {place.file}:{place.line}\n    {self.files.line(place)}"
        return Stopped("infra" if death.how == "starved" else death.how, sentence, place)


def _took_answers(how: object) -> Fail:
    return Fail("rule", f"This step {how}: write it yourself.")
