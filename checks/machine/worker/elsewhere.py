"""Another device, without one: every number stays on the CPU, and who is where is written down.

So code that looks at numbers while it goes along (`ended.all()`) can be asked as well, which on
PyTorch's own meta device it cannot.
"""

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._device import _device_constructors
from watchers import Beneath

_Tensor, _device_of = torch.Tensor, torch.Tensor.device.__get__
_clone, _dim, _storage = torch.Tensor.clone, torch.Tensor.dim, torch.Tensor.untyped_storage
_is_wrapped = torch._C._functorch.is_functorch_wrapped_tensor
_unwrapped, _NoModes = torch._C._functorch.get_unwrapped, torch._C.DisableTorchFunctionSubclass
_Device, _META = torch.device, torch.device("meta")
# A tensor stays where it is; of anything else, also of a list of tensors, they make one here.
TAKING = {torch.as_tensor, torch.asarray, torch.tensor, torch.sparse_coo_tensor}
CONSTRUCTORS = frozenset(_device_constructors()) - TAKING
MOVES = ("to", "cpu", "type_as")
SHAPED_LIKE = ("expand_as", "view_as", "reshape_as")  # The other one gives its shape only.
LENGTHS_HERE = ("_pack_padded_sequence",)  # They have to be on the CPU.
INDEXING = ("__getitem__", "__setitem__")


class There(dict):
    """The storages that are there: a tensor is where its numbers are. They are kept, so that code
    may keep what it made for its next call, and no new one takes an old one's place.
    """

    def has(self, tensor):
        return _key(tensor)[0] in self

    def put(self, tensors, there):
        for tensor in tensors:
            key, storage = _key(tensor)
            if there:
                self[key] = storage
            else:
                self.pop(key, None)


class Elsewhere(TorchFunctionMode):
    """A call as if all that it is given were on another device, named meta.

    What is computed is where its operands are; what is made is where `device=` says, or else here,
    on the CPU. Operands on both devices raise a RuntimeError as PyTorch does; a tensor with a
    single number and no axes may come from here.
    """

    def __init__(self, there, tensors):
        super().__init__()
        self.there, self.unseen = there, Unseen(there)
        self.has = there.has
        there.put(tensors, True)

    def __enter__(self):
        self.unseen.__enter__()
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        self.unseen.__exit__(*error)

    def __torch_function__(self, function, types, args=(), kwargs=None):
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

    def place(self, function, name, args, kwargs):
        """Whether the result is there; and the arguments, without the device's name."""
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

    def refuse_indices(self, tensor, index, value=None):
        """An index from here will do; one from there to a tensor that is here will not."""
        indices = [i for i in _tensors([index]) if _dim(i) > 0]
        if not self.has(tensor) and any(self.has(i) for i in indices):
            self.refuse("indices should be on the same device as the indexed tensor")
        if indices and isinstance(value, _Tensor) and _dim(value) > 0:
            if self.has(value) != self.has(tensor):
                self.refuse("Expected the tensor and the values to be on the same device")

    def refuse(self, told):
        raise RuntimeError(f"{told}, but found at least two devices, meta and cpu!")


class Unseen(Beneath):
    """What compiled code and torch.vmap compute, unseen from above, is where its operands are."""

    def __init__(self, there):
        super().__init__()
        self.there = there

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        out = function(*args, **(kwargs or {}))
        operands = _tensors([args, kwargs])
        if any(map(self.there.has, operands)):
            old = {_key(tensor)[0] for tensor in operands}  # What is written on stays where it is.
            self.there.put([t for t in _tensors(out) if _key(t)[0] not in old], True)
        return out


def _key(tensor):
    """What stands for a tensor's storage, and what keeps it."""
    with _NoModes():
        while _is_wrapped(tensor):
            tensor = _unwrapped(tensor)
        if tensor.layout != torch.strided:
            return id(tensor), tensor
        storage = _storage(tensor)
        return storage._cdata, storage


def _is_meta(value):
    return isinstance(value, (str, _Device)) and str(value).split(":")[0] == "meta"


def _tensors(value):
    """All tensors in a value, however deep in tuples, lists and dicts."""
    if isinstance(value, _Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return [tensor for part in value for tensor in _tensors(part)]
    return []
