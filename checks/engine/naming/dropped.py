"""The lines that compute something and throw it away: self.relu(x) for x = self.relu(x)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from checks.engine.asking.learner import Files
from checks.engine.course.syntax import parsed
from checks.engine.naming.scene import attributes, methods, of_self
from checks.engine.verdicts import CheckResult

MOST = 2  # Lines that are said.
CALLS = "calls {}, but no line uses its result"
FUNCTIONS = re.compile(r"(torch\.)?(nn\.functional|F|special)\.[a-z]\w*[a-z]")
# Methods of a tensor that change nothing. Those that a module has, too (float, to …), may.
METHODS = {
    *("clamp", "contiguous", "detach", "expand", "flatten", "masked_fill", "mean"),
    *("mul", "permute", "relu", "reshape", "sqrt", "squeeze", "sum", "transpose"),
    *("tril", "triu", "unflatten", "unsqueeze", "view"),
}


def show_dropped(files: Files, result: CheckResult) -> None:
    """Add a sentence to a failure for each line of the file whose result no line uses."""
    try:
        tree = parsed(files.text(files.step))
    except (SyntaxError, ValueError, RecursionError):
        return
    for line, does in sorted(_dropped(tree))[:MOST]:
        fact = f"Line {line} {does}."
        result.observed.append(fact)
        result.message += f"\n{fact}"


def _dropped(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Each such line, and what it does."""
    for line in (node for node in ast.walk(tree) if isinstance(node, ast.Expr)):
        if isinstance(line.value, ast.Attribute):
            yield line.lineno, f"names {ast.unparse(line.value)}, but does not call it"
        elif isinstance(line.value, (ast.BinOp, ast.Compare)):
            yield line.lineno, "computes something that no line uses"
    for cls in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        layers = attributes(cls).keys() - methods(cls).keys()
        for call in _statements(cls):
            if (name := of_self(call.func)) and name in layers:
                yield call.lineno, CALLS.format(f"self.{name}")
    for call in _statements(tree):
        said = ast.unparse(call.func)
        if FUNCTIONS.fullmatch(said):
            yield call.lineno, CALLS.format(said)
        elif isinstance(call.func, ast.Attribute) and call.func.attr in METHODS:
            if not of_self(call.func):
                yield call.lineno, CALLS.format(said)


def _statements(node: ast.AST) -> Iterator[ast.Call]:
    """The calls that are whole lines."""
    for one in ast.walk(node):
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call):
            yield one.value
