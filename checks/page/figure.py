"""Figure 1 of the paper as a picture, with the state of the steps that build each box."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from checks.contents import STEPS
from checks.engine.drawing.sketch import Rect, Sketch

MARKS = {"passed": "✓", "begun": "…"}  # Of the state of a step; any other state has the dot.
WIDE, HIGH, PITCH = 216, 32, 44
ENCODER, DECODER = 20, 300  # Where the towers stand.
DONE = 0.25  # How dark a finished box is.


class Box(NamedTuple):
    name: str
    steps: tuple[str, ...]


EMBEDDING = Box("embedding", ("token_embedding", "positional_embedding", "transformer_embedding"))
SELF = Box("self-attention", ("calculate_attention", "multi_head_attention"))
CROSS = Box("cross-attention", SELF.steps)
NORM = Box("add and norm", ("layer_norm", "add_norm"))
FEED_FORWARD = Box("feed-forward", ("feed_forward",))
LINEAR = Box("linear", ("decoder",))
AROUND = (  # What stands below the figure: the parts of stage 5.
    *(Box("masks", ("masks",)), Box("whole model", ("transformer",))),
    *(Box("training", ("training",)), Box("decoding", ("decoding",))),
    *(Box("translating", ("translate",)), Box("classifying", ("classifier",))),
)


def figure(states: Mapping[str, str]) -> Sketch:
    """The figure. `states`: of each step by its name."""
    drawing = Drawing(states)
    top = drawing.tower(DECODER, (NORM, FEED_FORWARD, NORM, CROSS, NORM, SELF), "decoder")
    low = drawing.tower(ENCODER, (NORM, FEED_FORWARD, NORM, SELF), "encoder")
    drawing.sketch.line(*drawing.way_up(DECODER, top), arrow=True)
    drawing.box(DECODER, 8, LINEAR)
    middle, aside = ENCODER + WIDE / 2, (ENCODER + WIDE + DECODER) / 2
    cross = top + 22 + 3 * PITCH + HIGH / 2
    way = ((middle, low), (middle, low - 26), (aside, low - 26), (aside, cross))
    drawing.sketch.line(*way, (DECODER - 2, cross), arrow=True)
    for number, box in enumerate(AROUND):
        x, y = (ENCODER, DECODER)[number % 2], 520 + PITCH * (number // 2)
        drawing.box(x, y, box)
    return drawing.sketch


class Drawing:
    """The figure that is being drawn. Its towers stand on one line."""

    ground = 448

    def __init__(self, states: Mapping[str, str]):
        self.sketch, self.states = Sketch(), states
        self.ids = {step.name: step.id for step in STEPS}

    def tower(self, x: float, boxes: tuple[Box, ...], name: str) -> float:
        """The layers of one side, above its embedding; the place of their upper end."""
        sketch, bottom = self.sketch, self.ground - 28
        top = bottom - 22 - PITCH * len(boxes) - 18
        one, all_of_them = self.marked(f"{name}_layer"), self.marked(name)
        sketch.box(x - 10, top, WIDE + 20, bottom - top)
        for number, box in enumerate(boxes):
            self.box(x, top + 22 + PITCH * number, box)
        sketch.text(x, top + 15, f"{name} layer {one}", faint=True)
        sketch.text(x + WIDE, bottom - 8, f"× num_layer {all_of_them}", "end", True)
        sketch.line(*self.way_up(x, self.ground), arrow=True)
        self.box(x, self.ground, EMBEDDING)
        sketch.text(
            x + WIDE / 2, self.ground + HIGH + 20, "src" if x == ENCODER else "trg", "middle"
        )
        return top

    def way_up(self, x: float, low: float) -> tuple[tuple[float, float], ...]:
        high = low - 26 if low == self.ground else 8 + HIGH + 2
        return (x + WIDE / 2, low), (x + WIDE / 2, high)

    def box(self, x: float, y: float, box: Box) -> None:
        """A box with the steps that build it, darker when all of them are passed."""
        self.sketch.box(x, y, WIDE, HIGH)
        done = all(self.states.get(step) == "passed" for step in box.steps)
        if done:
            self.sketch.shapes.append(Rect("s", x, y, WIDE, HIGH, DONE))
        self.sketch.text(x + 8, y + 21, box.name)
        ids = " ".join(map(self.marked, box.steps))
        self.sketch.text(x + WIDE - 8, y + 21, ids, "end", not done)

    def marked(self, step: str) -> str:
        """The id of a step, with the mark of its state."""
        return f"{self.ids[step]}{MARKS.get(self.states.get(step, ''), '·')}"
