"""Slips with self, and names that do not exist."""

from __future__ import annotations

import ast
import builtins
import difflib
import re
from functools import cache

from checks.engine.asking.learner import Files, LearnerError
from checks.engine.course.source import arguments, solution_tree
from checks.engine.course.syntax import parsed
from checks.engine.naming.scene import (
    REGISTER,
    Def,
    Found,
    Scene,
    assigned,
    attributes,
    class_itself,
    defined_in,
    methods,
    names_in,
    of_self,
    parameters,
    reads,
)
from checks.engine.naming.slips_of_spelling import ALIKE, import_of, misspelt


def signature(error: LearnerError, files: Files) -> Found:
    """A method that was defined without self, where "X.forward() takes ..." says so."""
    if error.type == "TypeError" and (found := _init_misspelt(error, files)):
        return found
    if said := re.search(r'\[(\w+)\] is missing the required "(\w+)"', error.text):
        return _method_missing(parsed(files.text(files.step)), said[1], said[2])
    said = re.match(r"(\w+)\.(\w+)\(\) (takes|got|missing)", error.text)
    if said is None or error.type != "TypeError":
        return None
    for cls in ast.walk(parsed(files.text(files.step))):
        if isinstance(cls, ast.ClassDef) and cls.name == said[1]:
            method = methods(cls).get(said[2])
            if method is not None and _lacks_self(method):
                return "self-not-a-parameter", f"{said[1]}.{said[2]}"
    return None


def _init_misspelt(error: LearnerError, files: Files) -> Found:
    """A method like __int__, where a class refuses the arguments of its __init__."""
    refused = re.search(r"__init__\(\) (takes|got)|\w\(\) takes no arguments", error.text)
    if refused is None or error.calls:  # Of no line of the learner's.
        return None
    for cls in ast.walk(parsed(files.text(files.step))):
        if isinstance(cls, ast.ClassDef) and "__init__" not in methods(cls):
            near = difflib.get_close_matches("__init__", methods(cls), 1, ALIKE)
            if near:
                return "definition-misspelt", near[0], "__init__"
    return None


def _method_missing(tree: ast.Module, class_name: str, name: str) -> Found:
    """Where a method is that a class lacks: under another name, inside another, or outside."""
    for cls in ast.walk(tree):
        if isinstance(cls, ast.ClassDef) and cls.name == class_name:
            own = methods(cls)
            if near := difflib.get_close_matches(name, own, 1, ALIKE):
                return "definition-misspelt", near[0], name
            for method in own.values():
                if name in defined_in(method):
                    return "method-inside", name, method.name
    outside = name in [node.name for node in tree.body if isinstance(node, Def)]
    return ("method-outside", name, class_name) if outside else None


