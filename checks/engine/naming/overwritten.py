"""The line that overwrites a tensor, where the source shows only one that can."""

from __future__ import annotations

import ast

from checks.engine.asking.learner import Files, LearnerError
from checks.engine.course.syntax import parsed
from checks.engine.naming.properties import PROPERTIES
from checks.engine.verdicts import CheckResult, Place

SAID = "modified by an inplace operation"  # PyTorch's words, when the backward pass finds it.
NO_TENSOR = ("requires_grad_", "clip_grad_norm_", "clip_grad_value_")


def show_line(files: Files, result: CheckResult) -> None:
    """Add the line to a failure that is about an overwritten tensor, and has no line yet."""
    error = result.stopped
    about = result.shows == "argument-changed" or (
        isinstance(error, LearnerError) and SAID in error.text
    )
    named = result.mistake is not None and result.mistake.name not in PROPERTIES
    if not about or named or result.where is not None:
        return
    try:
        tree = parsed(files.text(files.step))
    except (SyntaxError, ValueError, RecursionError):
        return
    lines = {line for node in ast.walk(tree) if (line := _overwrites(node))}
    if len(lines) == 1:
        result.where = Place(files.step, lines.pop())


def _overwrites(node: ast.AST) -> int | None:
    """The line of x += y, x[…] = y, x.add_(y) or inplace=True; None for anything else."""
    if isinstance(node, ast.AugAssign):
        counts = isinstance(node.target, ast.Name) and isinstance(node.value, ast.Constant)
        return None if counts else node.lineno
    if isinstance(node, ast.Assign):
        inside = any(isinstance(target, ast.Subscript) for target in node.targets)
        return node.lineno if inside else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        name = node.func.attr
        if name.endswith("_") and name[0] != "_" and name not in NO_TENSOR:
            return node.lineno
    if isinstance(node, ast.keyword) and node.arg == "inplace":
        return node.value.lineno
    return None
