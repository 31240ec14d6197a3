"""An exception, and the place of a call, in the learner's own lines.

The parts of torch that it needs are bound to private names before learner code runs, as in
laboratory.py.
"""

from __future__ import annotations

import ast
import difflib
import math
import re
import traceback
import types
from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import nn

TEXT_LIMIT, NAME_LIMIT = 2_000, 100
FRAME_LIMIT, BASE_LIMIT, SHAPE_LIMIT = 12, 20, 8
NEAR, ALIKE = 3, 0.7  # How many names may have been meant; how similar they must be,
LONGER = 2  # and how much longer or shorter they may be.
LARGEST = 10**12  # Larger numbers are not shown.
WORD = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_Tensor, _shape_of, _Module = torch.Tensor, torch.Tensor.size, nn.Module
_close, _own_type = difflib.get_close_matches, type
_parse, _walk, _Statement = ast.parse, ast.walk, ast.stmt
_METHODS = (types.MethodType, types.BuiltinMethodType)
_PREFIXES: dict[Any, str] = {
    torch: "torch",
    nn: "nn",
    nn.functional: "torch.nn.functional",
    math: "math",
}
_PREFIXES[_Tensor] = "Tensor"
_NAMES = {where: [name for name in dir(where) if name[0] != "_"] for where in _PREFIXES}
_TO_CALL = {
    f"{_PREFIXES[where]}.{name}": name.lower()
    for where in (nn, torch)
    for name in _NAMES[where]
    if callable(getattr(where, name))
}
_OF_MODULE = [name for name in dir(_Module) if name[0] != "_"]
KEYWORD = re.compile(r"(\w+)(?:\.__(?:init|new)__)?\(\) got an unexpected keyword argument '(\w+)'")
MOST_NAMES = 1_000  # Names of an object that are compared.


def _arguments() -> dict[str, tuple[str, ...]]:
    """The arguments of PyTorch's layers and functions that are written in Python, by name."""
    found = {}
    for where in (nn.functional, nn):
        for name in _NAMES[where]:
            part = getattr(where, name)
            ways = ("__init__", "__new__") if isinstance(part, type) else ()
            made = [part, *(getattr(part, way) for way in ways)]
            codes = [way.__code__ for way in made if isinstance(way, types.FunctionType)]
            for code in codes[:1]:
                found[name] = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return found


_ARGUMENTS = _arguments()
Files = Mapping[str, bytes]  # The learner's source by file name.
_NoSubclass = torch._C.DisableTorchFunctionSubclass


def explain(error: BaseException, files: Files) -> dict[str, Any]:
    """An exception as plain data, even if its methods lie."""
    try:
        return _explained(error, files)
    except BaseException:
        kind, nothing = _name(type(error)), {"own": False, "frames": [], "near": []}
        nothing |= {"shapes": {}, "kinds": {}}
        told = {"type": kind, "bases": [kind], "message": "(it cannot be shown)", **nothing}
        return {"error": told}


def _explained(error: BaseException, files: Files) -> dict[str, Any]:
    try:
        text = str.__str__(str(error))[:TEXT_LIMIT]
    except BaseException:
        text = "(its message cannot be shown)"
    frames: list[list[Any]] = []
    innermost: tuple[types.FrameType, int] | None = None
    for frame, line in list(traceback.walk_tb(error.__traceback__))[-500:]:
        if frame.f_code.co_filename in files:
            frames.append([frame.f_code.co_filename, line, frame.f_code.co_name[:NAME_LIMIT]])
            innermost = frame, line
    named = _named(*innermost, files) if innermost else {}
    if isinstance(error, SyntaxError) and type(error.filename) is str and error.filename in files:
        frames.append([error.filename, _line(error.lineno), "<module>"])
        text = f"{error.msg} (column {_line(error.offset)})"[:TEXT_LIMIT]
    return {
        "error": {
            "type": _name(type(error)),
            "bases": [_name(base) for base in _bases(type(error))][:BASE_LIMIT],
            "message": text,
            "own": _raised_here(error, files),
            "frames": frames[-FRAME_LIMIT:],
            "shapes": {name: shown for name, (_, shown) in named.items()},
            "kinds": {name: kind for name, (kind, _) in named.items()},
            "near": _near(error),
        }
    }


def _near(error: BaseException) -> list[str]:
    """Names that may have been meant by one that PyTorch or a module of the learner's lacks."""
    try:
        if isinstance(error, NameError) and isinstance(error.name, str):
            return [n for n, last in _TO_CALL.items() if last == error.name.lower()][:NEAR]
        if isinstance(error, TypeError):
            return _near_keyword(str.__str__(str(error))[:TEXT_LIMIT])
        if not isinstance(error, AttributeError) or not isinstance(error.name, str):
            return []
        if isinstance(error.obj, _Tensor):
            return _similar(error.name, _Tensor)
        if isinstance(error.obj, types.ModuleType):
            return _similar(error.name, error.obj)
        inside = error.obj.__dict__
        kept = ("_modules", "_parameters", "_buffers")
        names = [name for part in kept for name in inside.get(part, ())]
        names += [*inside, *vars(_own_type(error.obj))]
        names += _OF_MODULE if isinstance(error.obj, _Module) else []
        return _alike(error.name, names[:MOST_NAMES])
    except BaseException:  # The class of the error may be the learner's own.
        return []


