"""The output of a class run: its progress, and the table at its end."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

from checks.engine.commands.screen import Screen
from checks.grading.formats.facts import first_not_passing, line, number, verdict_of

NAME = 28  # Columns for a name.


class Live:
    """On stderr: a bar on a terminal, else a line for each submission."""

    def __init__(self, total: int):
        self.total, self.count = total, 0
        self.bar: Any = None
        plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        if sys.stderr.isatty() and not plain:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

            columns = ("Judging", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self.bar = Progress(*columns, "{task.description}", console=Console(stderr=True))
            self.task = self.bar.add_task("", total=total)
            self.bar.start()

    def tell(self, row: dict[str, Any], kept: bool = False) -> None:
        """Show that one more is judged. `kept`: the result is from an earlier run."""
        self.count += 1
        said = f"{line(row['name'])}: {_said(row)}{' (kept)' if kept else ''}"
        if self.bar is not None:
            self.bar.update(self.task, advance=1, description=_escaped(said[:50]))
        else:
            self.note(f"[{self.count}/{self.total}] {said}")

    def note(self, text: str) -> None:
        print(line(text, 1_000), file=sys.stderr, flush=True)

    def __enter__(self) -> Live:
        return self

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.stop()

    def end(self, isolation: str | None, left_out: list[Path]) -> None:
        """Say what was not judged, and how learner code was isolated, if any ran."""
        if left_out:
            names = ", ".join(path.name for path in left_out[:5])
            more = ", …" if len(left_out) > 5 else ""
            self.note(f"Left out, being neither folder, archive nor notebook: {names}{more}.")
        if isolation is None:
            return
        self.note(f"Learner code ran behind: {isolation}.")
        if isolation == "process":
            self.note("That is a process of its own and nothing more: see run_step.py doctor.")


def show_table(run: dict[str, Any]) -> None:
    """Print a line per submission: points, passing steps, and the first step that does not pass."""
    screen = Screen()
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    screen.say(f"{'submission':<{NAME}} {'points':>9}  {'steps':>7}  first that does not pass")
    for row in run["submissions"]:
        graded = row["points"] is not None
        points = f"{number(row['points'])}/{number(row['max_points'])}" if graded else "not graded"
        passed = sum(step["verdict"] == "pass" for step in row["steps"])
        name = line(row["name"])
        name = _fitted(name, NAME)
        steps = f"{passed}/{len(run['steps'])}"
        wrong = first_not_passing(run, row)
        where = "" if wrong is None else f"{wrong['step']} {wrong['verdict']}"
        if row["problem"]:
            where = f"{row['problem']['verdict']}: {_last(row['problem']['message'])}"
        colour = "green" if verdict_of(run, row) == "pass" else "" if graded else "magenta"
        text = f"{name} {points:>9}  {steps:>7}  {where}"
        screen.say(_fitted(text, width).rstrip() if width else text, colour)


def _fitted(text: str, width: int) -> str:
    """The text in `width` columns: cut or filled up (some characters take two columns)."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) > width:
        return set_cell_size(text, width - 1) + "…"
    return set_cell_size(text, width)


def _said(row: dict[str, Any]) -> str:
    if row["problem"]:
        return f"{row['problem']['verdict']}: {_last(row['problem']['message'])}"
    passed = sum(step["verdict"] == "pass" for step in row["steps"])
    return f"{passed} of {len(row['steps'])} steps pass"


def _last(text: str) -> str:
    return line((text.strip().splitlines() or [""])[-1])


def _escaped(text: str) -> str:
    from rich.markup import escape

    return escape(text)
