"""What a worker does with learner code: load it, build, call, and report plain data.

The parts of torch that it needs are bound to private names before learner code runs, so that a
patched method changes no answer.
"""

from __future__ import annotations

import faulthandler
import importlib
import importlib.util
import math
import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import arranged
import line_by_line
import lines
import pictures
import torch
import wire
from calls import STAND_INS, Calls
from finder import OWN, Finder, Forbidden, Sources, guard
from parts import attributes, cut, oddities, owned, parts, saved_buffers
from readout import FLOATS, report, tensor_of, value_of
from torch import nn
from whole_program import functions, settings, switched_since

torch.set_num_threads(1)

# The course's own answers for `do_extension`, by name.
ANSWERS: dict[str, Callable[[], Any]] = {}
Sent = dict[str, tuple[str, wire.Array]]  # Per module: the file's name and its content.
_Module = nn.Module
_seed = torch.default_generator.manual_seed
_no_grad, _is_grad_enabled = torch.no_grad, torch.is_grad_enabled
_split, _to_dtype = torch.split, nn.Module.to
_be_deterministic = torch._C._set_deterministic_algorithms  # The public one imports a compiler.


def extend(name: str, file: str) -> None:
    """Load a file of the checker for the worker: declarations of the course, or `roles`."""
    OWN.add(os.path.dirname(file))
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if name.endswith(".roles"):
        names = ("readings", "told_by_names")
        arranged.ROLES.update({name: vars(module)[name] for name in names})
    STAND_INS.update(vars(module).get("STAND_INS", {}))
    ANSWERS.update(vars(module).get("ANSWERS", {}))


@contextmanager
def _filled() -> Iterator[None]:
    """Fill new memory with NaN, by a mode of PyTorch: so `torch.empty` is not zero by luck."""
    before = torch.are_deterministic_algorithms_enabled()
    warns = torch.is_deterministic_algorithms_warn_only_enabled()
    _be_deterministic(True, warn_only=True)
    try:
        yield
    finally:
        _be_deterministic(before, warn_only=warns)


