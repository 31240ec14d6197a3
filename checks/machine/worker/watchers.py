"""What watches a call of learner code in the worker: which functions it uses, what it computes.

Bound to private names before learner code runs, as in laboratory.py.
"""

import os
import sys
import threading
import warnings

import torch
from lines import place
from readout import report
from torch import nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

TRACE_LIMIT = 60
_Tensor = torch.Tensor
_named_modules = nn.Module.named_modules
_hook_modules = nn.modules.module.register_module_forward_hook
_library, _HOME = torch._C._dispatch_library, os.path.dirname(torch.__file__) + os.sep
_set_profile, _set_profile_of_threads = sys.setprofile, threading.setprofile
# The kernels behind the functions that a step may have to do without.
KERNELS = {
    "layer_norm": ["native_layer_norm"],
    "_native_multi_head_attention": ["_native_multi_head_attention"],
    "scaled_dot_product_attention": [
        "scaled_dot_product_attention",
        "_scaled_dot_product_attention_math",
        "_scaled_dot_product_flash_attention_for_cpu",
    ],
}


class Spy(TorchFunctionMode):
    """Which of these functions of torch are called, from which line."""

    def __init__(self, bench, names):
        super().__init__()
        self.bench, self.names, self.calls = bench, names, {}

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name = getattr(function, "__name__", "")
        if name in self.names and name not in self.calls:
            self.calls[name] = place(sys._getframe(1), self.bench.files)
        return function(*args, **(kwargs or {}))


class Ban(Spy):
    """Notices functions that a step has to do without however they are called: past the function
    mode, in another thread, as a bare kernel. Their kernels give way while it lasts.
    """

    def __enter__(self):
        self.library = _library("IMPL", "aten", "CPU", __file__, 0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # That a kernel is replaced.
            for name in self.names:
                for kernel in KERNELS.get(name, ()):
                    self.library.impl(kernel, "CPU", self._instead_of(name), False)
        _set_profile(self._profiled)
        _set_profile_of_threads(self._profiled)
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        _set_profile(None)
        _set_profile_of_threads(None)
        self.library = None

    def _instead_of(self, name):
        def give_way(*args, **kwargs):
            self._note(name, sys._getframe(1))
            raise RuntimeError(f"{name} is not to be used in this step")

        return give_way

    def _profiled(self, frame, event, function):
        code = frame.f_code
        if event == "call" and code.co_name in self.names and code.co_filename.startswith(_HOME):
            self._note(code.co_name, frame)
        elif event == "c_call" and getattr(function, "__name__", None) in self.names:
            self._note(function.__name__, frame)

    def _note(self, name, frame):
        self.calls.setdefault(name, place(frame, self.bench.files))


class Beneath(TorchDispatchMode):
    """Sees every operation of PyTorch's core, whoever asks for it."""

    @classmethod
    def _should_skip_dynamo(cls):
        return False  # There is no compiler to keep out; to load it takes more than a second.


class Work(Beneath):
    """How many multiplications all matrix products take, however they are written."""

    def __init__(self):
        super().__init__()
        self.products = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        out = function(*args, **(kwargs or {}))
        name = function.overloadpacket.__name__
        if name in ("mm", "bmm", "mv", "dot"):
            self.products += out.numel() * args[0].shape[-1]
        elif name in ("addmm", "baddbmm", "addmv"):
            self.products += out.numel() * args[1].shape[-1]
        elif name == "convolution":
            self.products += out.numel() * args[1][0].numel()
        elif name.startswith("_scaled_dot_product"):
            self.products += 2 * args[0].numel() * args[1].shape[-2]
        return out


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
                self.found.append([name, report(item)])
