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
    for line, does in sorted(dropped(tree))[:MOST]:
        fact = f"Line {line} {does}."
        result.observed.append(fact)
        result.message += f"\n{fact}"


def dropped(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Each such line, and what it does."""
    nodes = [*ast.walk(tree)]
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    layers = {f"self.{name}" for cls in classes for name in attributes(cls).keys() - methods(cls)}
    layers |= {ast.unparse(node.target) for node in nodes if isinstance(node, ast.For)}
    for line in (node for node in nodes if isinstance(node, ast.Expr)):
        if isinstance(line.value, ast.Attribute):
            yield line.lineno, f"names {ast.unparse(line.value)}, but does not call it"
        elif isinstance(line.value, (ast.BinOp, ast.Compare)):
            yield line.lineno, "computes something that no line uses"
        elif isinstance(line.value, ast.Call):
            called = line.value.func
            said, method = ast.unparse(called), isinstance(called, ast.Attribute) and called.attr
            own = bool(of_self(called))
            if said in layers or FUNCTIONS.fullmatch(said) or (method in METHODS and not own):
                yield line.lineno, f"calls {said}, but no line uses its result"
