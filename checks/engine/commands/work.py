"""A learner's work: the files to check, and the progress that goes with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from checks.contents import CORE, COURSE, STEPS, Step
from checks.course import GRADUATIONS
from checks.engine.commands.words import Usage, find_steps
from checks.engine.files.progress import Progress
from checks.engine.files.source import Source
from checks.engine.step import in_order
from checks.engine.verdicts import StepResult


class Work:
    """The files to check, and the progress that goes with them (none with --submission)."""

    def __init__(self, options: Any):
        self.own = options.submission is None
        root = COURSE if self.own else Path(options.submission)
        if not root.is_dir():
            raise Usage(f"--submission {options.submission!r} is not a folder.")
        self.source = Source(root, borrow=options.borrow)
        self.progress = Progress(COURSE / ".progress.json")
        if self.own and self.progress.damage:
            with self.progress.changing():
                pass  # What cannot be read is moved aside.
        self.keeps = self.own and not options.borrow
        self.just_passed: set[str] = set()
        self.just_graduated: set[str] = set()

    def has_passed(self, step: Step) -> bool:
        """Whether its checks are known to pass; the graduation does not count."""
        known = self.own and self.progress.has_passed(step, self.source.digest(step))
        return known or step.id in self.just_passed

    def has_graduated(self, step: Step) -> bool:
        """Whether its graduation is known to pass; a step without one needs none."""
        known = self.own and self.progress.has_graduated(step, self._trained_with(step))
        return step.name not in GRADUATIONS or known or step.id in self.just_graduated

    def is_done(self, step: Step) -> bool:
        return self.has_passed(step) and self.has_graduated(step)

    def current(self) -> Step | None:
        """The first step that is not known to be done, bonus steps excluded."""
        return next((step for step in CORE if not self.is_done(step)), None)

    def not_passed(self, step: Step) -> list[Step]:
        """The steps that do not pass, of those that are walked in order with this one."""
        return [other for other in in_order(step, STEPS) or CORE if not self.has_passed(other)]

    def after(self, step: Step) -> Step | None:
        """The step to go on with after this one: in a stage of bonus steps, one of its own."""
        own = self.not_passed(step) if step.bonus and in_order(step, STEPS) else []
        return own[0] if own else self.current()

    def record(self, verdicts: dict[str, str]) -> None:
        """Keep which steps pass. If the checker has failed, nothing is known."""
        self.just_passed |= {id for id, verdict in verdicts.items() if verdict == "pass"}
        judged = [step for step in STEPS if verdicts.get(step.id, "infra") != "infra"]
        if self.keeps:
            with self.progress.changing():
                for step in judged:
                    digest, passed = self.source.digest(step), verdicts[step.id] == "pass"
                    self.progress.record(step, digest, passed)

    def graduate(self, step: Step, passed: bool) -> None:
        """Keep the result of its graduation."""
        if passed:
            self.just_graduated.add(step.id)
        if self.keeps:
            with self.progress.changing():
                self.progress.graduate(step, self._trained_with(step), passed)

    def _trained_with(self, step: Step) -> str:
        """A digest of all files that the graduation of the step needs."""
        names = (step.name, *GRADUATIONS.get(step.name, ()))
        return "+".join(self.source.digest(step) for step in STEPS if step.name in names)

    def remember(self, result: StepResult, seed: int) -> None:
        """Keep how a step failed: the named mistake for the hints, and the seed for `look`."""
        if self.keeps and result.verdict != "infra":
            step = next(step for step in STEPS if step.id == result.id)
            named = (check.mistake.name for check in result.checks if check.mistake is not None)
            failed_with = None if result.verdict == "pass" else seed
            with self.progress.changing():
                self.progress.remember(step, next(named, None), failed_with)


def one_step(words: list[str], options: Any) -> Step:
    """The step that a command is about: the one named, or the current one."""
    if not words:
        return Work(options).current() or CORE[-1]
    steps = find_steps(words)
    if len(steps) != 1:
        raise Usage(f"One step at a time, please: {' '.join(words)} are {len(steps)}.")
    return steps[0]
