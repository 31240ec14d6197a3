"""The smallest edits that make the functions of one source those of another."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from checks.engine.files.skeleton import functions
from checks.engine.locating.pairs import BLOCKS, aligned
from checks.engine.locating.text import Edit, Text

WHOLE = (ast.JoinedStr, ast.Constant)  # Nothing in them has a place of its own.
OPEN = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda, ast.NamedExpr)


def differences(text: Text, other: ast.Module) -> list[Edit]:
    """The edits, for the functions that both have, in the order of the text."""
    theirs = dict(functions(other))
    own = [(function, theirs[n]) for n, function in functions(text.tree) if n in theirs]
    return [edit for pair in own for edit in _of_functions(text, *pair)]


def _of_functions(text: Text, own: Any, other: Any) -> Iterator[Edit]:
    yield from _of_nodes(text, own.args, other.args)
    yield from _of_blocks(text, own.body, other.body)


def _of_blocks(text: Text, own: list[Any], other: list[Any]) -> Iterator[Edit]:
    """The edits of statements that stand one below the other."""
    before, indent, waiting = None, own[0].col_offset, []
    for mine, theirs in aligned(own, other, ast.unparse):
        if mine is None:
            waiting.append(theirs)
            continue
        if waiting:
            yield _inserted(text, waiting, before, own[0], indent)
            waiting = []
        if theirs is None:
            yield Edit(text.start(mine), text.end(mine), "pass")
        else:
            yield from _of_nodes(text, mine, theirs)
        before = mine
    if waiting:
        yield _inserted(text, waiting, before, own[0], indent)


def _inserted(text: Text, new: list[Any], before: Any, first: Any, indent: int) -> Edit:
    lines = _lines(new, indent)
    if before is None:
        at = text.start(first)
        return Edit(at, at, f"{lines}\n{' ' * indent}", new[0].lineno)
    at = text.end(before)
    return Edit(at, at, f"\n{' ' * indent}{lines}", new[0].lineno)


def _lines(statements: list[Any], indent: int) -> str:
    lines = [line for statement in statements for line in ast.unparse(statement).splitlines()]
    return f"\n{' ' * indent}".join(lines)


def _of_nodes(text: Text, own: Any, other: Any) -> Iterator[Edit]:
    """The edits of two nodes: of the parts that differ, or of the whole."""
    if ast.dump(own) == ast.dump(other):
        return
    parts = None if has(own, other) or has(other, own) else _parts(own, other)
    for one, two in parts or []:
        if isinstance(one, list):
            yield from _of_blocks(text, one, two)
        else:
            yield from _of_nodes(text, one, two)
    if parts is None and hasattr(own, "lineno"):
        new = _lines([other], own.col_offset) if isinstance(own, ast.stmt) else ast.unparse(other)
        if isinstance(other, OPEN) or isinstance(own, ast.GeneratorExp):
            new = f"({new})"
        yield Edit(text.start(own), text.end(own), new, other.lineno)


def has(whole: Any, part: Any) -> bool:
    """Whether an expression has the other inside."""
    form = ast.dump(part)
    return isinstance(part, ast.expr) and any(ast.dump(node) == form for node in ast.walk(whole))


def _parts(own: Any, other: Any) -> list[tuple[Any, Any]] | None:
    """The parts of two nodes, side by side. None: they are not made of the same parts."""
    if not isinstance(own, ast.AST):
        return [] if own == other else None
    if type(own) is not type(other) or isinstance(own, WHOLE):
        return None
    found: list[tuple[Any, Any]] = []
    for field, mine in ast.iter_fields(own):
        theirs = getattr(other, field)
        if field == "slice" and ast.dump(mine) != ast.dump(theirs):
            return None  # A slice is no expression by itself.
        if field in BLOCKS and isinstance(mine, list) and mine and theirs:
            if mine[0].col_offset > getattr(own, "col_offset", -1):  # An elif is no block.
                found.append((mine, theirs))
                continue
        both = (mine, theirs) if isinstance(mine, list) else ([mine], [theirs])
        if len(both[0]) != len(both[1]):
            return None
        for one, two in zip(*both):
            has_place = hasattr(one, "lineno") and hasattr(two, "lineno")
            inner = [(one, two)] if has_place else _parts(one, two)
            if inner is None:
                return None
            found += inner
    return found
