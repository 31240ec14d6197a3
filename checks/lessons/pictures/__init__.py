"""The pictures of the lessons, as SVG: made of the same equations as the tables.

A picture is a function of a stage's module here that returns a Sketch. Its docstring says in words
what is to be seen. In the lesson it stands between two comments:

    <!-- picture: waves -->
    (here comes the picture, with its words for those who cannot see it)
    <!-- end -->
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from checks.engine.drawing.sketch import Sketch


class Drawn(NamedTuple):
    """A picture of a stage's lesson: what is to be seen, in words, and what draws it."""

    stage: str
    says: str
    draw: Callable[[], Sketch]


PICTURES: dict[str, Drawn] = {}


def picture(function: Callable[[], Sketch]) -> Callable[[], Sketch]:
    """Make the picture available to the lessons under the function's name."""
    stage = function.__module__.rpartition(".")[2]
    PICTURES[function.__name__] = Drawn(stage, " ".join((function.__doc__ or "").split()), function)
    return function
