"""What the slips in the tests are made with: parts of a solution's tree."""

from __future__ import annotations

import ast

Edit = tuple[ast.AST, str]  # A node, and what stands in its place.
Def = ast.FunctionDef


def classes(tree: ast.AST) -> list[ast.ClassDef]:
    return [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)]


def methods(tree: ast.AST, name: str = "") -> list[Def]:
    written = [cls for cls in classes(tree) if "Protocol" not in map(ast.unparse, cls.bases)]
    found = [n for cls in written for n in cls.body if isinstance(n, Def)]
    return [n for n in found if not name or n.name == name]


def kept(tree: ast.AST) -> list[tuple[ast.Attribute, ast.expr]]:
    """What is kept on self in __init__: (self.attribute, expression)."""
    found = []
    for init in methods(tree, "__init__"):
        for n in ast.walk(init):
            target = n.targets[0] if isinstance(n, ast.Assign) else getattr(n, "target", None)
            if isinstance(n, ast.Assign | ast.AnnAssign) and on_self(target) and n.value:
                found.append((target, n.value))
    return found  # type: ignore[return-value]


def on_self(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Attribute) and ast.unparse(node.value) == "self"


def read(tree: ast.AST) -> list[ast.Attribute]:
    """self.attribute, where it is read: once for each attribute of a class."""
    found = {}
    for method in methods(tree):
        for n in ast.walk(method):
            if on_self(n) and isinstance(n.ctx, ast.Load):  # type: ignore[attr-defined]
                found.setdefault(n.attr, n)  # type: ignore[attr-defined]
    return list(found.values())  # type: ignore[arg-type]


def misspelt(name: str) -> str:
    return name[:2] + name[3:]


def between(first: ast.AST, last: ast.AST) -> ast.AST:
    whole = ast.Pass(**{p: getattr(first, p) for p in ("lineno", "col_offset")})
    whole.end_lineno, whole.end_col_offset = last.end_lineno, last.end_col_offset  # type: ignore
    return whole
