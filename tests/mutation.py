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
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from checks.contents import STEPS, Step
from checks.engine.files.source import solution, solutions
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import SECONDS, Judge
from checks.engine.locating.small_edits import small_edits
from checks.engine.locating.text import Edit, Text

SURVIVORS = Path(__file__).with_name("survivors.txt")
BRIEF = 1.0  # Seconds of computing for each check: a mutant that never ends costs no more.


@dataclass(frozen=True)
class Mutant:
    """A solution with one edit. The key names it for good: lines move, so it has no number."""

    step: Step
    line: int
    key: str
    text: str


@cache
def mutants(step: Step) -> list[Mutant]:
    """All that differ as code, in the order of their places."""
    text = Text(solution(step))
    seen, found, keys = {ast.unparse(text.tree)}, [], Counter[str]()
    for start, end, new, _ in [*small_edits(text), *_detached(text)]:
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
            moved = "  (another indentation)" if _one_line(old) == _one_line(new) else ""
            key = f"{step.id}  {_one_line(old)}  ->  {_one_line(new)}{moved}"
            keys[key] += 1
            key += f"  ({keys[key]})" if keys[key] > 1 else ""  # Of a line that stands twice.
            found.append(Mutant(step, text.bytes.count(b"\n", 0, start) + 1, key, changed))
    return found


def _detached(text: Text) -> list[Edit]:
    """Each result of a forward, detached: do the checks ask for gradients?"""
    nodes = [n for n in ast.walk(text.tree) if isinstance(n, ast.FunctionDef)]
    bodies = [child for n in nodes if n.name == "forward" for child in ast.walk(n)]
    values = [n.value for n in bodies if isinstance(n, ast.Return) and n.value is not None]
    return [
        Edit(text.start(value), text.end(value), f"({text.of(value)}).detach()")
        for value in values
        if not isinstance(value, ast.Tuple)
    ]


def _one_line(code: str) -> str:
    """Without the remarks behind it."""
    return " ".join(re.sub(r"  #.*", "", code).split())


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
    with Host() as host:
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