def _near_keyword(text: str) -> list[str]:
    """The arguments of a part of PyTorch that resemble the one that it does not have."""
    said = KEYWORD.match(text)
    return _close(said[2], _ARGUMENTS.get(said[1], ()), NEAR, ALIKE) if said else []


def _similar(name: str, where: Any) -> list[str]:
    """The names of a part of PyTorch that resemble this one, with their prefix."""
    return [f"{_PREFIXES[where]}.{n}" for n in _alike(name, _NAMES[where])]


def _alike(name: str, names: Iterable[str]) -> list[str]:
    """The names that differ from this one only in case, or else those that resemble it."""
    names = [n for n in names if n[:1] != "_" and abs(len(n) - len(name)) <= LONGER]
    same = [n for n in names if n.lower() == name.lower()]
    return (same or _close(name, names, NEAR, ALIKE))[:NEAR]


def _name(kind: type) -> str:
    """The true name of a class; its metaclass cannot change it."""
    return type.__dict__["__name__"].__get__(kind)[:NAME_LIMIT]


def _bases(kind: type) -> tuple[type, ...]:
    return type.__dict__["__mro__"].__get__(kind)


def _line(number: Any) -> int:
    """The line of a SyntaxError, which may be any value; 0 if it is not a line."""
    return number if type(number) is int and 0 <= number < 1 << 31 else 0


def _raised_here(error: BaseException, files: Files) -> bool:
    """Whether the learner's own code raised it, not a function that it called."""
    last = [frame for frame, _ in traceback.walk_tb(error.__traceback__)][-1:]
    return any(frame.f_code.co_filename in files for frame in last) and isinstance(
        error, (ValueError, AssertionError, NotImplementedError)
    )


def place(frame: types.FrameType | None, files: Files) -> list[Any] | None:
    """[file, line] of the nearest frame of the learner, or None."""
    while frame is not None:
        if frame.f_code.co_filename in files:
            return [frame.f_code.co_filename, frame.f_lineno]
        frame = frame.f_back
    return None


def _named(frame: types.FrameType, line: int, files: Files) -> dict[str, tuple[str, str]]:
    """The names on that line and in the rest of its statement, with the kind of each value and its
    text.

    {"self.gamma": ("tensor", "(6,) float32"), "mask": ("NoneType", "None"), ...}
    """
    source = files[frame.f_code.co_filename]
    lines = source.decode("utf-8", "replace").splitlines()
    first, last = _statement(source, line)
    text = "\n".join([*lines[line - 1 : line], *lines[first - 1 : last]])
    found: dict[str, tuple[str, str]] = {}
    for name in WORD.findall(text):
        name, *rest = name.split(".")
        if name not in frame.f_locals:
            continue
        value = frame.f_locals[name]
        for attribute in rest:
            inside = getattr(value, "__dict__", {})
            places = [inside, inside.get("_parameters", {}), inside.get("_buffers", {})]
            place = next((p for p in places if attribute in p), None)
            if isinstance(value, _Tensor) or place is None:
                break  # The rest is a method: x.transpose.
            name, value = f"{name}.{attribute}", place[attribute]
        kind, shown = _shown(value, name)
        if shown and len(found) < SHAPE_LIMIT:
            found[name[:NAME_LIMIT]] = kind, shown[:NAME_LIMIT]
    return found


def _statement(source: bytes, line: int) -> tuple[int, int]:
    """The first and the last line of the innermost statement around a line. Of a statement with a
    body, such as a loop, only the head counts.
    """
    first = last = line
    try:
        inside = _walk(_parse(source))  # From the outermost to the innermost.
        for node in (node for node in inside if isinstance(node, _Statement)):
            if node.lineno <= line <= (node.end_lineno or line):
                body = getattr(node, "body", None)
                end = body[0].lineno - 1 if body else node.end_lineno or line
                first, last = (node.lineno, end) if line <= end else (line, line)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    return first, last


def _shown(value: Any, name: str) -> tuple[str, str]:
    """The kind of a value, and a short text; "" for what need not be shown, as the layers of a
    module.
    """
    kind = _own_type(value)
    if isinstance(value, _Tensor):
        with _NoSubclass():
            shape, dtype = tuple(_shape_of(value)), str(value.dtype).removeprefix("torch.")
        return "tensor", f"{shape} {dtype}"
    if value is None or kind is bool:
        return kind.__name__, str(value)
    if kind in (int, float):
        return kind.__name__, str(value) if abs(value) < LARGEST else ""
    if kind in (tuple, list):
        return kind.__name__, f"a {kind.__name__} of {len(value)}"
    if kind in _METHODS:
        return "method", "a method"
    if kind is types.GeneratorType:
        return "generator", "a generator"
    if isinstance(value, _Module) and "." not in name and name != "self":
        return "module", f"a module, {_name(kind)}"
    return "", ""
