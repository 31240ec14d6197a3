"""Certain facts about wrong numbers whose mistake is not known.

Each probe looks for one property and gives sentences. The strongest come first.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from checks.course import DISTRIBUTIONS
from checks.engine.asking.compare import differs
from checks.engine.asking.received import Received
from checks.engine.asking.values import Array, widened
from checks.engine.naming.divergence import intermediates
from checks.engine.naming.names import axis_of, names_of

MOST = 2  # Sentences.
LISTED = 6  # Places that are named.
ROUNDING = 1e-5  # Right numbers agree up to this: float32 through many layers.


def properties(got: Received) -> list[str]:
    """The strongest true sentences about these wrong numbers."""
    if got.array is None or got.truth is None:
        return []
    numbers, truth = widened(got.array), widened(got.truth)
    if numbers.shape != truth.shape or not np.isfinite(numbers).all():
        return []
    found = ([*probe(got, numbers, truth)] for probe in (_something_else, _rows, _where))
    return next(filter(None, found), [])[:MOST]


def _something_else(got: Received, numbers: Array, truth: Array) -> Iterator[str]:
    """A known value that is not the expected one."""
    for n, arg in enumerate(got.args):
        if isinstance(arg, np.ndarray) and arg.shape == numbers.shape and arg.dtype.kind == "f":
            if _equal(numbers, arg):
                yield f"These are the numbers of {names_of(got)[n]}, unchanged."
    for name, value in intermediates(got).items():
        if value.shape == numbers.shape and np.isfinite(value).all() and _equal(numbers, value):
            yield f"These numbers are right for {name}, a value on the way to the answer."


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
