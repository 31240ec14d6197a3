"""The gradients of what a call returned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
import wire
from arranged import Arrangement
from readout import array_of, tensor_of

_Tensor, _shape_of, _to = torch.Tensor, torch.Tensor.size, torch.Tensor.to
_sum, _mul, _grad = torch.sum, torch.mul, torch.autograd.grad
_zeros_like, _enable_grad = torch.zeros_like, torch.enable_grad
Tensors = dict[str, torch.Tensor]


def gradients(
    out: Any,
    weighting: list[wire.Array | None],
    inputs: list[torch.Tensor | None],
    parameters: Tensors,
    arrangement: Arrangement | None,
) -> dict[str, Any]:
    """The gradients of the sum of all outputs times their weighting, by argument and by parameter.

    If the parameters are read as roles, their gradients come by role.
    """
    outs = list(out) if isinstance(out, (tuple, list)) else [out]
    pairs = [(o, tensor_of(w)) for o, w in zip(outs, weighting) if w is not None]
    leaves = [x for x in inputs if x is not None]
    leaves += [p for p in parameters.values() if p.requires_grad]
    grads: Sequence[torch.Tensor | None]
    heads = [(o, w) for o, w in pairs if isinstance(o, _Tensor) and o.requires_grad]
    if not heads or any(_shape_of(o) != _shape_of(w) for o, w in heads):
        grads = [None] * len(leaves)
    else:
        # One number: with grad_outputs, autograd would import sympy first (0.1 s).
        with _enable_grad():
            total: Any = sum(_sum(_mul(o, _to(w, o.dtype))) for o, w in heads)
            grads = _grad(total, leaves, allow_unused=True)
    found = {id(leaf): None if g is None else array_of(g) for leaf, g in zip(leaves, grads)}
    by_name = {name: found.get(id(p)) for name, p in parameters.items()}
    return {
        "inputs": [None if x is None else found.get(id(x)) for x in inputs],
        "parameters": _by_role(by_name, parameters, arrangement),
        "sparse": any(g is not None and g.layout != torch.strided for g in grads),
    }


def _by_role(
    by_name: dict[str, Any], parameters: Tensors, arrangement: Arrangement | None
) -> dict[str, Any]:
    if arrangement is None or not arrangement.ways:
        return by_name
    given = {name: found and tensor_of(found) for name, found in by_name.items()}
    return arrangement.by_role(
        {n: _zeros_like(p) if given[n] is None else given[n] for n, p in parameters.items()}
    )
