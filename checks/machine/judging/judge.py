"""Run the checks of steps and give their verdicts. Holds neither torch nor learner code."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from checks.contents import Step
from checks.machine.asking.learner import Files
from checks.machine.asking.transcript import Event
from checks.machine.course.source import Source, builds_on, solutions
from checks.machine.hosting.host import SIDE_BY_SIDE, Host
from checks.machine.judging.rehearsal import Part, Rehearsals
from checks.machine.judging.runner import Runner, checks_of_step, passing, stopped_by
from checks.machine.judging.stroke import FIRST, Stroke
from checks.machine.known import Mistake
from checks.machine.language import Check
from checks.machine.naming.diagnosis import Transcripts, diagnose
from checks.machine.naming.properties import name_properties
from checks.machine.verdicts import CheckResult, StepResult, Stopped

FEWER = 2  # Times a check asks together with others, where the next asks the same module again.
SECONDS = 3.0  # Of computing for each check, unless --time-limit says otherwise.


class Judge:
    """Checks steps of one source. `passed` holds the ids that need not be checked again.

    draws: of each check, that suffice where a whole step is answered as it was rehearsed.
    """

    def __init__(
        self,
        host: Host,
        source: Source,
        seed: int,
        seconds: float = SECONDS,
        passed: frozenset[str] = frozenset(),
        draws: int = FEWER,
    ):
        self.host, self.source = host, source
        self.runner = Runner(host, seed, seconds)
        self.stroke = Stroke(self.runner)
        self.verdicts = dict.fromkeys(passed, "pass")
        self.first_in_the_way: dict[str, Step] = {}  # Of steps that are blocked.
        self.notice: Callable[[Step], None] = lambda step: None  # Told of steps checked on the way.
        self.transcripts: dict[str, Transcripts] = {}  # Of steps that do not pass.
        self.brief: set[str] = set()  # Steps whose results are.
        self.draws = draws
        self.rehearsals: Rehearsals | None = None  # With the same seed, if there are any.

    @property
    def seed(self) -> int:
        return self.runner.seed

    def take_over(self, other: Judge, rehearsals: Rehearsals | None) -> None:
        """Ask what the other has rehearsed, with its random numbers."""
        self.runner.seed, self.rehearsals = other.seed, rehearsals

    def run(self, steps: list[Step], brief: bool = False) -> list[StepResult]:
        """The results of `steps`, in order. If `brief`, after one draw of each check, and without
        its reason if a step fails: `explain` takes the closer look.
        """
        try:
            return [self._step(step, brief) for step in steps]
        finally:
            self.stroke.chains.end()

    def cancel(self) -> None:
        """Call off what runs now, from another thread: there it raises Cancelled, and so does
        whatever is asked later.
        """
        self.runner.cancel()

    def first_failure(self, step: Step) -> CheckResult | None:
        """Ask one check after the other, up to the first that does not pass. None: all pass."""
        files = self.files(step)
        for check in checks_of_step(step):
            result = self.runner.ask(step, check, files, {})
            if result.verdict != "pass":
                return result
        return None

    def files(self, step: Step) -> Files:
        source = self.source
        return Files(str(source.root), source.files_for(step), step.path, source.helpers)

    def _step(self, step: Step, brief: bool = False) -> StepResult:
        result = StepResult(step.id, step.name, step.path)
        checks = checks_of_step(step)
        problem = self.source.problem(step) or self.blocked(step, builds_on(step))
        start = time.perf_counter()
        if problem is None:
            result.checks = self._ask_all(step, checks, brief)
            if brief:
                self.brief.add(step.id)
            else:
                self._explain(step, result)
        else:
            result.checks = [stopped_by(check, problem) for check in checks]
        result.seconds = time.perf_counter() - start
        self.verdicts[step.id] = result.verdict
        return result

    def blocked(self, step: Step, earlier_steps: list[Step]) -> Stopped | None:
        """Why a step has to wait for these, if it has to; they are checked if need be."""
        if self.source.borrow:
            return None
        for earlier in earlier_steps:
            if earlier.id not in self.verdicts:
                self.notice(earlier)
                self._step(earlier)
            verdict = self.verdicts[earlier.id]
            if verdict == "infra":
                return Stopped("infra", f"{earlier.id} {earlier.name} could not be checked.")
            if verdict != "pass":
                first = self.first_in_the_way[step.id] = self.first_in_the_way.get(
                    earlier.id, earlier
                )
                why = f"does not pass ({verdict})"
                if first is not earlier:
                    why = f"waits for {first.id} {first.name} ({self.verdicts[first.id]})"
                sentence = f"This step builds on {earlier.id} {earlier.name}, which {why}."
                return Stopped("blocked", sentence)
        return None

    def _ask_all(self, step: Step, checks: list[Check], brief: bool) -> list[CheckResult]:
        """First all checks in few processes, for speed. Whatever does not pass there is asked
        again alone, in a process of its own, and only that counts against the submission.

        If `brief`, only the first of those are, and one that fails stands for the rest.
        """
        files, draws = self.files(step), 1 if brief else FEWER
        passed, others = self.as_rehearsed(step, files, 1 if brief else self.draws, brief)
        if self.draws < draws and len(passed) < len(checks):
            passed = set()  # So few draws suffice for the step as a whole, not for a part of it.
        found = self._first_of(step, others, files, passed) if brief and others else {}
        left = [check for check in checks if check not in passed]
        if left and not found:
            passed |= self.runner.together(step, left, files, draws)
            found = self._first_of(step, checks, files, passed) if brief else {}
            left = [check for check in checks if check not in passed]
        if left and not found:
            found = dict(zip(left, self._apart(step, left, files)))
        return [found.get(check) or passing(check) for check in checks]

    def _first_of(
        self, step: Step, checks: list[Check], files: Files, passed: set[Check]
    ) -> dict[Check, CheckResult]:
        """Ask the first few of these checks. The result of one that fails, as that of all that
        have not passed; if there is none, they are added to `passed`.
        """
        first = [check for check in checks if check not in passed][:FIRST]
        asked = self._apart(step, first, files, brief=True) if first else []
        wrong = next((result for result in asked if result.verdict != "pass"), None)
        if wrong is not None:
            left = [check for check in checks_of_step(step) if check not in passed]
            return {check: replace(wrong, name=check.__name__) for check in left}
        passed |= set(first)
        return {}

    def rehearse(self, step: Step, draws: int, lanes: int = SIDE_BY_SIDE) -> list[Part]:
        """Ask the checks of a step and keep what came: the source is to be the solutions.

        The fewer lanes, the less work; the more, the sooner it is done.
        """
        parts: list[Part] = []
        self.runner.together(step, checks_of_step(step), self.files(step), draws, parts, lanes)
        return [part for part in parts if part.spans]

    def as_rehearsed(
        self, step: Step, files: Files, draws: int, brief: bool
    ) -> tuple[set[Check], list[Check]]:
        """The checks in which the submission answers as the solution did, if the solution was
        asked for so many draws; and those in which it does not. All are asked at once; if `brief`,
        one after the other, until there are two of the second kind.
        """
        if self.rehearsals is None or self.rehearsals.draws < draws:
            return set(), []
        parts = self.rehearsals.of(step)
        passed, others = self.stroke.ask(step, files, parts, brief)
        self.runner.stop_if_cancelled()
        return passed, sorted(others, key=checks_of_step(step).index)

    def close(self) -> None:
        """Let go of the threads."""
        self.runner.close()

    def _apart(
        self, step: Step, checks: list[Check], files: Files, brief: bool = False
    ) -> list[CheckResult]:
        transcripts = self.transcripts[step.id] = {}
        return self.runner.apart(step, checks, files, transcripts, brief)

    def explain(self, step: Step, result: StepResult) -> None:
        """After a brief run, the whole of it: the result then holds what counts."""
        if step.id in self.brief:
            self.brief.discard(step.id)
            result.checks = self._ask_all(step, checks_of_step(step), brief=False)
            self.verdicts[step.id] = result.verdict
            self._explain(step, result)

    def _explain(self, step: Step, result: StepResult) -> None:
        """Name the mistake of a step that fails, if it can be proven; else say what is seen."""
        transcripts = self.transcripts.get(step.id)
        if not transcripts or not any(c.verdict in ("fail", "error") for c in result.checks):
            return
        files, checks = self.files(step), {check.__name__: check for check in checks_of_step(step)}

        def evidence(name: str) -> list[list[Event]]:
            if name not in transcripts:
                self.runner.ask(step, checks[name], files, transcripts)
            return transcripts.get(name, [])

        passes = partial(self._passes, step)
        if not diagnose(self.host, step, files, result.checks, evidence, passes):
            self._observe(step, checks, files, result.checks)
            name_properties(result.checks)

    def _passes(self, step: Step, mistake: Mistake, names: list[str]) -> bool:
        """Whether a known version passes these checks."""
        source = solutions().with_text(step, mistake.source(step))
        files = Files(str(source.root), source.modules, step.path)
        asked = [check for check in checks_of_step(step) if check.__name__ in names]
        left = set(asked) - self.runner.together(step, asked, files, FEWER)
        results = self.runner.pool.map(lambda c: self.runner.ask(step, c, files, {}, SECONDS), left)
        return all(result.verdict == "pass" for result in results)

    def _observe(
        self, step: Step, checks: dict[str, Check], files: Files, results: list[CheckResult]
    ) -> None:
        """No known mistake explains it: ask the first failing check once more, and look closer."""
        result = next(result for result in results if result.verdict in ("fail", "error"))
        observed: list[str] = []
        self.runner.ask(step, checks[result.name], files, {}, observed=observed)
        result.message = "\n".join([result.message, *observed])
