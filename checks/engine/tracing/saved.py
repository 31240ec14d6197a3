"""Pictures as files to share: .svg and .html by themselves, .png with matplotlib."""

from __future__ import annotations

from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from checks.engine.asking.values import Array
from checks.engine.commands.installed import pip
from checks.engine.commands.words import Usage
from checks.engine.drawing.example import Picture
from checks.engine.drawing.sketch import GAP, MARGIN, SIZE, Line, Rect, Sketch, Text
from checks.engine.files.progress import write_whole

WIDEST = 900  # Pixels: further tables stand below.
CURVE_WIDE, CURVE_HIGH = 480, 140
KINDS = (".svg", ".html", ".png")
DOTS = 150  # Dots per inch of a .png; one pixel of a sketch is 1/96 inch.
INK, FAINT, BLUE, RED = "#1f2328", "#59636e", "#0969da", "#cf222e"


def checked(name: str) -> Path:
    """The file to write. Raises Usage if it exists, or if its kind is not known."""
    path = Path(name)
    if path.suffix.lower() not in KINDS:
        raise Usage(f"--save {name}: the name must end in {', '.join(KINDS[:-1])} or {KINDS[-1]}.")
    if path.exists():
        raise Usage(f"--save {name}: there is such a file already. Name another one.")
    return path


def add(sketch: Sketch, picture: Picture, numbers: Array) -> None:
    """Draw a picture below all that is there: a curve, or tables side by side."""
    top, left, bottom = sketch.height + (GAP if sketch.height else 0), 8.0, 0.0
    if picture.kind == "curve":
        _add_curve(sketch, top, picture.title, np.ravel(numbers).astype(float))
        return
    short = picture._replace(rows=picture.rows[:1], columns=picture.columns[:1])
    for number, table in enumerate(numbers if numbers.ndim == 3 else numbers[None]):
        if left > 8 and left + (left - 8) / number > WIDEST:  # As wide as those before it.
            left, top = 8.0, bottom + GAP
        title = picture.title.format(number)
        right, bottom = sketch.table(left, top, short, title, np.atleast_2d(table))
        left = max(right, left + 8 * len(title)) + GAP


def _add_curve(sketch: Sketch, top: float, title: str, numbers: Array) -> None:
    sketch.text(8, top + 14, title)
    low, step = top + 30 + CURVE_HIGH, CURVE_WIDE / max(len(numbers) - 1, 1)
    largest = max(float(np.abs(numbers[np.isfinite(numbers)]).max(initial=0)), 1e-12)
    sketch.line((60, low - CURVE_HIGH), (60, low), (60 + CURVE_WIDE, low))
    shown = [(60 + n * step, low - CURVE_HIGH * abs(x) / largest) for n, x in enumerate(numbers)]
    sketch.line(*(point for point, x in zip(shown, numbers) if np.isfinite(x)))
    sketch.text(54, low - CURVE_HIGH + 5, f"{largest:.2g}", "end", faint=True)
    sketch.text(60, low + 18, "1", "middle", faint=True)
    sketch.text(60 + CURVE_WIDE, low + 18, str(len(numbers)), "middle", faint=True)


def save(path: Path, sketch: Sketch, title: str) -> None:
    """Write the picture. Raises Usage if it cannot be written, or if matplotlib is missing."""
    if path.suffix.lower() == ".png":
        content = _png(sketch)
    else:
        page = _page(sketch, title) if path.suffix.lower() == ".html" else sketch.svg(title)
        content = page.encode()
    try:
        write_whole(path, content)
    except OSError as error:
        raise Usage(f"--save {path}: {error.strerror}.") from None


def _page(sketch: Sketch, title: str) -> str:
    return f"""\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>
<style>:root{{color-scheme:light dark}}body{{font-family:sans-serif;margin:2em}}</style>
</head><body><h1>{escape(title)}</h1>
{sketch.svg(title)}</body></html>
"""


def _png(sketch: Sketch) -> bytes:
    try:
        from matplotlib.figure import Figure
        from matplotlib.patches import Rectangle
    except ImportError:
        command = pip("-r requirements-look.txt")
        raise Usage(f"A .png needs matplotlib:  {command}\nA .svg needs nothing.") from None
    wide, high = sketch.width + MARGIN, sketch.height + MARGIN
    figure = Figure(figsize=(wide / 96, high / 96), dpi=DOTS, facecolor="white")
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, wide), ylim=(high, 0))
    axes.axis("off")
    for shape in sketch.shapes:
        if isinstance(shape, Text):
            side = {"start": "left", "middle": "center", "end": "right"}[shape.at]
            font: Any = {"family": "monospace", "size": SIZE * 72 / 96}
            colour = FAINT if shape.faint else INK
            axes.text(shape.x, shape.y, shape.text, ha=side, va="baseline", color=colour, **font)
        elif isinstance(shape, Rect):
            inside = {"b": "#f6f8fa", "s": BLUE, "w": "none"}[shape.kind]
            edge = {"b": FAINT, "s": "none", "w": RED}[shape.kind]
            look: Any = {"facecolor": inside, "edgecolor": edge, "alpha": shape.opacity}
            axes.add_patch(Rectangle((shape.x, shape.y), shape.width, shape.height, **look))
        else:
            _draw_line(axes, shape)
    content = BytesIO()
    figure.savefig(content, format="png")
    return content.getvalue()


def _draw_line(axes: Any, shape: Line) -> None:
    xs, ys = zip(*shape.points)
    style = "--" if shape.dashed else "-"
    axes.plot(xs, ys, color=FAINT, linewidth=1, linestyle=style)
    if shape.arrow:
        arrow = {"arrowstyle": "->", "color": FAINT}
        axes.annotate("", shape.points[-1], shape.points[-2], arrowprops=arrow)
