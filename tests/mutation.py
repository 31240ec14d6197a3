"""Changes every small thing in every solution, and sees whether the checks notice.

    python -m tests.mutation              all steps
    python -m tests.mutation 2.1 5.2      these only

A mutant that passes all checks of its step survives. Either nobody could notice it, for it does
the same or the contract leaves it open: then survivors.txt has a line that says so. Or the checks
are blind there: then it is listed as unexplained, and a check is to be written.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from checks.contents import STEPS, Step
from checks.engine.course.source import solution, solutions
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import SECONDS, Judge

SURVIVORS = Path(__file__).with_name("survivors.txt")
BRIEF = 1.0  # Seconds of computing for each check: a mutant that never ends costs no more.
ALIKE = [  # What is easily taken for one another: each becomes every other of its group.
    *("+ - * / // % ** @", "& | ^", "== != < <= > >=", "and or"),
    *("sin cos", "ones zeros", "mean sum", "var std", "sqrt exp", "tril triu"),
    *("softmax log_softmax sigmoid", "ReLU GELU LeakyReLU Identity", "ModuleList Sequential"),
    *("Dropout Dropout1d AlphaDropout", "ValueError IndexError Exception", "bool int64 float32"),
]
Edit = tuple[int, int, str]  # What stands from one byte up to another becomes this.


@dataclass(frozen=True)
class Mutant:
    """A solution with one edit. The key names it for good: lines move, so it has no number."""

    step: Step
    line: int
    key: str
    text: str


class Text:
    """A solution, and where each node of its syntax tree stands in its bytes."""

    def __init__(self, text: str):
        self.bytes = text.encode()
        self.tree = ast.parse(text)
        self.starts = [0, *accumulate(map(len, self.bytes.splitlines(keepends=True)))]

    def start(self, node: Any) -> int:
        return self.starts[node.lineno - 1] + int(node.col_offset)

    def end(self, node: Any) -> int:
        return self.starts[node.end_lineno - 1] + int(node.end_col_offset)

    def of(self, node: ast.AST) -> str:
        return self.bytes[self.start(node) : self.end(node)].decode()


@cache
def mutants(step: Step) -> list[Mutant]:
    """All that differ as code, in the order of their places."""
    text = Text(solution(step))
    edits = {edit for owner in text.tree.body for edit in _edits_of(text, owner)}
    seen, found, keys = {ast.unparse(text.tree)}, [], Counter[str]()
    for start, end, new in sorted(edits):
        left, right = text.bytes.rindex(b"\n", 0, start) + 1, text.bytes.index(b"\n", end)
        old = text.bytes[left:right].decode()
        new = (text.bytes[left:start] + new.encode() + text.bytes[end:right]).decode()
        changed = text.bytes[:left].decode() + new + text.bytes[right:].decode()
        try:
            code = ast.unparse(ast.parse(changed))
        except SyntaxError:
            continue
        if code not in seen:
            seen.add(code)
            key = f"{step.id}  {_one_line(old)}  ->  {_one_line(new)}"
            keys[key] += 1
            key += f"  ({keys[key]})" if keys[key] > 1 else ""  # Of a line that stands twice.
            found.append(Mutant(step, text.bytes.count(b"\n", 0, start) + 1, key, changed))
    return found


def _one_line(code: str) -> str:
    """Without the remarks behind it."""
    return " ".join(re.sub(r"  #.*", "", code).split())


def _edits_of(text: Text, owner: ast.AST) -> Iterator[Edit]:
    """Every edit of a function, or of the functions of a class."""
    nodes = list(ast.walk(owner))
    imports = [n for n in text.tree.body if isinstance(n, ast.ImportFrom) and n.module != "torch"]
    alike = [["is", "is not"], *(line.split() for line in ALIKE)]
    alike.append([alias.name for statement in imports for alias in statement.names])
    attributes = [n for n in nodes if isinstance(n, ast.Attribute)]
    alike.append([n.attr for n in attributes if text.of(n.value) == "self"])
    for function in (n for n in nodes if isinstance(n, ast.FunctionDef)):
        names = [a.arg for a in function.args.args if a.arg != "self"]
        stored = [n for n in ast.walk(function) if isinstance(n, ast.Name)]
        names += [n.id for n in stored if isinstance(n.ctx, ast.Store)]
        for node in _code_of(function):
            yield from _edits(text, node, [*alike, names])


def _code_of(node: ast.AST) -> Iterator[ast.AST]:
    """The node and what is below it, without docstrings, annotations and the inside of numbers."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    yield node
    if _number(node) is None and not isinstance(node, ast.JoinedStr):
        for field, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and field not in ("annotation", "returns"):
                    yield from _code_of(child)


def _number(node: ast.AST) -> int | float | None:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if type(value) in (int, float) else None


def _edits(text: Text, node: Any, alike: list[list[str]]) -> Iterator[Edit]:
    """Every edit of one node; `alike` are groups of names and operators to be exchanged."""
    yield from ((text.start(node), text.end(node), new) for new in _instead(text, node))
    yield from _exchanged(text, node, alike)
    yield from _inside(text, node)


