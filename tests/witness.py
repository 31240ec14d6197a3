"""A second witness for the answers of `ask`: the step's own file in torch, right or wrong."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import torch
from torch import nn

from checks.contents import Step
from checks.questions.kinds import Question

Names = dict[str, Any]


def file_of(source: str, step: Step) -> Names:
    """What the text of a step's file defines."""
    names: Names = {"__name__": f"witness.{step.name}"}
    exec(compile(source, step.path, "exec"), names)
    return names


def answer(question: Question, file: Names, given: Names) -> Any:
    """What the code of a question answers, with this file and these inputs."""
    names = {**HELPERS, **file, **{name: _tensor(value) for name, value in given.items()}}
    exec(question.code, names)
    found = names["answer"]
    return found.detach().numpy() if isinstance(found, torch.Tensor) else found


def same(one: Any, other: Any) -> bool:
    """Whether two answers are equal: their form, and their numbers."""
    if isinstance(one, (str, tuple)) or isinstance(other, (str, tuple)):
        return type(one) is type(other) and bool(one == other)
    one, other = np.asarray(one), np.asarray(other)
    return one.shape == other.shape and bool(
        np.allclose(one, other, rtol=1e-6, atol=1e-8, equal_nan=True)
    )


def _tensor(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return torch.from_numpy(value.copy())
    if isinstance(value, list):
        return [_tensor(item) for item in value]
    if isinstance(value, dict):
        return {name: _tensor(item) for name, item in value.items()}
    return value


# What the code of questions may call


def load(module: nn.Module, weights: Names, training: bool = False) -> nn.Module:
    """A float64 module with these weights, by their names."""
    module.double().train(training)
    own = dict(module.named_parameters())
    with torch.no_grad():
        for name, value in weights.items():
            if name in own:
                own[name].copy_(value)
    return module


def moved(of: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, at: Any) -> torch.Tensor:
    """Whether each entry of the answer changes when the entries `at` of x change."""
    other = x.clone()
    part = other[at]
    change = torch.arange(1, 1 + part.numel()).reshape(part.shape)
    other[at] = part + (change**0.5 if x.is_floating_point() else 1)
    return ~torch.isclose(of(x), of(other), rtol=0, atol=1e-9, equal_nan=True)


def reached(of: Callable[..., torch.Tensor], *inputs: torch.Tensor) -> list[torch.Tensor]:
    """Whether each entry of the inputs gets a gradient from the sum of squares of the answer."""
    own = [copy.deepcopy(x).requires_grad_() for x in inputs]
    out = of(*own)
    weights = torch.arange(1, 1 + out.numel()).reshape(out.shape) ** 0.5
    if not out.requires_grad:
        return [torch.zeros(x.shape, dtype=torch.bool) for x in own]
    found = torch.autograd.grad((out * weights).sum(), own, allow_unused=True)
    return [
        torch.zeros(x.shape, dtype=torch.bool) if g is None else g.abs() > 1e-9
        for x, g in zip(own, found)
    ]


def differ(of: Callable[..., torch.Tensor], base: Any, *others: Any) -> torch.Tensor:
    """Whether each of the other inputs gives another answer than the base."""
    first = of(*base)
    return torch.tensor([not torch.allclose(of(*o), first, rtol=0, atol=1e-9) for o in others])


def learn(out: torch.Tensor, parts: Iterable[nn.Module]) -> torch.Tensor:
    """Whether each of the modules gets a gradient from the output."""
    if out.requires_grad:
        (out * torch.arange(1, 1 + out.numel()).reshape(out.shape) ** 0.5).sum().backward()
    return torch.tensor(
        [
            any(p.grad is not None and p.grad.abs().max() > 1e-9 for p in part.parameters())
            for part in parts
        ]
    )


def numel(module: nn.Module) -> int:
    return sum(parameter.numel() for parameter in module.parameters())


HELPERS: Names = {
    **{"torch": torch, "nn": nn, "load": load, "moved": moved, "reached": reached},
    **{"differ": differ, "learn": learn, "numel": numel},
}
