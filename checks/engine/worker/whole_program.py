"""What code can change for the whole program, and how to see it.

As in laboratory.py, parts of torch are bound to private names before learner code runs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from types import FunctionType
from typing import Any

import torch

SETTINGS: dict[str, Callable[[], Any]] = {
    "recording": torch.is_grad_enabled,
    "seed": torch.default_generator.initial_seed,
    "dtype": torch.get_default_dtype,
    "autocast": partial(torch.is_autocast_enabled, "cpu"),
    "anomaly": torch.is_anomaly_enabled,
}


def settings() -> dict[str, Any]:
    """What is set now."""
    return {name: read() for name, read in SETTINGS.items()}


def switched_since(before: dict[str, Any]) -> str:
    """The first setting that is another one now, or ""."""
    return next((name for name, value in settings().items() if value != before[name]), "")


def functions(modules: Iterable[str]) -> dict[Any, Any]:
    """The functions of all classes in these modules, with their code and defaults."""
    loaded = [sys.modules[name] for name in modules if name in sys.modules]
    classes = [cls for one in loaded for cls in vars(one).values() if isinstance(cls, type)]
    return {
        (cls, name): (own, own.__code__, own.__defaults__)
        for cls in classes
        for name, own in vars(cls).items()
        if isinstance(own, FunctionType)
    }
