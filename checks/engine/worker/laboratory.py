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
_copy_, _shape_of = torch.Tensor.copy_, torch.Tensor.size
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
        self.root: str | None = None
        self.extensions = {name: make() for name, make in ANSWERS.items()}
        if hasattr(signal, "SIGXCPU"):
            faulthandler.register(signal.SIGXCPU, file=trace_fd, all_threads=False, chain=True)
        faulthandler.enable(file=trace_fd, all_threads=False)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"ok": getattr(self, "do_" + request["do"])(**request["with"])}

    def clear(self) -> None:
        """Undo the changes of loading, for the next piece of work in this process."""
        self.modules.clear()
        self.returned.clear()
        self.before.clear()
        own = (self.finder, self.last)
        sys.meta_path[:] = [finder for finder in sys.meta_path if finder not in own]
        sys.path[:] = [path for path in sys.path if path != self.root]
        stages = self.finder.stages | self.last.stages if self.finder and self.last else set()
        for name in [name for name in sys.modules if name.partition(".")[0] in stages]:
            del sys.modules[name]  # Torch's modules stay: some of them cannot be imported twice.
        self._undo_modes()

    def _undo_modes(self) -> None:
        torch.set_default_dtype(torch.float32)
        torch.set_grad_enabled(True)

    def _safely(self, function: Callable[[Any], dict[str, Any]], argument: Any) -> dict[str, Any]:
        try:
            return function(argument)
        except BaseException as error:
            return self.explain(error)

    def explain(self, error: BaseException) -> dict[str, Any]:
        """An exception as plain data, with the operands of the call that failed, if asked for."""
        told = lines.explain(error, self.files)
        told["error"]["operands"], self.operands = self.operands, []
        return told

    def _import(self, module: str) -> dict[str, Any]:
        importlib.import_module(module)
        self.module = sys.modules[module]
        return {"ok": {"names": self._names()}}

    # Requests of the judge

    def answer_plan(
        self,
        limit: Callable[[float], None],
        load: dict[str, Any],
        checks: wire.Array,
        seconds: float,
        choices: dict[str, int],
    ) -> Iterator[dict[str, Any]]:
        """Load the step, and answer the questions of all checks, one after the other.

        After an exception that is no answer, the rest of the check is skipped. `limit` restarts the
        limit of computing time.
        """
        own = os.getpid()
        self.arrangements = arranged.Arrangements(choices)
        loaded = self._safely(self.answer, {"do": "load", "with": load})
        yield loaded
        if "names" not in loaded.get("ok", {}):
            return
        for questions in wire.unpacked(checks):
            self.forget()
            limit(seconds)
            for number, do, arguments, may_fail in questions:
                self.number = number
                answer = self._safely(self.answer, {"do": do, "with": arguments})
                if os.getpid() != own:
                    os._exit(0)  # The learner's code has forked.
                yield {"n": number, **answer}
                if "error" in answer and not may_fail:
                    break

    def forget(self) -> None:
        """Forget the objects of an earlier check."""
        for held in (self.modules, self.modes, self.kept, self.arranged):
            held.clear()
        self.earlier, self.returned, self.before = [], [], []

    def do_replay(
        self, module: str, variants: list[wire.Array], requests: list[dict[str, Any]]
    ) -> list[list[dict[str, Any]]]:
        """The answers of each of these sources of the step to the same requests.

        The first answer is that of the import. The sources are the checker's own: known versions.
        """
        assert self.finder is not None
        filename = self.finder.files[module][0]
        found = []
        for source in variants:
            self.forget()
            self._undo_modes()
            sys.modules.pop(module, None)
            self.finder.files[module] = (filename, source.data)
            self.files[filename] = source.data
            found.append([self._safely(self._import, module)])
            if "ok" in found[-1][0]:
                for request in requests:
                    self.number = request["number"]
                    found[-1].append(self._safely(self.answer, request))
        return found

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
        self.finder, self.last, self.root = Finder(own, banned), Finder(beside, ()), root
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
        """Set all parameters: from one long vector, or by name."""
        tensors = owned(self.modules[handle], "_parameters")
        self.before = []  # It may be a view of them.
        with _no_grad():
            if isinstance(values, wire.Array):
                long = tensor_of(values)
                sizes = [tensor.numel() for tensor in tensors.values()]
                for tensor, part in zip(tensors.values(), _split(long, sizes)):
                    _copy_(tensor, part.view(_shape_of(tensor)))
                return
            shapes = dict(values["shapes"])
            parts = _split(tensor_of(values["long"]), [*map(math.prod, shapes.values())])
            named = {name: part.view(shapes[name]) for name, part in zip(shapes, parts)}
            spare = [part for name, part in named.items() if name not in tensors]
            for name, tensor in tensors.items():
                its = named.get(name)
                if its is None:  # A known version, and a name that the learner's lacks.
                    shape = _shape_of(tensor)
                    its = next((p for p in spare if _shape_of(p) == shape), None)
                    spare = [p for p in spare if p is not its]
                if its is not None:
                    _copy_(tensor, its)

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
