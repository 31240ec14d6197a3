"""The pictures of stage 3."""

from __future__ import annotations

import numpy as np

from checks.engine.drawing.sketch import Sketch
from checks.lessons.pictures import picture
from checks.lessons.pictures.shared import Tower
from checks.s3_encoder.bert_encoder.truth import gelu


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


@picture
def bert_parts() -> Sketch:
    """BERT's encoder, from below: token_embedding, position_embedding and segment_embedding give a
    row each. The rows are added and normalised, then go through the layers, which get the mask.
    """
    sketch = Sketch()
    for x, name, below in (
        (8, "token_embedding", "tokens"),
        (178, "position_embedding", "0, 1, 2 …"),
        (348, "segment_embedding", "segments"),
    ):
        sketch.box(x, 200, 160, 36, name)
        sketch.text(x + 80, 276, below, "middle")
        sketch.line((x + 80, 260), (x + 80, 238), arrow=True)
        if x != 178:
            edge = 238 if x < 178 else 278
            sketch.line((x + 80, 200), (x + 80, 160), (edge, 160), arrow=True)
    for y, name in ((142, "+"), (88, "norm"), (34, "layers")):
        wide = 36 if name == "+" else 120
        sketch.box(258 - wide / 2, y, wide, 36, name)
    for low, high in ((200, 180), (142, 126), (88, 72), (34, 16)):
        sketch.line((258, low), (258, high), arrow=True)
    sketch.text(268, 22, "(batch_size, length, dim_vector)", faint=True)
    sketch.text(100, 57, "mask")
    sketch.line((140, 52), (196, 52), arrow=True)
    return sketch


@picture
def relu_and_gelu() -> Sketch:
    """Two curves from -3 to 3. ReLU, dashed: 0 up to 0, then x, with a corner. GELU: the same far
    away from 0, but round near 0, and a little below 0 on the left.
    """
    sketch = Sketch()

    def at(x: float, y: float) -> tuple[float, float]:
        return 230 + 60 * x, 190 - 60 * y

    sketch.line(at(-3.4, 0), at(3.4, 0))
    sketch.line(at(0, -0.5), at(0, 3))
    for n in (-3, -2, -1, 1, 2, 3):
        sketch.text(at(n, 0)[0], at(n, 0)[1] + 18, str(n), "middle", faint=True)
        sketch.line(at(n, -0.06), at(n, 0.06))
    sketch.line(at(-3, 0), at(0, 0), at(3, 3), dashed=True)
    sketch.line(*(at(x, float(gelu(x))) for x in np.linspace(-3, 3, 61)))
    sketch.text(*at(-0.2, 1.5), "ReLU (dashed)", "end")
    sketch.text(*at(1.35, 0.75), "GELU")
    return sketch
