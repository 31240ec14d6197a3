"""What pictures of several stages have in common."""

from __future__ import annotations

from checks.engine.drawing.sketch import Sketch

WIDE, HIGH, STEP = 150, 36, 58


class Tower:
    """Parts on top of each other, each with a shortcut around it: the layers of the paper."""

    def __init__(self, begins: str, parts: int = 2):
        self.sketch, self.left, self.y = Sketch(), 164.0, 40.0 + 2 * STEP * parts
        self.middle = self.left + WIDE / 2
        self.sketch.text(self.middle, self.y + 18, begins, "middle")

    def part(self, name: str, norm: str, *aside: str) -> None:
        """A sublayer and its add and norm. `aside`: what comes from the left."""
        sketch, low = self.sketch, self.y
        for y, box in ((low - STEP, name), (low - 2 * STEP, norm)):
            sketch.line((self.middle, y + STEP), (self.middle, y + HIGH + 2), arrow=True)
            sketch.box(self.left, y, WIDE, HIGH, box)
        right = self.left + WIDE
        out, beside = right + 26, low - 2 * STEP + HIGH / 2  # The shortcut runs on the right.
        way = ((self.middle, low - 8), (out, low - 8), (out, beside), (right + 2, beside))
        sketch.line(*way, arrow=True)
        for number, what in enumerate(aside):
            at = low - STEP + HIGH / 2 + (20 * number - 10 * (len(aside) - 1))
            sketch.text(8, at + 5, what)
            sketch.line((14 + 8 * len(what), at), (self.left - 2, at), arrow=True)
        self.y = low - 2 * STEP

    def finished(self, ends: str) -> Sketch:
        """The picture, with an arrow out of its top."""
        self.sketch.line((self.middle, self.y), (self.middle, self.y - 18), arrow=True)
        self.sketch.text(self.middle + 12, self.y - 10, ends)
        return self.sketch
