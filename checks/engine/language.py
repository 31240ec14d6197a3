"""The small language that checks are written in: @check, expect and its relatives.

A check is a sentence and three paragraphs: build, ask, expect. Its docstring is the line that the
learner sees; it is run several times, each time with another random draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from types import FunctionType, ModuleType
from typing import Any

from checks.engine.asking.compare import (
    differs,
    expect,
    expect_finite,
    expect_form,
    expect_number,
    expect_text,
    expect_unchanged,
    expect_whole_numbers,
)
from checks.engine.asking.function import Function
from checks.engine.asking.learner import LearnerError
from checks.engine.asking.module import Module
from checks.engine.asking.received import Received, with_article
from checks.engine.asking.stand_ins import state
from checks.engine.asking.submission import Submission
from checks.engine.asking.transcript import answered, named, refusal
from checks.engine.asking.values import Array, Crossed, Kept, rounded
from checks.engine.expecting.dropping import (
    SHARES,
    dropped,
    expect_independent,
    expect_kept,
    expect_one_of,
    expect_own_chance,
    expect_share,
    expect_single,
)
from checks.engine.expecting.gradients import expect_gradients, trains
from checks.engine.expecting.manners import (
    expect_device,
    expect_manners,
    expect_mode,
    expect_no_call,
)
from checks.engine.expecting.sizes import expect_sized
from checks.engine.verdicts import Fail

Check = Callable[[Submission], None]
_CHECKS: set[Check] = set()  # Functions with the decorator.
_UNTIL: set[Check] = set()  # Those that ask a whole file nothing.
TRIES = 2000


def check(function: Check) -> Check:
    """Mark a function as a check of its step."""
    _CHECKS.add(function)
    return function


def check_until(name: str) -> Callable[[Check], Check]:
    """Mark a function as a check that asks only while this function of the step is unwritten."""

    def mark(function: Check) -> Check:
        @wraps(function)
        def asked(submission: Submission) -> None:
            if submission.is_unwritten(name):
                function(submission)

        _UNTIL.add(asked)
        return check(asked)

    return mark


def is_always_asked(one: Check) -> bool:
    """Whether a check asks a whole file something."""
    return one not in _UNTIL


def checks_of(module: ModuleType) -> list[Check]:
    """The checks of a step, in the order in which they are written. First come those of its PARTS,
    which are modules beside it.
    """
    modules = [*getattr(module, "PARTS", ()), module]
    functions = [value for one in modules for value in vars(one).values()]
    return [one for one in functions if isinstance(one, FunctionType) and one in _CHECKS]


def tries() -> Iterator[None]:
    """Draw again until the draw shows the difference between right and wrong; then leave the loop.

    Raises AssertionError if no draw does. Far fewer draws are needed.
    """
    for _ in range(TRIES):
        yield
    raise AssertionError(f"{TRIES} draws, and none that tells right from wrong")


class raises:
    """Expect an exception of this type that names these numbers, or names.

    with raises(ValueError, 7, 11):
        layer(tokens)
    """

    def __init__(self, error: type[Exception], *numbers: int | str):
        self.error, self.numbers = error.__name__, numbers

    def __enter__(self) -> None:
        self.token = refusal.set((self.error, self.numbers))

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        refusal.reset(self.token)
        names = f" that names {' and '.join(map(str, self.numbers))}" if self.numbers else ""
        wanted = with_article(self.error)
        if error is None:
            doing, kind = answered.get()
            sentence = f"Nothing was raised {doing}. Expected {wanted}{names}."
            if kind == self.error:
                sentence += f"\nA{wanted[1:]} was returned: raise it instead."
            raise Fail("raises", sentence, shows="not-refused")
        if not isinstance(error, LearnerError) or error.verdict == "untouched":
            return False
        if self.error not in error.bases:
            sentence = f"Expected {wanted}{names}, but this came:\n{error.message}"
            raise Fail("raises", sentence, error.where, shows="refused-otherwise") from None
        unnamed = [n for n in self.numbers if not named(n, error.text)]
        if unnamed:
            missing = " and ".join(map(str, unnamed))
            sentence = f'The {self.error} says "{error.text}". It should name {missing}.'
            raise Fail("raises", sentence, error.where, shows="error-without-numbers") from None
        return True
