"""The pictures of stage 6."""

from __future__ import annotations

import numpy as np

from checks.engine.drawing.characters import Cell, cells
from checks.engine.drawing.example import Picture
from checks.engine.drawing.sketch import Sketch
from checks.lessons.pictures import picture
from checks.lessons.s6_today import CATS, written
from checks.s6_today.byte_pairs import truth as pairs
from checks.s6_today.gated_feed_forward.truth import silu
from checks.s6_today.rms_norm.truth import rms_norm
from checks.s6_today.sampling.truth import filtered
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


# 6.2 rotary

RADIUS = 30


@picture
def hands_of_two_pairs() -> Sketch:
    """Two pairs of features as hands of clocks, at the positions 0 to 4. The hand of pair 0 turns
    by 57 degrees per position, that of pair 1 by 6 degrees. At position 0 both point to the right.
    """
    sketch, around = Sketch(), np.linspace(0, 2 * np.pi, 37)
    for position in range(5):
        x = 130.0 + 96 * position
        sketch.text(x, 14, f"position {position}", "middle")
        for pair, speed in enumerate((1.0, 0.1)):
            y = 60.0 + 84 * pair
            if position == 0:
                sketch.text(8, y + 5, f"pair {pair}")
            circle = [(x + RADIUS * np.cos(a), y - RADIUS * np.sin(a)) for a in around]
            sketch.line(*circle)
            angle = speed * position
            end = (x + RADIUS * np.cos(angle), y - RADIUS * np.sin(angle))
            sketch.line((x, y), end, arrow=True)
    return sketch


@picture
def neighbours_or_halves() -> Sketch:
    """Which pair each of six features belongs to. Neighbours: 0 0 1 1 2 2. Halves: 0 1 2 0 1 2.
    The framed features, four of the six, get another angle with halves.
    """
    pairs = np.repeat(np.arange(3), 2)[None, :], np.tile(np.arange(3), 2)[None, :]
    sketch, kind = Sketch(), Picture("", "", "", "feature ", "entry")
    sketch.table(8, 0, kind, "neighbours: the pair of each feature", pairs[0])
    sketch.table(8, 84, kind, "halves", pairs[1], pairs[0] != pairs[1])
    return sketch


# 6.3 Gated feed-forward network


@picture
def the_gate() -> Sketch:
    """x goes two ways: through gate and silu, and through up. Both are multiplied entry by entry,
    and down brings the product back: from 6 features to 11 and back to 6.
    """
    sketch = Sketch()
    sketch.text(8, 84, "x")
    for y, name in ((20, "gate"), (110, "up")):
        sketch.line((22, 80), (50, 80), (50, y + 24), (78, y + 24), arrow=True)
        sketch.box(80, y, 110, 48, name, "6 to 11")
    sketch.line((192, 44), (238, 44), arrow=True)
    sketch.box(240, 20, 80, 48, "silu")
    sketch.line((322, 44), (380, 44), (380, 58), arrow=True)
    sketch.line((192, 134), (380, 134), (380, 102), arrow=True)
    sketch.box(360, 60, 40, 40, "*")
    sketch.line((402, 80), (448, 80), arrow=True)
    sketch.box(450, 56, 110, 48, "down", "11 to 6")
    sketch.line((562, 80), (606, 80), arrow=True)
    sketch.text(612, 84, "out")
    return sketch


@picture
def silu_beside_relu() -> Sketch:
    """Two curves from -6 to 6. The ReLU, dashed, is 0 on the left and then rises with a corner at
    0. SiLU falls to -0.28 near -1.3, rises through 0 without a corner, and comes near the ReLU.
    """
    sketch, z = Sketch(), np.linspace(-6, 6, 121, dtype=np.float64)
    for curve, dashed in ((silu(z), False), (np.maximum(0, z), True)):
        sketch.line(*((40 * n + 260, 150 - 22 * y) for n, y in zip(z, curve)), dashed=dashed)
    sketch.line((20, 174), (500, 174))
    for n in range(-6, 7, 2):
        sketch.text(40 * (n + 6.5), 190, str(n), "middle", faint=True)
    sketch.text(20, 206, "z", faint=True)
    for row, name in enumerate(("line: SiLU", "dashed: ReLU")):
        sketch.text(60, 40 + 18 * row, name, faint=True)
    return sketch


# 6.4 grouped attention


@picture
def who_shares_what() -> Sketch:
    """Six heads of queries, q0 to q5, above their heads of keys and values. Multi-head attention
    has six of these, one for each. Grouped attention has two: q0, q1 and q2 share kv0, the others
    kv1. Multi-query attention has one, kv0, for all six.
    """
    sketch, wide, apart = Sketch(), 40, 48
    for row, (name, count) in enumerate((("multi-head", 6), ("grouped", 2), ("multi-query", 1))):
        top, group = 8.0 + 132 * row, 6 // count
        sketch.text(8, top + 52, name)
        for kv in range(count):
            middle = 130 + apart * (kv * group + (group - 1) / 2)
            sketch.box(middle, top + 70, wide, 28, f"kv{kv}")
            for q in range(kv * group, (kv + 1) * group):
                x = 130 + apart * q
                sketch.box(x, top, wide, 28, f"q{q}")
                sketch.line((x + wide / 2, top + 28), (middle + wide / 2, top + 70))
    return sketch


# 6.5 language model


