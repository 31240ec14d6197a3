"""Gradients, compared with the slopes of the formula."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np

from checks.engine.asking.compare import differs, expect
from checks.engine.asking.received import Received, WrongNumbers
from checks.engine.asking.values import Array
from checks.engine.notes import notes
from checks.engine.planning.function import Function, Gradients
from checks.engine.planning.module import Module
from checks.engine.planning.place import expect_that
from checks.engine.planning.planned import Redraw
from checks.engine.verdicts import Fail

AGAIN = 5  # Calls that should be alike.
SMALLEST = 0.1  # Length of a gradient.
STEPS = 1e-6, 1e-8  # Of finite differences, in float64. A kink (relu) near by may spoil the first.
KINK = 1e-5  # So near to 0 a relu could spoil both steps.
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
    right, trains = right_answer(function, args), bool(function.trains)
    out = function(*args).first
    says = (UNDROPPED if "dropout=0" in function.made else OTHERWISE) if trains else None
    expect_that(_expect_values, out, right, only, says)
    for _ in range(AGAIN + 1 if trains else 0):
        expect_that(_expect_again, out, function(*args).first)
    weighting = function.submission.rng.normal(size=right.shape)
    if only is not None:
        weighting = weighting * only[..., None]
    slopes = Slopes(function, args, weighting)
    found = function.gradients([weighting], *args)
    expect_that(slopes.expect, found)
    if trains:
        function.train(False)
        in_eval_mode = function.gradients([weighting], *args)
        function.train()
        expect_that(slopes.expect_flow, found, in_eval_mode)


def expect_all_learn(module: Module, shape: tuple[int, ...], only: Array, *args: Any) -> None:
    """Fail if no gradient reaches a weight, or a float input, that has an effect on the outputs.

    shape: of the outputs. `only`, over the leading axes, says which of them count.
    """
    weighting = module.submission.rng.normal(size=shape) * only[..., None]
    slopes = Slopes(module, args, weighting)
    expect_that(slopes.expect_effect, module.gradients([weighting], *args))


def right_answer(function: Function, args: tuple[Any, ...]) -> Array:
    """The formula's value. Raises Redraw if a relu is so near 0 that its slope is in doubt."""
    assert function.truth is not None
    with notes() as noted:
        right: Array = function.truth(function.weights, *args)
    before_relu = [np.abs(value).min(initial=1) for _, name, value in noted if name == "linear1"]
    if min(before_relu, default=1) < KINK:
        raise Redraw
    return right


def expect_certain(function: Function, *args: Any) -> None:
    """Draw again if the slopes of this call are in doubt."""
    right_answer(function, args)


def _expect_values(out: Received, right: Array, only: Array | None, says: str | None) -> None:
    try:
        expect(out, right, only=only)
    except WrongNumbers as wrong:
        if says is None:
            raise
        raise Fail("mode", wrong.got.say("\n".join([says, *wrong.shorter[-1:]]))) from None


def _expect_again(first: Received, again: Received) -> None:
    """Fail if train mode gives other numbers now and then."""
    if first.array is None or again.array is None or differs(first.array, again.array).any():
        sentence = "In train mode equal calls give different numbers, now and then."
        raise Fail("mode", again.say(sentence), shows="random-in-training")


class Slopes:
    """The slopes of the sum of the formula's values times `weighting`."""

    def __init__(self, function: Function, args: tuple[Any, ...], weighting: Array):
        assert function.truth is not None
        self.truth, self.args, self.weighting = function.truth, args, weighting
        self.weights, self.open_rows = dict(function.weights), dict(function.open_rows)
        self.seed = int(function.submission.rng.integers(1 << 31))

    def _by_key(self, found: Gradients) -> dict[Any, Array]:
        """The gradients by the argument's number and by role."""
        floats = [n for n, a in enumerate(self.args) if _is_float(a)]
        return {n: found["inputs"][n] for n in floats} | found["parameters"]

    def expect(self, found: Gradients) -> None:
        """Fail unless these are the gradients."""
        self._expect(self._by_key(found))

    def expect_effect(self, found: Gradients) -> None:
        """Fail if one of these is 0 although it should not be: it is cut off."""
        # Some have no effect: of a row that sees one key alone, or behind a relu.
        cut = {key: g for key, g in self._by_key(found).items() if not g.any()}
        if cut:
            self._expect(cut)

    def expect_flow(self, found: Gradients, in_eval_mode: Gradients) -> None:
        """Fail if a gradient flows in train mode alone: one may learn, or look at it, in eval
        mode.
        """
        flows = self._by_key(in_eval_mode)
        for key, gradient in self._by_key(found).items():
            if np.any(gradient) and not np.any(flows[key]):
                name = f"argument number {key + 1}" if isinstance(key, int) else key
                raise Fail(
                    "gradient",
                    f"In eval mode no gradient reaches {name}. In train mode one does. Eval mode "
                    "turns off dropout, nothing else.",
                )

    def _expect(self, gradients: dict[Any, Array]) -> None:
        rng = np.random.default_rng(self.seed)
        directions = {
            key: np.asarray(rng.normal(size=g.shape)) / max(float(np.linalg.norm(g)), SMALLEST)
            for key, g in gradients.items()
        }  # So that all count alike in a sum: large ones hide nothing in small ones.
        for role, row in self.open_rows.items():
            if role in directions:
                directions[role][row] = 0

        def slope(keys: list[Any], step: float) -> float:
            """The slope of the loss, if these arguments and weights move along their directions."""

            def loss(way: float) -> float:
                moved = [
                    a + way * directions[n] if n in keys else a for n, a in enumerate(self.args)
                ]
                there = {r: w + way * directions[r] for r, w in self.weights.items() if r in keys}
                value = self.truth({**self.weights, **there}, *moved)
                return float((value * self.weighting).sum())

            return (loss(step) - loss(-step)) / (2 * step)

        def got(keys: list[Any]) -> float:
            return sum(float((gradients[key] * directions[key]).sum()) for key in keys)

        if _agree(got, slope, list(gradients), 1e-5):  # All at once.
            return
        for key, gradient in gradients.items():  # Which one is it?
            if not _agree(got, slope, [key], 1e-4):
                name = self._named(key)
                sentence = f"No gradient reaches {name}, so it cannot learn: detached, or not used?"
                if gradient.any():
                    numbers = f"{got([key]):.4f}, expected {slope([key], STEPS[0]):.4f}"
                    sentence = f"The gradient of {name} is wrong. A sum made from it is {numbers}."
                raise Fail("gradient", sentence, shows=None if gradient.any() else "no-gradient")

    def _named(self, key: int | str) -> str:
        """An argument by its name in the formula, if it has one there; a weight by its role."""
        if isinstance(key, str):
            return key
        known = signature(self.truth).parameters.items()
        names = [name for name, p in known if p.kind != p.VAR_POSITIONAL][1:]
        return names[key] if key < len(names) else f"argument {key + 1}"


def _is_float(arg: Any) -> bool:
    return isinstance(arg, np.ndarray) and arg.dtype.kind == "f"


def _agree(
    got: Callable[..., float], slope: Callable[..., float], keys: list[Any], tolerance: float
) -> bool:
    truths = (slope(keys, step) for step in STEPS)
    return any(abs(got(keys) - truth) <= tolerance * (1 + abs(truth)) for truth in truths)


def trains(module: Module) -> Module:
    """The module, in train mode. Built with dropout 0, it computes as in eval mode: with the same
    masks, the same values, and gradients that reach everything.
    """
    module.train()
    return module
