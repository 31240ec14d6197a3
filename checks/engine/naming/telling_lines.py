"""Lines of the learner's file that explain a failure by themselves.

They overwrite a tensor, throw a result away, have a colon for an equals sign, cut off a gradient,
or repeat without an end.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from checks.engine.asking.learner import Files, LearnerError
from checks.engine.files.syntax import tree_of
from checks.engine.naming.properties import PROPERTIES
from checks.engine.naming.scene import attributes, methods, of_self
from checks.engine.verdicts import CheckResult, Place

MOST = 2  # Lines that are said.
SAID = "modified by an inplace operation"  # PyTorch's words, when the backward pass finds it.
NO_TENSOR = ("requires_grad_", "clip_grad_norm_", "clip_grad_value_")
# Functions that only give a result. Others change a setting, or end in _ and change a tensor.
FUNCTIONS = re.compile(
    r"((torch\.)?(nn\.functional|F|special)|torch)\.(?!set_|use_|manual_seed)[a-z]\w*[a-z]"
)
# Methods of a tensor that change nothing. Those that a module has, too (float, to …), may.
METHODS = {
    *("clamp", "contiguous", "detach", "expand", "flatten", "masked_fill", "mean"),
    *("mul", "permute", "relu", "reshape", "sqrt", "squeeze", "sum", "transpose"),
    *("tril", "triu", "unflatten", "unsqueeze", "view"),
}
CUTS = ("detach", "data", "no_grad", "numpy", "tolist", "item")


def show_lines(files: Files, result: CheckResult) -> None:
    """Add the lines that explain a failure: as its place, or as sentences."""
    tree = tree_of(files.text(files.step))
    if result.where is None and _is_about_overwriting(result):
        lines = {line for node in ast.walk(tree) if (line := _overwrites(node))}
        if len(lines) == 1:
            result.where = Place(files.step, lines.pop())
    found = sorted([*dropped(tree), *never_read(tree), *annotated(tree)])
    if result.kind == "gradient":
        found += sorted(cut_off(tree))
    if result.verdict == "timeout" and result.where and result.where.file == files.step:
        found += endless(tree, files.text(files.step), result.where.line)
    for line, does in found[:MOST]:
        fact = f"Line {line} {does}."
        result.observed.append(fact)
        result.message += f"\n{fact}"


def _is_about_overwriting(result: CheckResult) -> bool:
    error = result.stopped
    named = result.mistake is not None and result.mistake.name not in PROPERTIES
    overwritten = isinstance(error, LearnerError) and SAID in error.text
    return (overwritten or result.shows == "argument-changed") and not named


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


def dropped(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Each line that computes something and throws it away, and what it does: self.relu(x), say."""
    nodes = [*ast.walk(tree)]
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    layers = {f"self.{name}" for cls in classes for name in attributes(cls).keys() - methods(cls)}
    layers |= {ast.unparse(node.target) for node in nodes if isinstance(node, ast.For)}
    own = {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and gives(node)}
    for line in (node for node in nodes if isinstance(node, ast.Expr)):
        if isinstance(line.value, ast.Attribute):
            yield line.lineno, f"names {ast.unparse(line.value)}, but does not call it"
        elif isinstance(line.value, (ast.BinOp, ast.Compare)):
            yield line.lineno, "computes something that no line uses"
        elif isinstance(line.value, ast.Call):
            called = line.value.func
            said, method = ast.unparse(called), isinstance(called, ast.Attribute) and called.attr
            lost = method in METHODS and not of_self(called)
            if lost or said in layers | own or FUNCTIONS.fullmatch(said):
                yield line.lineno, f"calls {said}, but no line uses its result"


def never_read(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Each line that sets a local name which its function does not read."""
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        inside = [*ast.walk(function)]
        read = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        read |= {ast.unparse(n.target) for n in inside if isinstance(n, ast.AugAssign)}
        for node in inside:
            read |= {*node.names} if isinstance(node, (ast.Global, ast.Nonlocal)) else set()
        if "NotImplementedError" in read:
            continue  # It is not written to its end yet.
        for line in (node for node in inside if isinstance(node, ast.Assign)):
            target = line.targets[0]
            if isinstance(target, ast.Name) and target.id not in {*read, "_"}:
                yield line.lineno, f"sets {target.id}, but no line reads it"


def annotated(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Each line with a colon in place of an equals sign: `self.norm: nn.LayerNorm(6)`. It is a
    type, for Python. No type is a call.
    """
    for line in (node for node in ast.walk(tree) if isinstance(node, ast.AnnAssign)):
        if line.value is None and isinstance(line.annotation, ast.Call):
            yield line.lineno, f"sets nothing: there is : after {ast.unparse(line.target)}, not ="


def gives(function: ast.FunctionDef) -> bool:
    """Whether a function returns or yields a value."""
    ends = (n for n in ast.walk(function) if isinstance(n, (ast.Return, ast.Yield)))
    return any(end.value is not None for end in ends)


def cut_off(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Each line that cuts off a gradient, but for one that keeps its result on self. A file with a
    backward pass may detach what it reports.
    """
    if any(isinstance(node, ast.Attribute) and node.attr == "backward" for node in ast.walk(tree)):
        return
    for line in (node for node in ast.walk(tree) if isinstance(node, ast.stmt)):
        if isinstance(line, ast.Assign) and any(map(of_self, line.targets)):
            continue
        own: list[ast.AST] = [] if hasattr(line, "body") else [line]
        own += line.items if isinstance(line, ast.With) else []
        for node in (inner for part in own for inner in ast.walk(part)):
            if isinstance(node, ast.Attribute) and node.attr in CUTS:
                yield node.lineno, f"has {ast.unparse(node)}: no gradient goes through it"


def endless(tree: ast.Module, source: str, at: int) -> list[tuple[int, str]]:
    """The innermost while loop around this line, and its condition."""
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.While)]
    around = [loop for loop in loops if loop.lineno <= at <= (loop.end_lineno or at)]
    return [
        (
            loop.lineno,
            f"goes on while {ast.get_source_segment(source, loop.test)}. This stayed true",
        )
        for loop in around[-1:]
    ]
