"""What of an answer moves when an input changes, as a map; and whether it moves by itself.

The learner's code is called once more for each change.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from checks.engine.asking.compare import differs
from checks.engine.asking.received import Called, Received, WrongNumbers
from checks.engine.asking.values import Array, exact
from checks.engine.naming.names import names_of
from checks.engine.verdicts import Stopped

MOST = 12  # Tokens along an axis of a map: two maps fit side by side.
OPEN = "not compared"  # In a row of a map that may hold anything.
MOVES, BARELY = 5e-6, 5e-7  # What moves in a map, by how much; between both it may be rounding.


def _both(got: Received) -> tuple[Array, Array] | None:
    """The learner's answer and the right one, or the first part of each; None if they cannot be
    compared.
    """
    if got.function is None or got.function.truth is None or not got.args:
        return None
    base = _ask(got.function, got.args)
    right = _right(got.function, got.args)
    if base is None or base.shape != right.shape or not np.isfinite(base).all():
        return None
    return base, right


def _moved(
    got: Received, n: int, axis: int, place: int, base: Array, right: Array
) -> tuple[Array, Array] | None:
    """How much the learner's answer and the right one move when a place of argument n changes:
    beside 1 plus their size.

    base, right: what they are without the change. Returns None if there is no answer to compare.
    """
    assert got.function is not None
    changed = _changed(got.args[n], axis, place, np.random.default_rng(place))
    asked = tuple(changed if m == n else arg for m, arg in enumerate(got.args))
    mine = _ask(got.function, asked)
    if mine is None or mine.shape != base.shape:
        return None
    with np.errstate(invalid="ignore"):
        theirs = np.abs(_right(got.function, asked) - right) / (1 + np.abs(right))
        return np.abs(mine - base) / (1 + np.abs(base)), theirs


def is_random(got: Received) -> bool:
    """Whether the same call in eval mode gives other numbers the second time."""
    if got.function is None or got.function.trains or got.array is None:
        return False
    first = _ask(got.function, got.args)
    if first is None or not np.isfinite(first).all():
        return False  # NaN differs from itself.
    return not _is_steady(got.function, got.args, first)


def _is_steady(function: Called, args: tuple[Any, ...], base: Array) -> bool:
    """Whether the answer to these arguments stays the same. A random one moves by itself."""
    again = (_ask(function, args) for _ in range(4))
    return all(same is not None and not differs(same, base).any() for same in again)


def _changed(arg: Array, axis: int, place: int, rng: np.random.Generator) -> Array:
    changed = arg.copy()
    index: list[Any] = [slice(None)] * arg.ndim
    index[axis] = place
    if arg.dtype.kind == "i":
        changed[tuple(index)] = np.where(arg[tuple(index)] > 3, 3, 4)
    else:
        changed[tuple(index)] += exact(rng.normal(size=changed[tuple(index)].shape))
    return changed


def _ask(function: Called, args: tuple[Any, ...]) -> Array | None:
    try:
        return function(*args).first.array
    except Stopped:
        return None


def leak_map(stopped: Stopped) -> list[str]:
    """The lines of a map: which tokens of the output move when one token of an input changes.

    It shows the sentence with the first wrong number. Of all inputs it shows the one with the most
    wrong places; without any, there are no lines. The worker that gave the numbers still runs.
    """
    got = stopped.got if isinstance(stopped, WrongNumbers) else None
    if got is None or got.array is None or got.truth is None or got.truth.dtype == bool:
        return []
    answers = _both(got)
    if answers is None or got.function is None or got.function.trains:
        return []
    base, right = answers
    if right.ndim < 2 or not 1 <= right.shape[-2] <= MOST:
        return []
    wrong = np.argwhere(differs(got.array, got.truth))[0]
    sentence = tuple(int(n) for n in wrong[: min(1, right.ndim - 2)])
    open_rows = np.zeros(right.shape[-2], dtype=bool)
    assert got.counts is not None  # `expect` has set it.
    if got.counts.shape == right.shape:
        open_rows = ~got.counts[sentence].any(axis=(*range(right.ndim - 2 - len(sentence)), -1))
    maps = []
    for n, arg in enumerate(got.args):
        axis = arg.ndim - (1 if arg.dtype.kind == "i" else 2) if isinstance(arg, np.ndarray) else -1
        if axis >= 0 and arg.dtype.kind != "b" and 2 <= arg.shape[axis] <= MOST:
            found = [_moved(got, n, axis, place, base, right) for place in range(arg.shape[axis])]
            if None in found:
                return []
            moves, odd = _compared([pair for pair in found if pair is not None], sentence)
            odd[open_rows] = False
            maps.append((int(odd.sum()), names_of(got)[n], moves, odd))
    most, name, moves, odd = max(maps, key=lambda one: one[0], default=(0, "", base, base))
    if not most or not _is_steady(got.function, got.args, base):
        return []
    where = f"Sentence {sentence[0]}. " if sentence else ""
    return _squares(where, name, moves, odd, open_rows)


def _compared(pairs: list[tuple[Array, Array]], sentence: tuple[int, ...]) -> tuple[Array, Array]:
    """(output tokens, input tokens): what should move, and where the learner's does otherwise.

    pairs: for each input token, how much the learner's answer moves, and the right one.
    """
    yours, due = (np.array([_most(pair[k][sentence]) for pair in pairs]).T for k in (0, 1))
    moves = due > MOVES
    return moves, ((yours > MOVES) != moves) & ((yours < BARELY) | (due < BARELY))


def _squares(where: str, name: str, moves: Array, odd: Array, open_rows: Array) -> list[str]:
    """A map beside what it should be, with marks where it differs. In open rows all is right."""
    wide = len(str(max(moves.shape) - 1))
    head = "".join(f" {n:>{wide}} " for n in range(moves.shape[1]))
    legend = f"{where}Row: output. Column: {name}. #: depends on it. *: wrong."
    lines = [legend, f"yours {head}    expected {head}"]
    for n, (row, wrong, is_open) in enumerate(zip(moves, odd, open_rows)):
        cells = ["#" if due else "." for due in row]
        mine = [("." if due else "#") if w else cell for cell, due, w in zip(cells, row, wrong)]
        if is_open:  # Its values do not count.
            says = OPEN if len(OPEN) < len(head) else "any"
            lines.append(f"{n:>5}  {says:<{len(head) - 1}}    {n:>8}  {says}")
            continue
        left = "".join(_cell(cell, w, wide) for cell, w in zip(mine, wrong))
        lines.append(f"{n:>5} {left}    {n:>8} " + "".join(_cell(c, False, wide) for c in cells))
    return [line.rstrip() for line in lines]


def _cell(text: str, is_wrong: bool, wide: int) -> str:
    return f" {text:>{wide}}{'*' if is_wrong else ' '}"


def right_answer(got: Received) -> Array | None:
    """The right answer, if there is a formula for it."""
    if got.function is None or got.function.truth is None:
        return got.truth
    return _right(got.function, got.args)


def _right(function: Called, args: tuple[Any, ...]) -> Array:
    """The right answer, or the first part of it."""
    assert function.truth is not None
    value = function.truth(function.weights, *args)
    return np.asarray(value[0] if isinstance(value, tuple) else value)


def _most(change: Array) -> Array:
    """The largest change of each token, in any head and any feature."""
    return np.asarray(change.max(axis=(*range(change.ndim - 2), -1)))
