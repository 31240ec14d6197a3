"""Logits to be filtered, and what is expected of them and of tokens that are drawn (6.6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from checks.engine.language import (
    Array,
    Fail,
    Received,
    Submission,
    differs,
    expect,
    expect_form,
    expectation,
    tries,
)
from checks.s6_today.sampling.truth import is_clear

SHOWN = 12  # Tokens of a row in a message.
MANY = 6_000  # Rows that draw; a loop over them is fast enough.
BOUND = 0.049  # By Hoeffding, the frequency in MANY draws is further off once in 10^12 times.


def clear(
    submission: Submission, rows: int, vocab: int, *how: Any, scale: float = 1.5, far: float = 0.0
) -> Array:
    """Logits of which rounding does not change what is cut. `far`: how large they are."""
    for _ in tries():
        logits = submission.normal(rows, vocab, scale=scale)
        logits += far * submission.tokens(2, rows, 1) * np.sign(submission.normal(rows, 1))
        if is_clear(logits, *how):
            break
    return logits


@expectation
def expect_filtered(got: Received, truth: Array) -> None:
    """Fail unless the same tokens are cut, and the others have the same probabilities.

    A constant that is added to a row changes none of them, so it is allowed.
    """
    expect_form(got, truth.shape)
    assert got.array is not None
    stays = np.isfinite(truth)
    cut = np.isneginf(got.array)
    for row in np.flatnonzero((cut == stays).any(-1) & ~np.isnan(got.array).any(-1)):
        lost, kept = np.flatnonzero(stays[row] & cut[row]), np.flatnonzero(~stays[row] & ~cut[row])
        begin = max(0, min([*lost[:1], *kept[:1]]) - SHOWN + 1)
        part = np.s_[row, begin : begin + SHOWN]
        rows = [
            f"{who} {' '.join('-inf' if c else f'{n:.2f}' for c, n in zip(cuts, numbers))}"
            for who, cuts, numbers in (
                ("expected", ~stays[part], truth[part]),
                ("yours   ", cut[part], got.array[part]),
            )
        ]
        says = f"Row {row}: {stays[row].sum()} of {stays.shape[1]} tokens should stay."
        says += f" Wrongly cut: {_tokens(lost)}." if len(lost) else ""
        says += f" Wrongly kept: {_tokens(kept)}." if len(kept) else ""
        says += f" From token {begin} on:" if begin else ""
        raise Fail("values", got.say("\n".join([says, *rows])))
    shift = np.where(stays, got.array, -np.inf).max(-1) - truth.max(-1)
    with np.errstate(invalid="ignore"):
        moved = differs(got.array, truth + shift[:, None])
    if (moved & stays).any():
        expect(got, np.where(stays, truth, 0.0), only=stays)


def _tokens(places: Array) -> str:
    """The first ones by their number, and how many more there are."""
    shown = (", " if len(places) > 2 else " and ").join(map(str, places[:2]))
    more = f" and {len(places) - 2} more" if len(places) > 2 else ""
    return f"token {shown}{more}" if len(places) == 1 else f"tokens {shown}{more}"


@expectation
def expect_best_kept(got: Received, logits: Array, top_k: int) -> None:
    """Fail unless top_k keeps the best: of equal logits at its limit all, or as many as are
    needed.
    """
    expect_form(got, logits.shape)
    assert got.array is not None
    least = np.sort(logits, -1)[:, -top_k, None]
    truth, stays = np.where(logits < least, -np.inf, logits), got.array > -np.inf
    for row, kept in enumerate(stays):
        if kept.sum() == top_k and kept[logits[row] > least[row]].all():
            truth[row, ~kept & (logits[row] == least[row])] = -np.inf
    expect_filtered(got, truth)


@expectation
def expect_tokens(got: Received, probabilities: Array) -> None:
    """Fail unless `got` is one token for each row, and none of probability 0."""
    rows, vocab = probabilities.shape
    expect_form(got, (rows,), "int64")
    assert got.array is not None
    if got.changed:
        says = "The call changed the logits in place."
        raise Fail("mutation", got.say(says), shows="argument-changed")
    for row, token in enumerate(got.array.tolist()):
        if not 0 <= token < vocab:
            raise Fail("values", got.say(f"Row {row}: there is no token {token}."))
        if probabilities[row, token] == 0:
            says = f"Row {row} draws token {token}, which is cut: its logit is minus infinity."
            raise Fail("values", got.say(says))


@expectation
def expect_shares(got: Received, probabilities: Array) -> None:
    """Fail unless each token is drawn as often as it should be, in rows that are all alike."""
    expect_tokens(got, np.tile(probabilities, (MANY, 1)))
    assert got.array is not None
    shares = np.bincount(got.array, minlength=len(probabilities)) / MANY
    worst = np.abs(shares - probabilities).argmax()
    if abs(shares[worst] - probabilities[worst]) > BOUND:
        says = f"{MANY} equal rows draw. {shares[worst]:.0%} of them draw token {worst}, "
        says += f"whose probability is {probabilities[worst]:.0%}."
        raise Fail("values", got.say(says))


@expectation
def expect_other_draws(one: Received, other: Received, says: str) -> None:
    """Fail if both are the same draws."""
    if same_draws(one, other):
        raise Fail("values", other.say(says))


def same_draws(one: Received, other: Received) -> bool:
    return (
        one.array is not None and other.array is not None and bool((one.array == other.array).all())
    )


ROWS, VOCAB = 6, 11


@expectation
def expect_two_left(got: Received) -> None:
    expect_form(got, (ROWS, 4))
    assert got.array is not None
    left = np.isfinite(got.array).sum(axis=-1)
    for count in left[~np.isin(left, (2, 4))]:
        says = f"Four tokens have probability 0.25, and top_p is 0.5. {count} stay, expected 2."
        raise Fail("values", got.say(says))


@expectation
def expect_same_draws(first: Received, same: Received) -> None:
    if not same_draws(first, same):
        raise Fail("values", same.say("Two generators with the same seed drew differently."))
