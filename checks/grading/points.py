"""The points of each step: points.csv beside this file, or an instructor's file."""

from __future__ import annotations

import csv
import difflib
import math
from collections.abc import Iterator
from pathlib import Path

from checks.contents import STEPS

POINTS = Path(__file__).with_name("points.csv")
HEADER = ["step", "points"]
DEFAULT = 1.0


def read_points(path: Path | None = None) -> dict[str, float]:
    """The points of every step of the course, by its id.

    The file is CSV with a step and its points in each line. It may have a header `step,points`,
    empty lines, and lines that begin with #. A step has its name or its id. Names are better: ids
    move when a step is added, and spreadsheets take 1.2 for a date. A step without a line is worth
    1, so the file needs only the differences; 0 makes a step worth nothing. (The command decides
    which steps are checked.) Raises ValueError with file, line and value if the file cannot be read
    or has another form.
    """
    path = POINTS if path is None else path
    points: dict[str, float] = {}
    for place, cells in _rows(path):
        try:
            id, value = _entry(cells)
            if id in points:
                raise ValueError(f"{cells[0]!r} has its points already")
        except ValueError as error:
            raise ValueError(f"{path}, line {place}: {error}.") from None
        points[id] = value
    return {step.id: points.get(step.id, DEFAULT) for step in STEPS}


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The lines with content, with their numbers."""
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except OSError as error:
        raise ValueError(f"The points file {path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8: its byte {error.start} is not text.") from None
    for place, text in enumerate(lines, 1):
        cells = [cell.strip() for row in csv.reader([text]) for cell in row]
        said = any(cells) and not cells[0].startswith("#")
        if said and [cell.lower() for cell in cells] != HEADER:
            yield place, cells


def _entry(cells: list[str]) -> tuple[str, float]:
    if len(cells) != 2:
        raise ValueError(f"a step and its points, as in layer_norm,2, not {','.join(cells)!r}")
    name, text = cells
    id = next((step.id for step in STEPS if name in (step.id, step.name)), None)
    if id is None:
        near = difflib.get_close_matches(name, [step.name for step in STEPS], 1)
        raise ValueError(f"there is no step {name!r}" + (f" ({near[0]}?)" if near else ""))
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"the points of {name} are {text!r}, which is not a number") from None
    if not math.isfinite(value) or value < 0:
        raise ValueError(f"the points of {name} are {text!r}; they must be 0 or more") from None
    return id, value
