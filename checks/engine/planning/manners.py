"""Manners of all steps: calls repeat, arguments stay, any device and mode will do."""

from __future__ import annotations

from typing import Any

import numpy as np

from checks.engine.asking.compare import differs, expect_unchanged
from checks.engine.asking.received import Received
from checks.engine.planning.function import Function, Gradients
from checks.engine.planning.module import Module
from checks.engine.planning.place import Place, expect_that
from checks.engine.planning.rules import expect_device
from checks.engine.planning.stand_ins import State, state
from checks.engine.verdicts import Fail

TURNED = (
    "The sentences of an earlier call came in reverse order. The answers are not in that "
    "order. Either something is kept from the earlier call, or sentences see each other."
)
ALONE = (
    "The first sentence of an earlier call came alone. It should get the same answer as before. "
    "Either it sees the other sentences, or a call changes something that the module keeps."
)
MANY_ROWS = 300  # More sentences than fit into 8 bits.
AMONG_MANY = (
    f"The sentences of an earlier call came many times, {MANY_ROWS} in one batch. They should get "
    "the same answers as before. Either the number of sentences matters, or a call changes "
    "something that the module keeps."
)
UNRECORDED = (
    "The first call came once more, without gradients, as inside torch.no_grad(). It gave other "
    "numbers. Either something is kept from earlier calls, or it computes something else without "
    "gradients."
)
UNMOVED = (
    "All its weights have changed since the last call, as in a training. The same input gave the "
    "same numbers as before. Is a result kept?"
)
IN_TRAINING = "In train mode it gave other numbers than in eval mode: nothing is dropped here."


def expect_manners(function: Function, *args: Any, drops: bool = False) -> None:
    """Fail unless two calls in eval mode agree, inputs stay unchanged, and any device works.

    With `drops`, two calls in train mode differ, because dropout draws again, and a backward pass
    works. Otherwise train mode changes nothing.
    """
    if isinstance(function, Module) and not any(isinstance(arg, tuple) for arg in args):
        function(*_shorter(args))  # What is kept of it would not fit what comes now.
    first, second = function(*args), function(*args)
    if drops:
        expect_that(_expect_same_with_gradients, first, _graded(function, args))
    function.train()
    trained, again = function(*args), function(*args)
    pairs = [(trained, again)]
    if drops:
        pairs += _other_pairs(function, args)
        _expect_backward(function, trained, args)
    if isinstance(function, Module):
        expect_that(_expect_train_mode, trained, state(function.submission, function))
    function.train(False)
    expect_that(expect_unchanged, first)
    expect_that(expect_unchanged, trained)
    expect_that(_expect_repeated, first, second)
    for pair in pairs if drops else []:
        expect_that(_expect_drawn_anew, *pair)
    if not drops:
        expect_that(_expect_like_eval_mode, first, trained, again)
    _expect_rows_apart(function, first, args)
    expect_device(function, *args)
    if isinstance(function, Module) and function.weights:
        _expect_new_weights_count(function, args)


def _other_pairs(function: Function, args: tuple[Any, ...]) -> list[tuple[Place, Place]]:
    """Two calls with one sentence, and two calls without gradients."""
    alone = [_rows_of(arg, slice(1)) for arg in args]
    unrecorded = [function.called(*args, records=False) for _ in range(2)]
    return [(function(*alone), function(*alone)), (unrecorded[0], unrecorded[1])]


def _graded(function: Function, args: tuple[Any, ...]) -> Place:
    """The same call, with the gradients of the sum of all outputs."""
    assert function.truth is not None
    right = function.truth(function.weights, *args)
    shape = np.shape(right[0] if isinstance(right, tuple) else right)
    return function.called(*args, weighting=[np.ones(shape)])


def _expect_train_mode(got: Received, now: State) -> None:
    """Fail if a call has changed the mode of its module."""
    if now.training is not True:
        sentence = "The call changed the mode of the module. It came in train mode."
        raise Fail("mode", got.say(sentence))


def _expect_same_with_gradients(first: Received, graded: Received) -> None:
    """Fail if the same call gives other numbers where the gradients of its inputs are wanted."""
    if not _same_numbers(first.first, graded.first):
        sentence = (
            "In eval mode the same call gave other numbers when its gradients were asked for."
        )
        raise Fail("nondeterministic", graded.say(sentence), shows="random-in-evaluation")


