"""A step of a course: its name, its number, and the places of its files."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """One step: `id` "2.1", `path` "s2_stage/some_step.py", the same below every folder.

    A `bonus` step is not needed to finish the course: it runs only if it is named.
    """

    id: str
    path: str
    summary: str
    bonus: bool = False

    @property
    def stage(self) -> str:
        return self.path.split("/")[0]

    @property
    def name(self) -> str:
        return self.path.split("/")[1].removesuffix(".py")

    @property
    def module(self) -> str:
        return f"{self.stage}.{self.name}"

    @property
    def room(self) -> str:
        """The package of the checker's knowledge of the step: `checks`, `mistakes`, `rights`."""
        return f"checks.{self.module}"

    @property
    def lesson(self) -> str:
        return f"{self.stage}/README.md"


def numbered(course: list[tuple[str, str]], bonus: list[tuple[str, str]]) -> list[Step]:
    """The steps in order, each with its id: the stage's number, then its number in the stage."""
    steps: list[Step] = []
    for path, summary in [*course, *bonus]:
        stage = path.split("/")[0]
        position = 1 + sum(step.stage == stage for step in steps)
        steps.append(Step(f"{stage[1]}.{position}", path, summary, (path, summary) in bonus))
    return steps


def in_order(step: Step, steps: list[Step]) -> list[Step]:
    """The steps that are walked in order with this one.

    These are the steps without a star. If its stage has only bonus steps, they are those of the
    stage. Any other bonus step stands alone: there are none.
    """
    stage = [other for other in steps if other.stage == step.stage]
    if all(other.bonus for other in stage):
        return stage
    return [] if step.bonus else [other for other in steps if not other.bonus]
