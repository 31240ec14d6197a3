"""The place of an exception: the learner's line, as Python's own parser reads it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property

from checks.engine.asking.learner import Files, LearnerError
from checks.engine.files.syntax import parsed
from checks.engine.verdicts import Place

Found = tuple[str, ...] | None  # The name of a slip, and the words for its sentence.
Def = ast.FunctionDef | ast.AsyncFunctionDef
REGISTER = ("register_buffer", "register_parameter")
NO_TENSOR = ("size", "dim", "numel", "item", "tolist", "stride")  # What these methods give.


class Scene:
    """A line of the learner's in the traceback of an exception, and the code around it."""

    def __init__(self, error: LearnerError, files: Files, place: Place):
        self.error, self.files, self.place = error, files, place
        self.type, self.text = error.type, error.text
        self.shapes, self.kinds = error.shapes, error.kinds
        self.source = files.text(place.file)
        self.tree = parsed(self.source)
        around = [n for n in ast.walk(self.tree) if spans(n, place.line)]
        self.expressions = [n for n in around if isinstance(n, ast.expr)]
        self.functions = [n for n in around if isinstance(n, Def)]  # From the outermost on.
        self.function = self.functions[-1] if self.functions else None
        self.cls = next((n for n in reversed(around) if isinstance(n, ast.ClassDef)), None)

    @property
    def calls(self) -> list[ast.Call]:
        return [n for n in self.expressions if isinstance(n, ast.Call)]

    @cached_property
    def kept(self) -> dict[str, ast.expr]:
        """The attributes that the class sets on self: {attribute: its expression}."""
        return attributes(self.cls)

    @property
    def methods(self) -> dict[str, Def]:
        return methods(self.cls) if self.cls else {}

    @property
    def options(self) -> list[str]:
        """The arguments of __init__."""
        return parameters(self.methods.get("__init__"))

    def on_self(self) -> list[str]:
        """The attributes of self that are called on the line."""
        return [name for call in self.calls if (name := of_self(call.func))]

    def is_used(self, name: str) -> bool:
        """Whether the line calls a name, or uses it as an operand."""
        called = [call.func for call in self.calls]
        return name in map(ast.unparse, [*self.operands(), *called])

    def operands(self) -> Iterator[ast.expr]:
        """What the line computes with, passes on, or reads the missing attribute of."""
        missing = re.search(r"has no attribute '(\w+)'", self.text)
        for node in self.expressions:
            if isinstance(node, ast.Attribute) and missing:
                yield from [node.value] if node.attr == missing[1] else []
            elif isinstance(node, ast.BinOp):
                yield from (node.left, node.right)
            elif isinstance(node, ast.Compare):
                yield from (node.left, *node.comparators)
            elif isinstance(node, ast.UnaryOp):
                yield node.operand
            elif isinstance(node, ast.Subscript):
                yield node.value
            elif isinstance(node, ast.Call):
                yield from (*node.args, *(k.value for k in node.keywords))


def spans(node: ast.AST, line: int) -> bool:
    return getattr(node, "lineno", line + 1) <= line <= (getattr(node, "end_lineno", 0) or 0)


