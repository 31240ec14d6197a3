"""A puzzle of lines: those of the solution and of the learner's function, in another order."""

from __future__ import annotations

import ast
import itertools
import random
from typing import NamedTuple

from checks.engine.files.skeleton import functions
from checks.engine.files.syntax import parsed, tree_of

GIVEN = ("super().__init__()", "raise NotImplementedError(")  # The skeleton has these lines.
FEWEST, MOST = 3, 14  # Lines of a puzzle. Fewer would give the answer away, more take too long.


class Puzzle(NamedTuple):
    """Lines without their indentation, in a random order."""

    function: str
    lines: list[str]
    spare: int  # How many of them only the learner has.
    any_order: bool  # Whether no line of the solution needs another one.


def puzzle(solution: str, own: str) -> Puzzle | None:
    """The puzzle of the first function that is not yet as in the solution; None if there is none.

    Lines are compared as Python reads them. A statement over several lines is one line here.
    """
    written = {name: lines_of(function, own) for name, function in functions(tree_of(own))}
    for name, function in functions(parsed(solution)):
        right, yours = lines_of(function, solution), written.get(name, {})
        if right.keys() == yours.keys() or not FEWEST <= len(right) <= MOST:
            continue
        spare = [yours[key] for key in yours if key not in right][: MOST - len(right)]
        in_order = [*right.values(), *spare]
        for seed in itertools.count():
            mixed = in_order.copy()
            random.Random(f"{name} {seed}").shuffle(mixed)
            if mixed != in_order:
                return Puzzle(name, mixed, len(spare), _any_order(function))
    return None


def _any_order(function: ast.FunctionDef) -> bool:
    """Whether every own line only keeps a value that is made of the function's arguments."""
    lines = [one for one in function.body if not ast.unparse(one).startswith(GIVEN)]
    lines = lines[ast.get_docstring(function) is not None :]
    if not all(isinstance(one, (ast.Assign, ast.AnnAssign)) for one in lines):
        return False
    names = [node for line in lines for node in ast.walk(line) if isinstance(node, ast.Name)]
    stored = {name.id for name in names if isinstance(name.ctx, ast.Store)} | {"self"}
    values = [line.value for line in lines if isinstance(line, (ast.Assign, ast.AnnAssign))]
    read = {
        node.id for one in values if one for node in ast.walk(one) if isinstance(node, ast.Name)
    }
    return not stored & read


def lines_of(function: ast.FunctionDef, source: str) -> dict[str, str]:
    """Every different statement of a function, from top to bottom; of a block, its head.

    As Python reads it: as it is written, on one line.
    """
    found: dict[str, str] = {}

    def add(statements: list[ast.stmt]) -> None:
        for statement in statements:
            inside = getattr(statement, "body", None)
            read = ast.unparse(statement)
            if inside:
                read = read.partition("\n")[0]
            written = ast.get_source_segment(source, statement) or read
            found[read] = read if inside or "\n" in written else written
            for block in (inside, getattr(statement, "orelse", None)):
                add(block or [])

    has_docstring = ast.get_docstring(function) is not None
    add(function.body[1:] if has_docstring else function.body)
    return {read: line for read, line in found.items() if not read.startswith(GIVEN)}
