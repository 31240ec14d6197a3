"""The pictures of stage 2."""

from __future__ import annotations

import numpy as np

from checks.engine.drawing.example import Picture
from checks.engine.drawing.sketch import GAP, Sketch
from checks.lessons.pictures import picture
from checks.lessons.s2_attention import K, Q, V
from checks.truth import paper

NUMBERS = Picture("", "", "query ", "key ", "entry")
SHARES = NUMBERS._replace(kind="share")


@picture
def scores_become_weights() -> Sketch:
    """The scores of query 0 for three keys are 1, 0 and 2. With key 2 masked, its score is minus
    infinity. The softmax gives the weights 73, 27 and 0 percent.
    """
    scores = Q[:1] @ K.T / 2
    masked = np.where([[True, True, False]], scores, -np.inf)
    sketch, x = Sketch(), 8.0
    for title, arrow, table, kind in (
        ("scores", "mask", scores, NUMBERS),
        ("key 2 masked", "softmax", masked, NUMBERS),
        ("weights in %", "", paper.calculate_attention(Q[:1], K, V, [1, 1, 0])[1], SHARES),
    ):
        x, bottom = sketch.table(x, 0, kind if x == 8 else kind._replace(rows=""), title, table)
        if arrow:
            sketch.text(x + 45, bottom - 20, arrow, "middle", faint=True)
            sketch.line((x + 12, bottom - 12), (x + 78, bottom - 12), arrow=True)
        x += 90
    return sketch


@picture
def why_divide() -> Sketch:
    """Scores of 8, 0 and -8 give the weights 100, 0 and 0 percent. The same scores divided by 8
    give 67, 24 and 9 percent.
    """
    raw, sketch = np.array([[8.0, 0, -8]]), Sketch()
    for number, (title, scores) in enumerate((("as they are", raw), ("divided by 8", raw / 8))):
        top = 90.0 * number
        x, bottom = sketch.table(8, top, NUMBERS._replace(rows=""), title, scores)
        sketch.line((x + 12, bottom - 12), (x + 60, bottom - 12), arrow=True)
        shares = SHARES._replace(rows="")
        sketch.table(x + 72, top, shares, "weights in %", paper.softmax(scores))
    return sketch


@picture
def path_of_a_shape() -> Sketch:
    """The path of a shape through multi-head attention, for 2 sentences of 4 tokens, 6 features
    and 3 heads. Projected: (2, 4, 6). Cut into heads: (2, 4, 3, 2). Heads before tokens:
    (2, 3, 4, 2). Each head attends: (2, 3, 4, 2). Tokens before heads: (2, 4, 3, 2). Joined:
    (2, 4, 6).
    """
    steps = (
        ("x", "(2, 4, 6)", "project"),
        ("q, k, v", "(2, 4, 6)", "view"),
        ("features cut", "(2, 4, 3, 2)", "transpose"),
        ("heads first", "(2, 3, 4, 2)", "attention"),
        ("each head", "(2, 3, 4, 2)", "transpose"),
        ("tokens first", "(2, 4, 3, 2)", "flatten"),
        ("joined", "(2, 4, 6)", "linear"),
        ("out", "(2, 4, 6)", ""),
    )
    sketch = Sketch()
    for number, (name, shape, then) in enumerate(steps):
        row, column = divmod(number, 4)
        x, y = 8 + 208 * column, 8 + 90 * row
        sketch.box(x, y, 116, 48, name, shape)
        if then and column < 3:
            sketch.line((x + 118, y + 24), (x + 204, y + 24), arrow=True)
            sketch.text(x + 160, y + 16, then, "middle", faint=True)
        elif then:  # Back to the left, one row lower.
            sketch.line((x + 58, y + 50), (x + 58, y + 69), (66, y + 69), (66, y + 88), arrow=True)
            sketch.text(x + 50, y + 65, then, "end", faint=True)
    sketch.text(8, 182, "batch_size 2, length 4, dim_vector 6, n_head 3, dim_split 2", faint=True)
    return sketch


