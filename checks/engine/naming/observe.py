"""Facts about wrong numbers that no known mistake explains. Nothing here is a guess."""

from __future__ import annotations

from checks.engine.asking.received import Received, WrongNumbers
from checks.engine.naming.dependence import is_random
from checks.engine.naming.divergence import how_far
from checks.engine.verdicts import Stopped

RANDOM = (
    "In eval mode, equal calls give different numbers. Something is still random, such as a "
    "dropout that is made again in each call, or each call changes what the next one uses."
)


def observe(stopped: Stopped) -> list[str]:
    """True sentences, the strongest first. The worker that gave the numbers is still running."""
    if not isinstance(stopped, WrongNumbers):
        return []
    if is_random(stopped.got):
        return [RANDOM]
    return how_far(stopped.got, _traced(stopped.got))


def _traced(got: Received) -> list[object]:
    """The local tensors of the same call, made once more."""
    if got.function is None:
        return []
    try:
        answer = got.function.called(*got.args, trace=True)[1]
        return list(answer["trace"])
    except (Stopped, KeyError, TypeError):
        return []
