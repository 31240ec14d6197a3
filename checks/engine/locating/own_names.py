"""The tree of a right version, with the learner's names in place of its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from checks.engine.files.skeleton import functions
from checks.engine.locating.pairs import BLOCKS, aligned, similar

Renamed = dict[str, str]  # The learner's name for each of the other's.


def with_own_names(own: ast.Module, other: ast.Module) -> ast.Module:
    """The other tree, changed: variables and attributes have the names that the learner gave them,
    as far as similar statements tell which is which.
    """
    mine = dict(functions(own))
    both = [(mine[name], function) for name, function in functions(other) if name in mine]
    attributes: Renamed = {}
    for one, two in both:
        _pair_names(one, two, attributes, {})
    for one, two in both:
        variables: Renamed = {}
        _pair_names(one, two, attributes, variables)
        _rename(two, attributes, variables)
    return other


def _pair_names(own: Any, other: Any, attributes: Renamed, variables: Renamed) -> None:
    """Add to both which name of the learner's stands for which of the other: the most similar
    statements tell first.
    """
    stored = {node.id for node in _names(other) if isinstance(node.ctx, ast.Store)}
    for _, mine, theirs in sorted(_pairs(own.body, other.body), key=lambda pair: -pair[0]):
        for one, two in _same_parts(mine, theirs):
            if isinstance(two, ast.Name) and two.id in stored:
                _add(variables, two.id, one.id)
            elif isinstance(two, ast.Attribute) and _is_of_self(one) and _is_of_self(two):
                _add(attributes, two.attr, one.attr)


def _add(found: Renamed, theirs: str, mine: str) -> None:
    if mine not in found.values():
        found.setdefault(theirs, mine)


def _names(node: ast.AST) -> list[ast.Name]:
    return [part for part in ast.walk(node) if isinstance(part, ast.Name)]


def _is_of_self(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def _pairs(own: list[Any], other: list[Any]) -> Iterator[tuple[float, Any, Any]]:
    """Statements that stand for one another, and how similar they are without their names."""
    for mine, theirs in aligned(own, other, _form):
        if mine is not None and theirs is not None:
            yield similar(_form(mine), _form(theirs)), mine, theirs
            for block in BLOCKS:
                yield from _pairs(getattr(mine, block, []), getattr(theirs, block, []))


def _form(statement: ast.stmt) -> str:
    """A statement without its own names; of a compound one, the first line."""
    first = ast.unparse(statement).partition("\n")[0]
    return re.sub(r"\bself\.\w+|(?<![\w.])[a-z_]\w*\b(?!\()", "_", first)


def _same_parts(own: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    """Nodes of one kind at the same place in both trees."""
    if type(own) is not type(other) or not isinstance(own, ast.AST):
        return
    yield own, other
    for field, value in ast.iter_fields(own):
        theirs = getattr(other, field)
        both = (value, theirs) if isinstance(value, list) else ([value], [theirs])
        if field not in BLOCKS and len(both[0]) == len(both[1]):
            for one, two in zip(*both):
                yield from _same_parts(one, two)


def _rename(function: ast.AST, attributes: Renamed, variables: Renamed) -> None:
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            node.id = variables.get(node.id, node.id)
        elif isinstance(node, ast.Attribute) and _is_of_self(node):
            node.attr = attributes.get(node.attr, node.attr)
