"""Slips with layers and parameters: how they are made, kept and called."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from checks.engine.naming.scene import (
    Found,
    Scene,
    assigned,
    attributes,
    class_itself,
    of_self,
)

NN = r"(torch\.)?nn\.[A-Z]\w+"  # The name of a layer of PyTorch.
# A layer may be reached by these, too.
BY_OTHER_WAYS = {
    *("children", "modules", "named_children", "named_modules", "_modules", "__dict__"),
    *("getattr", "vars"),
}
KINDS = {"int": "a number", "float": "a number", "bool": "a number", "list": "a list"}


def comma(source: str, node: ast.AST, shows: Callable[[str], object]) -> Found:
    """What a comma at the end of a line inside the node makes a tuple, if the failure shows that it
    is one: shows(name).
    """
    for target, value in assigned(node):
        if isinstance(value, ast.Tuple) and len(value.elts) == 1 and shows(ast.unparse(target)):
            if (ast.get_source_segment(source, value) or "").endswith(","):
                return "comma-makes-tuple", ast.unparse(target), str(value.end_lineno)
    return None


def comma_on_line(scene: Scene) -> Found:
    """A name that the line uses is a tuple, because of a comma further up."""

    def is_one(name: str) -> bool:
        return scene.shapes.get(name) == "a tuple of 1" and scene.is_used(name)

    return comma(scene.source, scene.cls or scene.tree, is_one)


def any_comma(scene: Scene) -> Found:
    """An attribute that a comma makes a tuple, though not on this line."""
    own = scene.cls or ast.Module([], [])
    return comma(scene.source, own, lambda name: name.startswith("self."))


def list_called(scene: Scene) -> Found:
    if re.search(r'\[Module(List|Dict)\] is missing the required "forward"', scene.text) or (
        re.fullmatch(r"'(list|tuple|generator)' object is not callable", scene.text)
    ):
        lists = [name for name in scene.on_self() if name in scene.kept]
        return ("list-called", f"self.{lists[0]}") if lists else None
    return None


def super_arguments(scene: Scene) -> Found:
    """super().__init__(size)"""
    if re.search(r"__init__\(\) (takes 1 positional|got an unexpected)", scene.text):
        bases = map(ast.unparse, scene.cls.bases) if scene.cls else ()
        called = [call for call in scene.calls if ast.unparse(call.func) == "super().__init__"]
        if called and {*bases} <= {"nn.Module", "torch.nn.Module", "Module"}:
            return ("super-arguments",)
    return None


def parameter_of_number(scene: Scene) -> Found:
    """nn.Parameter(1.0)"""
    said = re.search(r"'(\w+)' object has no attribute 'detach'", scene.text)
    if said is None or said[1] not in KINDS:
        return None
    for call in scene.calls:
        if re.fullmatch(r"(\w+\.)*Parameter", ast.unparse(call.func)) and call.args:
            if "detach" not in ast.unparse(call.args[0]):
                return "parameter-of-number", ast.unparse(call.args[0])[:60], KINDS[said[1]]
    return None


def number_called(scene: Scene) -> Found:
    """self.dropout(x), where self.dropout is the argument dropout: a number, or None."""
    if not re.fullmatch(r"'(float|int|NoneType)' object is not callable", scene.text):
        return None
    plain = [name for name in scene.on_self() if is_plain(scene, scene.kept.get(name))]
    return ("number-called", f"self.{plain[0]}") if plain else None


def is_plain(scene: Scene, value: ast.expr | None) -> bool:
    """Whether an expression is a constant, or an unchanged argument of __init__."""
    named = isinstance(value, ast.Name) and value.id in scene.options
    return named or isinstance(value, ast.Constant)


def class_called(scene: Scene) -> Found:
    """self.relu, where it is nn.ReLU: a call makes a layer, with x as its option."""
    of_class = re.match(r"'?type'? object ", scene.text)
    for name in map(of_self, scene.expressions) if of_class else scene.on_self():
        if name in scene.kept and (shown := class_itself(scene.kept[name])):
            return "class-not-called", f"self.{name}", shown
    return None


def weight_untransposed(scene: Scene) -> Found:
    """x @ self.linear.weight"""
    if "shapes cannot be multiplied" not in scene.text and "size for first two" not in scene.text:
        return None
    for node in (n for n in scene.expressions if isinstance(n, ast.BinOp)):
        weight = node.right
        if not isinstance(node.op, ast.MatMult) or not isinstance(weight, ast.Attribute):
            continue
        made = scene.kept.get(of_self(weight.value))
        if weight.attr == "weight" and isinstance(made, ast.Call):
            if re.fullmatch(r"(\w+\.)*Linear", ast.unparse(made.func)):
                return "weight-untransposed", ast.unparse(weight), ast.unparse(weight.value)
    return None


def unused(tree: ast.Module) -> list[str]:
    """The layers with parameters that are kept on self and read nowhere in the file. One of
    PyTorch's has them if it takes two sizes; an unused dropout may have a function in its place.
    """
    found: list[str] = []
    nodes = [*ast.walk(tree)]
    read = {n.attr for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load)}
    if (read | {n.id for n in nodes if isinstance(n, ast.Name)}) & BY_OTHER_WAYS:
        return found
    for cls in (n for n in nodes if isinstance(n, ast.ClassDef)):
        for name, made in attributes(cls).items():
            if not isinstance(made, ast.Call) or name in read:
                continue
            kind = ast.unparse(made.func)
            least = 2 if re.fullmatch(NN, kind) and not kind.endswith("Parameter") else 1
            if kind.rpartition(".")[2][:1].isupper() and len(made.args) >= least:
                found.append(f"self.{name}")
    return found
