"""What is asked of a passed step: a line to type again, or the line that does not belong.

A line to type is a statement of the learner's file on a line of its own that the skeleton does not
have. A line that only gives a name or a constant is not asked. An error is not asked either.
And it matters: with `pass` in its place, the checks of the step fail.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from checks.contents import Step
from checks.engine.commands.puzzle import MOST, lines_of
from checks.engine.files.skeleton import functions
from checks.engine.files.source import Source, pristine
from checks.engine.files.syntax import parsed
from checks.engine.known import mistakes

FEWEST = 2  # Own lines beside the wrong one.
ROWS = 14  # Of a function around its gap.
KEYS = "abcdefghijklmno"
GAP = "____"
Simple = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return | ast.Expr
SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Expr)

Functions = list[tuple[str, ast.FunctionDef]]
Passes = Callable[[str], bool]  # Whether the checks pass with this text of the file.


class Gap(NamedTuple):
    """A line to type: its number in the file, from 0 on, and the rows of its function. `names`: the
    attributes of its class that these rows do not show.
    """

    function: str
    lines: list[str]
    number: int
    rows: list[int]
    names: list[str]

    @property
    def own(self) -> str:
        return self.lines[self.number].strip()

    def with_line(self, typed: str) -> str:
        """The text of the file with another line there."""
        line = self.lines[self.number]
        indent = line[: len(line) - len(line.lstrip())]
        before, after = self.lines[: self.number], self.lines[self.number + 1 :]
        return "\n".join([*before, indent + typed.strip(), *after])

    def shown(self) -> list[str]:
        """The function with the gap, without its docstring; of a long one, the rows around it."""
        shown = self.with_line(GAP).split("\n")
        at = self.rows.index(self.number)
        start = max(0, min(at - ROWS // 2, len(self.rows) - ROWS))
        first = shown[self.rows[0]]
        indent = len(first) - len(first.lstrip())
        rows = [shown[n][indent:] for n in self.rows[start : start + ROWS]]
        if start:
            rows.insert(0, "…")
        if start + ROWS < len(self.rows):
            rows.append("…")
        return rows


class Mixed(NamedTuple):
    """The lines of a function in another order, with one from a mistake among them. With that line
    in the file, its text fails the checks.
    """

    function: str
    lines: list[str]
    wrong: str
    mistake: str
    instead: str

    @property
    def key(self) -> str:
        return KEYS[self.lines.index(self.wrong)]


def text_of(source: Source, step: Step) -> str:
    """The text of a step's file."""
    text = source.modules[step.module][2].decode("utf-8", "replace")
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def gap(step: Step, text: str, passes: Passes, draw: Random) -> Gap | None:
    """A line of the file that the checks see; None if there is none."""
    found = list(_gaps(step, text))
    draw.shuffle(found)
    return next((one for one in found if not passes(one.with_line("pass"))), None)


def _gaps(step: Step, text: str) -> Iterator[Gap]:
    """All lines of the learner's own, each a simple statement."""
    lines = text.split("\n")
    given = {ast.unparse(node) for node in _statements(parsed(pristine(step)))}
    every = functions(parsed(text))
    for name, function in every:
        has_docstring = ast.get_docstring(function) is not None
        skipped = function.body[0] if has_docstring else None
        rows = _rows(function, skipped)
        for node in _statements(function):
            number = node.lineno - 1
            if node is skipped or node.lineno != node.end_lineno or ast.unparse(node) in given:
                continue
            if isinstance(node.value, (ast.Name, ast.Constant)):
                continue
            others = [row for row in rows if row != number]
            one = Gap(name, lines, number, rows, _names(lines, name, others, every))
            alone = not lines[number][: node.col_offset].strip()
            if alone and _can_be_parsed(one.with_line("pass")):
                yield one


def _names(lines: list[str], name: str, shown: list[int], every: Functions) -> list[str]:
    """The attributes in the other functions of its class, without those in the rows shown."""
    of_class = name.rpartition(".")[0]
    others = [f for other, f in every if other != name and other.startswith(f"{of_class}.")]
    rows = [row for function in others for row in _rows(function, None)] if of_class else []
    return sorted(_attributes(lines, rows) - _attributes(lines, shown))


def _attributes(lines: list[str], rows: list[int]) -> set[str]:
    return {found for row in rows for found in re.findall(r"\bself\.\w+", lines[row])}


def _rows(function: ast.FunctionDef, skipped: ast.stmt | None) -> list[int]:
    """The numbers of the function's lines, from 0 on, without those of its docstring."""
    rows = range(function.lineno - 1, function.end_lineno or function.lineno)
    left_out = range(skipped.lineno - 1, skipped.end_lineno or 0) if skipped else range(0)
    return [row for row in rows if row not in left_out]


def mixed(step: Step, text: str, passes: Passes, draw: Random, named: str = "") -> Mixed | None:
    """The lines of a function with a wrong one; None if no known mistake fits the learner's file.

    `named`: the mistake to try first.
    """
    names = list(mistakes(step))
    draw.shuffle(names)
    names.sort(key=lambda name: name != named)
    for name in names:
        one = _with_mistake(text, name, mistakes(step)[name].edit)
        if one is not None and not passes(one.instead):
            draw.shuffle(one.lines)
            return one
    return None


def _with_mistake(text: str, name: str, edit: dict[str, str]) -> Mixed | None:
    """The lines of the one function that the edit changes, in one line; else None."""
    instead = text
    for find, replacement in edit.items():
        if instead.count(find) != 1:
            return None
        instead = instead.replace(find, replacement)
    if not _can_be_parsed(instead):
        return None
    before, after = functions(parsed(text)), functions(parsed(instead))
    if [function for function, _ in before] != [function for function, _ in after]:
        return None
    found = []
    for (function, node), (_, other) in zip(before, after):
        own, theirs = lines_of(node, text), lines_of(other, instead)
        new = [line for read, line in theirs.items() if read not in own]
        if new or len(own) != len(theirs):
            found.append((function, own, new, len(theirs)))
    if len(found) != 1:
        return None
    function, own, new, count = found[0]
    if len(new) != 1 or len(own) != count or not FEWEST <= len(own) <= MOST:
        return None
    return Mixed(function, [*own.values(), *new], new[0], name, instead)


def _statements(tree: ast.AST) -> Iterator[Simple]:
    return (node for node in ast.walk(tree) if isinstance(node, SIMPLE))


def _can_be_parsed(text: str) -> bool:
    try:
        parsed(text)
    except SyntaxError:
        return False
    return True
