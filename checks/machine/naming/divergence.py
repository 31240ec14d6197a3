"""How far a learner's computation is right: their local tensors beside the formula's.

The worker records the tensors that a call leaves in the step's local variables and those that
its modules give; `paper.py` notes what the formula computes on its way. They are matched by their
numbers: names, axes' order and the style of the code do not matter.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from checks.machine.asking.compare import Received, differs
from checks.machine.asking.values import Array
from checks.notes import notes

LOW = -1e3  # A hidden score may be minus infinity or any number as low as this.
MOST = 6  # Right values that are listed.


def intermediates(got: Received) -> dict[str, Array]:
    """What the formula of this function computes on the way, in order."""
    function = got.function
    if function is None or function.truth is None:
        return {}
    with notes() as found:
        function.truth(function.weights, *got.args)
    top = min((depth for depth, _, _ in found), default=0)
    return {name: np.asarray(value) for depth, name, value in found if depth == top}


def how_far(got: Received, trace: list[Any]) -> list[str]:
    """A sentence on the last value that is one of the formula's, and on what comes after it."""
    formula = intermediates(got)
    deep = max((name.count(".") for name in formula), default=0)  # Parts of parts are no matter.
    own = [
        (name, Received(report, name, "", got.wanted_dtype).array)
        for name, report in trace
        if name.count(".") <= deep
    ]
    given = [arg for arg in got.args if isinstance(arg, np.ndarray)]
    values = [(n, a) for n, a in own if a is not None and not any(same(a, arg) for arg in given)]
    found = [_which(array, formula) for _, array in values]
    right = list(dict.fromkeys(name for name in found if name is not None))
    last = max((n for n, name in enumerate(found) if name is not None), default=-1)
    after = [(n, a) for n, a in values[last + 1 :] if got.truth is None or not same(a, got.truth)]
    wrong = next((n for n, a in after if n not in right and _may_be(n, a, formula)), None)
    unmatched = [pair for pair, match in zip(values, found) if match is None]
    beside = [n for n, a in unmatched if _may_be(n, a, formula)]
    missed = next((name for name in formula if name in beside and name not in right), None)
    if not right:
        return [f"On the way to it: {wrong} differs already."] if wrong else []
    listed = ", ".join(f"{name} ok" for name in right[:MOST])
    more = f", and {len(right) - MOST} more" if len(right) > MOST else ""
    line = f"On the way to it: {listed}{more}"
    if wrong is not None:
        return [f"{line}; then {wrong} differs."]
    if missed is not None:
        return [f"{line}; {missed} differs."]
    local = next(((name, a) for name, a in after if not name.endswith("()")), None)
    if local is None:
        return [f"{line}. What comes after that is not right."]
    return [f"{line}; then your {local[0]} {local[1].shape} is none of the formula's values."]


def _may_be(name: str, array: Array, formula: dict[str, Array]) -> bool:
    """Whether it has the name of one of the formula's values, and as many numbers."""
    return name in formula and array.size == formula[name].size


def _which(array: Array, formula: dict[str, Array]) -> str | None:
    return next((name for name, value in formula.items() if same(array, value)), None)


def same(one: Array, two: Array) -> bool:
    """The same numbers, whatever the order of the axes and axes of size 1."""
    one, two = np.squeeze(one), np.squeeze(two)
    if one.size != two.size or one.size < 2:
        return False
    hidden = np.isneginf(two)
    flat: Array = np.where(hidden, 0, two).ravel()
    orders = itertools.permutations(range(one.ndim)) if one.ndim <= 4 else [range(one.ndim)]
    for order in orders:
        turned: Array = one.transpose(tuple(order)).ravel()
        if hidden.any():
            if (turned[hidden.ravel()] > LOW).any():
                continue
            turned = np.where(hidden.ravel(), 0, turned)
        if not differs(turned, flat).any():
            return True
    return False
