"""The recorded questions to the solution and its answers: a submission gets the same ones at once.

If a version answers every question of a check as the solution did, it passes, because the solution
passes. Another version may be right or wrong: its checks run in the usual way. So a rehearsal saves
time for the many right versions with the solution's arrangement, and never makes a version fail.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from checks.contents import Step
from checks.engine.asking.answers import fits, form_of
from checks.engine.asking.transcript import Event, alike, same
from checks.engine.language import Check
from checks.engine.shared import wire


@dataclass
class Part:
    """The questions to one worker, check after check."""

    events: list[Event] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)  # In the form they are sent.
    spans: list[tuple[Check, int, int]] = field(default_factory=list)  # A check's events.

    def add(self, check: Check, draws: list[list[Event]], passed: bool) -> None:
        start = len(self.events)
        self.events += [event for events in draws for event in events]
        self.requests += [event.request() for event in self.events[start:]]
        if passed:
            self.spans.append((check, start, len(self.events)))

    @cached_property
    def packed(self) -> wire.Array:
        """The requests in one array, when the part is complete."""
        return wire.packed(self.requests)

    def pieces(self) -> list[Part]:
        """One part per check. They must run in this order, because they share modules."""
        starts = [0, *(end for _, _, end in self.spans)]
        return [
            Part(
                self.events[first:end],
                self.requests[first:end],
                [(check, start - first, end - first)],
            )
            for first, (check, start, end) in zip(starts, self.spans)
        ]

    def passed(self, answers: list[Any]) -> set[Check]:
        """The checks in which these answers are those of the solution."""
        if len(answers) != len(self.events):
            return set()
        same = [_same(event, answer) for event, answer in zip(self.events, answers)]
        return {check for check, start, end in self.spans if all(same[start:end])}


class Rehearsals:
    """The parts of every step, for one seed and a number of draws. `record` asks the solution."""

    def __init__(self, record: Callable[[Step, int], list[Part]], draws: int):
        self.record, self.draws, self.lock = record, draws, threading.Lock()
        self.parts: dict[str, list[Part]] = {}

    def of(self, step: Step) -> list[Part]:
        with self.lock:
            if step.id not in self.parts:
                self.parts[step.id] = self.record(step, self.draws)
            return self.parts[step.id]


def _same(event: Event, answer: Any) -> bool:
    """Whether an answer is the solution's, in everything that a check can see."""
    if answer == event.answer:  # Most answers are equal to the bit.
        return True
    if not isinstance(answer, dict):
        return False
    if "ok" in answer and not fits(answer["ok"], form_of(event.do, event.arguments())):
        return False
    try:
        return _twin(event, answer) and alike(event, answer, event.answer)
    except (TypeError, ValueError, KeyError, AttributeError, IndexError):
        return False  # A forged answer.


def _twin(event: Event, answer: Any) -> bool:
    """Whether an answer is the solution's where `alike` may let other versions differ."""
    ours, theirs = event.answer.get("ok"), answer.get("ok")
    if event.do == "build" and ours is not None:
        return same(_by_name(ours), _by_name(theirs))
    if event.do == "call" and ours is not None:
        calls = [found.get("calls", {}).keys() for found in (ours, theirs)]
        return bool(ours["shares"] == theirs["shares"]) and calls[0] == calls[1]
    return True


def _by_name(made: Any) -> Any:
    """A module that was made, with its tensors by their names."""
    return made | {part: dict(made[part]) for part in ("parameters", "buffers") if part in made}
