"""Runs a step's tiny example and notes, line by line, which values the learner's code makes.

Bound to private names before learner code runs, as in laboratory.py.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from inspect import CO_GENERATOR
from types import CodeType, FrameType
from typing import Any

import torch
import wire
from lines import NAME_LIMIT, Files, explain
from readout import array_of
from torch import nn

MOST_VALUES = 12  # Values of one line.
SHOWN = 512  # Numbers of a tensor that are sent.
MOST_ITEMS = 8  # Items of a list.
PLAIN = (bool, int, float)  # Kinds of plain numbers.
NOT_KEPT = "as before: nothing keeps what this line gives"
_Tensor, _Module = torch.Tensor, nn.Module
_settrace = sys.settrace
_NoSubclass, _no_grad = torch._C.DisableTorchFunctionSubclass, torch.no_grad
Noted = dict[str, Any]


class LineByLine:
    """While it is entered, functions in the learner's files are followed, `depth` calls deep."""

    def __init__(self, files: Files, own: str, depth: int):
        """own: the name of the step's file; what other files do in __init__ is not followed."""
        self.files, self.own, self.depth = files, own, depth
        self.found: list[Noted] = []
        self.active: list[_Call] = []  # The learner's calls that run now, the outermost first.
        self.statements = {name: _statements(source) for name, source in files.items()}

    def __enter__(self) -> LineByLine:
        _settrace(self._entered)
        return self

    def __exit__(self, *error: object) -> None:
        _settrace(None)

    def note(self, **entry: Any) -> Noted:
        if len(self.found) < wire.MOST_NOTED:
            self.found.append(entry)
        return entry

    def _entered(self, frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        code = frame.f_code
        if code.co_filename not in self.files or code.co_name.startswith("<"):
            return None
        if code.co_flags & CO_GENERATOR:  # It stops and goes on, again and again.
            return None
        if code.co_name == "__init__" and code.co_filename != self.own:
            return None
        if len(self.active) > self.depth or (self.active and self.active[-1].is_mute):
            return None
        call = _Call(self, frame, len(self.active))
        self.active.append(call)
        return call.goes_on


class _Call:
    """One call of a function of the learner's. Each entry is noted when it begins, and gets its
    values when it ends.
    """

    def __init__(self, story: LineByLine, frame: FrameType, depth: int):
        self.story, self.depth, self.is_open = story, depth, depth < story.depth
        self.is_mute = False  # While a line of a loop runs once more, after enough rounds.
        self.now: tuple[ast.stmt, Noted] | None = None  # The statement that runs, and its entry.
        self.rounds: dict[int, int] = {}
        self.statements = story.statements[frame.f_code.co_filename]
        code, given = frame.f_code, frame.f_locals
        self.entry = story.note(
            do="call",
            depth=depth,
            name=_full_name(code, given),
            file=code.co_filename,
            line=code.co_firstlineno,
            values=_values((name, given[name]) for name in _arguments(code, given)),
            gives=[],
        )

    def goes_on(self, frame: FrameType, event: str, argument: Any) -> Callable[..., Any]:
        if event == "line" and self.is_open:
            statement = self.statements.get(frame.f_lineno)
            if self.now is None or statement is not self.now[0] or _is_header(statement):
                self._has_run(frame, None)
                self._begins(frame, statement)
        elif event == "exception":
            self.now = None  # It has made nothing.
        elif event == "return":
            self._has_run(frame, argument)
            self.entry["gives"] = _values(_parts("", argument))
            if self.story.active and self.story.active[-1] is self:
                self.story.active.pop()
        return self.goes_on

    def _begins(self, frame: FrameType, statement: ast.stmt | None) -> None:
        if statement is None:
            return
        rounds = self.rounds[statement.lineno] = self.rounds.get(statement.lineno, 0) + 1
        self.is_mute = rounds > wire.ROUNDS
        entry: Noted = {
            "do": "line",
            "depth": self.depth,
            "file": frame.f_code.co_filename,
            "line": statement.lineno,
            "end": _last_line(statement),
            "values": [],
            "rounds": rounds,
        }
        # One more than is shown says that there are more; the head of a loop runs once more anyway.
        if rounds <= wire.ROUNDS + (not _is_header(statement)):
            entry = self.story.note(**entry)
        self.now = statement, entry

    def _has_run(self, frame: FrameType, returned: Any) -> None:
        """Add to the entry of the statement that has just run what it made."""
        if self.now is not None and not self.is_mute:
            statement, entry = self.now
            entry["values"] = _values(_made(statement, frame.f_locals, returned))
        self.now, self.is_mute = None, False


def follow(
    code: CodeType, names: dict[str, Any], files: Files, own: str, depth: int
) -> dict[str, Any]:
    """What the example makes the learner's code do, and the error in which it ends, if it does."""
    story, error = LineByLine(files, own, depth), None
    try:
        with story:
            exec(code, names)
    except Exception as raised:
        error = explain(raised, files)["error"]
    return {"found": story.found, "error": error}


def _is_header(statement: ast.stmt | None) -> bool:
    """Whether a statement is a loop or another one with statements in it."""
    return bool(getattr(statement, "body", None))


def _last_line(statement: ast.stmt) -> int:
    """The last line of a statement; of one with others in it, the last line of its head."""
    body = getattr(statement, "body", None)
    if body:
        return max(statement.lineno, body[0].lineno - 1)
    return statement.end_lineno or statement.lineno


def _statements(source: bytes) -> dict[int, ast.stmt]:
    """The statement that each line belongs to: the innermost one."""
    found: dict[int, ast.stmt] = {}
    try:
        inside = list(ast.walk(ast.parse(source)))  # From the outermost to the innermost.
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return found
    for statement in (node for node in inside if isinstance(node, ast.stmt)):
        for line in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1):
            found[line] = statement
    return found


