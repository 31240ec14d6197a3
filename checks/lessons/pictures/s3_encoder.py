"""The pictures of stage 3."""

from __future__ import annotations

from checks.engine.tracing.sketch import Sketch
from checks.lessons.pictures import picture
from checks.lessons.pictures.shared import Tower


@picture
def encoder_layer_parts() -> Sketch:
    """An encoder layer, from below: x goes into self_attention, with src_mask; add_norm1 adds x and
    normalises. The result goes into feed_forward; add_norm2 adds the same result and normalises.
    """
    tower = Tower("x")
    tower.part("self_attention", "add_norm1", "src_mask")
    tower.part("feed_forward", "add_norm2")
    return tower.finished("out")


@picture
def encoder_stack() -> Sketch:
    """The encoder, from below: token ids become vectors in the embedding, then go through layers.0,
    layers.1 and so on, num_layer of them. Each layer has weights of its own, and gets src_mask.
    """
    sketch = Sketch()
    for y, name in ((176, "embedding"), (116, "layers.0"), (56, "layers.1")):
        sketch.box(110, y, 130, 36, name)
    for y in (236, 176, 116):
        sketch.line((175, y), (175, y - 22), arrow=True)
    sketch.line((175, 56), (175, 44), dashed=True)
    sketch.text(175, 36, "… num_layer of them", "middle")
    sketch.line((175, 22), (175, 4), arrow=True)
    sketch.text(185, 14, "(batch_size, src_len, dim_vector)", faint=True)
    sketch.text(175, 252, "src (batch_size, src_len)", "middle")
    sketch.text(8, 108, "src_mask")
    for y in (134, 74):
        sketch.line((74, 104), (90, 104), (90, y), (108, y), arrow=True)
    return sketch


@picture
def post_norm_and_pre_norm() -> Sketch:
    """One sublayer, twice. Post-norm: the sum of x and the sublayer's output is normalised.
    Pre-norm: the sublayer reads a norm of x, and x itself is never normalised.
    """
    sketch = Sketch()
    for y, name, boxes in (
        (0, "post-norm", ("sublayer", "+", "norm")),
        (110, "pre-norm", ("norm", "sublayer", "+")),
    ):
        sketch.text(8, y + 14, name)
        sketch.text(8, y + 74, "x")
        x = 22
        for part in boxes:
            wide = 40 if part == "+" else 100
            sketch.line((x, y + 70), (x + 46, y + 70), arrow=True)
            sketch.box(x + 48, y + 50, wide, 40, part)
            if part == "+":
                sketch.line(
                    (42, y + 70), (42, y + 26), (x + 68, y + 26), (x + 68, y + 48), arrow=True
                )
            x += 50 + wide
        sketch.line((x, y + 70), (x + 40, y + 70), arrow=True)
    return sketch