def _instead(text: Text, node: Any) -> Iterator[str]:
    """What may stand in the place of a node."""
    if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef):
        yield "pass"
    number = _number(node)
    if number is not None:
        near = range(-4, 5) if isinstance(number, int) else (number * 2, number / 2)
        yield from map(str, {number + 1, number - 1, -number, *near} - {number})
    match node:
        case ast.Constant(value=str(value)):
            yield from (repr(value + "x"), repr(value[1:]), "''")
        case ast.Constant(value=bool() | None):
            yield from ("None", "True", "False", "0")
        case (
            ast.BinOp(left=left, right=right)
            | ast.Compare(left=left, comparators=[right])
            | ast.BoolOp(values=[left, right, *_])
        ):
            yield from (f"({text.of(left)})", f"({text.of(right)})")
        case ast.Call(func=func, args=args, keywords=keywords):
            parts = sorted([*args, *keywords], key=text.start)
            yield from (f"{text.of(func)}({new})" for new in _shorter_or_swapped(text, parts))
            yield from (*map(text.of, args), *(text.of(k.value) for k in keywords))
            if isinstance(func, ast.Attribute):
                yield text.of(func.value)
        case ast.UnaryOp(operand=inner) | ast.Subscript(value=inner):
            yield text.of(inner)
        case ast.Slice():
            bounds = [text.of(b) if b else "" for b in (node.lower, node.upper, node.step)]
            for n, bound in enumerate(bounds):
                moved = (f"{bound} + 1", f"{bound} - 1", "") if bound else ("-1", "12"[n // 2])
                yield from (":".join([*bounds[:n], other, *bounds[n + 1 :]]) for other in moved)


def _shorter_or_swapped(text: Text, parts: list[Any]) -> Iterator[str]:
    texts = [text.of(part) for part in parts]
    for n in range(len(texts)):
        yield ", ".join(texts[:n] + texts[n + 1 :])
        if n and not isinstance(parts[n], ast.keyword):
            yield ", ".join(texts[: n - 1] + [texts[n], texts[n - 1]] + texts[n + 1 :])


def _exchanged(text: Text, node: Any, alike: list[list[str]]) -> Iterator[Edit]:
    """Other names and operators in the place of the node's own."""

    def exchange(name: str, start: int) -> Iterator[Edit]:
        end = start + len(name.encode())
        yield from ((start, end, o) for group in alike if name in group for o in group if o != name)

    match node:
        case ast.JoinedStr():
            for hole in re.finditer(r"\{(\w+)\}", text.of(node)):
                yield from exchange(hole[1], text.start(node) + hole.start(1))
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield from exchange(name, text.end(node) - len(name))
        case (
            ast.BinOp(left=left, right=right)
            | ast.Compare(left=left, comparators=[right])
            | ast.BoolOp(values=[left, right, *_])
        ):
            between = text.bytes[text.end(left) : text.start(right)]
            begin = re.search(rb"[^\s)]", between)
            assert begin is not None
            yield from exchange(between.decode().strip("() \n"), text.end(left) + begin.start())


def _inside(text: Text, node: Any) -> Iterator[Edit]:
    """A part of the node is left out or another one."""
    match node:
        case ast.JoinedStr():
            for hole in re.finditer(r"\{(\w+)\}", text.of(node)):
                yield (text.start(node) + hole.start(), text.start(node) + hole.end(), "")
        case ast.Tuple(elts=parts) | ast.List(elts=parts) if parts:
            for new in _shorter_or_swapped(text, parts):
                yield (text.start(parts[0]), text.end(parts[-1]), new)
        case ast.If() | ast.IfExp() | ast.While():
            start, end = text.start(node.test), text.end(node.test)
            for new in (f"not ({text.of(node.test)})", "True", "False"):
                yield (start, end, new)
        case ast.For() | ast.comprehension():
            for cut in ("[1:]", "[:-1]", "[::-1]"):
                yield (text.end(node.iter), text.end(node.iter), cut)
        case ast.arguments():
            for arg, default in zip(node.args[::-1], node.defaults[::-1]):
                yield (text.end(arg), text.end(default), "")


def alive(host: Host, found: list[Mutant], seed: int = 7) -> list[Mutant]:
    """Those that pass every check of their step."""
    reasons = argued()

    def passes(mutant: Mutant) -> bool:
        changed = solutions().with_text(mutant.step, mutant.text)
        seconds = SECONDS if mutant.key in reasons else BRIEF
        failure = Judge(host, changed, seed, seconds).first_failure(mutant.step)
        return failure is None or failure.verdict == "infra"

    with ThreadPoolExecutor(max_workers=2) as pool:
        return [mutant for mutant, passed in zip(found, pool.map(passes, found)) if passed]


def argued() -> dict[str, str]:
    """The keys of survivors.txt, each with its reason."""
    lines = SURVIVORS.read_text("utf-8").splitlines()
    return {key.rstrip(): why.strip() for key, _, why in (line.partition("  # ") for line in lines)}


def main(ids: list[str]) -> int:
    reasons, row = argued(), "{:<26}{:>8}{:>8}{:>8}{:>13}"
    total, faults = [0, 0, 0, 0], []
    print(row.format("step", "mutants", "killed", "argued", "unexplained"))
    with Host(again=True) as host:
        for step in (step for step in STEPS if not ids or step.id in ids):
            found = mutants(step)
            left = alive(host, found)
            unexplained = [m for m in left if m.key not in reasons]
            refuted = [m for m in found if m.key in reasons and m not in left]
            faults += [f"unexplained, line {m.line}: {m.key}" for m in unexplained]
            faults += [f"argued, but killed, line {m.line}: {m.key}" for m in refuted]
            argued_here = len(left) - len(unexplained)
            figures = [len(found), len(found) - len(left), argued_here, len(unexplained)]
            total = [a + b for a, b in zip(total, figures)]
            print(row.format(f"{step.id} {step.name}", *figures), flush=True)
    print(row.format("in all", *total), *faults, sep="\n")
    return len(faults) > 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
