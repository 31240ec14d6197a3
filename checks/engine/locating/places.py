"""Where a mistake is that no known version has: one or two places, and the proof.

A change there makes the step pass all its checks. It is either one small edit, or those of the
differences from a right version that are needed (delta debugging: Zeller and Hildebrandt, 2002).
The learner reads the place and the kind of change, never what belongs there.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple

from checks.contents import Step
from checks.engine.asking.learner import Files
from checks.engine.files.skeleton import todo_above
from checks.engine.files.source import solution
from checks.engine.files.syntax import parsed, tree_of
from checks.engine.known import rights
from checks.engine.locating.differences import differences, has
from checks.engine.locating.own_names import with_own_names
from checks.engine.locating.small_edits import small_edits
from checks.engine.locating.text import Edit, Text

PLACES = 2  # Edits, or lines, that are said at most.
MANY = 30  # With more differences it is another way to write the step.
FEW = 6  # Differences of which each is tried with all checks.
NEAREST = 3  # Right versions that are tried.
TRIED = 400  # Small edits.
EACH = 10  # Characters that a difference counts, beside those that change.
LONGEST = 20_000  # Characters of a file: four times the longest solution.
SAID = 50  # Characters of code in a sentence.
NOTHING, LESS, MORE = "nothing in place of", "only a part of", "more around"
INDENTED, NAME, VALUE, ELSE = (
    "another indentation of",
    "another name in place of",
    "another value in place of",
    "something else in place of",
)
LIKELY = (NOTHING, LESS, INDENTED, NAME, VALUE, ELSE, MORE)  # Kinds of small edits.
Near = tuple[str, list[Edit]]  # A right version, and the differences from it.
Passes = Callable[[str, bool], bool]  # Whether a source passes the failing check, or all of them.


class Found(NamedTuple):
    """The first line of the places, and what is said about them."""

    line: int
    says: str


def find_places(
    step: Step, files: Files, passes: Passes, stopped: int | None = None
) -> Found | None:
    """The places of a mistake in the step's file, if they can be proven. `stopped`: the line where
    the step stopped.
    """
    source = files.text(step.path)
    if len(source) > LONGEST or not tree_of(source).body:
        return None
    text = Text(source)
    nearest = _nearest(step, text)[:NEAREST]
    right, edits = _differences(text, nearest, passes)
    if len(edits) != 1:
        likely = edits or (nearest[0][1] if nearest else [])
        small = _small(text, likely, passes, stopped, only=bool(edits))
        right, edits = ("", [small]) if small else (right, edits)
    return _found(text, edits, right) if edits else None


def _differences(text: Text, nearest: list[Near], passes: Passes) -> Near:
    """One of these versions, and the differences from it that are needed; none if they are many."""
    for right, edits in nearest:
        if len(edits) > MANY or not passes(text.changed(edits), False):
            continue
        for everything in (False, True) if len(edits) <= FEW else (False,):
            needed = _needed(text, edits, passes, everything)
            few = min(len(needed), len(_lines(text, needed))) <= PLACES
            if few and passes(text.changed(needed), True):  # Else there is a second mistake.
                return right, needed
    return "", []


def _nearest(step: Step, text: Text) -> list[Near]:
    """Right versions of the step and the differences from them, those with the smallest first."""
    found: dict[tuple[Edit, ...], str] = {}
    for source in [solution(step), *(right.source(step) for right in rights(step).values())]:
        for tree in (parsed(source), with_own_names(text.tree, parsed(source))):
            found.setdefault(tuple(differences(text, tree)), source)
    near = [(source, [*edits]) for edits, source in found.items() if edits]
    return sorted(near, key=lambda one: sum(EACH + len(text.old(e)) + len(e.new) for e in one[1]))


def _needed(text: Text, edits: list[Edit], passes: Passes, everything: bool) -> list[Edit]:
    """One of these edits, if one is enough; else those that remain if others are left out."""
    for edit in edits:
        if passes(text.changed([edit]), everything):
            return [edit]
    for edit in edits:
        rest = [other for other in edits if other is not edit]
        if passes(text.changed(rest), everything):
            edits = rest
    return edits


def _small(
    text: Text, likely: list[Edit], passes: Passes, stopped: int | None, only: bool
) -> Edit | None:
    """A small edit that is enough. Those in lines of the likely ones come first, then those near
    where the step stopped, then those that leave something out. `only`: no other lines are tried.
    """
    lines = _lines(text, likely)

    def unlikely(edit: Edit) -> tuple[bool, int, int]:
        line = text.lines(edit)[0]
        far = abs(line - stopped) if stopped else 0
        return line not in lines, far, LIKELY.index(_kind_of(text, edit))

    edits = [edit for edit in small_edits(text) if not only or text.lines(edit)[0] in lines]
    for edit in sorted(edits, key=unlikely)[:TRIED]:
        changed = text.changed([edit])
        if tree_of(changed).body and passes(changed, False) and passes(changed, True):
            return edit
    return None


def _lines(text: Text, edits: list[Edit]) -> list[int]:
    """The numbers of the lines that are changed, each once."""
    return list(dict.fromkeys(line for edit in edits for line in text.lines(edit)))


def _found(text: Text, edits: list[Edit], right: str = "") -> Found:
    lines = _lines(text, edits)
    changes = [_change(text, edit) for edit in edits]
    if len(edits) > PLACES:
        changes = [f"{len(edits)} changes there"]
    todos = [todo_above(right, edit.line) for edit in edits if edit.line]
    says = [
        f"It is in {_in_words(lines)}.",
        f"With {' and '.join(changes)}, all checks pass.",
        *(f'The TODO: "{todo}"' for todo in dict.fromkeys(todos) if todo),
    ]
    return Found(lines[0], " ".join(says))


def _in_words(lines: list[int]) -> str:
    """Lines as "line 3", "lines 3 to 5" or "lines 3 and 9"."""
    first, *rest = lines
    if not rest:
        return f"line {first}"
    if rest[-1] - first == len(rest) > 1:
        return f"lines {first} to {rest[-1]}"
    return f"lines {' and '.join(map(str, [first, *rest]))}"


def _change(text: Text, edit: Edit) -> str:
    """A change without what belongs there, as "another value in place of `1`"."""
    kind = _kind_of(text, edit)
    if kind == INDENTED:
        line = text.lines(edit)[0]
        return f"{kind} `{_short(text.bytes.decode().splitlines()[line - 1].strip())}`"
    if edit.start == edit.end:
        where = "after" if edit.new.startswith("\n") else "before"
        return f"one more step {where} line {text.lines(edit)[0]}"
    return f"{kind} `{_short(text.old(edit).strip())}`"


def _kind_of(text: Text, edit: Edit) -> str:
    """What happens to the old text."""
    if edit.new == "pass":
        return NOTHING
    if not (edit.new + text.old(edit)).strip(" ") and edit.new != text.old(edit):
        return INDENTED
    old, new = _expression(text.old(edit)), _expression(edit.new)
    match old, new:
        case ast.expr(), ast.expr() if has(old, new):
            return LESS
        case ast.expr(), ast.expr() if has(new, old):
            return MORE
        case ((ast.Name() | ast.Attribute()), (ast.Name() | ast.Attribute())):
            return NAME
        case ast.Constant(value=one), ast.Constant(value=two) if type(one) is type(two):
            return VALUE
    return ELSE


def _expression(code: str) -> ast.expr | None:
    """The tree of a text that is one expression."""
    match tree_of(code.strip()).body:
        case [ast.Expr(value=value)]:
            return value
    return None


def _short(code: str) -> str:
    first, *more = code.splitlines()
    return f"{first[: SAID - 2]} …" if more or len(first) > SAID else first
