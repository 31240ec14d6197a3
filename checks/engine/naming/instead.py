"""What else wrong numbers are right for: other arguments, or other weights.

The formula is computed again with one change that is a common mistake. An argument has no effect.
It is used in place of another one. Or a part has the weights of another part. If that gives the
learner's numbers, it is a fact, and no guess.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from checks.engine.asking.compare import differs
from checks.engine.asking.received import Received
from checks.engine.asking.values import Array
from checks.engine.naming.names import names_of
from checks.layouts import NEUTRAL, other_masks

MOST = 150  # Changes that are tried.
LARGE = 20_000  # Numbers of an answer: for more, it takes too long.
Arguments = tuple[Any, ...]
Weights = dict[str, Array]


def right_for(got: Received, numbers: Array) -> Iterator[str]:
    """Sentences on the changes after which the learner's numbers would be the right ones."""
    function = got.function
    if function is None or function.truth is None or numbers.size > LARGE:
        return
    own = function.weights
    changes = itertools.chain(
        ((args, own, says) for args, says in _other_arguments(got.args, names_of(got))),
        ((got.args, weights, says) for weights, says in _other_weights(own)),
    )
    for args, weights, says in itertools.islice(changes, MOST):
        try:
            with np.errstate(all="ignore"):  # A mask may hide everything.
                value = function.truth(weights, *args)
        except (TypeError, ValueError, IndexError, KeyError, AttributeError):
            continue  # The formula has no such argument, or its shape does not fit.
        value = np.asarray(value[0] if isinstance(value, tuple) else value)
        if _counted_alike(got, numbers, value):
            yield f"{says}, these numbers would be right."


def _counted_alike(got: Received, numbers: Array, value: Array) -> bool:
    """Whether the numbers agree wherever they count."""
    if value.shape != numbers.shape or value.dtype.kind != "f":
        return False
    wrong = differs(numbers, value)
    return not (wrong if got.counts is None else wrong & got.counts).any()


def _other_arguments(args: Arguments, names: list[str]) -> Iterator[tuple[Arguments, str]]:
    """The arguments with one of them changed, and a clause that says how."""
    args = (*args, *[None] * (len(names) - len(args)))  # A mask that was not given, too.
    for n, arg in enumerate(args):
        if "mask" in names[n]:
            for mask, says in other_masks(arg, names[n], args[0]):
                yield (*args[:n], mask, *args[n + 1 :]), says
    arrays = [(n, arg) for n, arg in enumerate(args) if isinstance(arg, np.ndarray)]
    if len(arrays) > 2 and len({(arg.shape, arg.dtype) for _, arg in arrays}) == 1:
        (first, one), *rest = arrays
        alone = tuple(one if isinstance(arg, np.ndarray) else arg for arg in args)
        others = " and ".join(names[n] for n, _ in rest)
        yield alone, f"With {names[first]} also in the place of {others}"
    for (m, one), (n, other) in itertools.combinations(arrays, 2):
        if one.shape == other.shape and one.dtype == other.dtype and (one != other).any():
            yield _with(args, {n: one}), _says(names[m], names[n])
            yield _with(args, {m: other}), _says(names[n], names[m])
            both = _with(args, {m: other, n: one})
            yield both, f"With {names[m]} and {names[n]} exchanged"


def _with(args: Arguments, changed: dict[int, Array]) -> Arguments:
    return tuple(changed.get(n, arg) for n, arg in enumerate(args))


def _says(one: str, other: str) -> str:
    return f"With {one} also in the place of {other}"


def _other_weights(weights: Weights) -> Iterator[tuple[Weights, str]]:
    """The weights with those of one part changed, and a clause that says how."""
    for role, w in weights.items():
        neutral = NEUTRAL.get(role.rpartition(".")[2])
        if neutral is not None:
            yield weights | {role: np.full_like(w, neutral)}, f"Without {role}"
    for one, other in _alike(weights):
        first, second = _inside(weights, one), _inside(weights, other)
        there = {f"{other}.{name}": w for name, w in first.items()}
        here = {f"{one}.{name}": w for name, w in second.items()}
        yield weights | there, _says(one, other)
        yield weights | here, _says(other, one)
        yield weights | here | there, f"With {one} and {other} exchanged"


def _alike(weights: Weights) -> Iterator[tuple[str, str]]:
    """Pairs of parts side by side with weights of the same names and shapes."""
    parts: dict[str, None] = {}  # In order.
    for role in weights:
        words = role.split(".")
        parts |= dict.fromkeys(".".join(words[:n]) for n in range(1, len(words)))
    for one, other in itertools.combinations(parts, 2):
        if one.rpartition(".")[0] == other.rpartition(".")[0]:
            first, second = _inside(weights, one), _inside(weights, other)
            if {n: w.shape for n, w in first.items()} == {n: w.shape for n, w in second.items()}:
                yield one, other


def _inside(weights: Weights, part: str) -> Weights:
    return {r[len(part) + 1 :]: w for r, w in weights.items() if r.startswith(f"{part}.")}
