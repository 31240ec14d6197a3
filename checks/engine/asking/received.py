"""A value that came from the learner's code, and the failure that its numbers may be."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from checks.engine.asking.forms import is_array
from checks.engine.asking.layout import Sizes
from checks.engine.asking.learner import Files
from checks.engine.verdicts import Fail, Kind


class Called(Protocol):
    """What gave a value: a function of the learner's, or a module with its weights by role."""

    made: str  # The call that made it, or its name.
    trains: bool | None  # Train mode, eval mode, or None for a function.
    built_with: Sizes
    weights: dict[str, NDArray[Any]]
    truth: Callable[..., Any] | None  # The formula.
    number: int  # Of the question.

    @property
    def files(self) -> Files: ...

    def __call__(self, *args: Any) -> Received: ...

    def called(self, *args: Any, trace: bool = False) -> tuple[Received, dict[str, Any]]: ...


class Received:
    """A value that came from the learner's code.

    `kind` is "tensor" or the name of a Python type. `tried` is the call that gave the value.
    `unsure` replaces "your values are wrong" if the roles of the parameters are not certain.
    """

    def __init__(self, report: Any, name: str, tried: str, dtype: str, unsure: str | None = None):
        report = report if isinstance(report, dict) else {}
        self.kind = str(report.get("kind", "nothing"))
        self.name, self.tried, self.wanted_dtype, self.unsure = name, tried, dtype, unsure
        self.dtype = str(report.get("dtype"))
        self.device = str(report.get("device"))
        self.layout = str(report.get("layout"))
        self.requires_grad = report.get("requires_grad") is True
        self.plain = report.get("plain")
        self.bits = report.get("bits")  # The bits of a whole number that is too large to send.
        self.shape = tuple(report.get("shape") or ())
        self.args: tuple[Any, ...] = ()  # The arguments of the call, if they are known here.
        self.names: list[str] = []  # The names of the arguments, if they are known.
        self.changed: list[int] = []  # The arguments that came back with other numbers.
        self.function: Called | None = None  # What was called.
        self.is_member = False  # True for a member of a tuple or list.
        self.is_kept = False  # True for an attribute, which no call returned.
        self.truth: NDArray[Any] | None = None  # The value that it should have.
        self.counts: NDArray[np.bool_] | None = None  # Where its values count.
        self.array = _numbers(report.get("array"), self.shape)
        self.items = [
            Received(item, name, tried, dtype, unsure) for item in report.get("items") or []
        ]

    def parts(self, *names: str) -> list[Received]:
        """The members of a tuple, each with a name. Fails if there are more or fewer."""
        if self.kind not in ("tuple", "list") or len(self.items) != len(names):
            was = f"{self.name} is" if self.is_member else "returned"
            sentence = f"{was} {self.describe()}, expected a pair: {', '.join(names)}"
            if self.kind == "NoneType" and not self.is_member:
                sentence += ". Is a return missing?"
                raise Fail("values", self.say(sentence), shows="nothing-returned")
            raise Fail("values", self.say(sentence))
        for item, name in zip(self.items, names):
            item.name, item.function, item.is_member = name, self.function, True
            item.args, item.names = self.args, self.names
        return self.items

    @property
    def first(self) -> Received:
        """The value itself, or the first member of a tuple."""
        return self.items[0] if self.items else self

    def describe(self) -> str:
        if self.kind == "tensor":
            return f"a tensor {self.shape} of {self.dtype}"
        if self.kind in ("tuple", "list", "iterator") and self.plain is None:
            return f"{with_article(self.kind)} of {len(self.items)}"
        if self.bits is not None:
            return f"an int of about {math.ceil(self.bits * math.log10(2))} digits"
        if self.kind == "NoneType":
            return "None"
        return with_article(self.kind)

    def say(self, sentence: str) -> str:
        return f"Example: {self.tried}\n{sentence}"


def with_article(word: str) -> str:
    """A word with "a" or "an" before it."""
    by_sound = re.match(r"[aeio]|u(?!s|n?i)", word, re.IGNORECASE)  # A UserWarning, a unit.
    return f"{'an' if by_sound else 'a'} {word}"


def _numbers(array: Any, shape: tuple[int, ...]) -> NDArray[Any] | None:
    """The numbers of a wire array, if the bytes agree with its shape."""
    if not is_array(array) or array.shape != shape:
        return None
    return np.frombuffer(array.data, array.dtype).reshape(shape)


class WrongNumbers(Fail):
    """The values of `got` differ from its `truth`. `asked`: the question alone, in words."""

    def __init__(
        self,
        kind: Kind,
        message: str,
        got: Received,
        shorter: tuple[str, ...] = (),
        asked: str = "",
    ):
        super().__init__(kind, message)
        self.got, self.shorter, self.asked = got, shorter, asked
