"""Modules of other sizes than those of the other checks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from checks.engine.asking.compare import differs, expect
from checks.engine.asking.module import Module, Shapes
from checks.engine.asking.received import first_part
from checks.engine.asking.submission import Submission
from checks.engine.asking.values import Array
from checks.engine.expecting.gradients import expect_all_learn
from checks.engine.verdicts import Fail

LARGE = 1000
FEW = 50_000  # Numbers of an output: of more, gradients take long.
SHARED = (
    "Its numbers were right until a module of other sizes was made. The two share something, such "
    "as an attribute of the class."
)
MOST_DRAWS = 20  # Of the weights. Of deep and narrow modules, about one in a hundred is not steady.


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
    twin.draw(shapes, truth, *args)
    got = first_part(module(*args))
    if got.array is not None and got.shape == right.shape and differs(got.array, right).any():
        if not differs(got.array, truth(twin.weights, *args)).any():
            sentence = "It computes with the weights of another module that was made after it."
            raise Fail("params", got.say(sentence), shows="shared-weights")
    expect(got, right, only=counts)
    if right.size <= FEW:
        expect_all_learn(module, right.shape, counts, *args)
        _expect_large(module, truth, args, counts)
    submission.made_before = lambda: _expect_again(module, args, right, counts)


def _expect_again(module: Module, args: tuple[Any, ...], right: Array, counts: Array) -> None:
    """Fail if a module gives other numbers since another one was made."""
    got = first_part(module(*args))
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
    got, right = first_part(module(*args)), truth(module.weights, *args)
    found = got.array
    if found is None or found.shape != right.shape:
        expect(got, right, only=counts)
    elif (differs(found / LARGE, right / LARGE).any(-1) & counts).any():  # Without the last digits.
        expect(got, right, only=counts)
    module.assign(drawn)


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
