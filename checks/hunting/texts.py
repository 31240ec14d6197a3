"""The text of a hunt: a right file with a mistake, and what gives the mistake away."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Collection, Iterator
from itertools import pairwise

from checks.engine.files.syntax import parsed
from checks.engine.known import Mistake

LETTERS = 5  # Of a word that could give the mistake away; shorter ones stand everywhere.
USUAL = 2  # Numbers up to this stand for axes and places, larger ones may be limits.
BLOCKS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.For, ast.While, ast.If, ast.With)
WIDEST = 100  # Characters of a line, unless the right file has longer ones.


def with_mistake(right: str, mistake: Mistake) -> str | None:
    """A right file with the mistake, without the comments of the mistake; None if it does not fit
    or cannot be parsed.
    """
    text = right
    for find, replacement in mistake.edit.items():
        if text.count(find) != 1:
            return None
        text = text.replace(find, replacement)
    try:
        parsed(text)
        known = {token.string for token in _comments(right)}
        return _without_orphans(_without_new_comments(text, known), right)
    except (SyntaxError, tokenize.TokenError):
        return None


def _comments(text: str) -> Iterator[tokenize.TokenInfo]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return (token for token in tokens if token.type == tokenize.COMMENT)


def _without_new_comments(text: str, known: Collection[str]) -> str:
    lines = text.splitlines()
    for token in reversed(list(_comments(text))):
        if token.string not in known:
            row, column = token.start
            kept = lines[row - 1][:column].rstrip()
            lines[row - 1 : row] = [kept] if kept else []
    return "\n".join(lines) + "\n"


def _without_orphans(text: str, right: str) -> str:
    """Without the comments whose code the mistake has removed: they would show the place."""
    pairs, lines = {*pairwise(right.splitlines())}, text.splitlines()
    while True:
        orphans = [
            n
            for n, pair in enumerate(pairwise(lines))
            if all(line.lstrip().startswith("#") for line in pair) and pair not in pairs
        ]
        if not orphans:
            return "\n".join(lines) + "\n"
        del lines[orphans[0]]


def tells(name: str, mistake: Mistake, text: str, right: str) -> set[str]:
    """The long words of the mistake's sentence or name that stand in this text, and not in the
    right one.
    """
    return _words(f"{mistake.says} {name}") & _words(text) - _words(right)


def is_odd(text: str, right: str) -> bool:
    """Whether a line is so long that its length shows where the mistake is."""
    return max(map(len, text.splitlines())) > max(WIDEST, *map(len, right.splitlines()))


def adds_a_number(text: str, right: str) -> bool:
    """Whether a number stands here that the right file has no number for: a limit, for example. A
    higher limit would be no repair, and no check can try them all.
    """
    return len(_numbers(text)) > len(_numbers(right))


def leaves_a_name(text: str, right: str) -> bool:
    """Whether a name is set here that no line uses, other than in the right file. The line that
    sets it shows the place.
    """
    return bool(_unused(text) - _unused(right))


def _unused(text: str) -> set[str]:
    names = [node for node in ast.walk(parsed(text)) if isinstance(node, ast.Name)]
    stored, loaded = (
        {one.id for one in names if isinstance(one.ctx, kind)} for kind in (ast.Store, ast.Load)
    )
    return stored - loaded


def _numbers(text: str) -> list[float]:
    constants = (node.value for node in ast.walk(parsed(text)) if isinstance(node, ast.Constant))
    return [n for n in constants if isinstance(n, (int, float)) and abs(n) > USUAL]


def essence(text: str) -> list[str]:
    """The lines of code, each whole: without comments, docstrings, imports and annotations."""
    tree = parsed(text)
    for node in ast.walk(tree):
        if isinstance(node, BLOCKS):
            kept = [_plain(one) for one in node.body if not _says_nothing(one)]
            node.body = kept or [ast.Pass()]
    return ast.unparse(ast.fix_missing_locations(tree)).splitlines()


def _says_nothing(node: ast.stmt) -> bool:
    is_import = isinstance(node, (ast.Import, ast.ImportFrom))
    return is_import or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _plain(node: ast.stmt) -> ast.stmt:
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        return ast.Assign([node.target], node.value)
    return node


def words_in_common(says: str, sentence: str) -> int:
    """How many long words two sentences share; two words are alike if they begin alike."""
    return len({w[:LETTERS] for w in _words(says)} & {w[:LETTERS] for w in _words(sentence)})


def _words(text: str) -> set[str]:
    return {word.lower() for word in re.findall(rf"[^\W\d_]{{{LETTERS},}}", text)}
