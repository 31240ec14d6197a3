"""What watches a call of learner code in the worker: which functions it uses, what it computes.

Bound to private names before learner code runs, as in laboratory.py.
"""

import sys

import torch
from torch import nn
from torch.overrides import TorchFunctionMode
from torch.utils._device import _device_constructors

TRACE_LIMIT = 60
CONSTRUCTORS = frozenset(_device_constructors())
_Tensor, _device_of = torch.Tensor, torch.Tensor.device.__get__
_named_modules = nn.Module.named_modules
_hook_modules = nn.modules.module.register_module_forward_hook


class Spy(TorchFunctionMode):
    """Which of these functions of torch are called, from which line; and which fix a device."""

    def __init__(self, bench, names):
        super().__init__()
        self.bench, self.names, self.calls = bench, names, {}
        self.fixes_device, self.asked, self.moves = False, False, False

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = getattr(function, "__name__", "")
        if name in self.names and name not in self.calls:
            self.calls[name] = self.bench.place(sys._getframe(1))
        self.asked = self.asked or function == _device_of
        if function in CONSTRUCTORS:
            given = kwargs.get("device")
            self.fixes_device = self.fixes_device or not (given is not None and self.asked)
        elif name in ("cpu", "cuda", "type") or (name == "to" and _has_text(args, kwargs)):
            self.fixes_device = True
            self.moves = self.moves or (name == "to" and not self.asked)
        return function(*args, **kwargs)


class Tracer:
    """What a call computes on its way: the step's local tensors, and what modules give."""

    def __init__(self, bench, module):
        self.bench, self.found = bench, []
        self.names = {id(part): path for path, part in _named_modules(module)} if module else {}

    def __enter__(self):
        self.hook = _hook_modules(self._given)
        sys.setprofile(self._returned)
        return self

    def __exit__(self, *error):
        sys.setprofile(None)
        self.hook.remove()

    def _given(self, module, args, value):
        if self.names.get(id(module)):
            self._note(self.names[id(module)], value)

    def _returned(self, frame, event, value):
        code = frame.f_code
        if event != "return" or code.co_filename not in self.bench.files:
            return
        if code.co_filename == self.bench.module.__file__:
            for name, local in frame.f_locals.items():
                self._note(name, local)
        self._note(f"{code.co_name}()", value)

    def _note(self, name, value):
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, _Tensor) and len(self.found) < TRACE_LIMIT:
                self.found.append([name, self.bench.report(item)])


def _has_text(args, kwargs):
    return any(isinstance(value, (str, torch.device)) for value in [*args, *kwargs.values()])
