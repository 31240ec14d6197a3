"""Slips in names, calls and what __init__ keeps: each maker gives edits of a solution."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator

from slip_tools import Def, Edit, between, classes, kept, methods, misspelt, on_self, read


def plain_value(tree: ast.AST) -> Iterator[Edit]:
    """self.dropout = dropout"""
    for _, value in kept(tree):
        if ast.unparse(value) == "nn.Dropout(dropout)":
            yield value, "dropout"


def no_parentheses(tree: ast.AST) -> Iterator[Edit]:
    """self.relu = nn.ReLU"""
    for _, value in kept(tree):
        if isinstance(value, ast.Call) and re.match(r"(nn\.)?[A-Z]", ast.unparse(value.func)):
            if ast.unparse(value.func) != "nn.Parameter":
                yield value, ast.unparse(value.func)


def no_self(tree: ast.AST) -> Iterator[Edit]:
    """embedding = nn.Embedding(...)"""
    for target, value in kept(tree):
        if not isinstance(value, ast.Constant):
            yield target, target.attr


def name_without_self(tree: ast.AST) -> Iterator[Edit]:
    """embedding(x)"""
    for n in read(tree):
        yield n, n.attr


def attribute_misspelt(tree: ast.AST) -> Iterator[Edit]:
    for n in read(tree):
        if len(n.attr) > 3:
            yield n, f"self.{misspelt(n.attr)}"


def nn_misspelt(tree: ast.AST) -> Iterator[Edit]:
    """nn.Liner(...), nn.relu(...)"""
    for n in ast.walk(tree):
        if isinstance(n, ast.Attribute) and ast.unparse(n.value) in ("nn", "torch", "F", "math"):
            if len(n.attr) > 3 and n.attr not in ("Module", "float64"):
                yield n, f"{ast.unparse(n.value)}.{misspelt(n.attr)}"


def name_misspelt(tree: ast.AST) -> Iterator[Edit]:
    """A local name or an argument, where it is first read."""
    for function in [n for n in ast.walk(tree) if isinstance(n, Def)]:
        seen = {"self", "nn", "torch"}
        for statement in function.body:
            typed = [n.annotation for n in ast.walk(statement) if isinstance(n, ast.AnnAssign)]
            types = {id(n) for annotation in typed for n in ast.walk(annotation)}
            for n in ast.walk(statement):
                if id(n) in types or not isinstance(n, ast.Name) or not isinstance(n.ctx, ast.Load):
                    continue
                if n.id not in seen and len(n.id) > 3:
                    yield n, misspelt(n.id)
                seen.add(n.id)


def import_misspelt(tree: ast.AST) -> Iterator[Edit]:
    """from s2_attention.layer_norm import Layernorm"""
    for n in ast.walk(tree):
        if isinstance(n, ast.ImportFrom) and (n.module or "").startswith("s"):
            for alias in n.names:
                other = alias.name[0] + alias.name[1:].lower()
                yield alias, other if other != alias.name else misspelt(alias.name)


def not_imported(tree: ast.AST) -> Iterator[Edit]:
    """import math and the like, forgotten. From Python 3.14 on, annotations may name anything."""
    types = annotated(tree) if sys.version_info >= (3, 14) else set()
    used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and n not in types}
    for n in ast.walk(tree):
        if isinstance(n, ast.Import | ast.ImportFrom):
            for alias in n.names:
                if (alias.asname or alias.name) not in used:
                    continue
                left = [other for other in n.names if other is not alias]
                begun = "import" if isinstance(n, ast.Import) else f"from {n.module} import"
                others = ", ".join(map(ast.unparse, left))
                yield n, f"{begun} {others}" if left else "pass"


def annotated(tree: ast.AST) -> set[ast.AST]:
    """All that stands in annotations."""
    whole = [getattr(n, name, None) for n in ast.walk(tree) for name in ("annotation", "returns")]
    return {part for one in whole if one is not None for part in ast.walk(one)}


def no_super(tree: ast.AST) -> Iterator[Edit]:
    for init in methods(tree, "__init__"):
        yield init.body[0], "pass"


def no_self_parameter(tree: ast.AST) -> Iterator[Edit]:
    """def forward(x: Tensor)"""
    for method in methods(tree):
        first = method.args.args[0]
        if len(method.args.args) > 1:
            second = method.args.args[1]
            yield between(first, second), ast.unparse(second)


def self_given(tree: ast.AST) -> Iterator[Edit]:
    """self.split(self, x)"""
    own = {method.name for method in methods(tree)}
    for n in ast.walk(tree):
        if isinstance(n, ast.Call) and on_self(n.func) and n.func.attr in own and n.args:  # type: ignore
            yield n.args[0], f"self, {ast.unparse(n.args[0])}"


def not_asked_about(tree: ast.AST) -> Iterator[Edit]:
    """`if mask is not None` or `if dropout is not None` gone."""
    for n in ast.walk(tree):
        if isinstance(n, ast.If) and ast.unparse(n.test).endswith(" is not None"):
            yield n.test, "True"


def generator(tree: ast.AST) -> Iterator[Edit]:
    for _, value in kept(tree):
        if isinstance(value, ast.Call) and ast.unparse(value.func) == "nn.ModuleList":
            yield value, f"({ast.unparse(value.args[0])})"


def list_called(tree: ast.AST) -> Iterator[Edit]:
    """x = self.layers(x)"""
    for n in ast.walk(tree):
        if isinstance(n, ast.For) and on_self(n.iter) and len(n.body) == 1:
            call = n.body[0].value  # type: ignore[attr-defined]
            if isinstance(call, ast.Call):
                yield n, f"x = {ast.unparse(n.iter)}({', '.join(map(ast.unparse, call.args))})"


def no_arguments(tree: ast.AST) -> Iterator[Edit]:
    """self.add_norm1(), AddNorm(): a layer, class or function of the course gets nothing."""
    imports = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
    own = {a.name for n in imports if re.match(r"s\d_", n.module or "") for a in n.names}
    made = {
        f"self.{target.attr}": ast.unparse(value.func)
        for target, value in kept(tree)
        if isinstance(value, ast.Call)
    }
    for n in (n for n in ast.walk(tree) if isinstance(n, ast.Call) and n.args):
        called = ast.unparse(n.func)
        if made.get(called, called) in own:
            yield n, f"{called}()"


def argument_renamed(tree: ast.AST) -> Iterator[Edit]:
    """def forward(self, xs), and x is read."""
    for function in [n for cls in [tree, *classes(tree)] for n in cls.body if isinstance(n, Def)]:  # type: ignore[attr-defined]
        given = [a for a in function.args.args if a.arg != "self"]
        read = [n.id for n in ast.walk(function) if isinstance(n, ast.Name)]
        if given and given[-1].arg in read:
            yield given[-1], f"my_{ast.unparse(given[-1])}"
