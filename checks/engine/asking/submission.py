"""What a check talks to: the learner's step in a worker, what is in it, and random questions."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from checks.contents import COURSE
from checks.engine.asking.conversation import Conversation, Readings, took_answers
from checks.engine.asking.function import Function
from checks.engine.asking.learner import Files, LearnerError, frames
from checks.engine.asking.module import Module
from checks.engine.asking.received import with_article
from checks.engine.asking.settings import left_switched
from checks.engine.asking.transcript import answered, named, refusal
from checks.engine.asking.values import Array
from checks.engine.hosting.process import Worker
from checks.engine.verdicts import Fail, Stopped

ANSWERS = ("solutions", "checks")


class Submission(Conversation):
    """One step of a submission, loaded in a worker."""

    def __init__(
        self,
        worker: Worker,
        files: Files,
        readings: Readings,
        frugal: bool = False,
    ):
        """`frugal`: one module serves every request for the same one, on every draw."""
        super().__init__(worker, files, readings)
        self.frugal = frugal
        self.names: list[list[Any]] = []
        self.made: dict[str, list[Module]] = {}
        self.begin(np.random.default_rng(0))

    def begin(self, rng: np.random.Generator) -> None:
        """Start another draw, with other questions and a new transcript."""
        super().begin(rng)
        self.at_hand = {call: list(several) for call, several in self.made.items()}

    def load(self, module: str, seed: int) -> None:
        """Import the step. Raises Stopped if the import fails."""
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
            raise took_answers(answer["forbidden"])
        self.names = answer["names"]

    # Random questions

    def tokens(self, count: int, *shape: int, low: int = 0) -> Array:
        """Random ids: whole numbers from low to count - 1."""
        return self.rng.integers(low, count, shape)

    def mask(self, *shape: int, whole: int | None = None) -> Array:
        """A bool mask in which every row (last axis) has visible and masked entries.

        `whole`: the sentence in which nothing is masked, as in the longest one of a batch.
        """
        mask = self.rng.random(shape) < 0.6
        shown = self.rng.integers(0, shape[-1], shape[:-1])
        hidden = (shown + self.rng.integers(1, shape[-1], shape[:-1])) % shape[-1]
        np.put_along_axis(mask, shown[..., None], True, -1)
        np.put_along_axis(mask, hidden[..., None], False, -1)
        if whole is not None:
            mask[whole] = True
        return mask

    # Questions to the learner's code

    def build(
        self,
        name: str,
        *args: Any,
        dtype: str = "float32",
        fresh: bool = False,
        home: str | None = None,
        **kwargs: Any,
    ) -> Module:
        """Make `name(**kwargs)`, move it to `dtype` (float16 …), and put it into eval mode.

        `fresh`: its state after the constructor matters, not only what it computes. `home`: the
        module of the earlier step that has it, if it is not this step's.
        """
        if home is None:
            self.require(name)
        call, seed = _written(name, args, kwargs), self.seed()
        key = f"{call} {dtype}"
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
            seed=seed,
        )
        _expect_module(call, answer)
        module = Module(self, self.handles, call, dtype, answer, kwargs)
        module.built = self.events[-1]
        if self.frugal and not fresh:
            self.made.setdefault(key, []).append(module)
        return module

    def function(self, name: str, truth: Callable[..., Any], dtype: str = "float32") -> Function:
        """The function `name` of the step. `truth(weights, *args)` is what it should give."""
        self.require(name)
        return Function(self, name, name, truth, dtype)

    def is_unwritten(self, name: str) -> bool:
        """Whether the function `name` still ends as the skeleton does."""
        return f'raise NotImplementedError("{name}")' in self.files.text(self.files.step)

    @contextmanager
    def raises(self, error: type[Exception], *numbers: int | str) -> Iterator[None]:
        """Expect an exception of this type that names these numbers, or names."""
        token = refusal.set((error.__name__, numbers))
        try:
            yield
        except LearnerError as raised:
            if raised.verdict == "untouched":
                raise
            _expect_refused(raised, error.__name__, numbers)
            return
        finally:
            refusal.reset(token)
        doing, kind = answered.get()
        sentence = f"Nothing was raised {doing}. {_expected(error.__name__, numbers)}."
        if kind == error.__name__:
            sentence += f"\nA{with_article(kind)[1:]} was returned: raise it instead."
        raise Fail("raises", sentence, shows="not-refused")

    def require(self, name: str) -> None:
        """Raises Stopped if the step does not have this name."""
        names = [str(entry[0]) for entry in self.names]
        if name in names:
            return
        own = [str(entry[0]) for entry in self.names if entry[1]]
        near = difflib.get_close_matches(name, own, 1, 0.5)
        hint = f" Did you mean {near[0]}? Rename it to {name}." if near else ""
        raise Stopped("missing", f"There is no {name} in this file.{hint}")

    def _guarded(self) -> list[str]:
        """Folders with solutions, unless they are the submission that is checked."""
        folders = [COURSE / name for name in ANSWERS]
        return [str(f) for f in folders if not Path(self.files.root).is_relative_to(f)]


def _expected(error: str, numbers: tuple[int | str, ...]) -> str:
    names = f" that names {' and '.join(map(str, numbers))}" if numbers else ""
    return f"Expected {with_article(error)}{names}"


def _expect_refused(raised: LearnerError, error: str, numbers: tuple[int | str, ...]) -> None:
    if error not in raised.bases:
        sentence = f"{_expected(error, numbers)}, but this came:\n{raised.message}"
        raise Fail("raises", sentence, raised.where, shows="refused-otherwise") from None
    unnamed = [n for n in numbers if not named(n, raised.text)]
    if unnamed:
        missing = " and ".join(map(str, unnamed))
        sentence = f'The {error} says "{raised.text}". It should name {missing}.'
        raise Fail("raises", sentence, raised.where, shows="error-without-numbers") from None


def _expect_module(call: str, made: dict[str, Any]) -> None:
    """Fail unless the call made a module, and left all else as it was."""
    if made["kind"] != "module":
        raise Fail("values", f"{call} makes {with_article(made['kind'])}, expected an nn.Module.")
    if switched := made["switched"]:
        raise left_switched(switched, lambda says: f"{call}: {says}")


def _written(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """The call as it is written in Python."""
    return f"{name}({', '.join([*map(repr, args), *(f'{k}={v!r}' for k, v in kwargs.items())])})"
