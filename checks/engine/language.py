"""The small language that checks are written in: @check, expect and its relatives.

A check is a sentence and three paragraphs: build, ask, expect. Its docstring is the line that the
learner sees; it is run several times, each time with another random draw.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from inspect import signature
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from checks.engine.asking.compare import (
    Received,
    WrongNumbers,
    differs,
    expect,
    expect_form,
    expect_number,
    expect_text,
)
from checks.engine.asking.learner import LearnerError
from checks.engine.asking.module import Function, Module, Shapes
from checks.engine.asking.stand_ins import State, state
from checks.engine.asking.submission import Submission
from checks.engine.asking.transcript import answered, refusal
from checks.engine.asking.values import Array, Crossed
from checks.engine.verdicts import Fail

__all__ = [
    "SHARES",
    "Array",
    "Crossed",
    "Fail",
    "Function",
    "LearnerError",
    "Module",
    "Received",
    "Submission",
    "check",
    "differs",
    "dropped",
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
    "expect_own_chance",
    "expect_share",
    "expect_single",
    "expect_sized",
    "expect_text",
    "raises",
    "state",
    "trains",
    "tries",
]

Check = Callable[[Submission], None]
_CHECKS: set[Check] = set()  # Functions with the decorator.
STEP = 1e-6  # The step of finite differences, in float64.
TRIES = 2000
IN_TRAINING = (
    "In train mode, built with dropout 0, it should give what it gives in evaluation mode. It "
    "gives other numbers: it computes something else, or drops although dropout is 0."
)
TURNED = (
    "The sentences of an earlier call came in reverse order. The answers are not in that\n"
    "order. Either something is kept from the earlier call, or sentences see each other."
)
ALONE = "The first sentence of an earlier call came alone. It should get the same answer as before."
MANY_ROWS = 300  # More sentences than fit into 8 bits.
AMONG_MANY = (
    f"The sentences of an earlier call came many times, {MANY_ROWS} in one batch. They should get "
    "the same answers as before."
)
# Arguments for a dropout and the probability that they ask for: 0.1 is the default everywhere.
SHARES: tuple[tuple[dict[str, Any], float], ...] = (({"dropout": 0.6}, 0.6), ({}, 0.1))


def check(function: Check) -> Check:
    """Mark a function as a check of its step."""
    _CHECKS.add(function)
    return function


def checks_of(module: ModuleType) -> list[Check]:
    """The checks of a step, in the order in which they are written."""
    functions = (value for value in vars(module).values() if isinstance(value, FunctionType))
    return [function for function in functions if function in _CHECKS]


def tries() -> Iterator[None]:
    """Draw again until the draw shows the difference between right and wrong; then leave the loop.

    Raises AssertionError if no draw does. Far fewer draws are needed.
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
            doing, kind = answered.get()
            sentence = f"Nothing was raised {doing}. Expected a {self.error}{names}."
            if kind == self.error:
                sentence += f"\nA {kind} was returned: raise it instead."
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
    """Fail unless two calls in eval mode agree, inputs stay unchanged, and any device works.

    With `drops`, two calls in train mode differ, because dropout draws again, and a backward pass
    works. Otherwise train mode changes nothing.
    """
    first, second = function(*args), function(*args)
    function.train()
    trained, trained_again = function(*args), function(*args)
    if drops:
        _expect_backward(function, trained, args)
    function.train(False)
    _expect_unchanged(first, trained)
    if not _same_numbers(first, second):
        sentence = "Two calls in eval mode with the same input gave different numbers."
        raise Fail("nondeterministic", first.say(sentence), shows="random-in-evaluation")
    if drops and _same_numbers(first_part(trained), first_part(trained_again)):
        sentence = "In train mode two calls gave the same numbers: dropout should draw new ones."
        raise Fail("mode", trained.say(sentence), shows="not-random-in-training")
    if not drops and not _same_numbers(first, trained):
        sentence = "In train mode it gave other numbers than in eval mode: nothing is dropped here."
        same = _same_numbers(trained, trained_again)
        shows = "other-in-training" if same else "random-in-training"
        raise Fail("mode", trained.say(sentence), shows=shows)
    _expect_rows_apart(function, first, args)
    expect_device(function, *args)


def _expect_unchanged(*answers: Received) -> None:
    """Fail if a call changed one of its arguments."""
    for got in answers:
        if got.changed:
            sentence = f"The call changed its argument number {got.changed[0] + 1} in place."
            raise Fail("mutation", got.say(sentence), shows="argument-changed")


