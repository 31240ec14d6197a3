"""Workers that go on from one step to the next: a fork less, and what is warm stays warm.

Nothing has run in them but steps that the next one builds on, and these passed. What such a step
might leave behind in its process it might as well do when it is imported: the next step gets
nothing that it would not get alone.
"""

from __future__ import annotations

from checks.contents import Step
from checks.machine.course.source import builds_on
from checks.machine.hosting.host import Host
from checks.machine.hosting.process import Worker


class Chains:
    """Of one submission."""

    def __init__(self, host: Host):
        self.host = host
        self.links: list[tuple[Worker, set[str]]] = []  # With the ids of what has run in them.

    def take(self, step: Step) -> tuple[Worker | None, set[str]]:
        """The worker in which most has run of what this step builds on, and nothing else."""
        below = _all_below(step)
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


def _all_below(step: Step) -> set[str]:
    found: set[str] = set()
    for earlier in builds_on(step):
        found |= {earlier.id} | _all_below(earlier)
    return found
