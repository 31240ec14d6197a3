"""`look 5.5`, `look 5.6` and `look 6.8`: how the loss fell while the learner's model learned."""

from __future__ import annotations

from statistics import mean
from typing import Any

import numpy as np

from checks.engine.commands.screen import Screen
from checks.engine.commands.words import PASSED, Usage
from checks.engine.commands.work import Work
from checks.engine.drawing.example import Picture
from checks.engine.drawing.sketch import Sketch
from checks.engine.tracing.saved import add
from checks.graduation import kept

ROWS, BAR = 12, 50  # Of the picture: lines, and columns of the longest bar.


def classifier(screen: Screen, work: Work, text: str | None, sketch: Sketch) -> int:
    """The picture of step 5.6."""
    if not work.own or not show(screen, "classify", sketch):
        raise Usage("5.6 has a picture when your model has learned: run_step.py 5.6")
    return PASSED


def speak(screen: Screen, work: Work, text: str | None, sketch: Sketch) -> int:
    """The picture of step 6.8."""
    if not work.own or not show(screen, "count", sketch):
        raise Usage("6.8 has a picture when your model has learned: run_step.py 6.8")
    return PASSED


def show(screen: Screen, task: str, sketch: Sketch) -> bool:
    """Draw the loss and say the score; whether the graduation has kept them."""
    found: dict[str, Any] | None = kept.learned(task)
    if found is None or not found["losses"]:
        return False
    losses = found["losses"]
    size = -(-len(losses) // ROWS)
    means = [mean(losses[start : start + size]) for start in range(0, len(losses), size)]
    screen.say(f"The loss of your model, mean of {size} steps each:", "bold")
    for number, loss in enumerate(means):
        bar = "#" * round(BAR * loss / max(means)) if max(means) > 0 else ""
        screen.say(f"to step {min(len(losses), size * (number + 1)):>4} {bar} {loss:.3f}")
    add(
        sketch,
        Picture("The loss of your model, step by step", "", "", "", "curve"),
        np.array(losses),
    )
    screen.say(f"On texts never seen: {found['score']}.")
    return True
