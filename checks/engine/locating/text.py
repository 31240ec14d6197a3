"""A Python source: where each node of its tree stands, and the source with some of it changed."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from itertools import accumulate
from typing import Any, NamedTuple

from checks.engine.files.syntax import parsed


class Edit(NamedTuple):
    """The bytes from `start` up to `end` become `new`.

    line: where `new` stands in the source that it comes from; 0 if it comes from none.
    """

    start: int
    end: int
    new: str
    line: int = 0


class Text:
    """A source and its tree. Raises SyntaxError for one that cannot be read."""

    def __init__(self, source: str):
        self.bytes = source.encode()
        self.tree = parsed(source)
        self.starts = [0, *accumulate(map(len, self.bytes.splitlines(keepends=True)))]

    def start(self, node: Any) -> int:
        return self.starts[node.lineno - 1] + int(node.col_offset)

    def end(self, node: Any) -> int:
        return self.starts[node.end_lineno - 1] + int(node.end_col_offset)

    def of(self, node: ast.AST) -> str:
        """The text of a node."""
        return self.bytes[self.start(node) : self.end(node)].decode()

    def old(self, edit: Edit) -> str:
        """The text that an edit replaces."""
        return self.bytes[edit.start : edit.end].decode()

    def lines(self, edit: Edit) -> range:
        """The numbers of the lines that an edit changes; of an insertion, the line before it."""
        first, last = (self.bytes.count(b"\n", 0, at) + 1 for at in (edit.start, edit.end))
        return range(first, last + 1)

    def changed(self, edits: Iterable[Edit]) -> str:
        """The source after these edits. They must not overlap."""
        found = self.bytes
        for edit in sorted(edits, reverse=True):
            found = found[: edit.start] + edit.new.encode() + found[edit.end :]
        return found.decode()
