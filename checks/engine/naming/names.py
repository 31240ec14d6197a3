"""Names of axes and arguments, for sentences about numbers."""

from __future__ import annotations

import ast

from checks.course import DISTRIBUTIONS
from checks.engine.asking.received import Received
from checks.engine.course.syntax import parsed


def axis_name(ndim: int, axis: int) -> str:
    """The name of an axis of (batch, length, features), or of the same with heads."""
    names = {3: ("sentence", "token", "feature"), 4: ("sentence", "head", "token", "feature")}
    return names[ndim][axis] if ndim in names else f"place (on axis {axis})"


def axis_of(got: Received, ndim: int, axis: int) -> tuple[str, str]:
    """The name of a value's axis, and its place if the name says too little.

    The last two axes of weights and masks are queries and keys.
    """
    if ndim == 4 and (got.name in DISTRIBUTIONS or got.dtype == "bool"):
        return ("sentence", "head", "query", "key")[axis], ""
    if "." in got.name:  # In a parameter of a part, the places have no known meaning.
        return "place", f" on axis {axis}"
    if ndim == 2 and got.dtype == "int64":
        return ("sentence", "token")[axis], ""
    return (axis_name(ndim, axis), "") if ndim in (3, 4) else ("place", f" on axis {axis}")


def names_of(got: Received) -> list[str]:
    """The learner's names of the arguments."""
    found: list[str] = []
    if got.function is None:
        return _numbered(found, got)
    files, made = got.function.files, got.function.made.partition("(")[0]
    try:
        source = next((data for file, data in files.by_path.values() if file == files.step), b"")
        for node in ast.walk(parsed(source)):
            if isinstance(node, ast.ClassDef) and node.name == made:
                inside = [n for n in node.body if isinstance(n, ast.FunctionDef)]
                found = [a.arg for n in inside if n.name == "forward" for a in n.args.args[1:]]
            elif isinstance(node, ast.FunctionDef) and node.name == made:
                found = [a.arg for a in node.args.args]
    except (SyntaxError, ValueError):  # The text is not Python.
        pass
    return _numbered(found, got)


def _numbered(named: list[str], got: Received) -> list[str]:
    """These names of arguments, and numbers for arguments without a name."""
    return [*named, *(f"argument {n + 1}" for n in range(len(named), len(got.args)))]
