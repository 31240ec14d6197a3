"""How the parameters of a learner's module are read as the roles of the contract.

Which readings there are, roles.py says: the judge has the same (see `extend` in laboratory.py).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

import torch
from readout import array_of

ROLES: dict[str, Callable[..., Any]] = {}  # `readings` and `told_by_names` of roles.py.
_zeros, _cat, _split = torch.zeros, torch.cat, torch.split
_copy_, _shape_of = torch.Tensor.copy_, torch.Tensor.size
Tensors = dict[str, torch.Tensor]


@dataclass
class Arrangement:
    """One module's parameters and its roles. `ways`: 0, 1, or 2 for several readings.

    places: where the numbers of each role stand, in all parameters as one vector. It is None if the
    names and shapes are those of the roles, or if nothing fits.
    """

    roles: dict[str, list[int]]
    places: dict[str, torch.Tensor] | None
    ways: int
    is_sure: bool

    def assign(self, tensors: Tensors, long: torch.Tensor) -> None:
        """Set the parameters: `long` has the numbers of all roles, one after the other."""
        parts = _split(long, [math.prod(shape) for shape in self.roles.values()])
        by_role = {role: part.view(self.roles[role]) for role, part in zip(self.roles, parts)}
        if self.places is None:
            assign_what_fits(tensors, by_role)
            return
        flat = _zeros(sum(tensor.numel() for tensor in tensors.values()), dtype=long.dtype)
        for role, places in self.places.items():
            flat[places] = by_role[role]
        for tensor, part in zip(tensors.values(), _split(flat, _sizes(tensors))):
            _copy_(tensor, part.view(_shape_of(tensor)))

    def by_role(self, tensors: Tensors) -> dict[str, Any]:
        """The numbers of these parameters, or of their gradients, by role."""
        if self.places is None:
            return {role: array_of(tensors[role]) for role in self.roles if role in tensors}
        flat = _cat([tensor.detach().reshape(-1) for tensor in tensors.values()])
        return {role: array_of(flat[places]) for role, places in self.places.items()}


class Arrangements:
    """Chooses among several readings. `choices`: their numbers, as the judge has found them."""

    def __init__(self, choices: dict[str, int]):
        self.choices = choices

    def of(self, tensors: Tensors, roles: Any, sizes: Any) -> Arrangement:
        named: Any = [[name, list(_shape_of(tensor))] for name, tensor in tensors.items()]
        if dict(named) == dict(roles):
            return Arrangement(dict(roles), None, 1, True)
        key = json.dumps([named, roles, sizes])
        return _read(key, self.choices.get(key))


@lru_cache(maxsize=256)
def _read(key: str, choice: int | None) -> Arrangement:
    named, roles, sizes = (tuple((n, _fixed(s)) for n, s in part) for part in json.loads(key))
    found = list(islice(ROLES["readings"](named, roles, sizes), max((choice or 0) + 1, 2)))
    shapes = {role: list(shape) for role, shape in roles}
    if not found:
        return Arrangement(shapes, None, 0, True)
    reading, ways = found[choice or 0], min(len(found), 2)
    is_sure = ways == 1 or choice is not None or ROLES["told_by_names"](named, reading)
    places = {role: torch.from_numpy(where.copy()) for role, where in reading.items()}
    return Arrangement(shapes, places, ways, is_sure)


def _fixed(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def assign_what_fits(tensors: Tensors, by_role: Tensors) -> None:
    """Set each parameter to the role of its name; one without, to a spare role of its shape."""
    fitting = {n: by_role[n] for n, t in tensors.items() if _fits(t, by_role.get(n))}
    spare = [part for role, part in by_role.items() if role not in fitting]
    for name, tensor in tensors.items():
        part = fitting.get(name)
        if part is None:
            part = next((one for one in spare if _fits(tensor, one)), None)
            spare = [one for one in spare if one is not part]
        if part is not None:
            _copy_(tensor, part)


def _fits(tensor: torch.Tensor, part: torch.Tensor | None) -> bool:
    return part is not None and _shape_of(part) == _shape_of(tensor)


def _sizes(tensors: Tensors) -> list[int]:
    return [tensor.numel() for tensor in tensors.values()]
