"""Compare a value with the expected one: kind, shape, dtype, device, finiteness, values."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from checks.engine.asking.received import Received, WrongNumbers, with_article
from checks.engine.asking.tables import (
    MOST_ROWS,
    at,
    difference,
    inputs_behind,
    written_out,
)
from checks.engine.asking.values import widened
from checks.engine.verdicts import Fail, Unsure

TOLERANCE = 5e-5  # The one tolerance: |got - expected| <= TOLERANCE * (1 + |expected|).
MOST_SHOWN = 300  # Characters of two lists.
FEW_ROWS = 2  # In a shorter version of the message.


def expect(
    got: Received, expected: Any, dtype: str | None = None, only: NDArray[np.bool_] | None = None
) -> None:
    """Fail unless `got` is a tensor with the shape, the dtype and the values of `expected`, and the
    call left its arguments as they were.

    `only`, over the leading axes, says where the values count. Elsewhere any value is right.
    """
    truth = np.asarray(expected)
    expect_form(got, truth.shape, dtype)
    assert got.array is not None
    counts = np.ones(truth.shape, dtype=bool)
    if only is not None:
        counts &= only.reshape(only.shape + (1,) * (truth.ndim - only.ndim))
        truth = np.where(counts, truth, got.array)  # Any value is right where none is expected.
    got.counts = counts
    bad = counts & ~np.isfinite(got.array)
    if bad.any():
        got.truth = truth
        raise WrongNumbers("non_finite", got.say(_not_finite(got, bad)), got)
    wrong = counts & differs(got.array, truth)
    if wrong.any():
        got.truth = truth
        written = written_out(got, truth, wrong)
        first = int(np.argwhere(wrong)[0][0]) if truth.ndim > 1 else 0
        inputs = inputs_behind(got, first, len(truth)) if truth.ndim > 1 else []
        full, *shorter = (
            got.say("\n".join([*inputs, *difference(got, truth, wrong, rows), *more]))
            for rows, more in ((MOST_ROWS, written), (FEW_ROWS, written), (1, written), (1, []))
        )
        shorter.append("\n".join(difference(got, truth, wrong, 1)))  # The numbers alone.
        asked = got.say("\n".join(inputs)).rstrip()
        fail = WrongNumbers("values", full, got, tuple(shorter), asked)
        raise fail if got.unsure is None else Unsure(got.say(got.unsure), fail)
    expect_unchanged(got)


def expect_finite(got: Received, shape: tuple[int, ...]) -> None:
    """Fail unless `got` is a tensor of that shape whose numbers are all finite."""
    expect_form(got, shape)
    assert got.array is not None
    bad = ~np.isfinite(got.array)
    if bad.any():
        raise Fail("non_finite", got.say(_not_finite(got, bad)))


def expect_number(got: Received, expected: float, rounding: float = 0.0) -> None:
    """Fail unless `got` is this plain number, up to a relative rounding error.

    `rounding`: an absolute difference that is allowed as well.
    """
    if got.kind == "tensor" and got.shape == ():
        sentence = f"{got.name} is a tensor, expected a plain Python number."
        raise Fail("values", got.say(sentence), shows="tensor-for-number")
    if got.kind not in ("float", "int"):
        raise _another_kind(got, "a number")
    if got.bits is not None:
        sentence = f"{got.name} is {got.describe()}, expected {expected:.6g}."
        raise Fail("values", got.say(sentence))
    if type(got.plain) not in (int, float) or not np.isfinite(got.plain):
        raise Fail("non_finite", got.say(f"{got.name} is {got.plain or 'nan'}."))
    if not abs(got.plain - expected) <= TOLERANCE * abs(expected) + rounding:
        sentence = f"{got.name}: expected {expected:.6g}, got {got.plain:.6g}."
        raise Fail("values", got.say(sentence))


def expect_whole_numbers(got: Received, expected: list[Any], kind: str = "list") -> None:
    """Fail unless `got` is this list of whole numbers, or of pairs of them.

    `kind`: "list", or "iterator" if they should come one by one.
    """
    if got.kind != kind or not isinstance(got.plain, str):
        if kind == "iterator" and got.kind == "NoneType":
            says = f"{got.name} is None, expected an iterator. Is a yield missing?"
            raise Fail("values", got.say(says))
        one_by_one = ", which gives them one by one" if kind == "iterator" else ""
        pairs = "pairs of " if expected and isinstance(expected[0], tuple) else ""
        raise _another_kind(got, f"{with_article(kind)} of {pairs}whole numbers{one_by_one}")
    wanted = json.dumps(expected)
    if got.plain != wanted:
        raise Fail("values", got.say(_other_list(got, wanted)))


def _other_list(got: Received, wanted: str) -> str:
    """Both lists if they are short, else the first entry that differs."""
    if len(wanted) + len(got.plain) <= MOST_SHOWN:
        return f"{got.name}:\nexpected {wanted}\ngot      {got.plain}"
    try:
        one, two = json.loads(wanted), list(json.loads(got.plain))
    except (ValueError, TypeError):  # A forged answer.
        return f"{got.name} is no list of whole numbers."
    at = next((n for n, (a, b) in enumerate(zip(one, two)) if a != b), min(len(one), len(two)))
    entries = [f"{several[at]}" if at < len(several) else "no more" for several in (one, two)]
    counts = f"{len(one)} entries are expected, {len(two)} came"
    return f"{got.name}, entry {at}: expected {entries[0]}, got {entries[1]} ({counts})."


def expect_text(got: Received, expected: str, facts: str) -> None:
    """Fail unless `got` is this text. `facts` are shown if it is another one."""
    if got.kind != "str":
        raise _another_kind(got, "a str")
    if got.plain != expected:
        found = str(got.plain)[:200]
        found = found if found.isprintable() or found.isspace() else repr(found)[1:-1]
        sentence = f'{got.name}: expected "{expected}", got "{found}".'
        raise Fail("values", got.say(f"{sentence}\n{facts}"))


def expect_unchanged(got: Received) -> None:
    """Fail if the call changed one of its arguments."""
    if got.changed:
        n = got.changed[0]
        name = got.names[n] if n < len(got.names) and got.names[n] else f"argument {n + 1}"
        sentence = f"The call changed {name} in place."
        raise Fail("mutation", got.say(sentence), shows="argument-changed")


def expect_form(got: Received, shape: tuple[int, ...], dtype: str | None = None) -> None:
    """Fail unless `got` is an ordinary tensor of that shape and dtype."""
    dtype = dtype or got.wanted_dtype
    if got.kind != "tensor":
        raise _another_kind(got, "a tensor")
    if got.layout != "strided":
        raise Fail("values", got.say(f"{got.name} is a tensor of layout {got.layout}."))
    if got.shape != shape:
        raise Fail("shape", got.say(f"{got.name} has shape {got.shape}, expected {shape}."))
    if got.dtype != dtype:
        raise Fail("dtype", got.say(f"{got.name} has dtype {got.dtype}, expected {dtype}."))
    if got.device != "cpu":
        raise Fail("device", got.say(f"{got.name} is on device {got.device}, its input on cpu."))
    if got.array is None:
        raise Fail("values", got.say(f"{got.name} is a tensor whose numbers cannot be read."))


def _another_kind(got: Received, expected: str) -> Fail:
    """The failure for a value of another kind. Only the result of a call can lack a return."""
    if got.kind != "NoneType":
        return Fail("values", got.say(f"{got.name} is {got.describe()}, expected {expected}."))
    if got.is_kept or got.is_member:
        still = "" if got.is_member else "still "
        return Fail("values", got.say(f"{got.name} is {still}None, expected {expected}."))
    sentence = f"{got.name} is None, expected {expected}. Is a return missing?"
    return Fail("values", got.say(sentence), shows="nothing-returned")


def differs(got: NDArray[Any], truth: NDArray[Any]) -> NDArray[np.bool_]:
    """The places where numbers differ by more than the tolerance. NaN differs from everything."""
    got, truth = widened(got), widened(truth)
    with np.errstate(invalid="ignore"):
        return ~(np.abs(got - truth) <= TOLERANCE * (1 + np.abs(truth)))


def _not_finite(got: Received, bad: NDArray[np.bool_]) -> str:
    assert got.array is not None
    first = tuple(int(n) for n in np.argwhere(bad)[0])
    return (
        f"{got.name} holds {got.array[first]} at {at(first)}, "
        f"and {int(bad.sum())} of its {bad.size} numbers are not finite."
    )