@picture
def model_of_today() -> Sketch:
    """Left, the model from below: tokens become rows of the table. They go through layers.0,
    layers.1 and so on, and through the closing norm. Then the same table gives the logits. Right,
    a layer: norm1, attention, plus x; then norm2, feed_forward, plus the sum.
    """
    sketch, below = Sketch(), 374.0
    boxes = ("table", "layers.0", "layers.1", "norm", "table, again")
    for n, name in enumerate(boxes):
        y = below - 70 - 56 * n - (24 if n > 2 else 0)
        sketch.box(50, y, 120, 32, name)
        sketch.line((110, y + 54), (110, y + 34), arrow=True)
    sketch.text(110, below, "tokens", "middle")
    sketch.text(110, 178, "… num_layer", "middle")
    sketch.line((110, 56), (110, 34), arrow=True)
    sketch.text(110, 24, "logits", "middle")
    sketch.line((48, below - 54), (20, below - 54), (20, 72), (48, 72), dashed=True)
    y = below - 70
    for norm, sublayer in (("norm1", "attention"), ("norm2", "feed_forward")):
        sketch.line((300, y + 54), (300, y + 34), arrow=True)
        for up, wide, name in ((0, 120, norm), (54, 120, sublayer), (108, 40, "+")):
            sketch.box(300 - wide / 2, y - up, wide, 32, name)
        for up in (20, 74):
            sketch.line((300, y - up + 20), (300, y - up), arrow=True)
        sketch.line((300, y + 44), (384, y + 44), (384, y - 92), (322, y - 92), arrow=True)
        y -= 162
    sketch.text(300, below, "x of a layer", "middle")
    sketch.line((300, 34), (300, 14), arrow=True)
    return sketch


# 6.6 sampling


@picture
def who_stays() -> Sketch:
    """Percents of eight tokens in two rows. The model is sure in the first, 70 and 22, and unsure
    in the second, 18 down to 7. top_k 3 keeps three in each. top_p 0.9 keeps two and seven. min_p
    0.3 keeps two and eight.
    """
    shares = np.array(
        [
            [0.70, 0.22, 0.03, 0.02, 0.01, 0.01, 0.005, 0.005],
            [0.18, 0.16, 0.15, 0.13, 0.12, 0.10, 0.09, 0.07],
        ]
    )
    tables = {
        "no filter": {},
        "top_k 3": {"top_k": 3},
        "top_p 0.9": {"top_p": 0.9},
        "min_p 0.3": {"min_p": 0.3},
    }
    rows = Picture("", "", "", "t", "share", row_names="sure unsure")
    sketch, top = Sketch(), 0.0
    for title, how in tables.items():
        stays = np.isfinite(filtered(np.log(shares), **how))  # type: ignore[arg-type]
        drawn = [
            [cell if one else Cell("") for cell, one in zip(row, kept)]
            for row, kept in zip(cells(rows, shares), stays)
        ]
        sketch.cells(8, top, rows, title, drawn)
        top += 108
    return sketch


# 6.7 byte pairs


@picture
def a_piece_is_merged() -> Sketch:
    """The piece _there, merged three times. First _ t h e r e, six bytes. t and h become th. Then
    th and e become the. Then _ and the become _the. The tokens _the, r and e are left.
    """
    found = pairs.learn(CATS, 8)
    sketch, wide, ids = Sketch(), 38, list(b" there")
    rows = [("bytes", ids)]
    for new, pair in enumerate(found, 256):
        after = pairs.merged(ids, pair, new)
        if after != ids:
            rows.append((f"merge {new}", after))
        ids = after
    for number, (name, tokens) in enumerate(rows):
        x, y = 100.0, 8.0 + 56 * number
        sketch.text(8, y + 23, name)
        for id in tokens:
            text = written(id, found)
            sketch.box(x, y, wide * len(text) - 6, 36, text)
            x += wide * len(text)
    return sketch


# 6.8 speak


@picture
def what_the_loss_compares() -> Sketch:
    """Four tokens, t0 to t3, above the scores that the model gives after each of them, s0 to s3.
    An arrow leads from each score to the next token: s0 to t1, s1 to t2, s2 to t3. No
    arrow leads from s3 or to t0.
    """
    sketch, apart = Sketch(), 96
    for row, name in enumerate(("the text", "scores after it")):
        sketch.text(8, 28 + 84 * row, name)
    for n in range(4):
        x = 150 + apart * n
        sketch.box(x, 8, 44, 30, f"t{n}")
        sketch.box(x, 92, 44, 30, f"s{n}")
        if n < 3:
            sketch.line((x + 36, 92), (x + apart + 8, 38), arrow=True)
    return sketch


@picture
def what_each_call_reads() -> Sketch:
    """Calls of the model, for a text of three tokens and four new ones. With caches, call 0 reads
    tokens 0 to 2, call 1 token 3, call 2 token 4, and call 3 token 5. Without them each call reads
    all tokens again, from token 0 on.
    """
    call, token = np.arange(4)[:, None], np.arange(6)[None]
    known, end = token < call + 3, Picture("", "", "call ", "t", "mask")
    sketch, right = Sketch(), 8.0
    for title, read in (
        ("with caches", known & (token >= np.where(call, call + 2, 0))),
        ("without", known),
    ):
        drawn = [[Cell("read", 0.5) if one else Cell("") for one in row] for row in read]
        right = sketch.cells(right, 0, end, title, drawn)[0] + 30
    return sketch
