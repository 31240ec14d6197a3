"""How far a learner's computation is right: their local tensors beside the formula's.

The worker records the tensors that a call leaves in the step's local variables and those that
its modules give; `paper.py` notes what the formula computes on its way. They are matched by their
numbers: names, axes' order and the style of the code do not matter.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from checks import paper
from checks.machine.compare import Received, differs
from checks.machine.values import Array

LOW = -1e3  # A hidden score may be minus infinity or any number as low as this.
MOST = 6  # Right values that are listed.


def intermediates(got: Received) -> dict[str, Array]:
    """What the formula of this function computes on the way, in order."""
    function = got.function
    if function is None or function.truth is None:
        return {}
    with paper.notes() as notes:
        function.truth(function.weights, *got.args)
    if not notes:
        return {}
    top = min(depth for depth, _, _ in notes)
    return {name: np.asarray(value) for depth, name, value in notes if depth == top}


def how_far(got: Received, trace: list[Any]) -> list[str]:
    """A sentence on the last value that is one of the formula's, and on what comes after it."""
    notes = intermediates(got)
    deep = max((name.count(".") for name in notes), default=0)  # Parts of parts are no matter.
    own = [
        (name, Received(report, name, "", got.wanted_dtype))
        for name, report in trace
        if name.count(".") <= deep
    ]
    inputs = [arg for arg in got.args if isinstance(arg, np.ndarray)]
    values = [
        (name, value.array)
        for name, value in own
        if value.array is not None and not any(same(value.array, arg) for arg in inputs)
    ]
    truth = got.truth
    found = [(name, a, _which(a, notes)) for name, a in values]
    right = list(dict.fromkeys(note for _, _, note in found if note is not None))
    if not right:
        return []
    last = max(n for n, (_, _, note) in enumerate(found) if note is not None)
    after = [(name, a) for name, a, _ in found[last + 1 :] if truth is None or not same(a, truth)]
    listed = ", ".join(f"{name} ok" for name in right[:MOST])
    more = f", and {len(right) - MOST} more" if len(right) > MOST else ""
    line = f"On the way to it: {listed}{more}"
    named = next((name for name, _ in after if name in notes and name not in right), None)
    if named is not None:
        return [f"{line}; then {named} differs."]
    local = next(((name, a) for name, a in after if not name.endswith("()")), None)
    if local is None:
        return [f"{line}. What comes after that is not right."]
    return [f"{line}; then your {local[0]} {local[1].shape} is none of the formula's values."]


def _which(array: Array, notes: dict[str, Array]) -> str | None:
    return next((name for name, value in notes.items() if same(array, value)), None)


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
