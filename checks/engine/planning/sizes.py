"""Modules of other sizes than those of the other checks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from checks.engine.asking.compare import differs, expect
from checks.engine.asking.received import Received
from checks.engine.asking.values import Array
from checks.engine.planning.gradients import expect_all_learn
from checks.engine.planning.module import Module, Shapes
from checks.engine.planning.place import expect_that
from checks.engine.planning.submission import Submission
from checks.engine.verdicts import Fail

LARGE = 1000
FEW = 50_000  # Numbers of an output: of more, gradients take long.
MOST_DRAWS = 20  # Of the weights. Of deep and narrow modules, about one in a hundred is not steady.
SHARED = (
    "Its numbers were right until a module of other sizes was made. The two share something, such "
    "as an attribute of the class."
)


def expect_sized(
    submission: Submission,
    name: str,
    shapes: Shapes,
    truth: Callable[..., Any],
    *args: Any,
    only: Array | None = None,
    **sizes: Any,
) -> None:
    """Fail unless a module of unusual sizes has these parameters and gives the right numbers.

    `only`, over the leading axes, says which outputs count: of these, the steady ones do.
    Gradients must reach each weight with an effect, and large numbers are not cut off.
    Another module must not change its numbers, be it of the same sizes or of those of the next
    call. All is done in float64, because many layers and rows add up the rounding of float32.
    """
    module, twin = (submission.build(name, dtype="float64", **sizes) for _ in range(2))
    if submission.made_before is not None:
        submission.made_before()
    right, counts = _draw(module, shapes, truth, args, only)
    module.flush()
    twin.draw(shapes, truth, *args)
    twin.flush()
    of_twin = truth(twin.weights, *args)
    got = module(*args).first
    expect_that(_expect_own_weights, got, right, of_twin)
    expect_that(expect, got, right, None, counts)
    if right.size <= FEW:
        expect_all_learn(module, right.shape, counts, *args)
        _expect_large(module, truth, args, counts)

    def expect_again() -> None:
        expect_that(_expect_still, module(*args).first, right, counts)

    submission.made_before = expect_again


def _expect_own_weights(got: Received, right: Array, of_twin: Array) -> None:
    """Fail if the module computes with the weights of its twin."""
    if got.array is not None and got.shape == right.shape and differs(got.array, right).any():
        if not differs(got.array, of_twin).any():
            sentence = "It computes with the weights of another module that was made after it."
            raise Fail("params", got.say(sentence), shows="shared-weights")


def _expect_still(got: Received, right: Array, counts: Array) -> None:
    """Fail if a module gives other numbers since another one was made."""
    try:
        expect(got, right, only=counts)
    except Fail:
        raise Fail("values", got.say(SHARED)) from None


def _expect_large(
    module: Module, truth: Callable[..., Any], args: tuple[Any, ...], counts: Array
) -> None:
    """Fail if large outputs are cut off. The weights of the last part make them large."""
    drawn = module.weights
    last = list(drawn)[-1].rpartition(".")[0]
    module.assign(drawn | {r: LARGE * w for r, w in drawn.items() if r.rpartition(".")[0] == last})
    expect_that(_expect_not_cut, module(*args).first, truth(module.weights, *args), counts)
    module.assign(drawn)


def _expect_not_cut(got: Received, right: Array, counts: Array) -> None:
    """Fail unless these large numbers are right, without the last digits."""
    found = got.array
    if found is None or found.shape != right.shape:
        expect(got, right, only=counts)
    elif (differs(found / LARGE, right / LARGE).any(-1) & counts).any():
        expect(got, right, only=counts)


def _draw(
    module: Module, shapes: Shapes, truth: Callable[..., Any], args: Any, only: Array | None
) -> tuple[Array, Array]:
    """The right outputs, and which of them count: the steady ones. The weights are drawn until
    there are some.
    """
    for _ in range(MOST_DRAWS):
        module.draw(shapes, truth, *args)
        right = truth(module.weights, *args)
        steady = np.asarray(~differs(truth(_shaken(module.weights), *args), right).any(-1))
        if only is not None:
            steady = steady & only
        if steady.any():
            return right, steady
    raise AssertionError(f"{module.built_with}: no output is steady")


def _shaken(weights: dict[str, Array]) -> dict[str, Array]:
    """The weights, each changed by less than a millionth.

    Some right outputs then change by more than the tolerance: a norm divides by almost nothing. The
    rounding of a float32 table of positions may change them, too.
    """
    return {
        role: w * (1 + 4e-7 * np.cos(np.arange(w.size)).reshape(w.shape))
        for role, w in weights.items()
    }
