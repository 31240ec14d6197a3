"""Slips with values of another kind: None, a tuple, a method, a whole tensor as a truth value."""

from __future__ import annotations

import ast
import re

from checks.engine.naming.scene import Def, Found, Scene, assigned, of_self, parameters, spans

CALLED = {"dim", "numel", "item", "size", "detach", "any", "all", "bool", "float", "mean", "sum"}
READ = {"shape", "dtype", "device", "T", "training"}
NO_NONE = r"NoneType|must be Tensor, not bool|'bool' object|type 'bool'"
A_TUPLE = r"'tuple' object|(not|got) tuple|'tuple' and |and 'tuple'"
A_PAIR = rf"return_types|tuple indices must|multiply sequence|{A_TUPLE}"
PAIRS = ("topk", "sort", "kthvalue", "cummax", "cummin")  # They give values and indices,
BY_AXIS = ("max", "min", "median", "mode")  # and these do if they get an axis.
IN_LIST = ("append", "extend", "insert")  # They change a list, and give None.
SAID = 60  # Characters of an expression in a sentence.


def none_used(scene: Scene) -> Found:
    """A parameter that is None where the line uses it."""
    if scene.type not in ("TypeError", "AttributeError") or not re.search(NO_NONE, scene.text):
        return None
    none = [name for name, kind in scene.kinds.items() if kind == "NoneType"]
    if len(none) != 1 or none[0] not in parameters(scene.function) or not scene.is_used(none[0]):
        return None
    own = [*scene.methods, *(n.name for n in scene.tree.body if isinstance(n, ast.FunctionDef))]
    if any(ast.unparse(call.func).removeprefix("self.") in own for call in scene.calls):
        return None  # That function may return None.
    return "none-used", none[0]


def append_kept(tree: ast.Module) -> Found:
    """longer = longer.append(cache)"""
    own = {n.name for n in ast.walk(tree) if isinstance(n, Def)}
    for target, value in assigned(tree):
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            same = ast.unparse(value.func.value) == ast.unparse(target)
            if same and value.func.attr in IN_LIST and value.func.attr not in own:
                return "append-kept", ast.unparse(value.func), ast.unparse(target)
    return None


def truth_of_tensor(scene: Scene) -> Found:
    """`and`, `or`, `not`, `if`, max() and min() ask a tensor for one truth value."""
    if not scene.text.startswith("Boolean value of Tensor with more than one value"):
        return None
    if any(isinstance(n, ast.BoolOp) for n in scene.expressions) or any(
        isinstance(n, ast.UnaryOp) and isinstance(n.op, ast.Not) for n in scene.expressions
    ):
        return ("and-or-not",)
    for call in scene.calls:
        if isinstance(call.func, ast.Name) and call.func.id in ("max", "min", "sorted"):
            return "python-max", call.func.id
    asks = (ast.If, ast.While, ast.IfExp, ast.Assert)
    tests = [n.test for n in ast.walk(scene.tree) if isinstance(n, asks)]
    if any(spans(test, scene.place.line) for test in tests):
        return ("if-tensor",)
    return None


def method(scene: Scene) -> Found:
    """x.size where x.size() is meant, or x.shape() where x.shape is."""
    called = {id(call.func) for call in scene.calls}
    missing = re.search(r"(?:method|function)' object has no attribute '(\w+)'", scene.text)
    of_method = re.search(r"builtin_function_or_method|\bmethod\b", scene.text)
    for node in (n for n in scene.expressions if isinstance(n, ast.Attribute)):
        if id(node) in called and node.attr in READ and "object is not callable" in scene.text:
            return "value-called", ast.unparse(node)[:SAID]
        if id(node) not in called and (node.attr in CALLED or of_self(node) in scene.methods):
            if of_method:
                return "method-not-called", ast.unparse(node)[:SAID]
        if missing and node.attr == missing[1] and isinstance(node.value, ast.Attribute):
            return "method-not-called", ast.unparse(node.value)[:SAID]
    kept = dict((ast.unparse(to), value) for to, value in assigned(scene.function or scene.tree))
    for name in (n for n, kind in scene.kinds.items() if kind == "method"):
        value = kept.get(name)
        if scene.type in ("TypeError", "AttributeError") and isinstance(value, ast.Attribute):
            if value.attr in CALLED and scene.is_used(name):
                return "method-not-called", ast.unparse(value)[:SAID]
    return None


def tuple_used(scene: Scene) -> Found:
    if scene.type not in ("TypeError", "AttributeError") or not re.search(A_TUPLE, scene.text):
        return None
    tuples = [name for name, kind in scene.kinds.items() if kind == "tuple"]
    if len(tuples) != 1 or not scene.is_used(tuples[0]):
        return None
    name = ast.parse(tuples[0], mode="eval").body
    return tuple_kept(scene, name) or ("tuple-used", tuples[0], scene.shapes.get(tuples[0], ""))


def tuple_kept(scene: Scene, given: ast.expr) -> Found:
    """out = function(…), where the function gives two values."""
    for target, value in assigned(scene.function or scene.tree):
        if ast.unparse(target) == ast.unparse(given) and isinstance(value, ast.Call):
            if value.lineno <= scene.place.line:
                return "tuple-kept", ast.unparse(value.func), ast.unparse(target), str(value.lineno)
    return None


def pair_used(scene: Scene) -> Found:
    """logits.topk(k)[…], where logits.topk(k).values is meant."""
    if not re.search(A_PAIR, scene.text):
        return None
    set_to = {ast.unparse(to): value for to, value in assigned(scene.function or scene.tree)}
    indexed = [n for n in scene.expressions if isinstance(n, ast.Subscript)]
    taken = [n.value for n in indexed if isinstance(n.slice, ast.Constant)]  # x.max(dim=0)[0]
    nodes = [node for node in scene.operands() if node not in taken]
    values = [set_to.get(ast.unparse(node), node) for node in nodes]
    found = {ast.unparse(v.func) for v in values if isinstance(v, ast.Call) and gives_pair(v)}
    return ("pair-used", found.pop()) if len(found) == 1 else None


def gives_pair(call: ast.Call) -> bool:
    """Whether a call of PyTorch gives values and indices: topk, or max along an axis."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in (*PAIRS, *BY_AXIS):
        return False
    axis = call.args[1:] if ast.unparse(call.func.value) == "torch" else call.args
    by_axis = any(k.arg == "dim" for k in call.keywords) or (
        bool(axis) and re.fullmatch(r"-?\d+", ast.unparse(axis[0])) is not None
    )
    return call.func.attr in PAIRS or by_axis