def of_self(node: ast.AST) -> str:
    """The attribute, if a node is self.attribute."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return node.attr if node.value.id == "self" else ""
    return ""


def assigned(node: ast.AST) -> list[tuple[ast.expr, ast.expr]]:
    """Every single target inside a node, and the expression it is set to."""
    found: list[tuple[ast.expr, ast.expr]] = []
    for n in ast.walk(node):
        if isinstance(n, ast.Assign):
            for target in n.targets:
                several = isinstance(target, ast.Tuple) and isinstance(n.value, ast.Tuple)
                if several and len(target.elts) == len(n.value.elts):  # type: ignore[attr-defined]
                    found += zip(target.elts, n.value.elts)  # type: ignore[attr-defined]
                else:
                    found.append((target, n.value))
        elif isinstance(n, ast.AnnAssign) and n.value is not None:
            found.append((n.target, n.value))
    return found


def attributes(cls: ast.ClassDef | None) -> dict[str, ast.expr]:
    """The attributes that a class sets on self, including register_buffer("name", value)."""
    if cls is None:
        return {}
    kept = {name: value for target, value in assigned(cls) if (name := of_self(target))}
    for call in (n for n in ast.walk(cls) if isinstance(n, ast.Call)):
        if of_self(call.func) in REGISTER and len(call.args) > 1:
            first = call.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                kept[first.value] = call.args[1]
    return kept


def methods(cls: ast.ClassDef) -> dict[str, Def]:
    return {n.name: n for n in cls.body if isinstance(n, Def)}


def parameters(function: Def | None) -> list[str]:
    if function is None:
        return []
    given = function.args
    return [a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


def names_in(node: ast.AST) -> list[str]:
    """The names that a node defines: arguments, variables, functions, classes, imports."""
    found = [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and not reads(n)]
    found += [n.arg for n in ast.walk(node) if isinstance(n, ast.arg)]
    return found + defined_in(node)


def defined_in(node: ast.AST) -> list[str]:
    inside = list(ast.walk(node))
    found = [n.asname or n.name for n in inside if isinstance(n, ast.alias)]
    return found + [n.name for n in inside if isinstance(n, Def | ast.ClassDef)]


def own_nodes(function: Def) -> Iterator[ast.AST]:
    """The nodes of a function, without those of functions that it defines."""
    left: list[ast.AST] = [*function.body]
    while left:
        yield (node := left.pop())
        if not isinstance(node, Def):
            left += ast.iter_child_nodes(node)


def reads(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def class_of(made: ast.expr | None) -> str:
    """The name of the class, without its module, if an expression makes an object of it."""
    name = ast.unparse(made.func).rpartition(".")[2] if isinstance(made, ast.Call) else ""
    return name if name[:1].isupper() else ""


def class_itself(value: ast.expr | None) -> str:
    """The name of a class, if an expression is the class itself and not an object of it."""
    shown = ast.unparse(value) if isinstance(value, ast.Attribute | ast.Name) else ""
    return shown if re.fullmatch(r"(\w+\.)*[A-Z]\w*[a-z]\w*", shown) else ""


def given_to(call: ast.Call, function: Def) -> dict[str, ast.expr]:
    """The arguments of a call: {parameter: the caller's expression}."""
    names = [name for name in parameters(function) if name != "self"]
    named = {k.arg: k.value for k in call.keywords if k.arg}
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        return named
    return dict(zip(names, call.args)) | named


def made_of_tensor(scene: Scene, node: ast.expr, known: tuple[str, ...] = ()) -> bool:
    """Whether an expression is certainly a tensor. The values on the line prove it, or annotations,
    or what its names are set to. known: names that count as tensors.
    """
    shown = ast.unparse(node)
    if shown in known or scene.kinds.get(shown) == "tensor":
        return True
    if isinstance(node, ast.Name) and scene.function is not None:
        known = (*known, shown)
        set_to = [value for to, value in assigned(scene.function) if shown in _names(to)]
        return (bool(set_to) or shown in annotated(scene.function)) and all(
            made_of_tensor(scene, value, known) for value in set_to
        )
    inside: list[ast.expr] = []
    if isinstance(node, ast.BinOp):
        inside = [node.left, node.right]
    elif isinstance(node, ast.UnaryOp):
        inside = [node.operand]
    elif isinstance(node, ast.Subscript):
        inside = [node.value]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if ast.unparse(node.func.value) in ("torch", "F"):
            inside = node.args
        elif node.func.attr not in NO_TENSOR:
            inside = [node.func.value]
    return any(made_of_tensor(scene, one, known) for one in inside)


def _names(target: ast.expr) -> list[str]:
    """What an assignment sets: a name, or each name of a tuple."""
    return [ast.unparse(n) for n in (target.elts if isinstance(target, ast.Tuple) else [target])]


def annotated(function: Def) -> list[str]:
    """The arguments that are tensors, as their annotations say."""
    given = function.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    return [a.arg for a in every if a.annotation and ast.unparse(a.annotation) == "Tensor"]
