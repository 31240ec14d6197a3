"""The parts of a module and the tensors they own, read from where PyTorch keeps them.

The learner's class can override `named_parameters` and the like, but not `__dict__` and the
dictionaries in it. So a module cannot leave anything out of its report.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

Paths = list[tuple[str, nn.Module]]  # Modules with their paths.
NAME_LIMIT = 200  # Characters.
INTERNAL = frozenset(vars(nn.Module()))
_train = nn.Module.train
_clone, _no_grad = torch.Tensor.clone, torch.no_grad
_own_dictionary = nn.Module.__dict__["__dict__"].__get__


def _items(dictionary: Any) -> Any:
    """The items of a dictionary; a compiled module has PyTorch's own kind instead."""
    return dict.items(dictionary) if isinstance(dictionary, dict) else dictionary.items()


def attributes(module: nn.Module) -> dict[str, Any]:
    """The attributes of a module by name."""
    return _own_dictionary(module)


def parts(module: nn.Module) -> Paths:
    """The module and all modules in it, with their paths: each once, in PyTorch's order."""
    found: dict[int, tuple[str, nn.Module]] = {}
    for path, part in places(module):
        found.setdefault(id(part), (path, part))
    return list(found.values())


def places(module: nn.Module, path: str = "") -> Iterator[tuple[str, nn.Module]]:
    """Like `parts`, but a module in several places comes once for each place."""
    yield path, module
    for name, part in _items(attributes(module)["_modules"]):
        if part is not None:
            yield from places(part, f"{path}.{name}" if path else name)


def owned(module: nn.Module, kind: str) -> dict[str, Tensor]:
    """The `_parameters` or the `_buffers` of all parts by path: each tensor once."""
    found: dict[str, Tensor] = {}
    seen: set[int] = set()
    for path, part in parts(module):
        for name, tensor in _items(attributes(part)[kind]):
            if tensor is not None and id(tensor) not in seen:
                seen.add(id(tensor))
                found[cut(f"{path}.{name}" if path else name, len(found))] = tensor
    return found


def saved_buffers(module: nn.Module) -> list[str]:
    """The last names of all buffers that state_dict has."""
    found: set[str] = set()
    for _, part in parts(module):
        inside = attributes(part)
        found |= inside["_buffers"].keys() - inside["_non_persistent_buffers_set"]
    return sorted(map(cut, found))[:8]


def move_tensors(module: nn.Module) -> None:
    """Give all parts new memory, as module.to(device) does. What a module keeps of the old memory,
    beside its parameters and buffers, stays behind.
    """
    with _no_grad():
        for _, part in parts(module):
            buffers = attributes(part)["_buffers"]
            buffers.update({n: t if t is None else _clone(t) for n, t in _items(buffers)})
        for parameter in owned(module, "_parameters").values():
            parameter.data = _clone(parameter)


def cut(name: str, number: int = 0) -> str:
    """A name cut to a length that the judge accepts; names with different numbers differ."""
    return name if len(name) <= NAME_LIMIT else f"{name[:NAME_LIMIT]}…{number}"


def oddities(module: nn.Module) -> dict[str, Any]:
    """What PyTorch does not see, or sees only once: names of attributes, pairs of names."""
    found: dict[str, list[Any]] = {"tensors": [], "lists": [], "shared": []}
    seen: dict[int, str] = {}
    for path, part in places(module):
        for name, value in attributes(part).items():
            if name in INTERNAL:
                continue
            whole = f"{path}.{name}" if path else name
            items = value.values() if isinstance(value, dict) else value
            if isinstance(value, Tensor) and value.dim() > 0:
                found["tensors"].append(whole)
            elif isinstance(value, (list, tuple, dict)) and not name.startswith("_"):
                if any(isinstance(item, (nn.Module, Tensor)) for item in items):
                    found["lists"].append(whole)
        first = seen.setdefault(id(part), path)
        if first != path and owned(part, "_parameters"):
            found["shared"].append([first, path])
    shared = [[cut(name) for name in pair] for pair in found.pop("shared")[:8]]
    return {kind: [*map(cut, names[:8])] for kind, names in found.items()} | {"shared": shared}


def set_mode(module: nn.Module, train: bool) -> None:
    """Set the mode as module.train(train) does; directly, if no class overrides it."""
    inside = [part for _, part in parts(module)]
    if all(type(part).train is _train for part in inside):
        for part in inside:
            attributes(part)["training"] = train
    else:
        _train(module, train)
