"""Pictures as SVG: tables of numbers, boxes and arrows, readable on a light and a dark page."""

from __future__ import annotations

import base64
from html import escape
from typing import NamedTuple

from checks.engine.asking.values import Array
from checks.engine.drawing.characters import Cell, Row, cells
from checks.engine.drawing.example import Picture

MARGIN, GAP = 8, 28  # Around everything, and between tables.
SIZE, LETTER = 13, 8.0  # The font, and the width of one of its letters.
HIGH, LEAST_WIDE = 24, 34  # A cell.
STYLE = """\
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#1f2328}
.m{fill:#59636e}.l,.b{stroke:#59636e;stroke-width:1.5;fill:none}.b{fill:#f6f8fa}
.s{fill:#0969da}.w{stroke:#cf222e;stroke-width:2;fill:none}.a{fill:#59636e}
@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.m{fill:#9198a1}.l,.b{stroke:#9198a1}
.b{fill:#151b23}.s{fill:#4493f8}.w{stroke:#ff7b72}.a{fill:#9198a1}}"""
DARKEST = 0.5  # How much of the colour the largest number has: text stays readable on it.


class Text(NamedTuple):
    """`y`: the line that the letters stand on. `at`: which end is at x: start, middle or end."""

    x: float
    y: float
    text: str
    at: str
    faint: bool


class Rect(NamedTuple):
    """`kind`: b for a box, s for a shaded cell, w for the frame of a wrong one."""

    kind: str
    x: float
    y: float
    width: float
    height: float
    opacity: float = 1.0


class Line(NamedTuple):
    points: tuple[tuple[float, float], ...]
    dashed: bool
    arrow: bool


Shape = Text | Rect | Line


class Sketch:
    """Shapes on a page that grows with them. Places are in pixels, from the top left."""

    def __init__(self) -> None:
        self.shapes: list[Shape] = []
        self.width = self.height = 0.0

    def text(self, x: float, y: float, text: str, at: str = "start", faint: bool = False) -> None:
        long = LETTER * len(text)
        self._grow(x + {"start": long, "middle": long / 2, "end": 0}[at], y + 4)
        self.shapes.append(Text(x, y, text, at, faint))

    def box(self, x: float, y: float, width: float, height: float, *lines: str) -> None:
        """A box with lines of text in its middle."""
        self._grow(x + width, y + height)
        self.shapes.append(Rect("b", x, y, width, height))
        top = y + height / 2 - (len(lines) - 1) * 9 + 5
        for number, line in enumerate(lines):
            self.text(x + width / 2, top + 18 * number, line, "middle")

    def line(self, *points: tuple[float, float], dashed: bool = False, arrow: bool = False) -> None:
        """A line through these points, perhaps with an arrow at its end."""
        for x, y in points:
            self._grow(x, y)
        self.shapes.append(Line(points, dashed, arrow))

    def table(
        self,
        x: float,
        y: float,
        picture: Picture,
        title: str,
        numbers: Array,
        wrong: Array | None = None,
    ) -> tuple[float, float]:
        """A table with its title, with the names of its rows and columns. `wrong` cells are framed.

        Returns where it ends, on the right and below.
        """
        return self.cells(x, y, picture, title, cells(picture, numbers), wrong)

    def cells(
        self,
        x: float,
        y: float,
        picture: Picture,
        title: str,
        rows: list[Row],
        wrong: Array | None = None,
    ) -> tuple[float, float]:
        """The same for cells that are made already."""
        heads = [f"{picture.columns}{n}" for n in range(len(rows[0]))] if picture.columns else []
        sides = [f"{picture.rows}{n}" for n in range(len(rows))] if picture.rows.strip() else []
        if picture.row_names or picture.column_names:
            sides, heads = picture.names(len(rows), len(rows[0]))
        texts = [*heads, *(cell.text for row in rows for cell in row)]
        wide = max(LEAST_WIDE, LETTER * max(map(len, texts)) + 10)
        left = x + LETTER * (max(map(len, sides)) + 1) if sides else x
        self.text(x, y + 14, title)
        top = y + 24
        for n, head in enumerate(heads):
            self.text(left + (n + 0.5) * wide, top + 14, head, "middle", True)
        top += 20 if heads else 0
        for r, row in enumerate(rows):
            if sides:
                self.text(left - 8, top + r * HIGH + 17, sides[r], "end", True)
            for c, cell in enumerate(row):
                marked = wrong is not None and bool(wrong[r][c])
                self._cell(left + c * wide, top + r * HIGH, wide, cell, marked)
        right, bottom = left + wide * len(rows[0]), top + HIGH * len(rows)
        self._grow(max(right, x + LETTER * len(title)), bottom)
        return right, bottom

    def svg(self, says: str) -> str:
        """The whole picture. `says`: the same in words, for those who cannot see it."""
        width, height = round(self.width + MARGIN), round(self.height + MARGIN)
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" '
                f'height="{height}" viewBox="0 0 {width} {height}">',
                f"<title>{escape(says)}</title>",
                f"<style>{STYLE}</style>",
                '<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
                'markerHeight="7" orient="auto"><path class="a" d="M0,0L8,4L0,8z"/></marker>',
                *map(_element, self.shapes),
                "</svg>\n",
            ]
        )

    def _cell(self, x: float, y: float, wide: float, cell: Cell, wrong: bool) -> None:
        place = (x + 1, y + 1, wide - 2, HIGH - 2)
        self.shapes.append(Rect("s", *place, 0.04 + DARKEST * (cell.shade or 0.0)))
        if wrong:
            self.shapes.append(Rect("w", *place))
        self.text(x + wide / 2, y + 17, cell.text, "middle")

    def _grow(self, x: float, y: float) -> None:
        self.width, self.height = max(self.width, x), max(self.height, y)


def inside(svg: str) -> str:
    """The address of a picture that stands inside a page or a notebook."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def _element(shape: Shape) -> str:
    if isinstance(shape, Text):
        more = ' class="m"' if shape.faint else ""
        anchor = "" if shape.at == "start" else f' text-anchor="{shape.at}"'
        return f'<text x="{shape.x:g}" y="{shape.y:g}"{anchor}{more}>{escape(shape.text)}</text>'
    if isinstance(shape, Rect):
        opacity = f' opacity="{shape.opacity:.2f}"' if shape.kind == "s" else ""
        return (
            f'<rect class="{shape.kind}" x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:g}" '
            f'height="{shape.height:g}" rx="{5 if shape.kind == "b" else 3}"{opacity}/>'
        )
    path = " ".join(f"{x:g},{y:g}" for x, y in shape.points)
    more = ' stroke-dasharray="5 4"' if shape.dashed else ""
    more += ' marker-end="url(#arrow)"' if shape.arrow else ""
    return f'<polyline class="l" points="{path}"{more}/>'
