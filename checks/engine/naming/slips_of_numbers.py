"""Slips with numbers and tensors: powers, whole numbers, axes, and functions for the other kind."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator

from checks.engine.naming.scene import Found, Scene, assigned, made_of_tensor

ONE_NUMBER = r"only one element tensors can be|cannot be converted to Scalar|only 1-element tensors"
NOT_WHOLE = (
    r"got float|element of type float|'float' object cannot be interpreted as an integer|"
    r"must be (int|tuple of ints), not float|non-int of type 'float'|"
    r"(slice|used as) indices must be|got \([^)]*\bfloat\b|"
    r"\(\) takes 1 positional argument but \d+ were given"
)
OF_BOTH = "sin cos tan exp expm1 log log1p log2 log10 sqrt tanh erf pow floor ceil".split()
NO_DIM = r"(\w+)\(\) missing \d required positional arguments?: (.*\"dim.*)"
SAID = 60  # Characters of an expression in a sentence.


def math_of_tensor(scene: Scene) -> Found:
    """math.sin(x): the module math computes with one number."""
    if not re.search(ONE_NUMBER, scene.text):
        return None
    called = [ast.unparse(call.func) for call in scene.calls]
    if any(name in ("float", "int") or name.endswith(".item") for name in called):
        return None  # They may have raised it.
    calls = [call for call in scene.calls if _is_math(scene, call) and _has_names(call)]
    if any(_name_of(call) not in OF_BOTH for call in calls):
        return None  # It may have raised it.
    if len({ast.unparse(call.func) for call in calls}) > 1:
        calls = [c for c in calls if any(made_of_tensor(scene, arg) for arg in c.args)]
    names = {ast.unparse(call.func): f"torch.{_name_of(call)}" for call in calls}
    return ("math-of-tensor", *next(iter(names.items()))) if len(names) == 1 else None


def _has_names(call: ast.Call) -> bool:
    """Whether an argument is more than plain numbers: math.sqrt(2) never gets a tensor."""
    return any(isinstance(n, ast.Name) for arg in call.args for n in ast.walk(arg))


def _name_of(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def _is_math(scene: Scene, call: ast.Call) -> bool:
    """Whether it is a function of the module math: math.sin, or sin that is imported from there."""
    if isinstance(call.func, ast.Attribute):
        return ast.unparse(call.func.value) == "math"
    imports = [n for n in ast.walk(scene.tree) if isinstance(n, ast.ImportFrom)]
    return any(n.module == "math" and a.name == _name_of(call) for n in imports for a in n.names)


def torch_of_number(scene: Scene) -> Found:
    """torch.sqrt(5): torch computes with tensors."""
    said = re.match(r"(\w+)\(\): argument 'input' .*must be Tensor, not (int|float)$", scene.text)
    if said is None or not hasattr(math, said[1]):
        return None
    called = {ast.unparse(call.func) for call in scene.calls if _name_of(call) == said[1]}
    return ("torch-of-number", f"torch.{said[1]}", f"math.{said[1]}") if len(called) == 1 else None


def not_whole(scene: Scene) -> Found:
    """A quotient by / where only a whole number can stand."""
    if not re.search(NOT_WHOLE, scene.text):
        return None
    if "indices must be" in scene.text:
        found = _in_brackets(scene)
    else:
        asking = re.match(r"(\w+)\(\)", scene.text)
        by_call = {call: set(_in_call(scene, call)) for call in scene.calls}
        own = [found for call, found in by_call.items() if asking and _name_of(call) == asking[1]]
        if "takes 1 positional" in scene.text and not own:
            return None  # A function of the learner's own, say.
        found = set[str]().union(*(own or by_call.values()))
    return ("float-for-int", found.pop()) if len(found) == 1 else None


def _in_call(scene: Scene, call: ast.Call) -> Iterator[str]:
    """The arguments of a call, and the members of tuples in them, that are quotients by /."""
    for given in [*call.args, *(k.value for k in call.keywords)]:
        for one in given.elts if isinstance(given, ast.Tuple | ast.List) else [given]:
            if quotient := quotient_of(scene, one):
                yield quotient


def _in_brackets(scene: Scene) -> set[str]:
    """The ends of slices and the indices that are quotients by /."""
    found = set()
    for node in (n for n in scene.expressions if isinstance(n, ast.Subscript)):
        for one in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
            ends = [one.lower, one.upper, one.step] if isinstance(one, ast.Slice) else [one]
            tensors = "tensors used" in scene.text
            found |= {quotient_of(scene, end, tensors) for end in ends if end is not None}
    return found - {""}


def quotient_of(scene: Scene, node: ast.expr, tensors: bool = False) -> str:
    """The text of a quotient of numbers in an expression, or in what a name in it was set to; ""
    if there is none. tensors: the quotient may be one of tensors.
    """
    kept = {ast.unparse(to): value for to, value in assigned(scene.function or scene.tree)}
    kept |= {f"self.{name}": value for name, value in scene.kept.items()}
    parts = list(_arithmetic(node))
    for shown in map(ast.unparse, list(parts)):
        is_float = scene.kinds.get(shown) == "float" or "float" in scene.shapes.get(shown, "")
        if shown in kept and is_float:
            parts += _arithmetic(kept[shown])
    for part in parts:
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div):
            return "" if made_of_tensor(scene, part) and not tensors else ast.unparse(part)[:SAID]
    return ""


def _arithmetic(node: ast.expr) -> Iterator[ast.expr]:
    """An expression and its parts, as far as they are connected by + - * / and the like."""
    yield node
    inside = [node.left, node.right] if isinstance(node, ast.BinOp) else []
    for one in [node.operand] if isinstance(node, ast.UnaryOp) else inside:
        yield from _arithmetic(one)


def text_for_number(scene: Scene) -> Found:
    """masked_fill(mask == 0, "-inf")"""
    if not re.search(r"\bstr\b", scene.text):
        return None
    numbers = [call for call in scene.calls if ast.unparse(call.func) in ("float", "int")]
    right = [given for call in numbers for given in call.args]
    texts = [n for n in scene.expressions if isinstance(n, ast.Constant) and n not in right]
    found = {n.value for n in texts if isinstance(n.value, str) and _is_number(n.value)}
    return ("text-for-number", f'"{found.pop()}"') if len(found) == 1 else None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def no_dim(scene: Scene) -> Found:
    """x.cumsum() without the axis."""
    said = re.match(NO_DIM, scene.text)
    if said is None or said[1] not in map(_name_of, scene.calls):
        return None
    return "dim-missing", said[1], " and ".join(re.findall(r'"(\w+)"', said[2]))


def two_vectors(scene: Scene) -> Found:
    """Two vectors of different lengths, of which one should be a column."""
    if not scene.text.startswith("The size of tensor a "):
        return None
    found = set()
    for node in (n for n in scene.expressions if isinstance(n, ast.BinOp)):
        sides = node.left, node.right
        one, two = (_length(scene, side) for side in sides)
        if one and two and one != two and "1" not in (one, two):
            left, right = (ast.unparse(side)[:SAID] for side in sides)
            found.add((left, one, right, two))
    return ("two-vectors", *found.pop()) if len(found) == 1 else None


def _length(scene: Scene, node: ast.expr) -> str | None:
    """The length of a vector, "" for a number, None for anything else."""
    shown = ast.unparse(node)
    if isinstance(node, ast.BinOp):
        lengths = {_length(scene, node.left), _length(scene, node.right)}
        return None if None in lengths or len(lengths - {""}) > 1 else max(map(str, lengths))
    if scene.kinds.get(shown) in ("int", "float") or isinstance(node, ast.Constant):
        return ""
    vector = re.match(r"\((\d+),\)", scene.shapes.get(shown, ""))
    return vector[1] if vector else None