def not_raised(tree: ast.Module) -> Found:
    """An error that is only made, or returned."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Expr, ast.Return)) and isinstance(node.value, ast.Call):
            name = ast.unparse(node.value.func)
            if re.fullmatch(r"\w+Error|Exception", name):
                return "returned-error" if isinstance(node, ast.Return) else "not-raised", name
    return None


def not_called(tree: ast.Module) -> Found:
    """A line that is only the name of a method: loss.backward"""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Attribute):
            return "method-not-called", ast.unparse(node.value)
    return None


def f_missing(tree: ast.Module) -> Found:
    """A text with a variable in braces, but no f in front of it."""
    for function in (n for n in ast.walk(tree) if isinstance(n, Def)):
        nodes = [*ast.walk(function)]
        names = {n.id for n in nodes if isinstance(n, ast.Name)} | {*parameters(function)}
        texts = {id(n.value) for n in nodes if isinstance(n, ast.Expr)}  # Docstrings.
        for node in nodes:
            if isinstance(node, ast.JoinedStr):
                texts |= {id(part) for part in ast.walk(node)}
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                texts.add(id(node.func.value))  # "{n}".format(n=n)
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                held = re.findall(r"\{(\w+)\}", node.value)
                if id(node) not in texts and names & {*held}:
                    return "f-missing", str(node.lineno), held[0]
    return None


def _lacks_self(method: Def) -> bool:
    return "self" not in parameters(method) and not method.decorator_list


def layer_not_kept(tree: ast.Module) -> Found:
    """Why parameters are missing: a layer is only a local name, a class, or a generator."""
    for cls in (n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)):
        for attribute, value in attributes(cls).items():
            if isinstance(value, ast.GeneratorExp):
                return "generator-kept", f"self.{attribute}"
            if class_itself(value):
                return "class-not-called", f"self.{attribute}", class_itself(value)
        init = methods(cls).get("__init__")
        used = (
            [n.id for n in ast.walk(init) if isinstance(n, ast.Name) and reads(n)] if init else []
        )
        for target, value in assigned(init) if init else []:
            if isinstance(target, ast.Name) and target.id not in used:
                if isinstance(value, ast.Call):
                    return "no-self", target.id
    return None


def self_missing(scene: Scene) -> Found:
    """An error in a method that reads self, but was defined without it."""
    method = scene.function
    if method is None or scene.methods.get(method.name) is not method or not _lacks_self(method):
        return None
    selves = [n for n in ast.walk(method) if isinstance(n, ast.Name) and n.id == "self"]
    if scene.cls is None or not selves or any(isinstance(n.ctx, ast.Store) for n in selves):
        return None
    return "self-not-a-parameter", f"{scene.cls.name}.{method.name}"


def self_twice(scene: Scene) -> Found:
    for call in scene.calls if re.search(r"\(\) takes \d+ positional", scene.text) else []:
        if of_self(call.func) in scene.methods and "self" in map(ast.unparse, call.args):
            return "self-twice", ast.unparse(call.func)
    return None


def missing_name(scene: Scene) -> Found:
    """A name that is on self, that is not imported, or that resembles an existing one."""
    said = re.fullmatch(r"name '(\w+)' is not defined", scene.text)
    said = said or re.match(r"cannot access local variable '(\w+)'", scene.text)
    if said is None or said[1] == "self":
        return None
    name = said[1]
    if name in scene.kept or name in scene.methods or (scene.cls and name in REGISTER):
        return "self-forgotten", name
    if "cannot access" in scene.text:
        return None
    init = scene.methods.get("__init__")
    local = [ast.unparse(to) for to, _ in assigned(init)] if init else []
    if name in local and scene.function is not init:
        return "no-self", name
    if line := import_of(scene, name):
        return "not-imported", name, line
    if name in arguments(scene.files.step):
        defined = [node.name for node in scene.tree.body if isinstance(node, Def | ast.ClassDef)]
        if near := difflib.get_close_matches(name, defined, 1, ALIKE):
            return "definition-misspelt", near[0], name
    near = [n for function in reversed(scene.functions) for n in names_in(function)]
    for statement in scene.tree.body:
        near += defined_in(statement) if not isinstance(statement, ast.ClassDef) else []
        near += [ast.unparse(target) for target, _ in assigned(statement)]
    near += [n.name for n in scene.tree.body if isinstance(n, ast.ClassDef)]
    called = name in (ast.unparse(call.func) for call in scene.calls)  # mean(x), say.
    if described := None if called else _only_described(scene, name):
        return misspelt(scene, name, near, own=True) or described
    return misspelt(scene, name, near) or misspelt(scene, name, dir(builtins))


def _only_described(scene: Scene, name: str) -> Found:
    """A name that stands in a formula or a sentence of a docstring, but is never set."""
    for node in (scene.function, scene.cls, scene.tree):
        text = (ast.get_docstring(node) or "") if node is not None else ""
        formulas = "\n".join(re.findall(r"^ {4}.*$", text, re.MULTILINE))
        if re.search(rf"(?<!\w){name}(?!\w)", text if len(name) > 2 else formulas):
            return "only-described", name
    return None


def missing_attribute(scene: Scene) -> Found:
    """An attribute that was only a local name, or that resembles an existing one."""
    said = re.search(r"'?([\w.]+)'? (?:object )?has no attribute '(\w+)'", scene.text)
    if said is None or scene.type != "AttributeError":
        return None
    owner, name = said[1], said[2]
    if scene.cls is None or owner != scene.cls.name:
        return misspelt(scene, name, [])
    init = scene.methods.get("__init__")
    for target, _ in assigned(init) if init else []:
        if isinstance(target, ast.Name) and target.id == name and name not in scene.kept:
            return "no-self", name
    if name in scene.options and name not in scene.kept:
        return "never-kept", name
    if over := next((kept for kept in scene.kept if kept in REGISTER), None):
        return "method-overwritten", f"self.{over}"
    if f"{owner}.{name}" in arguments(scene.files.step):
        if near := difflib.get_close_matches(name, scene.methods, 1, ALIKE):
            return "definition-misspelt", near[0], name
    wanted = _attributes_of_solution(scene.files.step)
    if name in wanted and name not in scene.kept:
        own = {kept.lower(): kept for kept in scene.kept if kept not in wanted}
        if near := difflib.get_close_matches(name.lower(), own, 1, ALIKE):
            return "definition-misspelt", own[near[0]], name
    return misspelt(scene, name, [*scene.kept, *scene.methods, *REGISTER])


@cache
def _attributes_of_solution(path: str) -> frozenset[str]:
    """The attributes that the classes of a step's solution set on self: names that checks use."""
    nodes = ast.walk(solution_tree(path))
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    return frozenset(name for cls in classes for name in attributes(cls))
