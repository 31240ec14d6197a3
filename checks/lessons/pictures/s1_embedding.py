"""The pictures of stage 1."""

from __future__ import annotations

from checks.engine.drawing.example import Picture
from checks.engine.drawing.sketch import GAP, Sketch
from checks.lessons.pictures import picture
from checks.lessons.s1_embedding import SENTENCE, coded_table
from checks.truth import paper

VALUES = Picture("", "", "place ", "", "entry")


@picture
def waves() -> Sketch:
    """Three sine columns of a positional table of width 24, over 64 positions. Column 0 makes ten
    full turns, column 6 makes one, column 12 a tenth of one.
    """
    sketch, table = Sketch(), paper.positional_embedding(64, 24)
    for number, column in enumerate((0, 6, 12)):
        top = 30 + 84 * number
        sketch.text(8, top + 4, f"column {column}")
        sketch.line((90, top), (90 + 63 * 8, top), dashed=True)
        sketch.line(*((90 + 8 * t, top - 26 * value) for t, value in enumerate(table[:, column])))
    for t in (0, 16, 32, 48, 63):
        sketch.text(90 + 8 * t, 256, str(t), "middle", faint=True)
    sketch.text(8, 256, "position", faint=True)
    return sketch


@picture
def likeness() -> Sketch:
    """Dot products of the vectors of positions 0 to 4. The largest is that of each position with
    itself. Those with its neighbours come next.
    """
    sketch, table = Sketch(), paper.positional_embedding(5, 6)
    names = Picture("", "", "position ", "with ", "entry")
    sketch.table(8, 0, names, "", table @ table.T)
    return sketch


@picture
def what_plus_where() -> Sketch:
    """The sentence 1 1 4 0. For each place, the row of the token plus the row of the position gives
    the vector that goes on. Token 1 is there twice, with two different sums.
    """
    weights = {"token_embedding.embedding.weight": coded_table()}
    words = paper.token_embedding(SENTENCE, {"embedding.weight": coded_table()})
    sketch, x = Sketch(), 8.0
    for title, sign, rows in (
        ("what it is", "+", words),
        ("where it stands", "=", paper.positional_embedding(4, 6)),
        ("the sum", "", paper.transformer_embedding(SENTENCE, weights)),
    ):
        x, bottom = sketch.table(x, 0, VALUES if x == 8 else VALUES._replace(rows=""), title, rows)
        sketch.text(x + GAP / 2, bottom / 2 + 16, sign, "middle")
        x += GAP
    return sketch
