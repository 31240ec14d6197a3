"""A step's tiny example, run with the learner's code: what `trace` and `look` have in common."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from checks.contents import Step
from checks.engine.asking.conversation import Conversation
from checks.engine.asking.forms import either, error_of, is_array
from checks.engine.asking.learner import Files, LearnerError
from checks.engine.asking.values import Array
from checks.engine.commands.screen import Screen, fitted
from checks.engine.drawing.example import Example, Picture, example_of, pictures_of
from checks.engine.files.source import Source
from checks.engine.hosting.host import Host
from checks.engine.verdicts import Stopped

SECONDS = 5.0  # Computing time of an example; it takes a few hundredths.
MOST = 4096  # Numbers in one picture.
MOST_PRINTED = 4000  # Characters.


class Run(NamedTuple):
    """What the worker noted, the error that ended the run, if one did, and the code's prints."""

    found: list[Any]
    error: LearnerError | None
    printed: str


def run(host: Host, step: Step, files: Files, do: str, form: Any, **arguments: Any) -> Run:
    """Ask a new worker for the example; `form` is that of the answer.

    Raises Stopped if there is no answer, as after an endless loop.
    """
    doing, worker = "in the tiny example", host.worker(SECONDS)
    try:
        talk = Conversation(worker, files)
        talk.load(step.module, 0)
        answer = talk.ask(do, doing, form=form, **arguments)
    finally:
        printed = host.done(worker)
    error = error_of(answer)
    stopped = None if error is None else LearnerError(error, files, doing)
    return Run(answer["found"], stopped, printed[:MOST_PRINTED])


def show_values(host: Host, step: Step, files: Files, example: Example, wanted: list[str]) -> Run:
    """Ask for the values of these expressions, after the example has run."""
    form = {"found": [is_array], "error": either(None, dict)}
    return run(host, step, files, "show", form, example=example.code, wanted=wanted)


def numbers_of(array: Any) -> Array | None:
    """The numbers of such a value; None if they are no table that can be drawn."""
    if not 1 <= len(array.shape) <= 3 or 0 in array.shape or math.prod(array.shape) > MOST:
        return None
    return np.frombuffer(array.data, array.dtype).reshape(array.shape)


def pictured(
    host: Host, source: Source, step: Step
) -> tuple[list[tuple[Picture, Array]], str] | None:
    """The pictures of a step that can be drawn, with their numbers, and why there are no more.

    None: it has no pictures, or nothing is written yet.
    """
    example, pictures = example_of(step), pictures_of(step)
    if example is None or not pictures or source.problem(step) is not None:
        return None
    wanted = [picture.value for picture in pictures]
    try:
        done = show_values(host, step, Files.of(source, step), example, wanted)
    except Stopped as stopped:
        return [], stopped.message
    arrays = zip(pictures, map(numbers_of, done.found))
    drawable = [(picture, numbers) for picture, numbers in arrays if numbers is not None]
    return drawable, "" if done.error is None else done.error.message


def show_run(
    screen: Screen,
    source: Source,
    step: Step,
    example: Example,
    ask: Callable[[Host, Files], Run],
    show: Callable[[Files, list[Any]], None],
) -> Run | None:
    """Print the example, what `show` makes of its run, the prints, and the error that ends it.

    None: there was no run.
    """
    problem = source.problem(step)
    if problem is not None and problem.verdict != "untouched":
        screen.say(problem.message)
        return None
    files = Files.of(source, step)
    screen.say(f"{step.id} {step.name} on a tiny example:", "bold")
    screen.say("\n".join(f"    {line}" for line in example.code.splitlines()))
    try:
        with Host() as host:
            done = ask(host, files)
    except Stopped as stopped:
        _say_where_it_stops(screen, stopped)
        return None
    show(files, done.found)
    if done.printed:
        screen.say(f"\nYour code printed:\n{done.printed.rstrip()}")
    if done.error is not None:
        _say_where_it_stops(screen, done.error)
    return done


def _say_where_it_stops(screen: Screen, stopped: Stopped) -> None:
    first, *more = stopped.message.splitlines()
    screen.say()
    screen.sentence(f"Here it stops. {first}", style="red")
    for line in more:
        screen.say(fitted(line, ""))
