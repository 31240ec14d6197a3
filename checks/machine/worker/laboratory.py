"""What a worker does with learner code: load it, build, call, and report plain data.

What it needs of torch is bound to private names before learner code runs, so that a patched method
changes no answer.
"""

import faulthandler
import importlib
import math
import random
import signal
import sys
from contextlib import nullcontext

import lines
import school
import torch
import wire
from elsewhere import Elsewhere, There
from finder import Finder, Forbidden, guard
from readout import DTYPES, array_of, report, same, tensor_of, value_of
from stand_ins import KINDS
from torch import nn
from watchers import Ban, Spy, Tracer, Work

torch.set_num_threads(1)

INTERNAL = frozenset(vars(nn.Module()))
_Tensor, _Module = torch.Tensor, nn.Module
_detach, _clone = torch.Tensor.detach, torch.Tensor.clone
_seed = torch.default_generator.manual_seed
_to, _requires_grad_ = torch.Tensor.to, torch.Tensor.requires_grad_
_copy_, _shape_of = torch.Tensor.copy_, torch.Tensor.size
_sum, _mul, _grad = torch.sum, torch.mul, torch.autograd.grad
_no_grad, _enable_grad = torch.no_grad, torch.enable_grad
_is_grad_enabled = torch.is_grad_enabled
_named_parameters, _named_buffers = nn.Module.named_parameters, nn.Module.named_buffers
_parameters, _buffers = nn.Module.parameters, nn.Module.buffers
_named_modules, _modules = nn.Module.named_modules, nn.Module.modules
_split, _train, _double = torch.split, nn.Module.train, nn.Module.double


