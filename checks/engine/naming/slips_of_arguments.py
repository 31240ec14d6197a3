"""Slips in definitions and their arguments: unlike the skeleton's, unlike a call, or never read."""

from __future__ import annotations

import ast
import copy
import difflib
import re

from checks.engine.asking.learner import Files, LearnerError
from checks.engine.files.skeleton import functions
from checks.engine.files.source import solution_tree
from checks.engine.files.syntax import parsed, tree_of
from checks.engine.naming.scene import Def, Found, Scene, attributes, defined_in, parameters
from checks.engine.naming.slips_of_spelling import ALIKE

LACKS = r'\[(\w+)\] is missing the required "(\w+)"'  # PyTorch's words.
REFUSED = re.compile(r"([\w.]+)\(\) (?:missing|takes|got) ")
GONE = r"name '(\w+)' is not defined|cannot access local variable '(\w+)'"


def unlike_skeleton(tree: ast.Module, path: str) -> dict[str, tuple[str, ...]]:
    """The definitions of a file that are not as in the step's skeleton: {dotted name: the slip, and
    the words for its sentence}. What the skeleton defines is read in the solution.
    """
    own, given = dict(functions(tree)), dict(functions(solution_tree(path)))
    found: dict[str, tuple[str, ...]] = {}
    for name, function in own.items():
        if "." in name and "self" not in parameters(function) and not function.decorator_list:
            found[name] = "self-not-a-parameter", name
        elif name in given and parameters(function) != parameters(given[name]):
            found[name] = "other-arguments", _shown(name, function), _shown(name, given[name])
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    methods = {f"{cls}.{method}" for cls in classes for method in ("__init__", "forward")}
    methods |= {*given}
    names, wanted = _names(tree), _names(solution_tree(path)) | methods
    for name in wanted - names:
        slip = _renamed(name, names - wanted) or (_moved(name, own) if name in methods else None)
        if slip is not None:
            found[name] = slip
    return found


def _names(tree: ast.Module) -> set[str]:
    """The dotted names of a file's functions, classes, methods and attributes."""
    found = {name for name, _ in functions(tree)}
    for cls in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        found |= {cls.name, *(f"{cls.name}.{attribute}" for attribute in attributes(cls))}
    return found


def _renamed(name: str, others: set[str]) -> Found:
    """A name that resembles the one that is missing, in the same class."""
    around, _, last = name.rpartition(".")
    parts = [other.rpartition(".") for other in sorted(others)]
    beside = {own.lower(): own for where, _, own in parts if where == around}
    near = difflib.get_close_matches(last.lower(), beside, 1, ALIKE)
    return ("definition-misspelt", beside[near[0]], last) if near else None


def _moved(name: str, own: dict[str, ast.FunctionDef]) -> Found:
    """A method that stands inside another one, or outside of the class."""
    cls, _, last = name.rpartition(".")
    for other, function in own.items():
        if other.rpartition(".")[0] == cls != "" and last in defined_in(function):
            return "method-inside", last, function.name
    return ("method-outside", last, cls) if cls and last in own else None


def of_definition(error: LearnerError, files: Files) -> Found:
    """A method that lacks self or stands elsewhere, or a function that was called as the skeleton
    says, but has other arguments.
    """
    unlike = unlike_skeleton(parsed(files.text(files.step)), files.step)
    if lacks := re.search(LACKS, error.text):
        return unlike.get(f"{lacks[1]}.{lacks[2]}")
    said = REFUSED.match(error.text) if error.type == "TypeError" else None
    slip = (unlike.get(said[1]) or unlike.get(f"{said[1]}.__init__")) if said else None
    is_sure = slip is not None and (slip[0] == "self-not-a-parameter" or not error.calls)
    return slip if is_sure else None


def of_function_around(scene: Scene) -> Found:
    """The function of the line reads self, or an argument of the skeleton's, but does not have it
    as a parameter.
    """
    unlike, gone = unlike_skeleton(scene.tree, scene.files.step), re.match(GONE, scene.text)
    for function in scene.functions:
        slip = unlike.get(f"{scene.cls.name}.{function.name}" if scene.cls else function.name)
        if slip is None:
            continue
        read = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)}
        if slip[0] == "self-not-a-parameter" and "self" in read:
            return slip
        if slip[0] == "other-arguments" and gone:
            if (gone[1] or gone[2]) in re.findall(r"\w+", slip[2].partition("(")[2]):
                return slip
    return None


def call_does_not_fit(scene: Scene) -> Found:
    """A call that gives a function of the course too few arguments, or too many."""
    said = REFUSED.match(scene.text)
    if said is None or scene.type != "TypeError":
        return None
    for file, *_ in scene.files.contents.values():
        if function := dict(functions(tree_of(scene.files.text(file)))).get(said[1]):
            return "call-does-not-fit", _shown(said[1], function)
    return None


def unread(tree: ast.Module) -> list[tuple[str, str]]:
    """The arguments that no line of their function uses: (argument, function). __init__ may have
    some for others.
    """
    found = []
    for function in (n for n in ast.walk(tree) if isinstance(n, Def) and n.name != "__init__"):
        used = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)} | {"self"}
        says_nothing = all(isinstance(n, (ast.Expr, ast.Pass)) for n in function.body)
        if says_nothing or "NotImplementedError" in used:  # A protocol; or it is not written yet.
            continue
        found += [(name, function.name) for name in parameters(function) if name not in used]
    return found


def _shown(name: str, function: Def) -> str:
    """A function and its arguments, without self and annotations: Layer.forward(x, mask=None), or
    Layer(size) for __init__.
    """
    given = copy.deepcopy(function.args)
    for argument in ast.walk(given):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    given.args = [argument for argument in given.args if argument.arg != "self"]
    return f"{name.removesuffix('.__init__')}({ast.unparse(given)})"
