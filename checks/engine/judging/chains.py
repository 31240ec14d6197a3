"""Workers that go on from one step to the next: this saves a fork, and caches stay warm.

Such a worker has run only passing steps that the next one imports, according to the learner's own
file. They would also run, and leave the same behind, when the next step imports them. So the next
step gets nothing that it would not get in a new worker.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from checks.contents import STEPS, Step
from checks.engine.asking.learner import Files
from checks.engine.files.syntax import tree_of
from checks.engine.hosting.host import Host
from checks.engine.hosting.process import Worker


class Chains:
    """The workers of one submission that can go on."""

    def __init__(self, host: Host):
        self.host = host
        self.links: list[tuple[Worker, set[str]]] = []  # With the ids of their steps.

    def take(self, step: Step, files: Files) -> tuple[Worker | None, set[str]]:
        """The worker in which most imports of this step have run, and nothing else."""
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
    """The modules that are certain to be imported with this one: its file says so."""
    found, waiting = set[str](), {module}
    while waiting:
        name = waiting.pop()
        _, _, source = files.contents.get(name, ("", "", b""))
        waiting |= _imports(name, source) - found
        found |= _imports(name, source)
    return found - {module}


@lru_cache(maxsize=64)
def _imports(module: str, source: bytes) -> frozenset[str]:
    """The imports at the file's top level, without those under a condition."""
    found = set[str]()
    for statement in tree_of(source).body:
        if isinstance(statement, ast.Import):
            found |= {alias.name for alias in statement.names}
        elif isinstance(statement, ast.ImportFrom):
            above = module.split(".")[: -statement.level] if statement.level else []
            name = ".".join([*above, *filter(None, [statement.module])])
            found |= {name} | {f"{name}.{alias.name}" for alias in statement.names}
    return frozenset(found)
