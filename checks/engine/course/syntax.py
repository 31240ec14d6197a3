"""Python's own parser, for one thread at a time."""

from __future__ import annotations

import ast
import threading

_LOCK = threading.Lock()


def parsed(source: str | bytes) -> ast.Module:
    """The result of ast.parse. Two threads in it at once can get a SystemError from some releases
    of Python 3.11 ("AST constructor recursion depth mismatch", CPython's issue 106905).
    """
    with _LOCK:
        return ast.parse(source)
