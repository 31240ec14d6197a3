"""The small language that checks are written in: @check, expect and its relatives.

A check is a sentence and three paragraphs: build, ask, expect. Its docstring is the line that the
learner sees; it is run several times, each time with another random draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial, wraps
from types import FunctionType, ModuleType
from typing import Any

from checks.engine.asking import compare
from checks.engine.asking.compare import differs
from checks.engine.asking.received import Received
from checks.engine.asking.values import Array, Crossed, Kept, rounded
from checks.engine.planning import dropping, manners, rules
from checks.engine.planning.dropping import SHARES, dropped
from checks.engine.planning.function import Function, Gradients
from checks.engine.planning.gradients import expect_certain, expect_gradients, trains
from checks.engine.planning.manners import expect_manners
from checks.engine.planning.module import Made, Module, Shapes
from checks.engine.planning.place import Place, chosen, expect_that
from checks.engine.planning.planned import UNTIL
from checks.engine.planning.rules import expect_device, expect_no_call
from checks.engine.planning.sizes import expect_sized
from checks.engine.planning.stand_ins import State, attribute, state
from checks.engine.planning.submission import Submission
from checks.engine.verdicts import Fail

Check = Callable[[Submission], None]
_CHECKS: set[Check] = set()  # Functions with the decorator.
TRIES = 2000
Got = Place | Received  # A value that a call returned: its place, or itself when it has come.


def check(function: Check) -> Check:
    """Mark a function as a check of its step."""
    _CHECKS.add(function)
    return function


def check_until(name: str) -> Callable[[Check], Check]:
    """Mark a function as a check that asks only while this function of the step is unwritten."""

    def mark(function: Check) -> Check:
        UNTIL[function] = name
        return check(function)

    return mark


def is_always_asked(one: Check) -> bool:
    """Whether a check asks a whole file something."""
    return one not in UNTIL


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

    A check calls it with places. It runs when the answers have come.
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
expect_mode = expectation(rules.expect_mode)


def expect_one_of(got: Any, candidates: Array, sentence: str, drops: Array | None = None) -> Any:
    """Expect that each vector of `got` equals one of its candidates.

    drops: (many, d), the factors of one dropout. The candidates are made with them, once or several
    times over. Then the place of the factors that gave each vector is returned.
    """
    found = chosen(dropping.expect_one_of, got, candidates, sentence)
    if drops is None:
        return None
    return chosen(lambda which: drops[which % len(drops)], found)
