"""Slips with what is called: a layer that is not, a class for a layer, and the wrong brackets."""

from __future__ import annotations

import ast
import re

from checks.engine.asking.learner import Files, LearnerError
from checks.engine.naming.scene import (
    Found,
    Scene,
    annotated,
    assigned,
    class_itself,
    class_of,
    made_of_tensor,
    of_self,
)
from checks.engine.naming.slips_of_layers import NN
from checks.engine.naming.slips_of_values import READ
from checks.engine.naming.telling_lines import METHODS

# The kinds of values in the words of Python and PyTorch: "must be Tensor, not Linear".
KINDS_SAID = re.compile(r"\bnot (\w+)|'([\w.]+)'|\bgot \(?([\w, ]+)")
OTHER = r"not callable|not subscriptable|missing the required|__init__\(\)"
LISTS = ("ModuleList", "ModuleDict", "Parameter", "ParameterList")
FUNCTIONS = ("builtin_function_or_method", "function", "method")


def layer_not_called(scene: Scene) -> Found:
    """self.relu(self.linear1)(x): a layer in the place of a tensor."""
    kinds = _kinds_said(scene)
    missing = re.search(r"has no attribute '(\w+)'", scene.text)
    # The layer may be meant, and only lacks something. It is not if it was made of a tensor.
    is_meant = re.search(OTHER, scene.text) or (missing and missing[1] not in METHODS)
    found = set()
    for node in scene.operands() if kinds else []:
        shown, kind = ast.unparse(node), _kind_of(scene, node)
        if kind in kinds and kind not in LISTS:
            slip = _used_as_tensor(scene, node, shown, kind)
            if slip[0] == "layer-made-not-applied" or not is_meant:
                found.add(slip)
    return found.pop() if len(found) == 1 else None


def _kinds_said(scene: Scene) -> set[str]:
    """The kinds of values that an error names, if it is about kinds."""
    if scene.type not in ("TypeError", "AttributeError"):
        return set()
    said = [word for words in KINDS_SAID.findall(scene.text) for word in words]
    return {*re.findall(r"\w+", " ".join(said))}


def _kind_of(scene: Scene, node: ast.expr) -> str:
    """The class of a layer, if an expression is certainly one."""
    shown = ast.unparse(node)
    local = re.fullmatch(r"a module, (\w+)", scene.shapes.get(shown, ""))
    if local and scene.function is not None and shown in annotated(scene.function):
        return ""  # The mistake is in its caller.
    if isinstance(node, ast.Call):
        return class_of(node) if re.fullmatch(NN, ast.unparse(node.func)) else ""
    return local[1] if local else class_of(scene.kept.get(of_self(node)))


def _used_as_tensor(scene: Scene, node: ast.expr, shown: str, kind: str) -> tuple[str, ...]:
    """The words for a layer that is used as a tensor."""
    set_to = [value for to, value in assigned(scene.function or node) if ast.unparse(to) == shown]
    makes_one = [value for value in [node, *set_to] if class_of(value) == kind]
    made = makes_one[0] if len(makes_one) == 1 else None
    if isinstance(made, ast.Call) and re.fullmatch(NN, ast.unparse(made.func)):
        if any(ast.unparse(g) == shown or _is_tensor(scene, g) for g in made.args[:1]):
            return "layer-made-not-applied", ast.unparse(made.func)
        return "layer-only-made", ast.unparse(made)
    makes = [call for call in scene.calls if node in call.args]
    if makes and re.fullmatch(NN, again := ast.unparse(makes[0].func)):
        return "layer-made-again", shown, again
    kept = scene.kept.get(of_self(node))
    has_weights = isinstance(kept, ast.Call) and len(kept.args) > 1  # It takes two sizes.
    if has_weights and re.search(r"for @:|argument 'weight'", scene.text):
        return "layer-for-weight", shown
    return "layer-not-called", shown


def _is_tensor(scene: Scene, node: ast.expr) -> bool:
    """Whether an expression is certainly a tensor, or what a layer of the class gives."""
    calls = [n for n in ast.walk(node) if isinstance(n, ast.Call)]
    return made_of_tensor(scene, node) or any(of_self(call.func) in scene.kept for call in calls)


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


def class_for_object(error: LearnerError, files: Files) -> Found:
    """AddNorm(x) in forward, though __init__ has made the layer."""
    for n, (place, _) in enumerate(error.calls):
        scene = Scene(error, files, place) if place.file == files.step else None
        if scene is None or scene.function is None or scene.function.name == "__init__":
            continue
        inner = Scene(error, files, error.calls[n + 1][0]) if n + 1 < len(error.calls) else None
        for call in scene.calls:
            own = [f"self.{name}" for name, made in scene.kept.items() if _same(made, call)]
            if own and class_of(call) and _refused(error, inner, class_of(call)):
                return "class-for-object", ast.unparse(call.func), " or ".join(own)
    return None


def _same(made: ast.expr, call: ast.Call) -> bool:
    return isinstance(made, ast.Call) and ast.unparse(made.func) == ast.unparse(call.func)


def _refused(error: LearnerError, inner: Scene | None, cls: str) -> bool:
    """Whether a class did not accept its arguments. inner: the next line of the traceback."""
    if inner is None:
        return re.match(rf"{cls}\.__init__\(\) (missing|takes|got)", error.text) is not None
    within = inner.function is not None and inner.function.name == "__init__"
    return within and inner.cls is not None and inner.cls.name == cls


def class_in_list(scene: Scene) -> Found:
    """nn.ModuleList(Layer for _ in range(n))"""
    said = re.fullmatch(r"([\w.]+) is not a Module subclass", scene.text)
    for call in scene.calls if said else []:
        called = [n.func for n in ast.walk(call) if isinstance(n, ast.Call)]
        for node in ast.walk(call):
            is_class = isinstance(node, ast.Name | ast.Attribute) and class_itself(node)
            if is_class and said and node not in called:
                if ast.unparse(node).rpartition(".")[2] == said[1].rpartition(".")[2]:
                    return "class-not-called", "An entry of the list", ast.unparse(node)
    return None


def square_brackets(scene: Scene) -> Found:
    """self.linear[x], torch.ones[3]"""
    said = re.fullmatch(r"(?:'(\w+)' object|type '\w+') is not subscriptable", scene.text)
    found: set[tuple[str, str]] = set()
    for node in (n.value for n in scene.expressions if isinstance(n, ast.Subscript)):
        shown = ast.unparse(node)
        is_named = isinstance(node, ast.Attribute | ast.Name) and shown not in scene.kinds
        if said and said[1] == class_of(scene.kept.get(of_self(node))):
            found.add(("layer-subscripted", shown))
        elif said and said[1] in (None, *FUNCTIONS) and is_named:
            if shown.rpartition(".")[2] not in READ:
                found.add(("square-brackets", shown))
    return found.pop() if len(found) == 1 else None


def tensor_called(scene: Scene) -> Found:
    """self.pe(seq_length)"""
    if not re.fullmatch(r"'(Tensor|Parameter)' object is not callable", scene.text):
        return None
    called = {ast.unparse(call.func) for call in scene.calls}
    found = [name for name in called if scene.kinds.get(name) == "tensor"]
    return ("tensor-called", found[0]) if len(found) == 1 else None
