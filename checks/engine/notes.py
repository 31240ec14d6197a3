"""Intermediate results of the equations: for a learner whose last number is wrong.

    with notes() as found:
        paper.add_norm(x, sublayer_output, weights)

Inside such a block, the notes of the equations are collected; outside, nothing is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any

Notes = list[tuple[int, str, Any]]  # Depth of the call, name, numbers.
_notes: ContextVar[Notes | None] = ContextVar("notes", default=None)
_depth: ContextVar[int] = ContextVar("depth", default=0)


@contextmanager
def notes() -> Iterator[Notes]:
    """Collect the notes that are taken in this block."""
    found: Notes = []
    token = _notes.set(found)
    try:
        yield found
    finally:
        _notes.reset(token)


def note(**values: Any) -> None:
    found = _notes.get()
    if found is not None:
        found += [(_depth.get(), name, value) for name, value in values.items()]


def noting(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator: notes of the function get another depth than those of functions it calls."""

    @wraps(function)
    def deeper(*args: Any, **kwargs: Any) -> Any:
        token = _depth.set(_depth.get() + 1)
        try:
            return function(*args, **kwargs)
        finally:
            _depth.reset(token)

    return deeper
