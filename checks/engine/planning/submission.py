"""What a check talks to: it draws questions at random and notes them, and never sees an answer."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from checks.engine.asking.answers import Answers
from checks.engine.asking.received import with_article
from checks.engine.asking.settings import left_switched
from checks.engine.asking.transcript import named
from checks.engine.planning.function import Function
from checks.engine.planning.module import Made, Module
from checks.engine.planning.place import Place
from checks.engine.planning.questions import Questions
from checks.engine.verdicts import Fail, Stopped


class Submission(Questions):
    """The submission as one check on one draw sees it."""

    def build(
        self,
        name: str,
        *args: Any,
        dtype: str = "float32",
        home: str | None = None,
        **kwargs: Any,
    ) -> Module:
        """Make `name(**kwargs)`, move it to `dtype` (float16 …), and put it into eval mode.

        `home`: the module of the earlier step that has it, if it is not this step's.
        """
        if home is None:
            self.require(name)
        call = _written(name, args, kwargs)
        self.handles += 1
        number = self.ask(
            "build",
            f"while {call} was being made",
            handle=self.handles,
            name=name,
            home=home,
            args=list(args),
            kwargs=kwargs,
            dtype=dtype,
            seed=self.seed(),
        )
        if self.refusal is None:
            self.planned.note(lambda answers: _expect_module(call, answers.ok(number)))
        made = Place(self.planned, number, lambda answers: Made(answers.ok(number), call, dtype))
        return Module(self, self.handles, call, dtype, made, kwargs)

    def function(
        self, name: str, truth: Callable[..., Any] | None = None, dtype: str = "float32"
    ) -> Function:
        """The function `name` of the step. `truth(weights, *args)` is what it should give.

        Without it, the check itself says what is right.
        """
        self.require(name)
        return Function(self, name, name, truth, dtype)

    def require(self, name: str) -> None:
        """Expect that the step has this name."""

        def look(answers: Answers) -> None:
            _expect_name(name, answers)

        self.required.add(look)
        self.planned.note(look)

    @contextmanager
    def raises(self, error: type[Exception], *numbers: int | str) -> Iterator[None]:
        """Expect an exception of this type that names these numbers, or names.

        with submission.raises(ValueError, 7, 11):
            layer(tokens)
        """
        self.refusal = (error.__name__, numbers)
        first, looks = self.planned.end, len(self.planned.looks)
        yield
        asked, self.refusal = range(first, self.planned.end), None
        inside = self.planned.looks[looks:]  # Nothing else is expected of what is refused.
        self.planned.looks[looks:] = [(end, look) for end, look in inside if look in self.required]
        self.planned.note(lambda answers: _expect_refusal(answers, asked, error.__name__, numbers))


def _expect_refusal(
    answers: Answers, asked: range, wanted: str, numbers: tuple[int | str, ...]
) -> None:
    """Fail unless one of these questions ended with this error, which names these numbers."""
    for number in asked:
        answers.expect_alive(number)
    names = f" that names {' and '.join(map(str, numbers))}" if numbers else ""
    expected = f"Expected {with_article(wanted)}{names}"
    failed = next((number for number in asked if answers.error(number)), None)
    if failed is None:
        last = asked[-1]
        sentence = f"Nothing was raised {answers.questions[last].doing}. {expected}."
        if answers.ok(last).get("value", {}).get("kind") == wanted:
            sentence += f"\nA{with_article(wanted)[1:]} was returned: raise it instead."
        raise Fail("raises", sentence, shows="not-refused")
    raised, error = answers.raised(failed), answers.error(failed)
    assert error is not None
    if raised.verdict == "untouched" or error["type"] == "Forbidden":
        raise raised
    if wanted not in error["bases"]:
        sentence = f"{expected}, but this came:\n{raised.message}"
        raise Fail("raises", sentence, raised.where, shows="refused-otherwise") from raised
    unnamed = [number for number in numbers if not named(number, error["message"])]
    if unnamed:
        missing = " and ".join(map(str, unnamed))
        sentence = f'The {wanted} says "{error["message"]}". It should name {missing}.'
        raise Fail("raises", sentence, raised.where, shows="error-without-numbers") from raised


def _expect_name(name: str, answers: Answers) -> None:
    """Raises Stopped if the step does not have this name."""
    entries = answers.loaded["ok"]["names"]
    if name in [entry[0] for entry in entries]:
        return
    near = difflib.get_close_matches(name, [entry[0] for entry in entries if entry[1]], 1, 0.5)
    hint = f" Did you mean {near[0]}? Rename it to {name}." if near else ""
    raise Stopped("missing", f"There is no {name} in this file.{hint}")


def _expect_module(call: str, made: dict[str, Any]) -> None:
    """Fail unless the call made a module, and left all else as it was."""
    if made["kind"] != "module":
        raise Fail("values", f"{call} makes {with_article(made['kind'])}, expected an nn.Module.")
    if switched := made["switched"]:
        raise left_switched(switched, lambda says: f"{call}: {says}")


def _written(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """The call as it is written in Python."""
    return f"{name}({', '.join([*map(repr, args), *(f'{k}={v!r}' for k, v in kwargs.items())])})"
