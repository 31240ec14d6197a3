"""Known versions of a step, wrong and right, each declared once: a sentence and an edit.

They stand beside the checks of their step, in `mistakes.py` and `rights.py`; their constants are
their names:

    NO_MEAN = Mistake(
        "The mean is not taken away before the division.",
        {"(x - mean)": "x"},
    )
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeVar

from checks.contents import Step
from checks.engine.files.skeleton import todo_above
from checks.engine.files.source import solution


@dataclass(frozen=True)
class Version:
    """The solution with some text replaced: {find: replacement}, in this order, each found once.

    `says` is the sentence for the learner. `seen` names public places that have this version.
    `mixes`: a right version so common that mistakes are also made on top of it.
    """

    says: str
    edit: dict[str, str]
    seen: str = ""
    mixes: bool = False

    def source(self, step: Step) -> str:
        """The text of the whole file. Raises ValueError if a text to replace is not there exactly
        once.
        """
        text = solution(step)
        for find, replacement in self.edit.items():
            if text.count(find) != 1:
                raise ValueError(f"{step.id}: {find!r} occurs {text.count(find)} times")
            text = text.replace(find, replacement)
        return text

    def task(self, step: Step) -> str:
        """The sentence of the TODO that the edit belongs to; "" if there is none above it."""
        text = solution(step)
        at = min(max(text.find(find), 0) for find in self.edit)
        return todo_above(text, text.count("\n", 0, at) + 1)


V = TypeVar("V", bound="Version")


class Mistake(Version):
    """A version that the checks of its step must reject, with this sentence."""


class Right(Version):
    """A right version in another style, which the checks of its step must accept."""


def known(step: Step) -> dict[str, Version]:
    """All known versions of a step by name, wrong ones first, in the order of their files."""
    return {**mistakes(step), **rights(step)}


@cache
def mistakes(step: Step) -> dict[str, Mistake]:
    return _declared(f"{step.room}.mistakes", Mistake)


@cache
def rights(step: Step) -> dict[str, Right]:
    return _declared(f"{step.room}.rights", Right)


def mixing(step: Step) -> list[Right]:
    return [right for right in rights(step).values() if right.mixes]


def dressed(step: Step, dress: Right) -> dict[str, Mistake]:
    """The mistakes of a step, made in a right version, without those that do not fit it."""
    return together(step, dress, mistakes(step))


def together(step: Step, one: Version, others: dict[str, Mistake]) -> dict[str, Mistake]:
    """The other mistakes made on top of one, without those that touch the same text."""
    found = {}
    for name, other in others.items():
        both = replace(other, edit={**one.edit, **other.edit})
        if one.edit.keys() & other.edit.keys():
            continue
        try:
            source = both.source(step)
        except ValueError:
            continue
        if all(new in source for new in both.edit.values()):
            found[name] = both
    return found


def _declared(module: str, kind: type[V]) -> dict[str, V]:
    constants = vars(importlib.import_module(module))
    return {
        name.lower().replace("_", "-"): value
        for name, value in constants.items()
        if isinstance(value, kind)
    }
