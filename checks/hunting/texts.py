"""The text of a hunt: a right file with a mistake, and what gives the mistake away."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Collection, Iterator

from checks.engine.course.syntax import parsed
from checks.engine.known import Mistake

LETTERS = 5  # Of a word that could give the mistake away; shorter ones stand everywhere.
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
        return _without_new_comments(text, {token.string for token in _comments(right)})
    except (SyntaxError, ValueError, tokenize.TokenError):
        return None


def only_a_number(repaired: str, right: str, mistake: Mistake) -> bool:
    """Whether a repair is the mistake with other numbers, although the right file has none there:
    a limit, for example, that is only higher now.
    """
    wrong = with_mistake(right, mistake)
    if wrong is None:
        return False
    here, before, should = map(_without_numbers, (repaired, wrong, right))
    return here == before != should


def _without_numbers(text: str) -> str:
    """The code with 0 for every number, and for what is computed from numbers alone."""
    return ast.dump(_Zeros().visit(parsed(text)))


class _Zeros(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant(0) if type(node.value) in (int, float) else node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        return self._of_numbers(node, [node.operand])

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        return self._of_numbers(node, [node.left, node.right])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        known = ast.unparse(node.func) in ("int", "float")
        return self._of_numbers(node, node.args if known else [])

    def _of_numbers(self, node: ast.AST, inside: list[ast.expr]) -> ast.AST:
        """0, if all of these are numbers."""
        visited = [self.visit(one) for one in inside]
        if inside and all(isinstance(one, ast.Constant) for one in visited):
            return ast.Constant(0)
        return self.generic_visit(node)


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


def tells(name: str, mistake: Mistake, text: str, right: str) -> set[str]:
    """The long words of the mistake's sentence or name that stand in this text, and not in the
    right one.
    """
    return _words(f"{mistake.says} {name}") & _words(text) - _words(right)


def is_odd(text: str, right: str) -> bool:
    """Whether a line is so long that its length shows where the mistake is."""
    return max(map(len, text.splitlines())) > max(WIDEST, *map(len, right.splitlines()))


def words_in_common(says: str, sentence: str) -> int:
    """How many long words two sentences share; two words are alike if they begin alike."""
    return len({w[:LETTERS] for w in _words(says)} & {w[:LETTERS] for w in _words(sentence)})


def _words(text: str) -> set[str]:
    return {word.lower() for word in re.findall(rf"[^\W\d_]{{{LETTERS},}}", text)}
