"""How far a learner's computation is right: their local tensors beside the formula's values.

The worker records the tensors in the step's local variables after a call, and the outputs of its
modules. The equations note the intermediate results of the formula. They are matched by their
numbers: names, the order of axes and the style of the code do not matter. Nothing here is a guess.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from checks.engine.asking.compare import differs
from checks.engine.asking.received import Received, WrongNumbers
from checks.engine.asking.values import Array
from checks.engine.naming.dependence import is_random, right_answer
from checks.engine.naming.names import kept_by
from checks.engine.notes import notes
from checks.engine.verdicts import Stopped

FAR = 100  # A masked score is right if it lies so far below the visible ones: no weight is left.
MOST = 6  # Right values that are listed.
LOOK = "Look at its line, and at the values used in it."
RANDOM = (
    "In eval mode, equal calls give different numbers. Something is still random, such as a "
    "dropout that is made again in each call, or each call changes what the next one uses."
)


def observe(stopped: Stopped) -> list[str]:
    """What is certain about wrong numbers. The worker that gave them is still running."""
    if not isinstance(stopped, WrongNumbers):
        return []
    if is_random(stopped.got):
        return [RANDOM]
    return _how_far(stopped.got, _traced(stopped.got))


def _traced(got: Received) -> list[Any]:
    """The local tensors of the same call, made once more."""
    if got.function is None:
        return []
    try:
        answer = got.function.called(*got.args, trace=True)[1]
        return list(answer["trace"])
    except (Stopped, KeyError, TypeError):
        return []


def _intermediates(got: Received) -> dict[str, Array]:
    """The intermediate results of this function's formula, in order."""
    function = got.function
    if function is None or function.truth is None:
        return {}
    with notes() as found:
        function.truth(function.weights, *got.args)
    top = min((depth for depth, _, _ in found), default=0)
    return {name: np.asarray(value) for depth, name, value in found if depth == top}


def _how_far(got: Received, trace: list[Any]) -> list[str]:
    """A sentence on the last value that agrees with the formula, and on the value after it."""
    formula = _intermediates(got)
    values = _values(got, trace, deepest=max((name.count(".") for name in formula), default=0))
    found = [_which(array, formula) for _, array in values]
    right = list(dict.fromkeys(name for name in found if name is not None))
    if both := _exchanged([(name, which) for (name, _), which in zip(values, found)]):
        one, other = both
        return [
            f"Your {one} holds what should be in {other}, and your {other} what should be in {one}."
        ]
    last = max(map(found.index, right), default=-1)  # A caller's variables come again.
    whole = got.name == "the output"  # Else it is a part, and the other parts are not known.
    truth = right_answer(got) if whole else got.truth
    after = [
        (name, array)
        for name, array in values[last + 1 :]
        if not any(_rearranged(array, value) for value in [*formula.values(), truth])
        and (whole or not name.endswith("()"))
    ]
    wrong = next((n for n, a in after if _may_be(n, a, formula) and n not in right), None)
    if not right:
        return [f"The first wrong value is {wrong}. {LOOK}"] if wrong else []
    more = f" and {len(right) - MOST} more" if len(right) > MOST else ""
    line = f"Correct so far: {', '.join(right[:MOST])}{more}."
    wrong = wrong or _missed(values, found, formula)
    if wrong is not None:
        return [f"{line} The first wrong value is {wrong}. {LOOK}"]
    if not after:
        return [f"{line} The first wrong value comes after that."]
    return [f"{line} {_unknown(got, *after[0])}"]


def _exchanged(held: list[tuple[str, str | None]]) -> tuple[str, str] | None:
    """Two of the learner's names, each of which holds the formula's value of the other's name."""
    for name, which in held:
        if which is not None and which != name and (which, name) in held:
            return name, which
    return None


def _unknown(got: Received, name: str, array: Array) -> str:
    """Two sentences on the first value that the formula does not have."""
    if name.partition(".")[0] in kept_by(got):
        says = f"What comes out of your {name}"
        look = "What goes in may be wrong already: look there first."
    else:
        says = f"What your {name} returns" if name.endswith("()") else f"Your {name}"
        look = "Look at the lines that make it, and at what they use."
    return f"{says}, of shape {array.shape}, equals no value of the formula. {look}"


def _values(got: Received, trace: list[Any], deepest: int) -> list[tuple[str, Array]]:
    """The recorded numbers, without those of parts of parts and without the arguments."""
    given = [arg for arg in got.args if isinstance(arg, np.ndarray)]
    own = [
        (name, Received(report, name, "", got.wanted_dtype).array)
        for name, report in trace
        if name.count(".") <= deepest and name.strip("_")
    ]
    return [
        (name, array)
        for name, array in own
        if array is not None and not any(_rearranged(array, arg) for arg in given)
    ]


def _missed(
    values: list[tuple[str, Array]], found: list[str | None], formula: dict[str, Array]
) -> str | None:
    """The first value of the formula that the learner has by name, but with other numbers."""
    others = {
        name: array
        for (name, array), is_right in zip(values, found)
        if is_right is None and _may_be(name, array, formula)
    }
    return next(
        (
            name
            for name, value in formula.items()
            if name in others and name not in found and not _rearranged(others[name], value)
        ),
        None,
    )


def _may_be(name: str, array: Array, formula: dict[str, Array]) -> bool:
    """Whether the array has the name of one of the formula's values, and as many numbers."""
    return name in formula and array.size == formula[name].size > 1


def _which(array: Array, formula: dict[str, Array]) -> str | None:
    """The name of the formula's value that equals the array, arranged as in the formula."""
    return next((name for name, value in formula.items() if _same(array, value)), None)


def _same(one: Array, two: Array) -> bool:
    """Whether the same numbers stand in the same places. Axes of size 1 do not count."""
    one, two = np.squeeze(one), np.squeeze(two)
    if one.shape != two.shape or one.size < 2:
        return False
    hidden = np.isneginf(two)
    if hidden.any() and (one > two.max(axis=-1, keepdims=True) - FAR)[hidden].any():
        return False
    return not differs(np.where(hidden, 0, one), np.where(hidden, 0, two)).any()


def _rearranged(one: Array, two: Array | None) -> bool:
    """Whether the numbers are the same, with other axes or in another order: split into heads, say.

    Whether that is what the learner meant is unknown. So it counts neither as right nor as wrong.
    """
    if two is None or one.size != two.size or one.size < 2:
        return False
    finite = np.isfinite(two)
    lowest = two[finite].min() - FAR if finite.any() else -FAR
    one, target = np.squeeze(one), np.where(np.isneginf(two), 0, two).ravel()
    low = np.where(one < lowest, 0, one)
    orders = itertools.permutations(range(low.ndim)) if low.ndim <= 4 else [range(low.ndim)]
    return any(not differs(low.transpose(tuple(order)).ravel(), target).any() for order in orders)
