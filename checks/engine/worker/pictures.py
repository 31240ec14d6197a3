"""The values of expressions that pictures are made of, after a step's tiny example has run.

PyTorch's functions are bound to private names before learner code runs, as in laboratory.py.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any

import torch
from lines import Files, explain
from readout import array_of

_Tensor, _is_floating = torch.Tensor, torch.is_floating_point


def shown(code: CodeType, names: dict[str, Any], files: Files, wanted: list[str]) -> dict[str, Any]:
    """The values of some expressions, as numbers, after the example has run."""
    found: list[Any] = []
    error = None
    names |= {"moves": moves, "asked": asked}
    try:
        exec(code, names)
        for expression in wanted:
            value = eval(expression, names)
            value = value.detach() if isinstance(value, _Tensor) else torch.as_tensor(value)
            found.append(array_of(value))
    except Exception as raised:
        error = explain(raised, files)["error"]
    return {"found": found, "error": error}


def moves(function: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> torch.Tensor:
    """Which outputs of the first sentence move when one of its inputs changes: (outputs, inputs).

    x: (batch, length) whole numbers, or (batch, length, features).
    """
    base, columns = function(x)[0], []
    if not bool(torch.isfinite(base).all()):
        raise ValueError("the output is not finite, so nothing can be said of what moves it")
    for place in range(x.size(1)):
        changed = x.clone()
        if _is_floating(x):
            changed[:, place] += torch.randn_like(x[:, place])  # A norm sees no equal shift.
        else:
            changed[:, place] = torch.where(x[:, place] == 3, 4, 3)
        columns.append((function(changed)[0] - base).abs().amax(-1) > 1e-6)
    return torch.stack(columns, 1)


def asked(owner: Any, name: str, function: Callable[[], Any]) -> torch.Tensor:
    """What the method of this name gets while the function runs: the first argument of each call.

    They are whole numbers, (rows, length). The result is (calls, most rows, longest); what is not
    there is -1.
    """
    method, found = getattr(owner, name), []

    def note(first: torch.Tensor, *others: Any, **more: Any) -> Any:
        found.append(first.clone())
        return method(first, *others, **more)

    setattr(owner, name, note)
    try:
        function()
    finally:
        delattr(owner, name)
    sizes = [max((x.size(axis) for x in found), default=0) for axis in (0, 1)]
    whole = torch.full((len(found), *sizes), -1)
    for table, x in zip(whole, found):
        table[: x.size(0), : x.size(1)] = x
    return whole