def _made(statement: ast.stmt, names: dict[str, Any], returned: Any) -> Iterator[tuple[str, Any]]:
    """What a statement gives a name, changes in place or returns: names and values."""
    if isinstance(statement, ast.Return):
        yield from _parts("return", returned)
        return
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AugAssign | ast.AnnAssign):
        targets = [statement.target]
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        function = statement.value.func
        if isinstance(function, ast.Attribute) and function.attr.endswith("_"):
            targets = [function.value]
        elif isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            if isinstance(names.get(function.value.id), _Tensor):
                yield function.value.id, NOT_KEPT
    for target in targets:
        for single in target.elts if isinstance(target, ast.Tuple | ast.List) else [target]:
            while isinstance(single, ast.Subscript | ast.Starred):
                single = single.value
            yield from _named(single, names)


def _named(target: ast.expr, names: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    if isinstance(target, ast.Name) and target.id in names:
        yield from _parts(target.id, names[target.id])
    elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
        owner = names.get(target.value.id)
        inside = getattr(owner, "__dict__", {})
        for place in (inside, inside.get("_parameters", {}), inside.get("_buffers", {})):
            if target.attr in place:
                yield from _parts(f"{target.value.id}.{target.attr}", place[target.attr])
                return


def _parts(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """A value, or those of a tuple or list, numbered."""
    if isinstance(value, tuple | list) and any(isinstance(v, _Tensor) for v in value):
        for number, part in enumerate(value):
            yield f"{name}[{number}]", part
    else:
        yield name, value


def _values(named: Iterator[tuple[str, Any]]) -> list[list[Any]]:
    """As they are sent: tensors, numbers, lists of them, None and short texts; nothing else."""
    found = [[name[:NAME_LIMIT], shown] for name, value in named if (shown := _shown(value))]
    return found[:MOST_VALUES]


def _shown(value: Any) -> dict[str, Any] | None:
    if value is NOT_KEPT:
        return {"plain": NOT_KEPT}
    if isinstance(value, _Tensor):
        return _tensor(value)
    if value is None or type(value) in (bool, int, float, str):
        return {"plain": repr(value)[:NAME_LIMIT]}
    if type(value) is list and value and all(map(_is_item, value[:MOST_ITEMS])):
        items = [*map(repr, value[:MOST_ITEMS]), *["…"] * (len(value) > MOST_ITEMS)]
        text = f"[{', '.join(items)}]"
        return {"plain": text if len(text) <= NAME_LIMIT else f"{text[: NAME_LIMIT - 1]}…"}
    return None


def _is_item(value: Any) -> bool:
    """Whether a list with it is shown: a plain number, or a pair of them."""
    if type(value) is tuple and len(value) == 2:
        return type(value[0]) in PLAIN and type(value[1]) in PLAIN
    return type(value) in PLAIN


def _tensor(value: Any) -> dict[str, Any]:
    """The form of a tensor, the range of its numbers, and all of them if they are few."""
    with _NoSubclass(), _no_grad():
        dtype = str(value.dtype).removeprefix("torch.")
        found: dict[str, Any] = {"shape": list(value.shape), "dtype": dtype}
        if value.layout != torch.strided or value.is_meta or not value.numel():
            return found
        numbers = value.detach().double() if value.dtype != torch.bool else value.detach()
        if value.dtype == torch.bool:
            found["true"] = int(numbers.sum())
        else:
            finite = numbers[torch.isfinite(numbers)]
            infinite = {"inf": torch.isposinf, "-inf": torch.isneginf, "nan": torch.isnan}
            found["odd"] = [[name, int(is_so(numbers).sum())] for name, is_so in infinite.items()]
            if finite.numel():
                found["low"], found["high"] = float(finite.min()), float(finite.max())
        if value.numel() <= SHOWN:
            found["array"] = array_of(value.detach())
        return found


def _full_name(code: CodeType, given: dict[str, Any]) -> str:
    owner = given.get("self")
    if isinstance(owner, _Module):
        return f"{type(owner).__name__}.{code.co_name}"[:NAME_LIMIT]
    return code.co_name[:NAME_LIMIT]


def _arguments(code: CodeType, given: dict[str, Any]) -> list[str]:
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return [name for name in names if name != "self" and name in given]
