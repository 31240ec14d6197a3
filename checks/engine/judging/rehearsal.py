"""The recorded questions to the solution and its answers: a submission gets the same ones at once.

If a version answers every question of a step as the solution did, it passes, because the solution
passes. Another version may be right or wrong: its checks run in the usual way. So a rehearsal saves
time for the many right versions with the solution's arrangement, and never makes a version fail.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from checks.engine.asking.answers import fits, form_of
from checks.engine.asking.transcript import Event, alike, same
from checks.engine.shared import wire


class Rehearsal:
    """All questions of a step to one worker, check after check, with the solution's answers."""

    def __init__(self, events: list[Event]):
        self.events = events

    @cached_property
    def packed(self) -> wire.Array:
        """The requests in one array."""
        return wire.packed([event.request() for event in self.events])

    def is_repeated(self, answers: list[Any]) -> bool:
        """Whether these answers are those of the solution."""
        pairs = zip(self.events, answers)
        return len(answers) == len(self.events) and all(_same(*pair) for pair in pairs)


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
