"""Small edits of a text: another number, name, order or indentation, or something left out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from checks import course
from checks.engine.locating.text import Edit, Text

OPERATORS = ("+ - * / // % ** @", "& | ^", "== != < <= > >=", "and or")


def small_edits(text: Text) -> list[Edit]:
    """All small edits of a source, in the order of their places."""
    return sorted({edit for owner in text.tree.body for edit in _edits_of(text, owner)})


def _edits_of(text: Text, owner: ast.AST) -> Iterator[Edit]:
    """Every edit of a function, or of the functions of a class."""
    nodes = list(ast.walk(owner))
    imports = [n for n in text.tree.body if isinstance(n, ast.ImportFrom) and n.module != "torch"]
    alike = [["is", "is not"], *(line.split() for line in (*OPERATORS, *course.ALIKE))]
    alike.append([alias.name for statement in imports for alias in statement.names])
    attributes = [n for n in nodes if isinstance(n, ast.Attribute)]
    alike.append([n.attr for n in attributes if text.of(n.value) == "self"])
    yield from (edit for node in nodes for edit in _indented(text, node))
    for function in (n for n in nodes if isinstance(n, ast.FunctionDef)):
        names = [a.arg for a in function.args.args if a.arg != "self"]
        stored = [n for n in ast.walk(function) if isinstance(n, ast.Name)]
        names += [n.id for n in stored if isinstance(n.ctx, ast.Store)]
        for node in _code_of(function):
            yield from _edits(text, node, [*alike, names])


def _indented(text: Text, node: ast.AST) -> Iterator[Edit]:
    """The line after a loop or an if moved into it, and the last line in it moved out."""
    for body in (getattr(node, name, []) for name in ("body", "orelse")):
        for at, block in enumerate(body if isinstance(body, list) else []):
            if not isinstance(block, ast.For | ast.While | ast.If):
                continue
            last = (block.orelse or block.body)[-1]
            if last.lineno == block.lineno or last.col_offset == block.col_offset:
                continue  # On one line, or an elif.
            blanks = " " * (last.col_offset - block.col_offset)
            after = body[at + 1] if at + 1 < len(body) else None
            if after is not None and "\n" not in text.of(after):
                yield Edit(text.start(after), text.start(after), blanks)
            if len(block.orelse or block.body) > 1 and last.lineno == last.end_lineno:
                start = text.start(last)
                yield Edit(start - len(blanks), start, "")


def _code_of(node: ast.AST) -> Iterator[ast.AST]:
    """The node and what is below it, without docstrings, annotations and the inside of numbers."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    yield node
    if _number(node) is None and not isinstance(node, ast.JoinedStr):
        for field, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and field not in ("annotation", "returns"):
                    yield from _code_of(child)


def _number(node: ast.AST) -> int | float | None:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if type(value) in (int, float) else None


def _edits(text: Text, node: Any, alike: list[list[str]]) -> Iterator[Edit]:
    """Every edit of one node; `alike` are groups of names and operators to be exchanged."""
    yield from (Edit(text.start(node), text.end(node), new) for new in _instead(text, node))
    yield from _exchanged(text, node, alike)
    yield from _inside(text, node)


def _instead(text: Text, node: Any) -> Iterator[str]:
    """What may stand in the place of a node."""
    if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef):
        yield "pass"
    number = _number(node)
    if number is not None:
        near = range(-4, 5) if isinstance(number, int) else (number * 2, number / 2)
        yield from map(str, {number + 1, number - 1, -number, *near} - {number})
    match node:
        case ast.Constant(value=str(value)):
            yield from (repr(value + "x"), repr(value[1:]), "''")
        case ast.Constant(value=bool() | None):
            yield from ("None", "True", "False", "0")
        case (
            ast.BinOp(left=left, right=right)
            | ast.Compare(left=left, comparators=[right])
            | ast.BoolOp(values=[left, right, *_])
        ):
            yield from (f"({text.of(left)})", f"({text.of(right)})")
        case ast.Call(func=func, args=args, keywords=keywords):
            parts = sorted([*args, *keywords], key=text.start)
            yield from (f"{text.of(func)}({new})" for new in _shorter_or_swapped(text, parts))
            yield from (*map(text.of, args), *(text.of(k.value) for k in keywords))
            if isinstance(func, ast.Attribute):
                yield text.of(func.value)
        case ast.UnaryOp(operand=inner) | ast.Subscript(value=inner):
            yield text.of(inner)
        case ast.Slice():
            bounds = [text.of(b) if b else "" for b in (node.lower, node.upper, node.step)]
            for n, bound in enumerate(bounds):
                moved = (f"{bound} + 1", f"{bound} - 1", "") if bound else ("-1", "12"[n // 2])
                yield from (":".join([*bounds[:n], other, *bounds[n + 1 :]]) for other in moved)


def _shorter_or_swapped(text: Text, parts: list[Any]) -> Iterator[str]:
    texts = [text.of(part) for part in parts]
    for n in range(len(texts)):
        yield ", ".join(texts[:n] + texts[n + 1 :])
        if n and not isinstance(parts[n], ast.keyword):
            yield ", ".join(texts[: n - 1] + [texts[n], texts[n - 1]] + texts[n + 1 :])


def _exchanged(text: Text, node: Any, alike: list[list[str]]) -> Iterator[Edit]:
    """Other names and operators in the place of the node's own."""

    def exchange(name: str, start: int) -> Iterator[Edit]:
        end = start + len(name.encode())
        others = [other for group in alike if name in group for other in group]
        yield from (Edit(start, end, other) for other in others if other != name)

    match node:
        case ast.JoinedStr():
            for hole in re.finditer(r"\{(\w+)\}", text.of(node)):
                yield from exchange(hole[1], text.start(node) + hole.start(1))
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield from exchange(name, text.end(node) - len(name))
        case (
            ast.BinOp(left=left, right=right)
            | ast.Compare(left=left, comparators=[right])
            | ast.BoolOp(values=[left, right, *_])
        ):
            between = text.bytes[text.end(left) : text.start(right)]
            begin = re.search(rb"[^\s)]", between)
            assert begin is not None
            yield from exchange(between.decode().strip("() \n"), text.end(left) + begin.start())


def _inside(text: Text, node: Any) -> Iterator[Edit]:
    """A part of the node is left out or another one."""
    match node:
        case ast.JoinedStr():
            for hole in re.finditer(r"\{(\w+)\}", text.of(node)):
                yield Edit(text.start(node) + hole.start(), text.start(node) + hole.end(), "")
        case ast.Tuple(elts=parts) | ast.List(elts=parts) if parts:
            for new in _shorter_or_swapped(text, parts):
                yield Edit(text.start(parts[0]), text.end(parts[-1]), new)
        case ast.If() | ast.IfExp() | ast.While():
            start, end = text.start(node.test), text.end(node.test)
            for new in (f"not ({text.of(node.test)})", "True", "False"):
                yield Edit(start, end, new)
        case ast.For() | ast.comprehension():
            for cut in ("[1:]", "[:-1]", "[::-1]"):
                yield Edit(text.end(node.iter), text.end(node.iter), cut)
        case ast.arguments():
            for arg, default in zip(node.args[::-1], node.defaults[::-1]):
                yield Edit(text.end(arg), text.end(default), "")
