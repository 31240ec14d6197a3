"""The promises about a step's part of its lesson."""

from __future__ import annotations

import ast
import builtins
import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from checks.authoring.fault import Fault, line_of
from checks.contents import SOLUTIONS, STEPS, Step
from checks.lessons.parts import part_of, title_of

PER_MINUTE = 150  # Words, without tables and code.
ROWS = range(3, 15)  # Of the table "What you need from PyTorch".
TABLE = "**What you need from PyTorch**"
TIMES = "*Reading: about N minutes. Writing: about M minutes. Difficulty: K of 5.*"

_TIMES = re.compile(
    r"^\*Reading: about (\d+) minutes?\. Writing: about \d+ minutes?\. Difficulty: [1-5] of 5\.\*$",
    re.MULTILINE,
)
_NOT_PROSE = re.compile(
    r"<!--.*?-->|^```.*?^```$|^\|.*?$|^#.*?$|^!\[.*?$", re.DOTALL | re.MULTILINE
)
_HEAD = "| name | what it does | for example | gives |\n|---|---|---|---|\n"
_ROW = re.compile(r"\| (?P<name>.+) \| .+ \| `(?P<expression>[^`]+)` \| `(?P<value>[^`]+)` \|")


def faults_of_lesson(step: Step) -> Iterator[Fault]:
    """What the step's part of the lesson lacks."""
    part = part_of(step)
    line = line_of(step.lesson, f"## {step.id} ")
    if step.bonus and "★" not in title_of(step):
        yield Fault(step.lesson, line, f"A bonus step has a star: ## {step.id} ★ and its title.")
    if f"python run_step.py {step.id}" not in part:
        yield Fault(step.lesson, line, f"This part lacks `python run_step.py {step.id}`.")
    times, words = _TIMES.findall(part), len(_NOT_PROSE.sub("", part).split())
    if len(times) != 1:
        yield Fault(step.lesson, line, f"This part has one line of this form: {TIMES}")
    elif abs(int(times[0]) - words / PER_MINUTE) > 1:
        at = line + part[: part.index("*Reading")].count("\n") if line else None
        says = f"This part has {words} words: write {max(1, round(words / PER_MINUTE))} minutes."
        yield Fault(step.lesson, at, says)
    for row, says in _faults_of_table(step, part):
        yield Fault(step.lesson, line_of(step.lesson, row) if row else line, says)


def _rows(part: str) -> list[str]:
    """The rows of the table of what a step needs."""
    head = f"{TABLE}\n\n{_HEAD}"
    table = part.partition(head)[2].partition("\n\n")[0]
    return [row for row in table.splitlines() if row.startswith("|")]


def _faults_of_table(step: Step, part: str) -> Iterator[tuple[str, str]]:
    """What is wrong with the table of what the step needs, each with the row where it is."""
    rows = _rows(part)
    if len(rows) not in ROWS:
        says = f"This part has {TABLE}, an empty line, and a table of {ROWS[0]} to {ROWS[-1]} rows"
        yield "", f"{says}: | name | what it does | for example | gives |"
    answers = _expressions((SOLUTIONS / step.path).read_text("utf-8"))
    for row in rows:
        cells = _ROW.fullmatch(row)
        if cells is None:
            yield row, "A row has this form: | name | what it does | `an expression` | `value` |"
        elif says := _wrong_example(cells["expression"], cells["value"], answers):
            yield row, says
    if unexplained := sorted(_called(step) - _explained(step)):
        says = f"No row of this table, or of an earlier step's, explains {', '.join(unexplained)}."
        yield rows[-1] if rows else "", says


def _wrong_example(expression: str, value: str, answers: set[str]) -> str:
    """What is wrong with an example of the table; "" if nothing is."""
    import torch
    from torch import nn
    from torch.nn import functional

    scope: dict[str, Any] = {"torch": torch, "nn": nn, "F": functional, "math": math}
    scope |= {"re": re, "Counter": Counter, "pairwise": pairwise}
    try:
        found, written = eval(expression, scope), ast.literal_eval(value)
    except Exception as error:
        return f"This example stops: {type(error).__name__}: {error}"
    if isinstance(found, torch.Tensor) and isinstance(written, tuple):
        found = found.shape
    found = _plain(found)
    if found != written or type(found) is not type(written):
        return f"This example gives {found!r}, not {value}."
    if ast.unparse(ast.parse(expression, mode="eval")) in answers:
        return "This example is a part of the solution: take another one."
    return ""


def _plain(value: Any) -> Any:
    """The value without PyTorch: a tensor as a list, a shape as a tuple, 4 decimals."""
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, list):
        return [_plain(entry) for entry in value]
    if isinstance(value, tuple):  # torch.Size is one, too.
        return tuple(_plain(entry) for entry in value)
    return round(value, 4) if isinstance(value, float) and math.isfinite(value) else value


def _expressions(source: str) -> set[str]:
    """Every expression in the code that calls, computes or cuts something, written one way."""
    kinds = (ast.Call, ast.BinOp, ast.Subscript)
    return {ast.unparse(node) for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)}


def _tree(step: Step) -> ast.Module:
    return ast.parse((SOLUTIONS / step.path).read_text("utf-8"))


def _called(step: Step) -> set[str]:
    """The methods and functions that the step's solution calls, without those that need no word:
    Python's own, what solutions define, and arguments.
    """
    given = {"super", "__init__", "evaluating", "eval", "no_grad", *dir(builtins)} - {"min", "max"}
    for node in (node for other in STEPS for node in ast.walk(_tree(other))):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                given.add(name)
            case ast.Attribute(value=ast.Name(id="self" | "layer"), attr=name):
                given.add(name)
    calls = [node.func for node in ast.walk(_tree(step)) if isinstance(node, ast.Call)]
    return {f.attr if isinstance(f, ast.Attribute) else ast.unparse(f) for f in calls} - given


def _explained(step: Step) -> set[str]:
    """The words in the first two columns of the tables of the step and of all steps before it."""
    before = STEPS[: STEPS.index(step) + 1]
    rows = [row for other in before for row in _rows(part_of(other))]
    return {word for row in rows for word in re.findall(r"\w+", " ".join(row.split("|")[1:3]))}
