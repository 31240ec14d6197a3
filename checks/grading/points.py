"""The points of each step: points.csv beside this file, or an instructor's file."""

from __future__ import annotations

import difflib
import math
from pathlib import Path

from checks.contents import STEPS
from checks.grading.tables import columns, read_table

POINTS = Path(__file__).with_name("points.csv")
WORDS: dict[str, tuple[str, ...]] = {  # The headings, as letters: English, German, French.
    "step": ("step", "schritt", "aufgabe", "étape", "exercise", "exercice"),
    "points": ("points", "maxpoints", "score", "weight", "worth", "punkte", "barème"),
}
DEFAULT = 1.0


def read_points(path: Path | None = None) -> dict[str, float]:
    """The points of every step of the course, by its id.

    The file is a table (see tables.py) with a step and its points in each row, and perhaps a header
    `step,points`. A step has its name or its id. Names are better: ids move when a step is added,
    and spreadsheets take 1.2 for a date. A step without a row is worth 1, so the file needs only
    the differences; 0 makes a step worth nothing. (The command decides which steps are checked.)
    Raises ValueError with file, line and value if the file cannot be read or has another form.
    """
    path = POINTS if path is None else path
    try:
        kinds, rows = columns(read_table(path), WORDS)
    except OSError as error:
        raise ValueError(f"The points file {path} cannot be read: {error.strerror}.") from None
    points: dict[str, float] = {}
    for line, cells in rows:
        if kinds.keys() == WORDS.keys():
            cells = [cell for kind in WORDS for cell in (cells[kinds[kind][0] :][:1] or [""])]
        try:
            id, value = _entry(cells)
            if id in points:
                raise ValueError(f"{cells[0]!r} has its points already")
        except ValueError as error:
            raise ValueError(f"{path}, line {line}: {error}.") from None
        points[id] = value
    return {step.id: points.get(step.id, DEFAULT) for step in STEPS}


def _entry(cells: list[str]) -> tuple[str, float]:
    if len(cells) != 2:
        raise ValueError(f"a step and its points, as in layer_norm,2, not {','.join(cells)!r}")
    name, text = cells
    id = next((step.id for step in STEPS if name in (step.id, step.name)), None)
    if id is None:
        near = difflib.get_close_matches(name, [step.name for step in STEPS], 1)
        raise ValueError(f"there is no step {name!r}" + (f" ({near[0]}?)" if near else ""))
    try:
        value = float(text.replace(",", "."))  # 1,5 is a number in many languages.
    except ValueError:
        raise ValueError(f"the points of {name} are {text!r}, which is not a number") from None
    if not math.isfinite(value) or value < 0:
        raise ValueError(f"the points of {name} are {text!r}; they must be 0 or more") from None
    return id, value
