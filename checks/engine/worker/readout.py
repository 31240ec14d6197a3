"""Numbers in and out: tensors from the judge, and plain data from learner code.

PyTorch's functions are bound to private names before learner code runs, as in laboratory.py.
Numbers are read from a tensor's real storage, so that a patched method or a lying subclass changes
no answer.
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Iterator
from itertools import islice
from types import GeneratorType
from typing import Any

import torch
import wire

TEXT_LIMIT = 10_000
MOST_YIELDED = 1000
SENT = ("float32", "float64", "int64", "int32", "uint8", "bool")
DTYPES: dict[str, torch.dtype] = {name: getattr(torch, name) for name in SENT}
# What the judge can ask a module to be.
FLOATS = {name: getattr(torch, name) for name in ("float64", "float16", "bfloat16")}
NAMES = {dtype: name for name, dtype in DTYPES.items()}

_Tensor = torch.Tensor
_as_subclass, _detach = torch.Tensor.as_subclass, torch.Tensor.detach
_contiguous, _cpu, _data_ptr = torch.Tensor.contiguous, torch.Tensor.cpu, torch.Tensor.data_ptr
_to, _to_dense, _shape_of = torch.Tensor.to, torch.Tensor.to_dense, torch.Tensor.size
_transpose = torch.Tensor.transpose
_frombuffer, _zeros = torch.frombuffer, torch.zeros
_no_grad, _NoSubclass = torch.no_grad, torch._C.DisableTorchFunctionSubclass
_string_at, _dumps = ctypes.string_at, json.dumps


def tensor_of(array: wire.Array) -> torch.Tensor:
    """An array from the judge, as a tensor with its own memory."""
    dtype = DTYPES[array.dtype]
    if not array.data:
        return _zeros(array.shape, dtype=dtype, device="cpu")
    return _frombuffer(bytearray(array.data), dtype=dtype).reshape(array.shape)


def crossed(tensor: torch.Tensor) -> torch.Tensor:
    """The same numbers, in another order in memory, as after a split into heads."""
    axes = tensor.dim() // 2 - 1, tensor.dim() // 2  # The middle ones.
    return _transpose(_contiguous(_transpose(tensor, *axes)), *axes)


class Yielded(list[Any]):
    """What an iterator gave."""


def yielded(value: Any) -> Any:
    """The value itself. An iterator is run now, to its end or for its first values."""
    if not isinstance(value, Iterator):
        return value
    found = Yielded(islice(value, MOST_YIELDED))
    if isinstance(value, GeneratorType):
        value.close()
    return found


def whole_numbers(values: Any) -> str | None:
    """A list of whole numbers, or of pairs of them, as text; None if it is another list, or if it
    is too long.
    """
    flat = [n for value in values for n in (value if type(value) is tuple else [value])]
    if any(type(n) is not int or n.bit_length() > 64 for n in flat):
        return None
    text = str(_dumps(values))
    return text if len(text) <= TEXT_LIMIT else None


def value_of(
    value: Any, elsewhere: Callable[[torch.Tensor], bool] | None = None, depth: int = 0
) -> dict[str, Any]:
    """A value that learner code returned. `elsewhere` says what would be on another device."""
    if isinstance(value, _Tensor):
        away = elsewhere is not None and elsewhere(value)
        return report(value) | ({"device": "meta"} if away else {})
    if isinstance(value, (tuple, list)) and depth < 3:
        name = "tuple" if isinstance(value, tuple) else "list"
        name = "iterator" if isinstance(value, Yielded) else name
        text = None if name == "tuple" else whole_numbers(value)
        if text is not None:
            return {"kind": name, "plain": text}
        items = [value_of(item, elsewhere, depth + 1) for item in list(value)[: wire.MOST_ITEMS]]
        return {"kind": name, "items": items}
    if type(value) is int and value.bit_length() > wire.MOST_BITS:
        return {"kind": "int", "plain": None, "bits": min(value.bit_length(), 1 << 40)}
    if value is None or type(value) in (bool, int, float):
        return {"kind": type(value).__name__, "plain": value if value == value else None}
    if isinstance(value, (float, str)):  # NumPy's double numbers are floats, too.
        kind = float if isinstance(value, float) else str
        plain = kind(value) if kind is float else str.__str__(value)[:TEXT_LIMIT]
        return {"kind": kind.__name__, "plain": plain if plain == plain else None}
    return {"kind": str(type(value).__name__)[:100]}


def report(tensor: torch.Tensor, numbers: bool = True) -> dict[str, Any]:
    """The form of a tensor, and its numbers if they can be read and are not too many."""
    with _NoSubclass():
        tensor = _detach(_as_subclass(tensor, _Tensor)) if not tensor.requires_grad else tensor
        found = {
            "kind": "tensor",
            "dtype": str(tensor.dtype).removeprefix("torch."),
            "device": str(tensor.device.type),
            "layout": str(tensor.layout).removeprefix("torch."),
            "shape": list(_shape_of(tensor)),
            "requires_grad": bool(tensor.requires_grad),
            "array": None,
        }
        plain = tensor.layout == torch.strided and not tensor.is_quantized
        if (
            numbers
            and plain
            and tensor.device.type != "meta"
            and tensor.numel() <= wire.NUMEL_LIMIT
        ):
            found["array"] = array_of(tensor)
        return found


def array_of(tensor: torch.Tensor) -> wire.Array | None:
    """The numbers of a tensor in the form they are sent; None if they have no such form."""
    with _NoSubclass(), _no_grad():
        if tensor.layout == torch.sparse_coo:  # The gradient of an embedding may be sparse.
            tensor = _to_dense(tensor)
        tensor = _detach(_as_subclass(tensor, _Tensor))
        if tensor.dtype in (torch.float16, torch.bfloat16):
            tensor = _to(tensor, torch.float32)
        if tensor.dtype not in NAMES:
            return None
        tensor = _contiguous(_cpu(tensor.resolve_conj().resolve_neg()))
        size = tensor.numel() * tensor.element_size()
        data = _string_at(_data_ptr(tensor), size) if size else b""
        return wire.Array(NAMES[tensor.dtype], tuple(_shape_of(tensor)), data)
