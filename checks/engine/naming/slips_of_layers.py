"""Slips with layers and parameters: how they are made, kept and called."""

from __future__ import annotations

import ast
import re

from checks.engine.naming.scene import (
    Found,
    Scene,
    assigned,
    attributes,
    class_itself,
    made_of_tensor,
    of_self,
)

NN = r"(torch\.)?nn\.[A-Z]\w+"  # The name of a layer of PyTorch.
# A layer may be reached by these, too.
BY_OTHER_WAYS = {
    *("children", "modules", "named_children", "named_modules", "_modules", "__dict__"),
    *("getattr", "vars"),
}
KINDS = {"int": "a number", "float": "a number", "bool": "a number", "list": "a list"}


def comma(scene: Scene) -> Found:
    """A name on the line that is a tuple, because of a comma."""
    kept = values_of(scene)
    for name, shown in scene.shapes.items():
        if shown == "a tuple of 1" and scene.is_used(name):
            if line := line_of_comma(scene.source, kept.get(name)):
                return "comma-makes-tuple", name, line
    return None


def values_of(scene: Scene) -> dict[str, ast.expr]:
    """What the attributes and the names of the scene's function are set to, by their text."""
    kept = {f"self.{name}": value for name, value in scene.kept.items()}
    return kept | {ast.unparse(to): value for to, value in assigned(scene.function or scene.tree)}


def any_comma(scene: Scene) -> Found:
    """An attribute that a comma makes a tuple, though not on this line."""
    for name, value in scene.kept.items():
        if line := line_of_comma(scene.source, value):
            return "comma-makes-tuple", f"self.{name}", line
    return None


def line_of_comma(source: str, value: ast.expr | None) -> str:
    """The number of the line that ends with the comma, if the value is a tuple only because of it;
    "" otherwise.
    """
    if not isinstance(value, ast.Tuple) or len(value.elts) != 1:
        return ""
    text = ast.get_source_segment(source, value) or ""
    return str(value.end_lineno) if text.endswith(",") else ""


def layer_with_comma(source: str, tree: ast.Module, message: str) -> Found:
    """An attribute without parameters, because a comma makes it a tuple. The message names it."""
    for cls in (n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)):
        for name, value in attributes(cls).items():
            line = line_of_comma(source, value)
            if line and re.search(rf"(?<![\w.]){name} is a plain", message):
                return "comma-makes-tuple", f"self.{name}", line
    return None


def list_called(scene: Scene) -> Found:
    if re.search(r'\[Module(List|Dict)\] is missing the required "forward"', scene.text) or (
        re.fullmatch(r"'(list|tuple|generator)' object is not callable", scene.text)
    ):
        lists = [name for name in scene.on_self() if name in scene.kept]
        return ("list-called", f"self.{lists[0]}") if lists else None
    return None


def subscripted(scene: Scene) -> Found:
    """self.linear[x]"""
    said = re.fullmatch(r"'(\w+)' object is not subscriptable", scene.text)
    for node in (n for n in scene.expressions if isinstance(n, ast.Subscript)):
        made = scene.kept.get(of_self(node.value))
        if said and isinstance(made, ast.Call):
            if ast.unparse(made.func).rpartition(".")[2] == said[1]:
                return "layer-subscripted", ast.unparse(node.value)
    return None


def super_itself(scene: Scene) -> Found:
    """super.__init__()"""
    if scene.text.startswith("descriptor '__init__'"):
        if "super.__init__" in map(ast.unparse, scene.expressions):
            return ("super-not-called",)
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


def made_with_tensor(scene: Scene) -> Found:
    """y = nn.ReLU(x), further up: a layer that is used like a tensor here."""
    kinds = re.findall(r"must be Tensor, not (\w+)|'(\w+)' object has no|'(\w+)'", scene.text)
    names = {name for several in kinds for name in several if name}
    for target, value in assigned(scene.function) if scene.function else []:
        if scene.kinds.get(ast.unparse(target)) != "module" or not isinstance(value, ast.Call):
            continue
        shown = ast.unparse(value.func)
        is_asked = re.fullmatch(NN, shown) and shown.rpartition(".")[2] in names
        for given in value.args[:1] if is_asked else []:
            if ast.unparse(given) == ast.unparse(target) or made_of_tensor(scene, given):
                return "layer-made-not-applied", shown
    return None


def before_super(scene: Scene) -> Found:
    if re.search(r"before Module.__init__\(\) call|object has no attribute '_modules'", scene.text):
        return ("super-init-late",)
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


def class_given_tensor(scene: Scene) -> Found:
    """nn.Dropout(x): the layer is made with x as its option, which fails at once."""
    asked = scene.text.startswith("Boolean value of Tensor")
    for call in scene.calls:
        shown, options = ast.unparse(call.func), call.args[:1]
        if not re.fullmatch(NN, shown) or shown.endswith("nn.Parameter"):
            continue
        inside = [n for option in options for n in ast.walk(option)] if asked else options
        given = [ast.unparse(n) for n in inside if isinstance(n, ast.expr)]
        if any(scene.kinds.get(name) == "tensor" for name in given):
            return "layer-made-not-applied", shown
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