def _expect_backward(function: Function, out: Received, args: tuple[Any, ...]) -> None:
    """Fail unless the backward pass of such a call ends without an error, with finite gradients."""
    found = function.gradients([np.ones(first_part(out).shape)], *args)
    gradients = {**dict(enumerate(found["inputs"])), **found["parameters"]}
    for key, gradient in gradients.items():
        if not np.isfinite(gradient).all():
            name = f"argument number {key + 1}" if isinstance(key, int) else key
            sentence = f"In train mode the gradient of {name} is not finite."
            raise Fail("gradient", out.say(sentence))


def _expect_rows_apart(function: Function, first: Received, args: tuple[Any, ...]) -> None:
    """Fail unless each sentence gets the same answer in another order, alone, and among many.

    Otherwise the code keeps something from an earlier call, or a sentence sees another one.
    """

    def asked(rows: Any) -> Received:
        """The answer for these rows. Without gradients, as a model is used: only then does some
        code keep a result.
        """
        given = [arg[rows] if isinstance(arg, np.ndarray) else arg for arg in args]
        got = function.called(*given, records=False)[0]
        _expect_unchanged(got)
        return first_part(got)

    out, counts = asked(slice(None)), {len(arg) for arg in args if isinstance(arg, np.ndarray)}
    if not _same_numbers(first_part(first), out):
        sentence = "Without gradients, as inside torch.no_grad(), it gives other numbers."
        raise Fail("values", out.say(sentence))
    if out.array is None or counts != set(out.shape[:1]) or not np.isfinite(out.array).all():
        return
    number = len(out.array)
    for rows, sentence in (
        (slice(None, None, -1), TURNED),
        (slice(1), ALONE),
        (np.arange(MANY_ROWS) % number, AMONG_MANY),
    ):
        again, right = asked(rows), out.array[rows]
        if again.array is None or again.shape != right.shape:
            return
        if differs(again.array, right).any():
            raise Fail("values", again.say(sentence))


def _same_numbers(one: Received, two: Received) -> bool:
    """Whether two tensors, or all tensors of two tuples, agree. Infinite and NaN entries pass."""
    if one.items:
        return all(_same_numbers(a, b) for a, b in zip(one.items, two.items))
    if one.array is None or two.array is None or one.shape != two.shape:
        return True
    return not np.isfinite(one.array).all() or not differs(one.array, two.array).any()


def expect_device(function: Function, *args: Any) -> None:
    """Fail unless new tensors are on the device of the arguments. Code that fails there for another
    reason is left to other checks.
    """
    try:
        out = function.called(*args, away=True)[0]
    except LearnerError as error:
        if error.verdict == "untouched":
            raise
        # PyTorch's words: it raises a RuntimeError or a TypeError here, as in many other cases.
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
            raise Fail("mode", wrong.got.say(IN_TRAINING)) from None
        raise
    weighting = function.submission.rng.normal(size=right.shape)
    if only is not None:
        weighting = weighting * only[..., None]
    floats = [n for n, a in enumerate(args) if isinstance(a, np.ndarray) and a.dtype.kind == "f"]

    def found() -> dict[Any, Array]:
        """The gradients of the float arguments, by number, and of the weights, by role."""
        gradients = function.gradients([weighting], *args)
        return {n: gradients["inputs"][n] for n in floats} | gradients["parameters"]

    gradients = found()
    _expect_slopes(function, args, weighting, gradients)
    if function.trains:
        function.train(False)
        _expect_same_gradients(function, gradients, found())
        function.train()


def _expect_slopes(
    function: Function, args: tuple[Any, ...], weighting: Array, gradients: dict[Any, Array]
) -> None:
    """Fail unless these are the gradients of the sum of the formula's values times `weighting`."""
    truth, rng, weights = function.truth, function.submission.rng, function.weights
    assert truth is not None
    directions = {key: np.asarray(rng.normal(size=g.shape)) for key, g in gradients.items()}
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
                sentence = f"The gradient of {name} is wrong: along a random direction {numbers}."
            raise Fail("gradient", sentence, shows=None if gradient.any() else "no-gradient")


def _expect_same_gradients(
    function: Function, trained: dict[Any, Array], found: dict[Any, Array]
) -> None:
    """Fail unless the gradients in eval mode are those in train mode, without dropout."""
    for key, gradient in trained.items():
        if differs(found[key], gradient).any():
            says = "is another than in train mode" if found[key].any() else "is lost"
            sentence = f"In eval mode the gradient of {_named(function, key)} {says}."
            raise Fail("gradient", f"{sentence} It should be the same in both modes.")


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


