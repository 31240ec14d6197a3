"""Python's own parser, for one thread at a time."""

from __future__ import annotations

import ast
import threading
import warnings

DEEPEST = 100  # Levels of a tree: ast.unparse takes some five calls for each, of Python's 1,000.
_LOCK = threading.Lock()


def parsed(source: str | bytes) -> ast.Module:
    """The tree of a source. Raises SyntaxError for all that cannot be read: a null byte, too, and
    more than `DEEPEST` levels. Each sign, operator or bracket inside another is a level.

    Two threads in ast.parse at once can get a SystemError from some releases of Python 3.11 ("AST
    constructor recursion depth mismatch", CPython's issue 106905).
    """
    with _LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # As of 0x1if y: Python says it when it runs the source.
        try:
            tree = ast.parse(source)
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(f"Python's parser: {error}") from error
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    if level:
        raise SyntaxError(f"more than {DEEPEST} levels")
    return tree


def tree_of(source: str | bytes) -> ast.Module:
    """The same, but for what cannot be read: a tree without statements."""
    try:
        return parsed(source)
    except SyntaxError:
        return ast.Module([], [])
