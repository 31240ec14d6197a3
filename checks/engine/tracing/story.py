"""What the worker noted of a run, in lines for the learner: source, shapes by name, ranges."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from checks.engine.asking.forms import MISSING, NAME, PATH, SHAPE, at_most, either, is_array
from checks.engine.asking.learner import Files
from checks.engine.shared import wire

HELD = "\x00"  # For a blank at which no line may be broken.
MORE = "… and so on in the next rounds"
MARGIN = 6  # Columns before the source: the number of its line.
ROWS = 8  # Rows of a tensor that --values shows.


class Line(NamedTuple):
    """A line to print, and its colour."""

    text: str
    style: str = ""


NUMBER, SHORT = either(int, float, MISSING), at_most(200, str)
COUNTS = tuple((name, int) for name in ("inf", "-inf", "nan"))
TENSOR = {
    "shape": SHAPE,
    "dtype": at_most(20, str),
    "low": NUMBER,
    "high": NUMBER,
    "true": NUMBER,  # How many are, of a mask.
    "odd": either(COUNTS, MISSING),
    "array": either(None, is_array, MISSING),
}
NAMED = [(SHORT, either({"plain": SHORT}, TENSOR))]
ENTRY = {"depth": int, "file": PATH, "line": int, "values": NAMED}
LINE = ENTRY | {"do": "line", "end": int, "rounds": int}
CALL = ENTRY | {"do": "call", "name": NAME, "gives": NAMED}
# The worker's answer to "follow": learner code may have forged it.
NOTED = {"found": at_most(wire.MOST_NOTED, [either(LINE, CALL)]), "error": either(None, dict)}


class Story:
    """`sizes`: the names of axes, by their size. `values`: whether numbers are shown, too."""

    def __init__(self, files: Files, sizes: dict[str, int], width: int, values: bool):
        self.files, self.width, self.values = files, width, values
        self.names = {size: name for name, size in sizes.items()}

    def lines(self, found: list[dict[str, Any]], open_to: int) -> Iterator[Line]:
        """All that was noted, of calls down to `open_to`; deeper ones only with what they give."""
        before = None
        for line in self._calls(found, open_to, True):
            if line != before or MORE not in line.text:  # Each line of a loop says that it goes on.
                yield line
            before = line

    def _calls(self, found: list[dict[str, Any]], open_to: int, is_last: bool) -> Iterator[Line]:
        """Calls, one after the other, each with what was noted inside it."""
        start = 0
        while start < len(found):
            end = _end(found, start)
            if not _is_preparation(found[start:end]):
                yield from self._call(found[start:end], open_to, is_last and end == len(found))
            start = end

    def _call(self, found: list[dict[str, Any]], open_to: int, is_last: bool) -> Iterator[Line]:
        """A call and all that was noted inside it. `is_last`: nothing was noted after it."""
        entry, inside = found[0], found[1:]
        place = self.files.place(entry["file"], entry["line"])
        if entry["depth"] >= open_to or place is None:
            yield from self._closed(entry)
            return
        yield Line("")
        yield Line(f"{_indent(entry)}{entry['name']}  {place.file}:{place.line}", "bold")
        yield from self._values(entry)
        start = 0
        while start < len(inside):
            end = start + 1
            while end < len(inside) and inside[end]["depth"] > entry["depth"]:
                end += 1
            yield from self._line(inside[start:end], open_to, is_last and end == len(inside))
            start = end

    def _closed(self, entry: dict[str, Any]) -> Iterator[Line]:
        name = entry["name"].removesuffix(".forward").rpartition(".")[2]
        gives = [f"({self._axes(value)})" for _, value in entry["gives"] if "shape" in value]
        gives += [v["plain"] for _, v in entry["gives"] if v.get("plain", "").startswith("[")]
        start = _indent(entry) + " " * MARGIN
        text = f"-> {name}" + (f" gives {' and '.join(gives)}" if gives else "")
        yield from self._wrapped(text, start, "dim")

    def _line(self, found: list[dict[str, Any]], open_to: int, is_last: bool) -> Iterator[Line]:
        """A line, the calls that it makes, and its values. One that makes none and calls nothing
        is shown only if it is the last: there the run has stopped.
        """
        entry, calls = found[0], found[1:]
        place = self.files.place(entry["file"], entry["line"])
        goes_on = entry["rounds"] > wire.ROUNDS and not is_last
        if place is None or not (entry["values"] or calls or is_last or goes_on):
            return
        if goes_on:
            yield Line(f"{_indent(entry)}{' ' * MARGIN}{MORE}", "dim")
            return
        source = self.files.text(place.file).splitlines()[place.line - 1 : entry["end"]]
        margin = min((len(line) - len(line.lstrip()) for line in source if line.strip()), default=0)
        for number, line in enumerate(source, place.line):
            start = f"{_indent(entry)}{number:>{MARGIN - 2}}  "
            yield Line(_cut(f"{start}{line[margin:]}", self.width), "cyan")
        yield from self._calls(calls, open_to, is_last)
        yield from self._values(entry)

    def _values(self, entry: dict[str, Any]) -> Iterator[Line]:
        start = " " * (MARGIN + 2 * entry["depth"] + 2)
        wide = max((len(name) for name, _ in entry["values"]), default=0)
        for name, value in entry["values"]:
            yield from self._wrapped(f"{name:<{wide}}  {self._said(value)}", start, "")
            if self.values and value.get("array") is not None:
                yield from (
                    Line(_cut(f"{start}  {row}", self.width), "dim") for row in _rows(value)
                )

    def _wrapped(self, text: str, start: str, style: str) -> Iterator[Line]:
        """Lines that break between a shape and a range, or at a comma: not inside of either."""
        held = re.sub(r"\(.*?\)|\S+ (to|x|of) \S+", lambda m: m[0].replace(" ", HELD), text)
        width, later = self.width, f"{start}    "
        for line in textwrap.wrap(held, width, initial_indent=start, subsequent_indent=later):
            yield Line(line.replace(HELD, " "), style)

    def _said(self, value: dict[str, Any]) -> str:
        if "plain" in value:
            return str(value["plain"])
        kind = "" if value["dtype"] == "float32" else f" {value['dtype']}"
        return f"({self._axes(value)}){kind}  {_range(value)}".rstrip()

    def _axes(self, value: dict[str, Any]) -> str:
        if not value["shape"]:
            return "one number"
        return ", ".join(
            f"{self.names[size]} {size}" if size in self.names else str(size)
            for size in value["shape"]
        )


def _end(found: list[dict[str, Any]], start: int) -> int:
    """Where the call ends that begins there: before the next entry that is not inside it."""
    depth = found[start]["depth"]
    end = start + 1
    while end < len(found) and (found[end]["depth"], found[end]["do"]) > (depth, "call"):
        end += 1
    return end


def _is_preparation(found: list[dict[str, Any]]) -> bool:
    """Whether this is an __init__ in which no tensor is made by a line."""
    return found[0]["name"].endswith(".__init__") and not any(
        "shape" in value for entry in found[1:] for _, value in entry["values"]
    )


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _indent(entry: dict[str, Any]) -> str:
    return "  " * entry["depth"]


def _range(value: dict[str, Any]) -> str:
    if "true" in value:
        return f"{value['true']} of {math.prod(value['shape'])} are True"
    found = [f"{count} x {name}" for name, count in value.get("odd", []) if count]
    if "low" in value:
        low, high = (f"{value[end]:.3g}" for end in ("low", "high"))
        alike = f"all {low}" if math.prod(value["shape"]) > 1 else low
        found.insert(0, alike if low == high else f"{low} to {high}")
    return ", ".join(found)


def _rows(value: dict[str, Any]) -> list[str]:
    """The numbers of a small tensor, row by row."""
    array = np.frombuffer(value["array"].data, value["array"].dtype).reshape(value["shape"])
    column = array.ndim > 1 and array.shape[-1] == 1  # It is shown as a row.
    table = array.reshape(-1, array.shape[-2] if column else array.shape[-1] if array.ndim else 1)
    whole = array.dtype.kind in "bi"
    texts = [[str(int(x)) if whole else f"{x:.3f}" for x in row] for row in table[:ROWS]]
    wide = max((len(text) for row in texts for text in row), default=0)
    rows = [" ".join(f"{text:>{wide}}" for text in row) for row in texts]
    return rows + [f"… {len(table) - ROWS} more rows"] * (len(table) > ROWS)
