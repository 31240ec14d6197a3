"""Watchers of a call of learner code in the worker: which functions it uses, what it computes.

PyTorch's functions are bound to private names before learner code runs, as in laboratory.py.
"""

from __future__ import annotations

import math
import os
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from types import FrameType, ModuleType
from typing import Any

import torch
from lines import NAME_LIMIT, Files, place
from parts import parts
from readout import report
from torch import nn
from torch._C._profiler import ProfilerConfig, ProfilerState, _ExperimentalConfig
from torch.overrides import TorchFunctionMode

TRACE_LIMIT = 60
_Tensor, _broadcast_shapes = torch.Tensor, torch.broadcast_shapes
_hook_modules = nn.modules.module.register_module_forward_hook
_library: Any = torch._C._dispatch_library
_no_grad, _NoSubclass = torch.no_grad, torch._C.DisableTorchFunctionSubclass
_absolute, _sum, _double = torch.abs, torch.sum, torch.Tensor.double
_numel, _is_fraction = torch.Tensor.numel, torch.Tensor.is_floating_point
_HOME = os.path.dirname(torch.__file__) + os.sep
_set_profile, _set_profile_of_threads = sys.setprofile, threading.setprofile
_record, _recorded = (
    getattr(torch._C._autograd, f"_{way}_profiler_legacy") for way in ("enable", "disable")
)
Operations = list[tuple[str, list[list[int]]]]  # Names with the shapes of the arguments.
_RECORDING = ProfilerConfig(
    ProfilerState.CPU, True, False, False, False, False, _ExperimentalConfig()
)


