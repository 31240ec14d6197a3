"""Workers that go on from one step to the next: a fork less, and what is warm stays warm.

Nothing has run in them but steps that passed and that the next one imports, by the lines of the
learner's own file. What such a step might leave behind in its process it might as well do when it
is imported: the next step gets nothing that it would not get alone.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from checks.contents import STEPS, Step
from checks.machine.asking.learner import Files
from checks.machine.course.syntax import parsed
from checks.machine.hosting.host import Host
from checks.machine.hosting.process import Worker


class Chains:
    """Of one submission."""

    def __init__(self, host: Host):
        self.host = host
        self.links: list[tuple[Worker, set[str]]] = []  # With the ids of what has run in them.

    def take(self, step: Step, files: Files) -> tuple[Worker | None, set[str]]:
        """The worker in which most has run of what this step imports, and nothing else."""
        modules = imported(step.module, files)
        below = {other.id for other in STEPS if other.module in modules}
        fitting = [link for link in self.links if link[1] <= below]
        if not fitting:
            return None, set()
        best = max(fitting, key=lambda link: len(link[1]))
        self.links.remove(best)
        return best

    def put(self, worker: Worker, steps: set[str]) -> None:
        self.links.append((worker, steps))

    def end(self) -> None:
        while self.links:
            self.host.drop(self.links.pop()[0])


def imported(module: str, files: Files) -> set[str]:
    """The modules that are surely imported with this one: nobody can say so and not do it."""
    found, waiting = set[str](), {module}
    while waiting:
        name = waiting.pop()
        _, _, source = files.contents.get(name, ("", "", b""))
        waiting |= _imports(name, source) - found
        found |= _imports(name, source)
    return found - {module}


@lru_cache(maxsize=64)
def _imports(module: str, source: bytes) -> frozenset[str]:
    """By the statements at the file's top level; not those that stand under a condition."""
    try:
        body = parsed(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    found = set[str]()
    for statement in body:
        if isinstance(statement, ast.Import):
            found |= {alias.name for alias in statement.names}
        elif isinstance(statement, ast.ImportFrom):
            above = module.split(".")[: -statement.level] if statement.level else []
            name = ".".join([*above, *filter(None, [statement.module])])
            found |= {name} | {f"{name}.{alias.name}" for alias in statement.names}
    return frozenset(found)