def expect_mode(got: Received, now: State, trains: bool) -> None:
    """Fail unless the model is in its former mode after a call, with all its parts.

    Its parameters must still learn, and gradients must still be recorded.
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
        sentence = "After the call no gradients are recorded any more."
        raise Fail("mode", got.say(sentence))


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

    `only`, over the leading axes, says which outputs count. Another module of the same sizes must not change its numbers. All is done in float64, because
    many layers and rows add up the rounding of float32.
    """
    module, twin = (submission.build(name, dtype="float64", **sizes) for _ in range(2))
    module.draw(shapes, truth, *args)
    twin.draw(shapes, truth, *args)
    got, right = module(*args), truth(module.weights, *args)
    if got.array is not None and got.shape == right.shape and differs(got.array, right).any():
        if not differs(got.array, truth(twin.weights, *args)).any():
            sentence = "It computes with the weights of another module that was made after it."
            raise Fail("params", got.say(sentence), shows="shared-weights")
    expect(got, right, only=only)


def expect_no_call(function: Function, names: list[str], why: str, *args: Any) -> None:
    """Fail if any of these functions of torch is called, in any way.

    While they are blocked, the answer must still be right.
    """
    value, answer = function.called(*args, spy=names, ban=True)
    calls = answer["calls"]
    for name in names:
        if name in calls:
            place = function.submission.files.place(*calls[name]) if calls[name] else None
            raise Fail("rule", f"{name} is not allowed in this step: {why}", place)
    assert function.truth is not None
    expect(first_part(value), function.truth(function.weights, *args))


def dropped(where: str) -> str:
    """The sentence for a dropout that is not applied there, or not as it should be."""
    return (
        f"In train mode dropout should be applied {where}. Each entry there becomes 0 (with "
        "probability dropout) or is divided by 1 - dropout. Your output is something else."
    )


def expect_one_of(got: Received, candidates: Array, sentence: str) -> Array:
    """The number of the candidate that each vector of `got` equals.

    got: (…, d), candidates: (…, many, d). Fails if a vector equals none of its candidates.
    """
    expect_form(got, candidates.shape[:-2] + candidates.shape[-1:])
    assert got.array is not None
    close = ~differs(got.array[..., None, :], candidates).any(-1)
    if not close.any(-1).all():
        raise Fail("params" if got.unsure else "mode", got.say(got.unsure or sentence))
    return close.argmax(-1)


def expect_single(got: Received, candidates: Array) -> None:
    """Fail if every vector of `got` is its first candidate (all entries dropped) or its last (no
    entry dropped).
    """
    assert got.array is not None
    all_or_none = candidates[..., [0, -1], :]
    if (~differs(got.array[..., None, :], all_or_none).any(-1)).any(-1).all():
        raise Fail("mode", got.say("Whole vectors are dropped; it should be single entries."))


def expect_independent(
    got: Received, drops: Array, axes: tuple[str, ...] = ("sentence of the batch", "token")
) -> None:
    """Fail unless entries are dropped one by one.

    drops: 0 where an entry was dropped, (batch_size, length, d), or with other leading axes.
    """
    kept = drops != 0
    if (kept.all(-1) | ~kept.any(-1)).all():
        raise Fail("mode", got.say("Whole vectors are dropped; it should be single entries."))
    for axis, name in enumerate(axes):
        others = kept.take(range(1, kept.shape[axis]), axis)
        same = others == kept.take([0], axis)  # A few may be so by chance, or be read wrongly.
        if same.size and same.mean() > 0.95:
            raise Fail("mode", got.say(f"Every {name} loses the same entries, as if drawn once."))


def expect_share(got: Received, dropped: Array, p: float) -> None:
    """Fail unless about a fraction p of the entries is dropped: more than 7 standard deviations
    away is no chance.
    """
    share, deviation = float(dropped.mean()), math.sqrt(p * (1 - p) / dropped.size)
    if abs(share - p) > 7 * deviation:
        says = f"With dropout={p} about {p:.0%} of the entries should be dropped"
        raise Fail("mode", got.say(f"{says}; here {share:.0%} are."))


def expect_own_chance(got: Received, dropped: Array) -> None:
    """Fail if two entries are dropped together in all of many vectors. dropped: (…, d)."""
    by_entry = dropped.reshape(-1, dropped.shape[-1]).T
    if len(np.unique(by_entry, axis=0)) < len(by_entry):
        raise Fail("mode", got.say("Some entries are always dropped together."))


def expect_kept(got: Received, shape: tuple[int, ...], first: int | None = None) -> None:
    """Fail unless about half of the `first` entries of each vector are above 0: one dropout, not
    two.
    """
    expect_form(got, shape)
    assert got.array is not None
    kept = float((got.array[..., :first] > 0).mean())
    if kept < 0.4:  # With two thousand entries: 9 standard deviations from a half.
        left = f"With dropout=0.5 about half of the numbers should be left; here {kept:.0%} are."
        why = "Something is dropped once more before the closing norm."
        raise Fail("mode", got.say(f"{left}\n{why}"))


def first_part(got: Received) -> Received:
    """The value itself, or the first member of a tuple."""
    return got.items[0] if got.items else got
