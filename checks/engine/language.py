"""The small language that checks are written in: @check, expect and its relatives.

A check is a sentence and three paragraphs: build, ask, expect. Its docstring is the line that the
learner sees; it is run several times, each time with another random draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial, wraps
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from checks.engine.asking import compare
from checks.engine.asking import stand_ins as asked_now
from checks.engine.asking.compare import differs
from checks.engine.asking.function import Function as FunctionNow
from checks.engine.asking.received import Received
from checks.engine.asking.stand_ins import State
from checks.engine.asking.submission import Submission as SubmissionNow
from checks.engine.asking.values import Array, Crossed, Kept, rounded
from checks.engine.expecting import dropping
from checks.engine.expecting import gradients as gradients_now
from checks.engine.expecting import manners as manners_now
from checks.engine.expecting import sizes as sizes_now
from checks.engine.expecting.dropping import SHARES, dropped
from checks.engine.planning import gradients, manners, sizes, stand_ins
from checks.engine.planning.function import Function, Gradients
from checks.engine.planning.module import Made, Module, Shapes
from checks.engine.planning.place import Place, chosen, expect_that
from checks.engine.planning.submission import Submission
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

        asked.until = name  # type: ignore[attr-defined]
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


def expectation(holds: Callable[..., Any]) -> Callable[..., None]:
    """Mark a function that raises Fail if values are not as they should be.

    A check calls it with places. It is looked at when the answers have come.
    """

    @wraps(holds)
    def noted(*values: Any, **how: Any) -> None:
        expect_that(partial(holds, **how), *values)

    return noted


expect = expectation(compare.expect)
expect_finite = expectation(compare.expect_finite)
expect_form = expectation(compare.expect_form)
expect_number = expectation(compare.expect_number)
expect_text = expectation(compare.expect_text)
expect_unchanged = expectation(compare.expect_unchanged)
expect_whole_numbers = expectation(compare.expect_whole_numbers)
expect_independent = expectation(dropping.expect_independent)
expect_kept = expectation(dropping.expect_kept)
expect_own_chance = expectation(dropping.expect_own_chance)
expect_share = expectation(dropping.expect_share)
expect_single = expectation(dropping.expect_single)
expect_mode = expectation(manners.expect_mode)


def expect_one_of(
    got: Any, candidates: Array, sentence: str, drops: Array | None = None
) -> Any:
    """Expect that each vector of `got` equals one of its candidates.

    drops: (many, d), the factors of one dropout. The candidates are made with them, once or several
    times over. Then the place of the factors that gave each vector is returned.
    """
    found = chosen(dropping.expect_one_of, got, candidates, sentence)
    if drops is None:
        return None
    return chosen(lambda which: drops[which % len(drops)], found)


def handed_on(got: Any) -> Any:
    """A tensor, a tuple or a list that a call returned, as an argument of a later call."""
    if isinstance(got, Place):
        return got
    if got.items:
        kind = list if got.kind == "list" else tuple
        return kind(map(handed_on, got.items))
    return np.asarray(got.array, dtype=float)


def _either(now: Callable[..., Any], planned: Callable[..., Any]) -> Callable[..., Any]:
    """Until all is planned: what is asked now, and what is planned."""

    @wraps(planned)
    def either(subject: Any, *args: Any, **how: Any) -> Any:
        now_asked = getattr(subject, "submission", subject)
        is_now = isinstance(now_asked, (FunctionNow, SubmissionNow))
        return (now if is_now else planned)(subject, *args, **how)

    return either


expect_gradients = _either(gradients_now.expect_gradients, gradients.expect_gradients)
expect_certain = _either(lambda *args: None, gradients.expect_certain)
trains = _either(gradients_now.trains, gradients.trains)
expect_device = _either(manners_now.expect_device, manners.expect_device)
expect_manners = _either(manners_now.expect_manners, manners.expect_manners)
expect_no_call = _either(manners_now.expect_no_call, manners.expect_no_call)
expect_sized = _either(sizes_now.expect_sized, sizes.expect_sized)
attribute = _either(asked_now.attribute, stand_ins.attribute)
state = _either(asked_now.state, stand_ins.state)
