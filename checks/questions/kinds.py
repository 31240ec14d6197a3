"""What a question is made of. `questions.py` beside each step holds that step's.

A question is a function that draws its inputs, and says what is right there, and what some known
mistakes give. Its docstring is one sentence that says why:

    @question("answer = LayerNorm(4)(x)", lesson="Subtract its mean.")
    def a_shift(draw: Draw) -> Case:
        \"""The mean is subtracted, so a shift has no effect.\"""
        ...
        return Case("x is …", {"x": x}, right, {"no-mean": wrong})

Right answers come from checks/truth, wrong ones from a formula with one thing changed. The code
gives the same answer with the step's file, or with a mistake in it. Only tests run it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from inspect import cleandoc
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from checks.contents import Step
from checks.truth.paper import Shapes

NEAR = 1e-4  # A number so near to a whole one is shown as that.
Array = NDArray[Any]
Show = Callable[[Any], str]


class Draw:
    """Random inputs, small enough to compute with in one's head."""

    def __init__(self, seed: tuple[int, ...]):
        self.random = np.random.default_rng(seed)

    def one(self, *items: Any) -> Any:
        """One of the items."""
        return items[self.random.integers(len(items))]

    def sizes(self, count: int, low: int = 2, high: int = 7) -> list[int]:
        """Different whole numbers, so that no two axes can be confused."""
        return [int(n) for n in self.random.permutation(np.arange(low, high + 1))[:count]]

    def whole(self, *shape: int, low: int = -3, high: int = 3) -> Array:
        """Whole numbers as float64."""
        return self.random.integers(low, high + 1, shape).astype(float)

    def normal(self, *shape: int) -> Array:
        return self.random.standard_normal(shape)

    def weights(self, shapes: Shapes) -> dict[str, Array]:
        """Small ones, with which no softmax gives all its weight to one key."""
        return {role: self.normal(*shape) / 2 for role, shape in shapes.items()}


class Case(NamedTuple):
    """A question with its inputs: what is asked, the inputs by name, the right answer, and the
    answers of mistakes by their names. `show` puts an answer into words.
    """

    text: str
    given: dict[str, Any]
    right: Any
    wrong: Mapping[str, Any]
    show: Show | None = None


class Question(NamedTuple):
    """`code` sets `answer` with the step's file. `lesson` is a sentence that stands in the step's
    part of the lesson. `typed`: the answer is typed, and no options are shown.
    """

    name: str
    case: Callable[[Draw], Case]
    code: str
    lesson: str
    why: str
    typed: bool


def question(
    code: str, lesson: str, typed: bool = False
) -> Callable[[Callable[[Draw], Case]], Question]:
    """Make a question of a function that draws a case of it."""

    def made(case: Callable[[Draw], Case]) -> Question:
        why = " ".join(cleandoc(case.__doc__ or "").split())
        return Question(case.__name__, case, code, lesson, why, typed)

    return made


def questions_of(step: Step) -> list[Question]:
    """The questions about a step, in the order of its file; none if there is no file."""
    try:
        module = importlib.import_module(f"{step.room}.questions")
    except ModuleNotFoundError as error:
        if error.name != f"{step.room}.questions":
            raise
        return []
    return [value for value in vars(module).values() if isinstance(value, Question)]


# Answers in words


def shown(answer: Any, decimals: bool | None = None) -> str:
    """A shape, a number, or numbers in rows, all of them with two decimals or all without. They
    have decimals if one of them needs them; `decimals` says it of more than one answer.
    """
    if isinstance(answer, (str, tuple)):
        return str(answer)
    if decimals is None:
        decimals = needs_decimals(answer)
    array = np.asarray(answer)
    if array.ndim == 2:
        return "\n".join(shown(row, decimals) for row in array)
    return "  ".join(_number(value, decimals) for value in np.atleast_1d(array))


def needs_decimals(answer: Any) -> bool:
    """Whether a number of it is not whole; False for words and shapes."""
    if isinstance(answer, (str, tuple)):
        return False
    array = np.asarray(answer, float)
    whole = np.round(array[np.isfinite(array)])
    return bool((abs(array[np.isfinite(array)] - whole) >= NEAR * np.maximum(1, abs(whole))).any())


def _number(value: Any, decimals: bool) -> str:
    if not np.isfinite(value):
        return "NaN" if np.isnan(value) else "infinity" if value > 0 else "-infinity"
    if not decimals:
        return str(round(float(value)))
    return f"{round(float(value), 2) + 0:.2f}"  # Plus 0: there is no -0.00.


def which(name: str, plural: str = "") -> Show:
    """Words for an array of True and False: "tokens 0 and 2"; `name` is what one of them is."""

    def show(flags: ArrayLike) -> str:
        found = np.flatnonzero(np.asarray(flags)).tolist()
        if len(found) == np.size(flags):
            return "all of them"
        if len(found) <= 1:
            return f"only {name} {found[0]}" if found else "none of them"
        *first, last = map(str, found)
        return f"{plural or name + 's'} {', '.join(first)} and {last}"

    return show


def among(*names: str) -> Show:
    """Words for an array of True and False, one for each of the names: "q and v"."""

    def show(flags: ArrayLike) -> str:
        found = [name for name, flag in zip(names, np.asarray(flags)) if flag]
        if len(found) in (0, len(names)):
            return "all of them" if found else "none of them"
        return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} and {found[-1]}"

    return show


def moved(of: Callable[[Array], Any], x: Array, at: Any) -> Any:
    """Whether each entry of the answer changes when the entries `at` of x change."""
    other = x.copy()
    other[at] += (
        1
        if x.dtype.kind == "i"
        else np.arange(1, 1 + other[at].size).reshape(other[at].shape) ** 0.5
    )
    return ~np.isclose(of(x), of(other), rtol=0, atol=1e-9, equal_nan=True)


def differ(of: Callable[..., Any], base: tuple[Any, ...], *others: Any) -> Array:
    """Whether each of the other inputs gives another answer than the base."""
    first = of(*base)
    return np.array([not np.allclose(of(*other), first, rtol=0, atol=1e-9) for other in others])


def count(shapes: Shapes) -> int:
    """How many numbers there are in parameters of these shapes."""
    return sum(int(np.prod(shape)) for shape in shapes.values())
