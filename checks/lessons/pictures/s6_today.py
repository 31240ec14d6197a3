"""The pictures of stage 6."""

from __future__ import annotations

import numpy as np

from checks.engine.tracing.example import Picture
from checks.engine.tracing.sketch import Sketch
from checks.lessons.pictures import picture
from checks.s6_today.rms_norm.truth import rms_norm
from checks.truth import paper

# 6.1 RMS norm


@picture
def two_norms() -> Sketch:
    """The vectors 1 to 6, 101 to 106 and 10 to 60, and what two norms make of them. The layer
    norm gives the same three times, from -1.5 to 1.5. The RMS norm gives 0.3 to 1.5, then six
    times 1.0, then 0.3 to 1.5.
    """
    x = np.stack([np.arange(1.0, 7), np.arange(101.0, 107), np.arange(10.0, 70, 10)])
    plain = {"gamma": np.ones(6), "beta": np.zeros(6)}
    sketch, rows = Sketch(), Picture("", "", "vector ", "", "entry")
    right, bottom = sketch.table(8, 70, rows, "before", x)
    tables = (("layer norm", paper.layer_norm(x, plain)), ("RMS norm", rms_norm(x, plain)))
    for top, (title, after) in zip((0, 140), tables):
        sketch.line((right + 12, bottom - 39), (right + 60, top + 64), arrow=True)
        sketch.table(right + 72, top, rows._replace(rows=""), title, after)
    return sketch
