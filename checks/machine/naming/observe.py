"""What is said of wrong numbers when no known mistake explains them. Nothing here is a guess."""

from __future__ import annotations

from checks.machine.asking.compare import Received
from checks.machine.naming.divergence import how_far
from checks.machine.naming.probes import properties
from checks.machine.verdicts import Stopped


def observe(stopped: Stopped) -> list[str]:
    """Sentences that hold, the strongest first; the worker that gave the numbers still runs."""
    got = getattr(stopped, "got", None)
    if not isinstance(got, Received):
        return []
    return [*properties(got), *how_far(got, _traced(got))]


def _traced(got: Received) -> list[object]:
    """The local tensors of the same call, asked once more."""
    if got.function is None:
        return []
    try:
        answer = got.function.called(*got.args, trace=True)[1]
        return list(answer["trace"])
    except (Stopped, KeyError, TypeError):
        return []
