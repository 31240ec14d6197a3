"""Slips of Python and PyTorch, written into the solution of a step wherever they can be made."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from textwrap import indent

import slips_of_names as names
import slips_of_values as values
from slip_tools import Edit

from checks.contents import STEPS, Step
from checks.engine.files.source import solution


def slips(step: Step) -> Iterator[tuple[str, str, str]]:
    """(name of the slip, what was changed, the whole text) of every slip that fits a step."""
    text = solution(step)
    tree = ast.parse(text)
    for name, maker in MAKERS:
        for n, (node, new) in enumerate(maker(tree)):
            start, end = span(text, node)
            changed = with_imports(text, text[:start] + new + text[end:], new)
            if changed != text:
                yield name, f"{maker.__name__}-{n}", changed


def span(text: str, node: ast.AST) -> tuple[int, int]:
    """Where a node stands, in characters."""
    lines = text.splitlines(keepends=True)

    def at(line: int, column: int) -> int:
        return sum(map(len, lines[: line - 1])) + len(lines[line - 1].encode()[:column].decode())

    end = at(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]
    return at(node.lineno, node.col_offset), end  # type: ignore[attr-defined]


def with_imports(text: str, changed: str, new: str) -> str:
    """The changed text, and the import of math or torch if the new part needs one."""
    for module in ("math", "torch"):
        if re.search(rf"\b{module}\.", new) and not re.search(rf"(?m)^import {module}$", text):
            changed = re.sub(r"(?m)^(import|from) ", rf"import {module}\n\1 ", changed, count=1)
    return changed


Maker = Callable[[ast.AST], Iterator[Edit]]
MAKERS: list[tuple[str, Maker]] = [
    ("number-called", names.plain_value),
    ("class-not-called", names.no_parentheses),
    ("no-self", names.no_self),
    ("self-forgotten", names.name_without_self),
    ("misspelt", names.attribute_misspelt),
    ("misspelt", names.nn_misspelt),
    ("misspelt", names.name_misspelt),
    ("misspelt", names.import_misspelt),
    ("not-imported", names.not_imported),
    ("super-init-late", names.no_super),
    ("self-not-a-parameter", names.no_self_parameter),
    ("self-twice", names.self_given),
    ("none-used", names.not_asked_about),
    ("generator-kept", names.generator),
    ("list-called", names.list_called),
    ("and-or-not", values.python_and),
    ("and-or-not", values.python_not),
    ("method-not-called", values.size_not_called),
    ("value-called", values.shape_called),
    ("tuple-kept", values.tuple_kept_whole),
    ("layer-made-not-applied", values.layer_made_on_the_way),
    ("wrong-place", values.dropout_for_mask),
    ("power-sign", values.power_sign),
    ("math-of-tensor", values.math_function),
    ("torch-of-number", values.torch_function),
    ("float-for-int", values.plain_quotient),
    ("dim-missing", values.no_dim),
    ("layer-made-not-applied", values.softmax_made),
    ("only-described", values.value_not_made),
    ("layer-subscripted", values.square_brackets),
    ("super-not-called", values.super_without_brackets),
    ("parameter-of-number", values.plain_parameter),
    ("comma-makes-tuple", values.comma),
    ("two-vectors", values.vector_for_column),
    ("layer-not-called", values.not_called),
    ("layer-returned", values.returned_itself),
    ("class-for-object", values.class_called),
    ("square-brackets", values.round_for_square),
    ("pair-used", values.pair),
    ("super-arguments", values.super_with_arguments),
    ("text-for-number", values.text_for_number),
    ("keyword-misspelt", values.keyword_misspelt),
    ("call-does-not-fit", names.no_arguments),
    ("other-arguments", names.argument_renamed),
    (
        "definition-misspelt",
        values.forward_as(values.another_name, lambda text: indent(text, "    ")),
    ),
    ("method-outside", values.forward_as(ast.unparse, str)),
    ("method-inside", values.forward_as(ast.unparse, lambda text: indent(text, "        "))),
]
ALL = [(step, *slip) for step in STEPS for slip in slips(step)]
