"""Slips with self, and names that do not exist."""

from __future__ import annotations

import ast
import builtins
import re

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
from checks.engine.naming.slips_of_arguments import unlike_skeleton
from checks.engine.naming.slips_of_spelling import import_of, misspelt


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
    if slip := unlike_skeleton(scene.tree, scene.files.step).get(name):
        return slip
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
    if slip := unlike_skeleton(scene.tree, scene.files.step).get(f"{owner}.{name}"):
        return slip
    return misspelt(scene, name, [*scene.kept, *scene.methods, *REGISTER])
