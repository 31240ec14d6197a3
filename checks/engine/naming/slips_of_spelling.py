"""Names that are spelt in another way than they are defined, or that no line imports."""

from __future__ import annotations

import ast
import difflib
import re
import sys

from checks.engine.asking.learner import Files
from checks.engine.files.syntax import tree_of
from checks.engine.naming.scene import Def, Found, Scene, assigned, methods, parameters, spans

IMPORTS = {  # Names that are usual, beside those of modules and of other steps.
    "torch": "import torch",
    "nn": "from torch import nn",
    "F": "from torch.nn import functional as F",
    "Tensor": "from torch import Tensor",
    "Optimizer": "from torch.optim import Optimizer",
    "Callable": "from collections.abc import Callable",
    "Counter": "from collections import Counter",
    "Iterator": "from collections.abc import Iterator",
    "contextmanager": "from contextlib import contextmanager",
    "pairwise": "from itertools import pairwise",
    "Any": "from typing import Any",
    "np": "import numpy as np",
    "Protocol": "from typing import Protocol",
}
ALIKE, LONGER = 0.7, 2  # How similar a meant name must be; how much longer or shorter.


def import_of(scene: Scene, name: str) -> str:
    """The line that imports a name: a usual one, a module's, or a part of another step."""
    if name in IMPORTS or name in sys.stdlib_module_names:
        return IMPORTS.get(name, f"import {name}")
    for module, (file, *_) in scene.files.contents.items():
        if file != scene.place.file and name in names_of(scene.files, file):
            return f"from {module} import {name}"
    return ""


def names_of(files: Files, file: str) -> list[str]:
    """The functions, classes and values that a file offers to others."""
    body = tree_of(files.text(file)).body
    kept = [n for n in body if isinstance(n, ast.Assign | ast.AnnAssign)]
    values = [ast.unparse(target) for n in kept for target, _ in assigned(n)]
    return [n.name for n in body if isinstance(n, Def | ast.ClassDef)] + values


def module_called(scene: Scene) -> Found:
    """A module of PyTorch in the place of a class: nn.parameter for nn.Parameter."""
    if scene.text != "'module' object is not callable":
        return None
    said = [ast.unparse(call.func) for call in scene.calls]
    return next(
        (("module-called", s, s[:-9] + "Parameter") for s in said if s.endswith(".parameter")), None
    )


def keyword_misspelt(scene: Scene) -> Found:
    """nn.Linear(…, bais=False), where PyTorch or a file of the course has bias."""
    said = re.match(r"(\w+)(?:\.\w+)?\(\) got an unexpected keyword argument '(\w+)'", scene.text)
    for call in scene.calls if said else []:
        if said and said[2] in [given.arg for given in call.keywords]:
            own = _arguments_of(scene.files, said[1])
            near = [n for n in own if sorted(n.split("_")) == sorted(said[2].split("_"))]
            near = near or difflib.get_close_matches(said[2], own, 1, ALIKE) or scene.error.near
            if near:
                return "keyword-misspelt", ast.unparse(call.func), said[2], near[0]
    return None


def _arguments_of(files: Files, name: str) -> list[str]:
    """The arguments of a function or of a class's __init__, wherever the files define it."""
    found: list[str] = []
    for file, *_ in files.contents.values():
        for node in tree_of(files.text(file)).body:
            if isinstance(node, ast.ClassDef) and node.name == name:
                found += parameters(methods(node).get("__init__"))
            elif isinstance(node, Def) and node.name == name:
                found += parameters(node)
    return found


def missing_import(scene: Scene) -> Found:
    """A name that an earlier step does not have, or a module that does not exist."""
    if said := re.match(r"cannot import name '(\w+)' from '([\w.]+)'", scene.text):
        file = scene.files.contents.get(said[2], ("", "", b""))[0]
        return misspelt(scene, said[1], names_of(scene.files, file))
    said = re.match(r"No module named '([\w.]+)'", scene.text)
    if said or "beyond top-level package" in scene.text:
        return _within(scene) or (
            misspelt(scene, said[1], [*scene.files.contents, "torch", "math"]) if said else None
        )
    return None


def _within(scene: Scene) -> Found:
    """A step or a stage that the line imports from a package that does not exist."""
    nodes = [node for node in ast.walk(scene.tree) if spans(node, scene.place.line)]
    froms = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    names = ["." * node.level + (node.module or "") for node in froms]
    names += [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    modules = list(scene.files.contents)
    stages = [module.partition(".")[0] for module in modules]
    for name in names:
        parts = name.split(".")
        ends = [".".join(parts[n:]) for n in range(1, len(parts))]
        ends += [module for module in modules if module.endswith(f".{parts[-1]}")]
        if name not in modules and (found := [end for end in ends if end in (*modules, *stages)]):
            return "misspelt", name, found[0]
    return None


def misspelt(scene: Scene, name: str, names: list[str], own: bool = False) -> Found:
    """A similar name. names: the learner's own; the worker has looked up PyTorch's, which do not
    count if `own`.
    """
    alike = [n for n in dict.fromkeys(names) if n != name and abs(len(n) - len(name)) <= LONGER]
    near = [n for n in alike if n.lower() == name.lower()]
    near = near or difflib.get_close_matches(name, alike, 2, ALIKE)
    near = near or ([] if own else scene.error.near)
    return ("misspelt", name, " or ".join(near)) if near else None
