"""Certain facts about wrong numbers whose mistake is not known.

Each probe looks for one property and gives a sentence, or None. The strongest come first. Some call
the learner's code once more, with one thing changed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from checks.course import DISTRIBUTIONS
from checks.engine.asking.compare import differs
from checks.engine.asking.received import Received
from checks.engine.asking.values import Array, widened
from checks.engine.naming.dependence import dependence
from checks.engine.naming.divergence import intermediates
from checks.engine.naming.instead import right_for
from checks.engine.naming.names import axis_of, names_of

MOST = 2  # Sentences.
LISTED = 6  # Places that are named.
ROUNDING = 1e-5  # Right numbers agree up to this: float32 through many layers.
LOOKED_AT = 20  # Places along an axis that are compared with all others.


def properties(got: Received, is_drawn: bool = False) -> list[str]:
    """The strongest true sentences about these wrong numbers. is_drawn: as in observe.py."""
    if got.array is None or got.truth is None:
        return []
    numbers, truth = widened(got.array), widened(got.truth)
    if numbers.shape != truth.shape or not np.isfinite(numbers).all():
        return [] if got.function is None else list(dependence(got))[:MOST]
    found: list[str] = []
    for probe in (_something_else, _right_for, _factor, _difference, _rows, _order, _where):
        found += probe(got, numbers, truth)
        if found:
            break
    if got.function is not None and not is_drawn:
        found += dependence(got)
    return found[:MOST]


def _something_else(got: Received, numbers: Array, truth: Array) -> Iterator[str]:
    """A known value that is not the expected one."""
    for n, arg in enumerate(got.args):
        if isinstance(arg, np.ndarray) and arg.shape == numbers.shape and arg.dtype.kind == "f":
            if _equal(numbers, arg):
                yield f"These are the numbers of {names_of(got)[n]}, unchanged."
    for name, value in intermediates(got).items():
        if value.shape == numbers.shape and np.isfinite(value).all() and _equal(numbers, value):
            yield f"These numbers are right for {name}, a value on the way to the answer."


def _right_for(got: Received, numbers: Array, truth: Array) -> Iterator[str]:
    """One change of the question."""
    yield from itertools.islice(right_for(got, numbers), 1)


def _factor(got: Received, numbers: Array, truth: Array) -> Iterator[str]:
    """One factor for all numbers."""
    counts = np.abs(truth) > 1e-3
    if not counts.any() or (truth == 0).all():
        return
    ratios = numbers[counts] / truth[counts]
    factor = float(np.median(ratios))
    if abs(factor - 1) > 1e-3 and abs(factor) > 1e-6 and _equal(numbers, factor * truth):
        named = _named(factor)
        if counts.sum() > 1:
            yield f"Every number is {named} times the right one."
        elif named != f"{factor:.3f}":  # For a single number there is always a factor.
            yield f"The number is {named} times the right one."


def _named(factor: float) -> str:
    """A factor, with its name if it is a small number, a square root, or the inverse of one."""
    text = f"{factor:.3f}"
    for n in range(2, 33):
        for value, name in ((n, ""), (1 / n, f"1/{n}"), (n**0.5, f"√{n}"), (n**-0.5, f"1/√{n}")):
            if abs(factor - value) < 1e-4 * value:
                return f"{text} (= {name})" if name else str(n)
    return text


def _difference(got: Received, numbers: Array, truth: Array) -> Iterator[str]:
    """A difference that is itself a known quantity."""
    rest = numbers - truth
    if rest.size > 1 and _equal(rest, np.full_like(rest, rest.flat[0])):
        yield f"Every number is {rest.flat[0]:+.3g} away from the right one."
        return
    known: list[tuple[str, Array]] = [
        (names_of(got)[n], arg)
        for n, arg in enumerate(got.args)
        if isinstance(arg, np.ndarray) and arg.dtype.kind == "f"
    ]
    known += [] if got.function is None else got.function.weights.items()
    known += [(name, value) for name, value in intermediates(got).items()]
    for name, value in known:
        value = np.asarray(value, np.float64)
        if value.ndim == 0 or value.shape != rest.shape[-value.ndim :] or not value.any():
            continue
        if np.isfinite(value).all():
            for sign, says in ((1, "added once too often"), (-1, "missing")):
                if _equal(rest, np.broadcast_to(sign * value, rest.shape)):
                    yield f"The difference from the right numbers is exactly {name}: it is {says}."
                    return


def _rows(got: Received, numbers: Array, truth: Array) -> Iterator[str]:
    """Weights that are not a distribution over the visible keys."""
    if got.name not in DISTRIBUTIONS or numbers.ndim < 2:
        return
    sums = numbers.sum(-1)
    if (numbers < -1e-6).any():
        yield "Some of these weights are negative."
    elif differs(sums, np.ones_like(sums)).any():
        for axis in range(numbers.ndim - 1):
            if _equal(numbers.sum(axis), np.ones_like(numbers.sum(axis))):
                yield f"They sum to 1 along axis {axis}, not along the last one, the keys'."
                return
        yield f"The rows do not sum to 1: their sums go from {sums.min():.5f} to {sums.max():.5f}."
    elif ((truth == 0) & (numbers > 1e-6)).any():
        yield "Every row sums to 1, but some weights that should be 0 are not."


def _order(got: Received, numbers: Array, truth: Array) -> Iterator[str]:
    """The right numbers in another order."""
    for one in range(truth.ndim):
        for two in range(one + 1, truth.ndim):
            swapped = truth.swapaxes(one, two)
            if _equal(numbers, swapped.reshape(numbers.shape)):
                yield f"These are the right numbers with axes {one} and {two} swapped."
                return
    for axis, size in enumerate(truth.shape):
        if not 2 <= size <= LOOKED_AT:
            continue
        mine, right = np.moveaxis(numbers, axis, 0), np.moveaxis(truth, axis, 0)
        fits = [[j for j in range(size) if _equal(mine[i], right[j])] for i in range(size)]
        if all(fits):
            order = [places[0] for places in fits]
            shown = " ".join(map(str, order))
            if len(set(order)) == size:
                yield f"Along axis {axis} the right numbers stand in another order: {shown}."
            elif len(set(order)) == 1:
                yield f"Along axis {axis} every place holds what belongs to place {order[0]}."
            return
        if all(fits[i] == [i + 1] for i in range(size - 1)):
            yield f"Along axis {axis} every place holds what belongs to the next one."
            return
        if all(fits[i] == [i - 1] for i in range(1, size)):
            yield f"Along axis {axis} every place holds what belongs to the one before."
            return


def _where(got: Received, numbers: Array, truth: Array) -> Iterator[str]:
    """Where the numbers differ: along the axis with the fewest wrong places."""
    wrong = differs(numbers, truth)
    if (np.abs(numbers - truth)[~wrong] > ROUNDING * (1 + np.abs(truth))[~wrong]).any():
        return  # All may be wrong, some by too little to be seen.
    along = [
        wrong.any(axis=tuple(a for a in range(truth.ndim) if a != axis))
        for axis in range(truth.ndim)
    ]
    for axis in sorted(range(truth.ndim), key=lambda axis: along[axis].mean()):
        by_place, size = along[axis], truth.shape[axis]
        if size > 1 and 0 < by_place.sum() < size:
            bad = np.flatnonzero(by_place).tolist()
            good = np.flatnonzero(~by_place).tolist()
            few, word = (bad, "wrong") if len(bad) <= len(good) else (good, "right")
            name, where = axis_of(got, truth.ndim, axis)
            if len(few) > LISTED:
                yield f"The first wrong {name}{where} is {bad[0]}; {len(bad)} of {size} are wrong."
                return
            names = "queries" if name == "query" else f"{name}s"
            several = f"{names} {', '.join(map(str, few))}" if len(few) > 1 else f"{name} {few[0]}"
            verb = "are" if len(few) > 1 else "is"
            yield f"Only {several}{where} {verb} {word} (of {names} 0 to {size - 1})."
            return


def _equal(one: Array, two: Array) -> bool:
    return one.shape == two.shape and not differs(one, two).any()
