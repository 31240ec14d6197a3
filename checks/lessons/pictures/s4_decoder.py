"""The pictures of stage 4."""

from __future__ import annotations

import numpy as np

from checks.engine.drawing.example import Picture
from checks.engine.drawing.sketch import GAP, Sketch
from checks.lessons.pictures import picture
from checks.lessons.pictures.shared import Tower


@picture
def decoder_layer_parts() -> Sketch:
    """A decoder layer, from below: x goes into self_attention, with trg_mask, and add_norm1. Then
    cross_attention takes its keys and values from encoder_output, with src_mask, and add_norm2.
    Then feed_forward and add_norm3. Each add and norm adds what went into its sublayer.
    """
    tower = Tower("x", parts=3)
    tower.part("self_attention", "add_norm1", "trg_mask")
    tower.part("cross_attention", "add_norm2", "encoder_output", "src_mask")
    tower.part("feed_forward", "add_norm3")
    return tower.finished("out")


@picture
def which_logits_move() -> Sketch:
    """Which logits change when a token of the target changes, as in the table above. With the
    causal mask, only those at the same place and after it change. Without the mask, those before
    it change, too: the framed cells.
    """
    moves = Picture("", "", "token ", "logits ", "mask")
    due = np.tri(4, dtype=bool).T
    sketch = Sketch()
    right = sketch.table(8, 0, moves, "with trg_mask", due)[0]
    all_of_them = np.ones((4, 4), dtype=bool)
    sketch.table(right + 2 * GAP, 0, moves, "without it", all_of_them, ~due)
    return sketch
