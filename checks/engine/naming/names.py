"""Names of axes and arguments, for sentences about numbers."""

from __future__ import annotations

import ast

from checks.course import DISTRIBUTIONS
from checks.engine.asking.received import Received
from checks.engine.files.syntax import tree_of
from checks.engine.naming.scene import attributes


def axis_of(got: Received, ndim: int, axis: int) -> str:
    """The name of a value's axis. The last two axes of weights and masks are queries and keys."""
    if ndim == 4 and (got.name in DISTRIBUTIONS or got.dtype == "bool"):
        return ("sentence", "head", "query", "key")[axis]
    if "." in got.name:  # In a parameter of a part, the places have no known meaning.
        return "place"
    if ndim == 2:
        return (("sentence", "place") if got.dtype == "int64" else ("row", "column"))[axis]
    names = {3: ("sentence", "place", "feature"), 4: ("sentence", "head", "place", "feature")}
    return names[ndim][axis] if ndim in names else "place"


def names_of(got: Received) -> list[str]:
    """The learner's names of the arguments, and numbers for those without a name."""
    found: list[str] = []
    for node in _made_by(got):
        if isinstance(node, ast.ClassDef):
            inside = [n for n in node.body if isinstance(n, ast.FunctionDef)]
            found = [a.arg for n in inside if n.name == "forward" for a in n.args.args[1:]]
        elif isinstance(node, ast.FunctionDef):
            found = [a.arg for a in node.args.args]
    return [*found, *(f"argument {n + 1}" for n in range(len(found), len(got.args)))]


def kept_by(got: Received) -> list[str]:
    """The attributes that the class in question sets on self."""
    return [a for n in _made_by(got) if isinstance(n, ast.ClassDef) for a in attributes(n)]


def _made_by(got: Received) -> list[ast.ClassDef | ast.FunctionDef]:
    """The learner's class or function that the value comes from; none if the text is not Python."""
    if got.function is None:
        return []
    files, made = got.function.files, got.function.made.partition("(")[0]
    source = next((data for file, data in files.by_path.values() if file == files.step), b"")
    kinds = ast.ClassDef | ast.FunctionDef
    return [n for n in ast.walk(tree_of(source)) if isinstance(n, kinds) and n.name == made]
