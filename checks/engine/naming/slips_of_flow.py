"""Slips in what a function gives: nothing, a layer, a method, or a value that only an if sets."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from checks.engine.naming.scene import (
    Def,
    Found,
    Scene,
    assigned,
    attributes,
    class_of,
    methods,
    of_self,
    own_nodes,
    spans,
)
from checks.engine.naming.slips_of_values import CALLED, NO_NONE, gives_pair

OF_KIND = re.compile(r"^(?:(\w+) is|.* is|returned) an? (\w+)(?: of 2)?, expected", re.MULTILINE)
A_METHOD = ("method", "builtin_function_or_method")


def return_inside_if(tree: ast.Module) -> Found:
    """The only return of a function, if it stands inside an if without an else."""
    functions = (n for n in ast.walk(tree) if isinstance(n, Def))
    found = {inside for n in functions if (inside := inside_if(n)) is not None}
    return found.pop() if len(found) == 1 else None


def inside_if(function: Def) -> Found:
    """The same for one function."""
    nodes = [*own_nodes(function)]
    returns = [n for n in nodes if isinstance(n, ast.Return) and n.value is not None]
    if len(returns) != 1 or isinstance(function.body[-1], ast.Raise):
        return None
    line = returns[0].lineno
    around = [n for n in nodes if isinstance(n, ast.If) and spans(n, line)]
    if not around or any(n.orelse for n in around):
        return None
    return "return-inside-if", str(line), str(max(n.lineno for n in around))


def no_return(scene: Scene) -> Found:
    """A function of the step that never returns a value, although its value is used."""
    if not re.search(NO_NONE, scene.text):
        return None
    statements = {id(n.value) for n in ast.walk(scene.tree) if isinstance(n, ast.Expr)}
    used = {
        ast.unparse(n.func).removeprefix("self.")
        for n in ast.walk(scene.tree)
        if isinstance(n, ast.Call) and id(n) not in statements
    }
    for function in (n for n in ast.walk(scene.tree) if isinstance(n, ast.FunctionDef)):
        gives = (ast.Yield, ast.YieldFrom, ast.Raise)
        returns = any(
            isinstance(n, gives) or (isinstance(n, ast.Return) and n.value is not None)
            for n in own_nodes(function)
        )
        if function.name in used and not returns:
            return "no-return", function.name
        if _gives_none(scene, function.name) and (found := inside_if(function)):
            return found
    return None


def _gives_none(scene: Scene, name: str) -> bool:
    """Whether the line calls a function, or has a name that is None and was set to its value."""
    set_to = assigned(scene.function or scene.tree)
    none = [value for to, value in set_to if scene.kinds.get(ast.unparse(to)) == "NoneType"]
    calls = [n for n in [*scene.calls, *none] if isinstance(n, ast.Call)]
    return name in [ast.unparse(call.func).removeprefix("self.") for call in calls]


def set_inside_if(scene: Scene) -> Found:
    """A local name that only an if sets, where it is read outside of that if."""
    said = re.match(r"cannot access local variable '(\w+)'", scene.text)
    if said is None or scene.function is None:
        return None
    at, nodes = scene.place.line, [*own_nodes(scene.function)]
    sets = [n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    lines = sorted(n.lineno for n in sets if n.id == said[1] and n.lineno < at)
    ifs = [n for n in nodes if isinstance(n, ast.If) and not spans(n, at)]
    around = [[n.lineno for n in ifs if spans(n, line)] for line in lines]
    return ("set-inside-if", said[1], str(max(around[0]))) if lines and all(around) else None


def of_another_kind(tree: ast.Module, message: str) -> Found:
    """A layer or a method that is returned, or kept, without a call. message: of the failure."""
    said = OF_KIND.search(message)
    if said is None:
        return None
    classes = [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)]
    kept = {name: made for cls in classes for name, made in attributes(cls).items()}
    values = [value for to, value in assigned(tree) if of_self(to) == said[1]] if said[1] else []
    found = set()
    for value in values or _returned(tree):
        shown = ast.unparse(value)
        if said[2] in A_METHOD and isinstance(value, ast.Attribute):
            if value.attr in CALLED or of_self(value) in {m for c in classes for m in methods(c)}:
                found.add(("method-not-called", shown))
        elif said[2] == "tuple" and isinstance(value, ast.Call) and gives_pair(value):
            found.add(("pair-used", ast.unparse(value.func)))
        elif class_of(kept.get(of_self(value))) == said[2]:
            found.add(("layer-returned", shown))
        elif class_of(value) == said[2]:
            found.add(("layer-only-made", shown))
    return found.pop() if len(found) == 1 else None


def _returned(tree: ast.Module) -> Iterator[ast.expr]:
    """What the functions of a file return: each member of a tuple."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Return) and node.value is not None:
            yield from node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
