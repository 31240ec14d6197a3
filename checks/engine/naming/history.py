"""Whether a wrong answer comes from earlier calls: the same call is right if it comes first."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from checks.contents import Step
from checks.engine.asking.compare import differs
from checks.engine.asking.learner import Files
from checks.engine.asking.received import Received, WrongNumbers
from checks.engine.asking.transcript import Event, alike
from checks.engine.course.source import solution
from checks.engine.hosting.host import Host
from checks.engine.naming.replays import Replays
from checks.engine.verdicts import Stopped

KEPT = (
    "If this is the first call, its answer is right. An earlier call leaves something behind, "
    "such as a mask or a result that is kept, and this call uses it."
)


def kept_from_earlier(
    host: Host, step: Step, files: Files, stopped: Stopped | None, events: list[Event]
) -> list[str]:
    """The sentence KEPT, if it is true of the last call of these events. They ended with `stopped`.

    The solution has to show that the right answer does not depend on the earlier calls.
    """
    last = max((n for n, event in enumerate(events) if event.do == "call"), default=-1)
    events = events[: last + 1]
    first = [event for event in events[:-1] if event.do != "call"] + events[-1:]
    if stopped is None or len(first) == len(events):
        return []
    try:
        theirs = _last(host, step, files, files.contents[step.module][2], first)
        if not _is_right(stopped, theirs):
            return []
        right, again = (
            _last(host, step, files, solution(step).encode(), e) for e in (events, first)
        )
        return [KEPT] if alike(replace(events[-1], answer=right), again, right) else []
    except (Stopped, TypeError, ValueError, KeyError, AttributeError, IndexError):
        return []  # A version stops, or an answer is forged.


def _last(host: Host, step: Step, files: Files, source: bytes, events: list[Event]) -> Any:
    """The answer of a version of the step to the last of these questions."""
    with Replays(host, step, files) as replays:
        (answers,) = replays.play([source], [event.request() for event in events])
    return answers[len(events) - 1]


def _is_right(stopped: Stopped, answer: Any) -> bool:
    """Whether the wrong numbers are right in this answer, or the error is gone."""
    if not isinstance(stopped, WrongNumbers):
        return stopped.verdict == "error" and "ok" in answer
    truth = stopped.got.truth
    if truth is None or "ok" not in answer:
        return False
    value = Received(answer["ok"]["value"], "", "", stopped.got.wanted_dtype)
    arrays = [part.array for part in (value, *value.items)]
    return any(
        array is not None and array.shape == truth.shape and not differs(array, truth).any()
        for array in arrays
    )
