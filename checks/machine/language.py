"""The small language that checks are written in: @check, expect and its relatives.

A check is a sentence and three paragraphs: build, ask, expect. Its docstring is the line that the
learner sees; it is run several times, each time with another random draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import signature
from types import ModuleType
from typing import Any

import numpy as np

from checks.machine.asking.compare import (
    Received,
    differs,
    expect,
    expect_form,
    expect_number,
    expect_text,
)
from checks.machine.asking.learner import LearnerError
from checks.machine.asking.module import Function, Module, Shapes
from checks.machine.asking.stand_ins import Descent, Oracle, Square, State, Words, state
from checks.machine.asking.submission import Submission
from checks.machine.asking.transcript import answered, refusal
from checks.machine.asking.values import Array
from checks.machine.verdicts import Fail

__all__ = [
    "SHARES",
    "Array",
    "Descent",
    "Fail",
    "Function",
    "LearnerError",
    "Module",
    "Oracle",
    "Received",
    "Square",
    "Submission",
    "Words",
    "check",
    "differs",
    "expect",
    "expect_form",
    "expect_gradients",
    "expect_independent",
    "expect_kept",
    "expect_manners",
    "expect_mode",
    "expect_no_call",
    "expect_number",
    "expect_one_of",
    "expect_sized",
    "expect_text",
    "raises",
    "state",
    "tries",
]

Check = Callable[[Submission], None]
STEP = 1e-6  # Of finite differences, in float64.
TRIES = 2000
# Arguments that ask for a dropout, and the share they ask for: 0.1 is the default everywhere.
SHARES: tuple[tuple[dict[str, Any], float], ...] = (({"dropout": 0.2}, 0.2), ({}, 0.1))


def check(function: Check) -> Check:
    """Mark a function as a check of its step."""
    function.is_check = True  # type: ignore[attr-defined]
    return function


def checks_of(module: ModuleType) -> list[Check]:
    """The checks of a step, in the order in which they are written."""
    return [value for value in vars(module).values() if getattr(value, "is_check", False)]


def tries() -> Iterator[None]:
    """As often as something is drawn anew until it tells right from wrong: then the loop is left.

    Raises AssertionError where nothing is found; far fewer are needed.
    """
    for _ in range(TRIES):
        yield
    raise AssertionError(f"{TRIES} draws, and none that tells right from wrong")


class raises:
    """Expect an exception of this type that names these numbers.

    with raises(ValueError, 7, 11):
        layer(tokens)
    """

    def __init__(self, error: type[Exception], *numbers: int):
        self.error, self.numbers = error.__name__, numbers

    def __enter__(self) -> None:
        self.token = refusal.set((self.error, self.numbers))

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        refusal.reset(self.token)
        if error is None:
            names = f" that names {' and '.join(map(str, self.numbers))}" if self.numbers else ""
            sentence = f"Nothing was raised {answered.get()}. Expected a {self.error}{names}."
            raise Fail("raises", sentence, shows="not-refused")
        if not isinstance(error, LearnerError) or error.verdict == "untouched":
            return False
        if self.error not in error.bases:
            sentence = f"Expected a {self.error} here, but this came:\n{error.message}"
            raise Fail("raises", sentence, error.where, shows="refused-otherwise") from None
        unnamed = [n for n in self.numbers if str(n) not in error.text]
        if unnamed:
            sentence = f'The {self.error} says "{error.text}". It should name {unnamed[0]}.'
            raise Fail("raises", sentence, error.where, shows="error-without-numbers") from None
        return True


def expect_manners(function: Function, *args: Any, drops: bool = False) -> None:
    """Two calls in eval mode agree, no input is changed in either mode, any device will do.

    `drops`: in training two calls differ, for dropout draws anew. Else training changes nothing.
    """
    first, answer = function.called(*args)
    second = function(*args)
    function.train()
    trained, training = function.called(*args)
    trained_again = function(*args)
    function.train(False)
    if changed := answer["changed"] + training["changed"]:
        sentence = f"The call changed its argument number {changed[0] + 1} in place."
        raise Fail("mutation", first.say(sentence), shows="argument-changed")
    if not _same_numbers(first, second):
        sentence = "Two calls in eval mode with the same input gave different numbers."
        raise Fail("nondeterministic", first.say(sentence), shows="random-in-evaluation")
    if drops and _same_numbers(first_part(trained), first_part(trained_again)):
        sentence = "In train mode two calls gave the same numbers: dropout should draw anew."
        raise Fail("mode", trained.say(sentence), shows="not-random-in-training")
    if not drops and not _same_numbers(first, trained):
        sentence = "In train mode it gave other numbers than in eval mode: nothing is dropped here."
        raise Fail("mode", trained.say(sentence), shows="random-in-training")
    expect_device(function, *args)


def _same_numbers(one: Received, two: Received) -> bool:
    """Of a tensor, or of all in a tuple; numbers that are not finite are no matter here."""
    if one.items:
        return all(_same_numbers(a, b) for a, b in zip(one.items, two.items))
    if one.array is None or two.array is None or one.shape != two.shape:
        return True
    return not np.isfinite(one.array).all() or not differs(one.array, two.array).any()


def expect_device(function: Function, *args: Any) -> None:
    """What is made is on the device of the arguments. Code that fails there for another reason
    is left to other checks.
    """
    try:
        out = function.called(*args, away=True)[0]
    except LearnerError as error:
        if "device" in error.text and "cpu" in error.text:
            sentence = "It does not follow its input to another device (meta stands for one):\n"
            sentence += error.message
            raise Fail("device", sentence, error.where, shows="fixed-device") from None
        return
    for part in [out, *out.items]:
        if part.kind == "tensor" and part.device != "meta":
            sentence = f"{part.name} is on {part.device}, its input was on meta."
            raise Fail("device", out.say(sentence), shows="fixed-device")


def expect_gradients(function: Function, *args: Any, only: Array | None = None) -> None:
    """Values and gradients (of a random weighted sum) are those of the paper's formula.

    Compared with finite differences, along a random direction for every float input and weight.
    `only`, over the leading axes, says which outputs count (elsewhere they are open).
    """
    assert function.truth is not None
    truth, rng, weights = function.truth, function.submission.rng, function.weights
    right = truth(weights, *args)
    expect(first_part(function(*args)), right, only=only)
    weighting = rng.normal(size=right.shape)
    if only is not None:
        weighting = weighting * only[..., None]
    found = function.gradients([weighting], *args)

    floats = [n for n, a in enumerate(args) if isinstance(a, np.ndarray) and a.dtype.kind == "f"]
    gradients: dict[Any, Array] = {n: found["inputs"][n] for n in floats}
    gradients |= found["parameters"]
    directions = {key: np.asarray(rng.normal(size=g.shape)) for key, g in gradients.items()}
    for role, row in function.open_rows.items():
        directions[role][row] = 0

    def slope(keys: list[Any], step: float) -> float:
        """Of the loss along the directions of these arguments and weights together."""

        def loss(way: float) -> float:
            moved = [a + way * directions[n] if n in keys else a for n, a in enumerate(args)]
            changed = {r: w + way * directions[r] for r, w in weights.items() if r in keys}
            return float((truth({**weights, **changed}, *moved) * weighting).sum())

        return (loss(step) - loss(-step)) / (2 * step)

    def got(keys: list[Any]) -> float:
        return sum(float((gradients[key] * directions[key]).sum()) for key in keys)

    if _agree(got, slope, list(gradients), 1e-5):  # All at once; a kink may spoil that.
        return
    known = [name for name, p in signature(truth).parameters.items() if p.kind != p.VAR_POSITIONAL]
    names = [*known[1:], *(f"argument {n + 1}" for n in range(len(known) - 1, len(args)))]
    for key, gradient in gradients.items():  # Which one is it?
        if not _agree(got, slope, [key], 1e-4):
            name = names[key] if isinstance(key, int) else key
            sentence = f"No gradient reaches {name}, so it cannot learn: detached, or not used?"
            if gradient.any():
                numbers = f"{got([key]):.4f}, expected {slope([key], STEP):.4f}"
                sentence = f"The gradient of {name} is wrong: along a random direction {numbers}."
            raise Fail("gradient", sentence, shows=None if gradient.any() else "no-gradient")


def _agree(
    got: Callable[..., float], slope: Callable[..., float], keys: list[Any], tolerance: float
) -> bool:
    steps = (STEP, STEP / 100)  # A kink (relu) close by spoils one step, hardly both.
    truths = (slope(keys, step) for step in steps)
    return any(abs(got(keys) - truth) <= tolerance * (1 + abs(truth)) for truth in truths)


def expect_mode(got: Received, now: State, trains: bool) -> None:
    """After a call the model is in the mode it was in with all its parts, they learn as before, and
    gradients are recorded.
    """
    was = "train" if trains else "eval"
    if now.training is None:
        sentence = f"The model came in {was} mode, and some of its parts are in another now."
        raise Fail("mode", got.say(sentence))
    if now.training != trains:
        sentence = f"The model came in {was} mode, and is not in {was} mode any more."
        raise Fail("mode", got.say(sentence))
    frozen = [name for name, report in now.parameters.items() if not report["requires_grad"]]
    if frozen:
        sentence = f"After the call {frozen[0]} learns no more: its requires_grad is False."
        raise Fail("mode", got.say(sentence))
    if not now.recording:
        sentence = "After the call no gradients are recorded any more, whatever is computed."
        raise Fail("mode", got.say(sentence))


def expect_sized(
    submission: Submission,
    name: str,
    shapes: Shapes,
    truth: Callable[..., Any],
    *args: Any,
    **sizes: Any,
) -> None:
    """A module of other sizes than the usual ones has these parameters and gives these numbers."""
    module = submission.build(name, **sizes)
    module.draw(shapes, truth, *args)
    expect(module(*args), truth(module.weights, *args))


def expect_no_call(function: Function, names: list[str], why: str, *args: Any) -> None:
    """None of these functions of torch is called, however it is reached; and while they are out of
    reach it is right as ever.
    """
    value, answer = function.called(*args, spy=names, ban=True)
    calls = answer["calls"]
    for name in names:
        if name in calls:
            place = function.submission.files.place(*calls[name]) if calls[name] else None
            raise Fail("rule", f"{name} is not allowed in this step: {why}", place)
    assert function.truth is not None
    expect(first_part(value), function.truth(function.weights, *args))


def expect_one_of(got: Received, candidates: Array, sentence: str) -> Array:
    """Every vector of `got`, (…, d), is one of its candidates, (…, many, d); which, is returned."""
    expect_form(got, candidates.shape[:-2] + candidates.shape[-1:])
    assert got.array is not None
    close = ~differs(got.array[..., None, :], candidates).any(-1)
    if not close.any(-1).all():
        raise Fail("params" if got.unsure else "mode", got.say(got.unsure or sentence))
    return close.argmax(-1)


def expect_independent(got: Received, drops: Array) -> None:
    """Numbers are dropped one by one. drops: (batch_size, length, d), 0 where one was dropped."""
    kept = drops != 0
    if (kept.all(-1) | ~kept.any(-1)).all():
        raise Fail("mode", got.say("Whole vectors are dropped; it should be single numbers."))
    for axis, name in ((0, "sentence of the batch"), (1, "token")):
        if kept.shape[axis] > 1 and (kept == kept.take([0], axis)).all():
            raise Fail("mode", got.say(f"Every {name} loses the same numbers, as if drawn once."))


def expect_kept(got: Received, shape: tuple[int, ...], first: int | None = None) -> None:
    """Of the `first` numbers of each vector about half are above 0: what came was dropped once."""
    expect_form(got, shape)
    assert got.array is not None
    kept = float((got.array[..., :first] > 0).mean())
    if kept < 0.4:  # Of two thousand numbers: 9 standard deviations from a half.
        left = f"With dropout=0.5 about half of the numbers should be left; here {kept:.0%} are."
        why = "Something is dropped once more before the closing norm."
        raise Fail("mode", got.say(f"{left}\n{why}"))


def first_part(got: Received) -> Received:
    """The value itself, or the first of a tuple."""
    return got.items[0] if got.items else got
