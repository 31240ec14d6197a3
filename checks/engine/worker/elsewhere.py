"""A simulated device: every number stays on the CPU, and a list says what would be where.

So code that reads numbers on the way (`ended.all()`) can run as well, which is impossible on
PyTorch's own meta device.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NoReturn

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._device import _device_constructors
from torch.utils._python_dispatch import TorchDispatchMode

_Tensor, _device_of = torch.Tensor, torch.Tensor.device.__get__
_clone, _dim, _storage = torch.Tensor.clone, torch.Tensor.dim, torch.Tensor.untyped_storage
_is_wrapped = torch._C._functorch.is_functorch_wrapped_tensor
_unwrapped, _NoModes = torch._C._functorch.get_unwrapped, torch._C.DisableTorchFunctionSubclass
_Device, _META = torch.device, torch.device("meta")
# They leave a tensor where it is; from anything else, even a list of tensors, they make one here.
TAKING = {torch.as_tensor, torch.asarray, torch.tensor, torch.sparse_coo_tensor}
CONSTRUCTORS = frozenset(_device_constructors()) - TAKING
MOVES = ("to", "cpu", "type_as")
SHAPED_LIKE = ("expand_as", "view_as", "reshape_as")  # The other tensor only gives its shape.
LENGTHS_HERE = ("_pack_padded_sequence",)  # The lengths have to be on the CPU.
INDEXING = ("__getitem__", "__setitem__")


class There(dict):
    """The storages on the other device; a tensor is where its storage is.

    They are kept. So code may keep a tensor for its next call, and no new storage takes the place
    of an old one.
    """

    def has(self, tensor: torch.Tensor) -> bool:
        return _key(tensor)[0] in self

    def put(self, tensors: Iterable[torch.Tensor], there: bool) -> None:
        for tensor in tensors:
            key, storage = _key(tensor)
            if there:
                self[key] = storage
            else:
                self.pop(key, None)


class Elsewhere(TorchFunctionMode):
    """A call as if all its arguments were on another device, named meta.

    A result is where its operands are. A new tensor is where `device=` says, or else on the CPU.
    Operands on both devices raise a RuntimeError as PyTorch does, but a tensor without axes may
    come from the CPU.
    """

    def __init__(self, there: There, tensors: Iterable[torch.Tensor]):
        super().__init__()
        self.there, self.unseen = there, Unseen(there)
        self.has = there.has
        there.put(tensors, True)

    def __enter__(self) -> Any:
        self.unseen.__enter__()
        return super().__enter__()

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)
        self.unseen.__exit__(*error)

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        name, kwargs = getattr(function, "__name__", ""), dict(kwargs or {})
        if function == _device_of:
            return _META if self.has(args[0]) else function(*args)
        if name in ("numpy", "__array__") and self.has(args[0]):
            told = "can't convert meta device type tensor to numpy. Use Tensor.cpu() first"
            raise TypeError(f"{told} to copy the tensor to host memory.")
        there, args, kwargs = self.place(function, name, args, kwargs)
        out = function(*args, **kwargs)
        if name in MOVES and self.has(out) != there:
            out = _clone(out)  # In truth it has not moved.
        self.there.put(_tensors(out), there)
        return out

    def place(
        self, function: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[bool, tuple[Any, ...], dict[str, Any]]:
        """Whether the result is on the other device; and the arguments without the device."""
        given = kwargs.get("device")
        if name == "to":
            given = next((a for a in args[1:] if isinstance(a, (str, _Device))), given)
            args = tuple("cpu" if _is_meta(a) else a for a in args)
        if given is not None:
            if _is_meta(given) and "device" in kwargs:
                kwargs["device"] = "cpu"
            return _is_meta(given), args, kwargs
        if name == "cpu" or function in CONSTRUCTORS:
            return False, args, kwargs
        if name in ("to", "type_as") and isinstance(args[-1], _Tensor):
            return self.has(args[-1]), args, kwargs
        if name in ("copy_", *SHAPED_LIKE, *LENGTHS_HERE, *INDEXING):
            if name in INDEXING:
                self.refuse_indices(*args)
            return self.has(args[0]), args, kwargs
        operands = _tensors([args, kwargs])
        if function in TAKING and not any(
            isinstance(v, _Tensor) for v in (*args, *kwargs.values())
        ):
            return False, args, kwargs
        there = not operands or any(self.has(tensor) for tensor in operands)
        if there and not all(self.has(tensor) or _dim(tensor) == 0 for tensor in operands):
            self.refuse("Expected all tensors to be on the same device")
        return there, args, kwargs

    def refuse_indices(self, tensor: torch.Tensor, index: Any, value: Any = None) -> None:
        """Refuse an index from the other device for a tensor on the CPU; the reverse is allowed."""
        indices = [i for i in _tensors([index]) if _dim(i) > 0]
        if not self.has(tensor) and any(self.has(i) for i in indices):
            self.refuse("indices should be on the same device as the indexed tensor")
        if indices and isinstance(value, _Tensor) and _dim(value) > 0:
            if self.has(value) != self.has(tensor):
                self.refuse("Expected the tensor and the values to be on the same device")

    def refuse(self, told: str) -> NoReturn:
        raise RuntimeError(f"{told}, but found at least two devices, meta and cpu!")


class Unseen(TorchDispatchMode):
    """Puts the results of compiled code and torch.vmap, invisible from above, where the operands
    are: it sees every operation of PyTorch's core, regardless of the caller.
    """

    def __init__(self, there: There):
        super().__init__()
        self.there = there

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # No compiler has to be kept out; loading it takes over a second.

    def __torch_dispatch__(
        self, function: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        out = function(*args, **(kwargs or {}))
        operands = _tensors([args, kwargs])
        if any(map(self.there.has, operands)):
            old = {_key(tensor)[0] for tensor in operands}  # Written to in place: it stays.
            self.there.put([t for t in _tensors(out) if _key(t)[0] not in old], True)
        return out


def _key(tensor: torch.Tensor) -> tuple[int, Any]:
    """The key of a tensor's storage, and an object that keeps it."""
    with _NoModes():
        while _is_wrapped(tensor):
            tensor = _unwrapped(tensor)
        if tensor.layout != torch.strided:
            return id(tensor), tensor
        storage = _storage(tensor)
        return storage._cdata, storage


def _is_meta(value: Any) -> bool:
    return isinstance(value, (str, _Device)) and str(value).split(":")[0] == "meta"


def _tensors(value: Any) -> list[torch.Tensor]:
    """All tensors in a value, at any depth of tuples, lists and dicts."""
    if isinstance(value, _Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return [tensor for part in value for tensor in _tensors(part)]
    return []