class Bench(Calls):
    """One submission's step, the modules built from it, and the answers to the judge."""

    def __init__(self, trace_fd: int):
        super().__init__()
        self.finder: Finder | None = None
        self.last: Finder | None = None
        self.extensions = {name: make() for name, make in ANSWERS.items()}
        if hasattr(signal, "SIGXCPU"):
            faulthandler.register(signal.SIGXCPU, file=trace_fd, all_threads=False, chain=True)
        faulthandler.enable(file=trace_fd, all_threads=False)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"ok": getattr(self, "do_" + request["do"])(**request["with"])}

    def undo_modes(self) -> None:
        torch.set_default_dtype(torch.float32)
        torch.set_grad_enabled(True)

    def safely(self, function: Callable[[Any], dict[str, Any]], argument: Any) -> dict[str, Any]:
        try:
            return function(argument)
        except BaseException as error:
            return self.explain(error)

    def explain(self, error: BaseException) -> dict[str, Any]:
        """An exception as plain data, with the operands of the call that failed, if asked for."""
        told = lines.explain(error, self.files)
        told["error"]["operands"], self.operands = self.operands, []
        told["error"]["ours"], self.ours = self.ours, False
        return told

    def import_(self, module: str) -> dict[str, Any]:
        importlib.import_module(module)
        self.module = sys.modules[module]
        return {"ok": {"names": self._names()}}

    # Requests of the judge

    def forget(self) -> None:
        """Forget the objects of an earlier check."""
        for held in (self.modules, self.modes, self.kept, self.arranged):
            held.clear()
        self.earlier, self.returned, self.before = [], [], []

    def do_load(
        self,
        root: str,
        files: Sent,
        helpers: Sent,
        module: str,
        banned: list[str],
        guarded: list[str],
        seed: int,
    ) -> dict[str, Any]:
        torch.manual_seed(seed)
        random.seed(seed)
        own, beside = _loaded(files), _loaded(helpers)
        self.files = dict([*beside.values(), *own.values()])
        self.finder, self.last = Finder(own, banned), Finder(beside, ())
        sys.meta_path.insert(0, self.finder)
        sys.meta_path.append(self.last)
        sys.path.append(root)
        if guarded:
            guard(guarded)
        try:
            importlib.import_module(module)
        except Forbidden as error:
            return {"forbidden": str(error)}
        self.module = sys.modules[module]
        return {"names": self._names()}

    def do_build(
        self,
        handle: int,
        name: str,
        home: str | None,
        args: list[Any],
        kwargs: dict[str, Any],
        dtype: str,
        seed: int,
    ) -> dict[str, Any]:
        """`home`: the module that has it, if it is not the step's own."""
        _seed(seed)
        torch.set_default_dtype(torch.float32)  # The learner's file may have changed it.
        module = importlib.import_module(home) if home else self.module
        own = list(self.finder.files if self.finder is not None else ())
        before, code = settings(), functions(own)
        with _filled():
            made = getattr(module, name)(*args, **kwargs)
        if not isinstance(made, _Module):
            return {"kind": type(made).__name__}
        now = functions(own)
        is_patched = any(now.get(name) != function for name, function in code.items())
        if dtype != "float32":
            _to_dtype(made, FLOATS[dtype])
        self.modules[handle] = made
        self.modes.pop(handle, None)
        return {
            "kind": "module",
            "parameters": [[n, report(p, False)] for n, p in owned(made, "_parameters").items()],
            "buffers": [[n, report(b)] for n, b in owned(made, "_buffers").items()],
            "odd": oddities(made),
            "switched": switched_since(before) or ("code" if is_patched else ""),
        }

    def do_assign(self, handle: int, values: Any) -> None:
        """Set the parameters with these names."""
        self.before = []  # It may be a view of them.
        shapes = dict(values["shapes"])
        parts = _split(tensor_of(values["long"]), [*map(math.prod, shapes.values())])
        with _no_grad():
            arranged.assign_what_fits(
                owned(self.modules[handle], "_parameters"),
                {name: part.view(shapes[name]) for name, part in zip(shapes, parts)},
            )

    def do_weigh(self, handle: int, roles: Any, sizes: Any, long: wire.Array) -> dict[str, Any]:
        """Set all parameters by their roles, if they can be read as these roles."""
        self.before = []  # It may be a view of them.
        tensors = owned(self.modules[handle], "_parameters")
        found = self.arranged[handle] = self.arrangements.of(tensors, roles, sizes)
        with _no_grad():
            found.assign(tensors, tensor_of(long))
        return {"ways": found.ways, "sure": found.is_sure}

    def do_weights(self, handle: int) -> dict[str, Any]:
        """The present parameters, by role."""
        tensors = owned(self.modules[handle], "_parameters")
        return self.arranged[handle].by_role(tensors)

    def do_probe(self, **call: Any) -> dict[str, Any]:
        """A call that is made only if the parameters can be read in several ways."""
        return {} if self.arranged[call["target"]].is_sure else self.do_call(**call)

    def do_follow(self, example: str, depth: int) -> dict[str, Any]:
        """What the step's code does, line by line, in an example: statements in its own names."""
        _seed(0)
        names = {"torch": torch, "nn": nn, **vars(self.module)}
        code = compile(example, "<example>", "exec")
        return line_by_line.follow(code, names, self.files, self.module.__file__, depth)

    def do_show(self, example: str, wanted: list[str]) -> dict[str, Any]:
        """The values of some expressions after an example has run: what pictures are made of."""
        _seed(0)
        names = {"torch": torch, "nn": nn, **vars(self.module)}
        code = compile(example, "<example>", "exec")
        return pictures.shown(code, names, self.files, wanted)

    def do_extension(self, name: str, what: str, arguments: dict[str, Any]) -> Any:
        """The answer of one of the course's own parts of the worker."""
        return self.extensions[name].answer(what, **arguments)

    def do_attribute(self, handle: int, name: str) -> dict[str, Any]:
        value = self.modules[handle]
        for part in name.split("."):
            value = getattr(value, part)
        return value_of(value)

    def do_state(self, handle: int) -> dict[str, Any]:
        """The state of a module: its mode (None if its parts differ), and whether autograd records.
        Then its parameters with their numbers, and the buffers that are saved with them.
        """
        module = self.modules[handle]
        trains = {bool(attributes(part)["training"]) for _, part in parts(module)}
        named = [[n, report(p)] for n, p in owned(module, "_parameters").items()]
        mode = trains.pop() if len(trains) == 1 else None
        modes = {"training": mode, "recording": _is_grad_enabled()}
        return {**modes, "parameters": named, "saved": saved_buffers(module)}

    def _names(self) -> list[list[Any]]:
        """The names in the step's file, and whether each was defined there."""
        found = []
        for name, value in list(vars(self.module).items())[:500]:
            if name.startswith("__"):
                continue
            home = getattr(value, "__module__", None)
            found.append([cut(name), home == self.module.__name__])
        return found

    def flush(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except BaseException:
                pass


def _loaded(files: Sent) -> Sources:
    return {name: (filename, source.data) for name, (filename, source) in files.items()}
