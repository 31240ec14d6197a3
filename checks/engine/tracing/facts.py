"""A run of a step's example as facts, for programs: `trace --json`."""

from __future__ import annotations

from typing import Any

from checks.contents import Step
from checks.engine.asking.learner import Files, LearnerError
from checks.engine.drawing.example import Example
from checks.engine.files.source import Source
from checks.engine.hosting.host import Host
from checks.engine.tracing.run import Run, run
from checks.engine.tracing.story import NOTED
from checks.engine.verdicts import Stopped


def facts(source: Source, step: Step, example: Example, depth: int) -> dict[str, Any]:
    """What each line makes, and the error that ends the run, if one does."""
    files = Files.of(source, step)
    done = Run([], None, "")
    stopped = source.problem(step)
    if stopped is None or stopped.verdict == "untouched":
        try:
            with Host() as host:
                done = follow(host, step, files, example, depth)
            stopped = done.error
        except Stopped as problem:
            stopped = problem
    return {
        "version": 1,
        "step": step.id,
        "example": example.code,
        "lines": [_entry(entry, example) for entry in done.found if entry["values"]],
        "error": None if stopped is None else _error(stopped),
        "printed": done.printed,
    }


def follow(host: Host, step: Step, files: Files, example: Example, depth: int) -> Run:
    """What the example makes the step's code do. Raises Stopped if there is no answer."""
    return run(host, step, files, "follow", NOTED, example=example.code, depth=depth)


def _entry(entry: dict[str, Any], example: Example) -> dict[str, Any]:
    """A line that has run, or a call with its arguments, and the values."""
    return {
        "file": entry["file"],
        "line": entry["line"],
        "depth": entry["depth"],
        "call": entry.get("name"),
        "values": [_value(name, value, example) for name, value in entry["values"]],
    }


def _value(name: str, value: dict[str, Any], example: Example) -> dict[str, Any]:
    """A value: its form, the names of its axes, and its smallest and largest entry."""
    axes = {size: axis for axis, size in example.sizes.items()}
    found = {key: given for key, given in value.items() if key != "array"}
    if "shape" in found:
        found["axes"] = [axes.get(size) for size in found["shape"]]
    return {"name": name, **found}


def _error(stopped: Stopped) -> dict[str, Any]:
    where = stopped.where
    return {
        "verdict": stopped.verdict,
        "message": stopped.message,
        "type": stopped.type if isinstance(stopped, LearnerError) else None,
        "file": None if where is None else where.file,
        "line": None if where is None else where.line,
    }
