"""Slips in arguments: a call that gives too few or too many, and a definition that takes others."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator

from checks.engine.asking.learner import Files, LearnerError
from checks.engine.course.source import solution_tree
from checks.engine.course.syntax import parsed, tree_of
from checks.engine.naming.scene import Def, Found, Scene, methods, parameters

REFUSED = re.compile(r"(?:(\w+)\.)?(\w+)\(\) (?:missing|takes|got) ")
GONE = r"name '(\w+)' is not defined|cannot access local variable '(\w+)'"


def other_arguments(error: LearnerError, files: Files) -> Found:
    """A function of the step that has other arguments than the skeleton gave it, and was called as
    the skeleton says.
    """
    said = REFUSED.match(error.text)
    if said is None or error.type != "TypeError" or error.calls:
        return None
    own = next(_defined(parsed(files.text(files.step)), *said.groups()), None)
    return _differs(files, own, *said.groups()) if own is not None else None


def argument_gone(scene: Scene) -> Found:
    """A name that is not defined, because a function lost that argument of the skeleton's."""
    said = re.match(GONE, scene.text)
    for function in scene.functions if said else []:
        cls = scene.cls.name if scene.cls else None
        right = _of_skeleton(scene.files, cls, function.name)
        if said and right is not None and (said[1] or said[2]) in parameters(right):
            return _differs(scene.files, function, cls, function.name)
    return None


def _differs(files: Files, own: Def, cls: str | None, name: str) -> Found:
    right = _of_skeleton(files, cls, name)
    if right is None or parameters(own) == parameters(right):
        return None
    called = _called(cls, name)
    return "other-arguments", called + _shown(own), called + _shown(right)


def _of_skeleton(files: Files, cls: str | None, name: str) -> Def | None:
    """The definition in the skeleton: the solution has the same arguments."""
    return next(_defined(solution_tree(files.step), cls, name), None)


def call_does_not_fit(scene: Scene) -> Found:
    """A call that gives a function of the course too few arguments, or too many."""
    said = REFUSED.match(scene.text)
    if said is None or scene.type != "TypeError":
        return None
    for file, *_ in scene.files.contents.values():
        for function in _defined(tree_of(scene.files.text(file)), *said.groups()):
            return "call-does-not-fit", _called(*said.groups()) + _shown(function)
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


def _defined(tree: ast.Module, cls: str | None, name: str) -> Iterator[Def]:
    """The definition of a function of this name, or of a method of the class."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == cls and name in methods(node):
            yield methods(node)[name]
        elif cls is None and isinstance(node, Def) and node.name == name:
            yield node


def _called(cls: str | None, name: str) -> str:
    """What a reader calls the function: a class, for its __init__."""
    return ".".join(part for part in (cls, name) if part and part != "__init__")


def _shown(function: Def) -> str:
    """The arguments of a function without self and without annotations: (x, mask=None)."""
    given = copy.deepcopy(function.args)
    for argument in ast.walk(given):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    given.args = [argument for argument in given.args if argument.arg != "self"]
    return f"({ast.unparse(given)})"