def _expect_backward(function: Function, out: Place, args: tuple[Any, ...]) -> None:
    """Expect that the backward pass of such a call ends without an error, with finite gradients."""
    assert function.truth is not None
    right = function.truth(function.weights, *args)
    shape = np.shape(right[0] if isinstance(right, tuple) else right)

    def finite(out: Received, found: Gradients) -> None:
        gradients = {**dict(enumerate(found["inputs"])), **found["parameters"]}
        for key, gradient in gradients.items():
            if not np.isfinite(gradient).all():
                name = f"argument number {key + 1}" if isinstance(key, int) else key
                sentence = f"In train mode the gradient of {name} is not finite."
                raise Fail("gradient", out.say(sentence))

    expect_that(finite, out, function.gradients([np.ones(shape)], *args))


def _expect_repeated(first: Received, second: Received) -> None:
    if not _same_numbers(first, second):
        sentence = "Two calls in eval mode with the same input gave different numbers."
        raise Fail("nondeterministic", first.say(sentence), shows="random-in-evaluation")


def _expect_drawn_anew(one: Received, again: Received) -> None:
    if _same_numbers(one.first, again.first):
        sentence = "In train mode two calls gave the same numbers: dropout should draw new ones."
        raise Fail("mode", one.say(sentence), shows="not-random-in-training")


def _expect_like_eval_mode(first: Received, trained: Received, again: Received) -> None:
    if not _same_numbers(first, trained):
        same = _same_numbers(trained, again)
        shows = "other-in-training" if same else "random-in-training"
        raise Fail("mode", trained.say(IN_TRAINING), shows=shows)


def _expect_rows_apart(function: Function, first: Place, args: tuple[Any, ...]) -> None:
    """Fail unless each sentence gets the same answer in another order, alone, and among many.

    Otherwise the code keeps something from an earlier call, or a sentence sees another one. All
    this without gradients, as a model is used: only then does some code keep a result.
    """
    asked = function.called(*args, records=False)
    expect_that(expect_unchanged, asked)
    expect_that(_expect_same_unrecorded, first, asked)
    counts = {len(arg) for arg in args if isinstance(arg, np.ndarray)}
    if len(counts) != 1:
        return
    number = counts.pop()
    for rows, sentence in (
        (slice(None, None, -1), TURNED),
        (slice(1), ALONE),
        (np.arange(MANY_ROWS) % number, AMONG_MANY),
    ):
        again = function.called(*[_rows_of(arg, rows) for arg in args], records=False)
        expect_that(expect_unchanged, again)
        expect_that(_expect_same_rows, asked, again, rows, number, sentence)


def _expect_same_unrecorded(first: Received, asked: Received) -> None:
    if not _same_numbers(first.first, asked.first):
        raise Fail("values", asked.first.say(UNRECORDED))


def _expect_same_rows(
    asked: Received, again: Received, rows: Any, number: int, sentence: str
) -> None:
    """Fail if these rows of an earlier call got other numbers. Nothing is expected of an answer
    that does not have a row for each sentence.
    """
    out, got = asked.first, again.first
    if out.array is None or out.shape[:1] != (number,) or not np.isfinite(out.array).all():
        return
    right = out.array[rows]
    if got.array is not None and got.shape == right.shape and differs(got.array, right).any():
        raise Fail("values", got.say(sentence))


def _expect_new_weights_count(module: Module, args: tuple[Any, ...]) -> None:
    """Fail if the same arguments get the same answer after every weight has changed."""
    before, weights = module(*args).first, module.weights
    module.assign({role: weight + 1 for role, weight in weights.items()})
    after = module(*args).first
    module.assign(weights)

    def moved(before: Received, after: Received) -> None:
        if _same_numbers(before, after):
            raise Fail("values", after.say(UNMOVED))

    expect_that(moved, before, after)


def _shorter(args: tuple[Any, ...]) -> list[Any]:
    """The arguments without the last token, on every axis that is as long as the sentences.

    Their length is that of the first argument, and no other size is the same.
    """
    length = args[0].shape[1] if args[0].ndim > 1 else 0
    shorter = list(args)
    for n, arg in enumerate(args):
        for axis in range(1, arg.ndim if isinstance(arg, np.ndarray) else 1):
            if arg.shape[axis] == length > 1:
                shorter[n] = np.delete(shorter[n], -1, axis)
    return shorter


def _rows_of(arg: Any, rows: Any) -> Any:
    """The same rows of an array, or of each array in a tuple or list; anything else as it is."""
    if isinstance(arg, (tuple, list)):
        return type(arg)(_rows_of(item, rows) for item in arg)
    return arg[rows] if isinstance(arg, np.ndarray) else arg


def _same_numbers(one: Received, two: Received) -> bool:
    """Whether two tensors, or all tensors of two tuples, agree. Infinite and NaN entries pass."""
    if one.items:
        return all(_same_numbers(a, b) for a, b in zip(one.items, two.items))
    if one.array is None or two.array is None or one.shape != two.shape:
        return True
    return not np.isfinite(one.array).all() or not differs(one.array, two.array).any()