class Bench:
    """One submission's step, the modules built from it, and the answers to the judge."""

    def __init__(self, trace_fd):
        self.files, self.modules, self.module = {}, {}, None
        self.there = There()  # What calls had away from the CPU.
        self.modes = {}  # Of modules, train or eval, as last asked for.
        self.finder = self.last = self.root = None
        self.school = school.School()
        if hasattr(signal, "SIGXCPU"):
            faulthandler.register(signal.SIGXCPU, file=trace_fd, all_threads=False, chain=True)
        faulthandler.enable(file=trace_fd, all_threads=False)

    def answer(self, request):
        return {"ok": getattr(self, "do_" + request["do"])(**request["with"])}

    def clear(self):
        """Undo what loading changed, for the next piece of work in this process."""
        self.modules.clear()
        own = (self.finder, self.last)
        sys.meta_path[:] = [finder for finder in sys.meta_path if finder not in own]
        sys.path[:] = [path for path in sys.path if path != self.root]
        stages = self.finder.stages | self.last.stages if self.finder else set()
        for name in [name for name in sys.modules if name.partition(".")[0] in stages]:
            del sys.modules[name]  # Torch's own stay: some of them cannot be imported twice.
        self._undo_modes()

    def _undo_modes(self):
        torch.set_default_dtype(torch.float32)
        torch.set_grad_enabled(True)

    def _safely(self, function, argument):
        try:
            return function(argument)
        except Exception as error:
            return lines.explain(error, self.files)

    def _import(self, module):
        importlib.import_module(module)
        self.module = sys.modules[module]
        return {"ok": {"names": self._names()}}

    # What the judge may ask

    def do_rehearse(self, requests):
        """Many questions at once: packed, as every submission is asked the same."""
        return [self._safely(self.answer, request) for request in wire.unpacked(requests)]

    def do_replay(self, module, variants, requests):
        """What each of these sources of the step answers to the same requests.

        The first answer is to being imported. They are the checker's own: known versions.
        """
        filename = self.finder.files[module][0]
        found = []
        for source in variants:
            self.modules.clear()
            self._undo_modes()
            sys.modules.pop(module, None)
            self.finder.files[module] = (filename, source.data)
            self.files[filename] = source.data
            found.append([self._safely(self._import, module)])
            if "ok" in found[-1][0]:
                found[-1] += [self._safely(self.answer, request) for request in requests]
        return found

    def do_load(self, root, files, helpers, module, banned, guarded, seed):
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

    def do_build(self, handle, name, home, args, kwargs, dtype, default_dtype, seed):
        """`home`: the module that has it, if it is not the step's own."""
        _seed(seed)
        torch.set_default_dtype(DTYPES[default_dtype])
        try:
            module = importlib.import_module(home) if home else self.module
            made = getattr(module, name)(*args, **kwargs)
        finally:
            torch.set_default_dtype(torch.float32)
        if not isinstance(made, _Module):
            return {"kind": type(made).__name__}
        if dtype == "float64":
            _double(made)
        self.modules[handle] = made
        self.modes.pop(handle, None)
        return {
            "kind": "module",
            "parameters": [[n, report(p, False)] for n, p in _named_parameters(made)],
            "buffers": [[n, report(b)] for n, b in _named_buffers(made)],
            "odd": self._odd(made),
        }

    def do_assign(self, handle, values):
        """Set all parameters: from one long vector, or by name."""
        tensors = dict(_named_parameters(self.modules[handle]))
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
                part = named.get(name)
                if part is None:  # In a known version, under a name that the learner has not.
                    shape = _shape_of(tensor)
                    part = next((p for p in spare if _shape_of(p) == shape), None)
                    spare = [p for p in spare if p is not part]
                if part is not None:
                    _copy_(tensor, part)

    def do_attend(self, lesson, arguments):
        """A question of a graduation."""
        return self.school.answer(lesson, **arguments)

    def do_attribute(self, handle, name):
        value = self.modules[handle]
        for part in name.split("."):
            value = getattr(value, part)
        return value_of(value)

    def do_state(self, handle):
        """Of a module: its mode (None: some of its parts train, some do not) and its parameters
        with their numbers; whether autograd records.
        """
        module = self.modules[handle]
        trains = {bool(part.training) for part in _modules(module)}
        named = [[n, report(p)] for n, p in _named_parameters(module)]
        mode = trains.pop() if len(trains) == 1 else None
        modes = {"training": mode, "recording": _is_grad_enabled()}
        return {**modes, "parameters": named}

    def do_call(
        self,
        target,
        method,
        args,
        weighting,
        spy,
        ban,
        away,
        seed,
        trace,
        train,
        work=False,
    ):
        function = self.modules[target] if target in self.modules else getattr(self.module, target)
        if train is not None and self.modes.get(target) != train:
            _set_mode(function, train)
            self.modes[target] = train
        if method is not None:
            function = getattr(function, method)
        self.leaves = []
        with _enable_grad():  # Whatever the learner's code has switched off.
            inputs = [self._argument(value, weighting is not None) for value in args]
        copies = [_clone(_detach(x)) if isinstance(x, _Tensor) else None for x in inputs]
        _seed(seed)
        module = self.modules.get(target)
        if spy:
            watcher = (Ban if ban else Spy)(self, spy)
        elif weighting is not None:
            watcher = _enable_grad()
        elif away:
            watcher = Elsewhere(self.there, self._owned([module, *inputs]))
        elif work:
            watcher = Work()
        elif trace:
            watcher = Tracer(self, module)
        else:
            watcher = nullcontext()
        try:
            with watcher:
                out = function(*inputs)
        except Exception:
            if not (ban and watcher.calls):
                raise
            out = None  # It was kept from what it is not to use.
        result = {"value": value_of(out, watcher if away else None)}
        if trace:
            result["trace"] = watcher.found
        if work:
            result["work"] = watcher.products
        if spy:
            result["calls"] = watcher.calls
        result["changed"] = [
            n
            for n, (x, copy) in enumerate(zip(inputs, copies))
            if copy is not None and not same(x, copy)
        ]
        if weighting is not None:
            result["gradients"] = self._gradients(out, weighting, self.leaves[: len(args)], target)
        return result

    # What is handed over, and what comes back

    def _owned(self, values):
        """All tensors that these are, or that move with them."""
        for value in values:
            if isinstance(value, _Module):
                yield from _parameters(value)
                yield from _buffers(value)
            elif isinstance(value, _Tensor):
                yield value

    def _argument(self, value, needs_gradient):
        if isinstance(value, wire.Array):
            tensor = tensor_of(value)
            if needs_gradient and tensor.is_floating_point():
                self.leaves.append(_requires_grad_(tensor))
                return _clone(tensor)  # A leaf may not be changed in place.
            self.leaves.append(None)
            return tensor
        self.leaves.append(None)
        return self._stand_in(value) if isinstance(value, dict) else value

    def _stand_in(self, value):
        """What was made before, by its handle, or one of the stand-ins, kept under its handle."""
        if "at_hand" in value:
            made = self.modules[value["at_hand"]]
        else:
            with _enable_grad():
                given = {name: self._given(own) for name, own in value["with"].items()}
                made = KINDS[value["stand_in"]](**given)
            if value["handle"] is not None:
                self.modules[value["handle"]] = made
        if value["train"] is not None:
            _set_mode(made, value["train"])
            self.modes.pop(value.get("at_hand"), None)
        return made

    def _given(self, value):
        if isinstance(value, wire.Array):
            return tensor_of(value)
        return self._stand_in(value) if isinstance(value, dict) else value

    def _gradients(self, out, weighting, inputs, target):
        """Of the sum of all outputs times their weighting: by argument and by parameter."""
        outs = list(out) if isinstance(out, (tuple, list)) else [out]
        pairs = [(o, tensor_of(w)) for o, w in zip(outs, weighting) if w is not None]
        named = dict(_named_parameters(self.modules[target])) if target in self.modules else {}
        leaves = [x for x in inputs if x is not None] + [
            p for p in named.values() if p.requires_grad
        ]
        heads = [(o, w) for o, w in pairs if isinstance(o, _Tensor) and o.requires_grad]
        if not heads or any(_shape_of(o) != _shape_of(w) for o, w in heads):
            grads = [None] * len(leaves)
        else:
            # One number: with grad_outputs, autograd would import sympy first (0.1 s).
            with _enable_grad():
                total = sum(_sum(_mul(o, _to(w, o.dtype))) for o, w in heads)
                grads = _grad(total, leaves, allow_unused=True)
        found = {id(leaf): None if g is None else array_of(g) for leaf, g in zip(leaves, grads)}
        return {
            "inputs": [None if x is None else found.get(id(x)) for x in inputs],
            "parameters": {name: found.get(id(p)) for name, p in named.items()},
        }

    def _odd(self, module):
        """What PyTorch does not see, or sees once only: names of attributes, pairs of names."""
        found = {"tensors": [], "lists": [], "shared": []}
        seen = {}
        for path, part in _named_modules(module, remove_duplicate=False):
            for name, value in vars(part).items():
                if name in INTERNAL:
                    continue
                whole = f"{path}.{name}" if path else name
                items = value.values() if isinstance(value, dict) else value
                if isinstance(value, _Tensor) and value.dim() > 0:
                    found["tensors"].append(whole)
                elif isinstance(value, (list, tuple, dict)) and not name.startswith("_"):
                    if any(isinstance(item, (_Module, _Tensor)) for item in items):
                        found["lists"].append(whole)
            first = seen.setdefault(id(part), path)
            if first != path and any(True for _ in _named_parameters(part)):
                found["shared"].append([first, path])
        return {kind: names[:8] for kind, names in found.items()}

    def _names(self):
        """The names in the step's file, and whether they were made there."""
        found = []
        for name, value in list(vars(self.module).items())[:500]:
            if name.startswith("__"):
                continue
            home = getattr(value, "__module__", None)
            found.append([name, home == self.module.__name__])
        return found

    def flush(self):
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except BaseException:
                pass


def _set_mode(module, train):
    """As module.train(train) does it; directly, where no class has a way of its own."""
    parts = list(_modules(module))
    if all(type(part).train is _train for part in parts):
        for part in parts:
            part.__dict__["training"] = train
    else:
        _train(module, train)


def _loaded(files):
    return {name: (filename, source.data) for name, (filename, source) in files.items()}