@picture
def cut_by_features() -> Sketch:
    """Four tokens of six features for two heads; 21 is token 2, feature 1. Cut by features, head 0
    has features 0 to 2 of each token. Cut by memory, with view alone, head 0 has the whole tokens 0
    and 1. The framed cells are in the wrong place.
    """
    x = 10 * np.arange(4)[:, None] + np.arange(6)
    by_features, by_memory = np.stack(np.split(x, 2, axis=-1)), x.reshape(2, 4, 3)
    sketch, rows = Sketch(), Picture("", "", "token ", "", "entry")
    for top, name, heads in ((0.0, "by features", by_features), (130.0, "by memory", by_memory)):
        wrong = heads != by_features
        right = sketch.table(8, top, rows, f"{name}: head 0", heads[0], wrong[0])[0]
        second = right + GAP + 50
        sketch.table(second, top, rows._replace(rows=""), "head 1", heads[1], wrong[1])
    return sketch


@picture
def before_and_after_the_norm() -> Sketch:
    """The vectors 1 to 6, 101 to 106 and 10 to 60 before the normalisation. After it all three are
    the same: -1.5, -0.9, -0.3, 0.3, 0.9, 1.5.
    """
    x = np.stack([np.arange(1.0, 7), np.arange(101.0, 107), np.arange(10.0, 70, 10)])
    after = paper.layer_norm(x, {"gamma": np.ones(6), "beta": np.zeros(6)})
    sketch, rows = Sketch(), Picture("", "", "vector ", "", "entry")
    right, bottom = sketch.table(8, 0, rows, "before", x)
    sketch.line((right + 12, bottom / 2 + 12), (right + 60, bottom / 2 + 12), arrow=True)
    sketch.table(right + 72, 0, rows._replace(rows=""), "after", after)
    return sketch


@picture
def the_shortcut() -> Sketch:
    """x goes two ways: into the sublayer, and around it on the shortcut. The sublayer's output goes
    through dropout and is added to x. The sum is normalised.
    """
    sketch = Sketch()
    sketch.text(8, 74, "x")
    sketch.line((22, 70), (88, 70), arrow=True)
    sketch.box(90, 46, 100, 48, "sublayer")
    sketch.line((192, 70), (238, 70), arrow=True)
    sketch.box(240, 46, 90, 48, "dropout")
    sketch.line((332, 70), (378, 70), arrow=True)
    sketch.box(380, 46, 40, 48, "+")
    sketch.line((422, 70), (468, 70), arrow=True)
    sketch.box(470, 46, 110, 48, "layer_norm")
    sketch.line((582, 70), (626, 70), arrow=True)
    sketch.text(632, 74, "out")
    sketch.line((50, 70), (50, 20), (400, 20), (400, 44), arrow=True)
    sketch.text(225, 14, "the shortcut", "middle", faint=True)
    return sketch


@picture
def each_token_alone() -> Sketch:
    """The feed-forward network. Each token goes through the same two layers, alone: from dim_vector
    6 to dim_hidden 24, relu, and back to 6.
    """
    sketch = Sketch()
    for token in range(3):
        y = 8 + 62 * token
        sketch.text(8, y + 28, f"token {token}")
        sketch.line((70, y + 24), (98, y + 24), arrow=True)
        sketch.box(100, y + 6, 60, 36, "6")
        sketch.line((162, y + 24), (228, y + 24), arrow=True)
        sketch.box(230, y, 180, 48, "24, relu")
        sketch.line((412, y + 24), (478, y + 24), arrow=True)
        sketch.box(480, y + 6, 60, 36, "6")
    sketch.text(195, 206, "linear1", "middle", faint=True)
    sketch.text(445, 206, "linear2", "middle", faint=True)
    return sketch
