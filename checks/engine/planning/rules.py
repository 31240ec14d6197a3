"""What every step may be asked beside its numbers: devices, modes, forbidden functions."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from checks import course
from checks.engine.asking.answers import Answers
from checks.engine.asking.compare import expect
from checks.engine.asking.received import Received
from checks.engine.planning.function import Function
from checks.engine.planning.place import expect_that
from checks.engine.planning.stand_ins import State
from checks.engine.verdicts import Fail


def expect_device(function: Function, *args: Any) -> None:
    """Fail unless new tensors are on the device of the arguments. Code that fails there for another
    reason is left to other checks.
    """
    out = function.called(*args, away=True, may_fail=True)

    def look(answers: Answers) -> None:
        answers.expect_alive(out.number)
        if error := answers.error(out.number):
            raised = answers.raised(out.number)
            if raised.verdict != "error":
                raise raised
            # PyTorch's words: it raises a RuntimeError or a TypeError here, as in other cases.
            if "device" in error["message"] and "cpu" in error["message"]:
                sentence = "It does not follow its input to another device (meta stands for one):\n"
                sentence += raised.message
                raise Fail("device", sentence, raised.where, shows="fixed-device")
            return
        got = out.of(answers)
        for part in [got, *got.items]:
            if part.kind == "tensor" and part.device != "meta":
                sentence = f"{part.name} is on {part.device}, its input was on meta."
                raise Fail("device", got.say(sentence), shows="fixed-device")

    function.submission.planned.note(look)


def expect_mode(
    got: Received,
    now: State,
    trains: bool,
    frozen: Container[str] = (),
    dtype: str = "float32",
) -> None:
    """Fail unless the model is in its former mode after a call, with all its parts.

    Its parameters have their dtype, and all but the frozen ones still learn. Gradients must still
    be recorded.
    """
    was = "train" if trains else "eval"
    if now.training is None:
        sentence = f"The model came in {was} mode, and some of its parts are in another now."
        raise Fail("mode", got.say(sentence))
    if now.training != trains:
        sentence = f"The model came in {was} mode, and is not in {was} mode any more."
        raise Fail("mode", got.say(sentence))
    for name, report in now.parameters.items():
        learns = report["requires_grad"]
        if learns == (name in frozen):
            sentence = (
                f"After the call the requires_grad of {name} is {learns}. It was {not learns}."
            )
            raise Fail("mode", got.say(sentence))
        if report["dtype"] != dtype:
            sentence = f"After the call {name} is {report['dtype']}. It was {dtype}."
            raise Fail("mode", got.say(sentence))
    if not now.recording:
        sentence = "After the call no gradients are recorded any more."
        raise Fail("mode", got.say(sentence))


def expect_no_call(function: Function, kind: str, why: str, *args: Any) -> None:
    """Fail if a function of torch of this kind (READY_MADE of checks/course.py) is called, in any
    way. While they are blocked, the answer must still be right.
    """
    if kind not in course.READY_MADE:
        kinds = ", ".join(course.READY_MADE)
        raise ValueError(
            f"READY_MADE in checks/course.py has no {kind!r}, only {kinds}: add it there"
        )
    names = [*course.READY_MADE[kind]]
    out = function.called(*args, spy=names)

    def look(answers: Answers) -> None:
        calls = answers.ok(out.number)["calls"]
        for name in names:
            if name in calls:
                place = answers.files.place(*calls[name]) if calls[name] else None
                says = f"{name} is not allowed in this step: {why}"
                raise Fail("rule", says, place, shows="ready-made")

    function.submission.planned.note(look)
    assert function.truth is not None
    expect_that(expect, out.first, function.truth(function.weights, *args))