class Operands(TorchFunctionMode):
    """Keeps what PyTorch's last function was given, until it returns: so if it fails."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[Any] = []

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        self.given = [args, kwargs]
        out = function(*args, **(kwargs or {}))
        self.given = []
        return out

    def sums(self) -> list[list[float]]:
        """For each tensor of fractions: how many numbers, the sum of their sizes and of their
        squares. The order of the numbers does not count.
        """
        with _no_grad(), _NoSubclass():
            found = [_absolute(_double(tensor)) for tensor in _tensors(self.given)]
            return [[float(n) for n in (_numel(x), _sum(x), _sum(x * x))] for x in found]


def _tensors(value: Any) -> list[torch.Tensor]:
    """The tensors of fractions in lists, tuples and dictionaries."""
    if isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in _tensors(item)]
    if isinstance(value, dict):
        return _tensors(list(value.values()))
    return [value] if isinstance(value, _Tensor) and _is_fraction(value) else []


class Recorder:
    """Records the operations of PyTorch's core in a call, with the shapes of their arguments.

    PyTorch's own profiler records them, below Python: nothing that learner code reaches through
    frames changes the record. `operations` is None if learner code has switched it off.
    """

    operations: Operations | None = None

    def __enter__(self) -> Recorder:
        _record(_RECORDING)
        return self

    def __exit__(self, *error: Any) -> None:
        try:
            events = [event for thread in _recorded() for event in thread]
        except RuntimeError:
            return
        self.operations = [
            (event.name().removeprefix("aten::"), event.shapes())
            for event in events
            if event.kind() == "push"
        ]


class Ban(TorchFunctionMode):
    """Records which of these functions of torch are called, and from which line. Meanwhile their
    kernels raise an error, in other threads, too, and if they are called past the function mode.
    """

    def __init__(self, files: Files, names: list[str]):
        super().__init__()
        self.files, self.names = files, names
        self.calls: dict[str, list[Any] | None] = {}  # The place of each call, if there is one.

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        name = getattr(function, "__name__", "")
        if name in self.names:
            self._note(name, sys._getframe(1))
        return function(*args, **(kwargs or {}))

    def __enter__(self) -> Any:
        self.recorder = Recorder()
        self.recorder.__enter__()
        self.library = _library("IMPL", "aten", "CPU")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # A warning that a kernel is replaced.
            for name in self.names:
                if hasattr(torch.ops.aten, name):
                    self.library.impl(name, "CPU", self._instead_of(name), False)
        _set_profile(self._profiled)
        _set_profile_of_threads(self._profiled)
        return super().__enter__()

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)
        _set_profile(None)
        _set_profile_of_threads(None)
        self.library = None
        self.recorder.__exit__()
        done = self.recorder.operations
        if done is None:  # Then the operations are unknown.
            self.calls.setdefault(self.names[0], None)
        for name, _ in done or ():
            if name in self.names:
                self.calls.setdefault(name, None)

    def _instead_of(self, name: str) -> Callable[..., Any]:
        def give_way(*args: Any, **kwargs: Any) -> Any:
            self._note(name, sys._getframe(1))
            raise RuntimeError(f"{name} is not to be used in this step")

        return give_way

    def _profiled(self, frame: FrameType, event: str, function: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_name in self.names and code.co_filename.startswith(_HOME):
            self._note(code.co_name, frame)
        elif event == "c_call" and getattr(function, "__name__", None) in self.names:
            self._note(function.__name__, frame)

    def _note(self, name: str, frame: FrameType) -> None:
        self.calls.setdefault(name, place(frame, self.files))


def multiplications(operations: Operations) -> int:
    """How many multiplications all products of these operations take, in any notation."""
    return sum(_of_product(name, *shapes[:3]) for name, shapes in operations if len(shapes) > 1)


def _of_product(
    name: str, first: Sequence[int], second: Sequence[int], third: Sequence[int] = ()
) -> int:
    if name in ("addmm", "baddbmm", "addmv", "addbmm", "addcmul"):  # The first operand is added.
        name, first, second = name.removeprefix("add"), second, third
    if name in ("mm", "bmm", "baddbmm"):
        return math.prod(first) * second[-1]
    if name in ("mv", "dot"):
        return math.prod(first)
    if name in ("mul", "mul_", "cmul"):  # All pairs of numbers by broadcasting.
        return math.prod(_broadcast_shapes(first, second))
    if name == "convolution":  # The weights are (outputs, inputs, width).
        return math.prod(first) * math.prod(second) // second[1]
    if name == "_scaled_dot_product_flash_attention_for_cpu":
        return 2 * math.prod(first) * second[-2]
    return 0


class Tracer:
    """Records what a call computes: the step's local tensors, and the outputs of modules."""

    def __init__(self, files: Files, step: ModuleType, module: nn.Module | None):
        self.files, self.step = files, step
        self.found: list[list[Any]] = []  # Names, with the reports of tensors.
        self.names = {id(part): path for path, part in parts(module)} if module else {}

    def __enter__(self) -> Tracer:
        self.hook = _hook_modules(self._given)
        sys.setprofile(self._returned)
        return self

    def __exit__(self, *error: Any) -> None:
        sys.setprofile(None)
        self.hook.remove()

    def _given(self, module: nn.Module, args: Any, value: Any) -> None:
        if self.names.get(id(module)):
            self._note(self.names[id(module)], value)

    def _returned(self, frame: FrameType, event: str, value: Any) -> None:
        code = frame.f_code
        if event != "return" or code.co_filename not in self.files:
            return
        own = self.step.__file__
        if self.names.get(id(frame.f_locals.get("self"))):
            return  # A part of the module in question: what it gives is noted already.
        if code.co_filename == own:
            for name, local in frame.f_locals.items():
                self._note(name, local)
        elif frame.f_back is None or frame.f_back.f_code.co_filename != own:
            return  # The inner values of an earlier step are not this step's business.
        if not code.co_name.startswith("<"):  # A generator, say, gives nothing by a name.
            self._note(f"{code.co_name}()", value)

    def _note(self, name: str, value: Any) -> None:
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, _Tensor) and len(self.found) < TRACE_LIMIT:
                self.found.append([name[:NAME_LIMIT], report(item)])
