"""Gradients, compared with the slopes of the formula."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np

from checks.engine.asking.compare import differs, expect
from checks.engine.asking.function import Function
from checks.engine.asking.module import Module
from checks.engine.asking.received import WrongNumbers, first_part
from checks.engine.asking.values import Array
from checks.engine.verdicts import Fail

AGAIN = 5  # Calls that should be alike.
SMALLEST = 0.1  # Length of a gradient.
STEP = 1e-6  # The step of finite differences, in float64.
OTHERWISE = "In train mode it should give what it gives in eval mode. It gives other numbers."
UNDROPPED = (
    "In train mode, built with dropout 0, it should give what it gives in eval mode. It "
    "gives other numbers: it computes something else, or drops although dropout is 0."
)


def expect_gradients(function: Function, *args: Any, only: Array | None = None) -> None:
    """Fail unless values and gradients (of a random weighted sum) are those of the paper's formula.

    Gradients are compared with finite differences, along a random direction for every float input
    and weight. `only`, over the leading axes, says which outputs count.
    """
    assert function.truth is not None
    right = function.truth(function.weights, *args)
    try:
        expect(first_part(function(*args)), right, only=only)
    except WrongNumbers as wrong:
        if function.trains:
            says = UNDROPPED if "dropout=0" in function.made else OTHERWISE
            raise Fail("mode", wrong.got.say("\n".join([says, *wrong.shorter[-1:]]))) from None
        raise
    if function.trains:
        _expect_nothing_random(function, args)
    weighting = function.submission.rng.normal(size=right.shape)
    if only is not None:
        weighting = weighting * only[..., None]
    floats = [n for n, a in enumerate(args) if isinstance(a, np.ndarray) and a.dtype.kind == "f"]
    found = function.gradients([weighting], *args)
    gradients = {n: found["inputs"][n] for n in floats} | found["parameters"]
    _expect_slopes(function, args, weighting, gradients)
    if function.trains:
        _expect_gradients_in_eval_mode(function, args, weighting, gradients)


def expect_all_learn(module: Module, shape: tuple[int, ...], only: Array, *args: Any) -> None:
    """Fail if no gradient reaches a weight, or a float input, that has an effect on the outputs.

    shape: of the outputs. `only`, over the leading axes, says which of them count.
    """
    weighting = module.submission.rng.normal(size=shape) * only[..., None]
    found = module.gradients([weighting], *args)
    gradients = found["parameters"] | {
        n: found["inputs"][n]
        for n, a in enumerate(args)
        if isinstance(a, np.ndarray) and a.dtype.kind == "f"
    }
    cut = {key: gradient for key, gradient in gradients.items() if not gradient.any()}
    if cut:  # Some have no effect: of a row that sees one key alone, or behind a relu.
        _expect_slopes(module, args, weighting, cut)


def _expect_nothing_random(function: Function, args: tuple[Any, ...]) -> None:
    """Fail if train mode gives other numbers now and then."""
    first = first_part(function(*args))
    for _ in range(AGAIN):
        again = first_part(function(*args))
        if first.array is None or again.array is None or differs(first.array, again.array).any():
            sentence = "In train mode equal calls give different numbers, now and then."
            raise Fail("mode", again.say(sentence), shows="random-in-training")


def _expect_gradients_in_eval_mode(
    function: Function, args: tuple[Any, ...], weighting: Array, gradients: dict[Any, Array]
) -> None:
    """Fail if a gradient flows in train mode alone: one may learn, or look at it, in eval mode."""
    function.train(False)
    found = function.gradients([weighting], *args)
    function.train()
    for key, gradient in gradients.items():
        of_input = isinstance(key, int)
        flows = found["inputs"][key] if of_input else found["parameters"][key]
        if np.any(gradient) and not np.any(flows):
            name = f"argument number {key + 1}" if of_input else key
            raise Fail(
                "gradient",
                f"In eval mode no gradient reaches {name}. In train mode one does. Eval mode turns "
                "off dropout, nothing else.",
            )


def _expect_slopes(
    function: Function, args: tuple[Any, ...], weighting: Array, gradients: dict[Any, Array]
) -> None:
    """Fail unless these are the gradients of the sum of the formula's values times `weighting`."""
    truth, rng, weights = function.truth, function.submission.rng, function.weights
    assert truth is not None
    directions: dict[Any, Array] = {
        key: np.asarray(rng.normal(size=g.shape)) / max(float(np.linalg.norm(g)), SMALLEST)
        for key, g in gradients.items()
    }  # So that all count alike in a sum: large ones hide nothing in small ones.
    for role, row in function.open_rows.items():
        directions[role][row] = 0

    def slope(keys: list[Any], step: float) -> float:
        """The slope of the loss, if these arguments and weights move along their directions."""

        def loss(way: float) -> float:
            moved = [a + way * directions[n] if n in keys else a for n, a in enumerate(args)]
            changed = {r: w + way * directions[r] for r, w in weights.items() if r in keys}
            return float((truth({**weights, **changed}, *moved) * weighting).sum())

        return (loss(step) - loss(-step)) / (2 * step)

    def got(keys: list[Any]) -> float:
        return sum(float((gradients[key] * directions[key]).sum()) for key in keys)

    if _agree(got, slope, list(gradients), 1e-5):  # All at once; a kink may spoil this.
        return
    for key, gradient in gradients.items():  # Which one is it?
        if not _agree(got, slope, [key], 1e-4):
            name = _named(function, key)
            sentence = f"No gradient reaches {name}, so it cannot learn: detached, or not used?"
            if gradient.any():
                numbers = f"{got([key]):.4f}, expected {slope([key], STEP):.4f}"
                sentence = f"The gradient of {name} is wrong. A sum made from it is {numbers}."
            raise Fail("gradient", sentence, shows=None if gradient.any() else "no-gradient")


def _named(function: Function, key: int | str) -> str:
    """An argument by its name in the formula, if it has one there; a weight by its role."""
    if isinstance(key, str):
        return key
    assert function.truth is not None
    known = signature(function.truth).parameters.items()
    names = [name for name, p in known if p.kind != p.VAR_POSITIONAL][1:]
    return names[key] if key < len(names) else f"argument {key + 1}"


def _agree(
    got: Callable[..., float], slope: Callable[..., float], keys: list[Any], tolerance: float
) -> bool:
    steps = (STEP, STEP / 100)  # A kink (relu) near by spoils one step, but hardly both.
    truths = (slope(keys, step) for step in steps)
    return any(abs(got(keys) - truth) <= tolerance * (1 + abs(truth)) for truth in truths)


def trains(module: Module) -> Module:
    """The module, in train mode. Built with dropout 0, it computes as in eval mode: with the same
    masks, the same values, and gradients that reach everything.
    """
    module.train()
    return module
