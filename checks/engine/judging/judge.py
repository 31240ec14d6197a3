"""Run the checks of steps and give their verdicts. No torch and no learner code runs here."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from checks.contents import Step
from checks.engine.asking.learner import Files
from checks.engine.asking.received import WrongNumbers
from checks.engine.asking.transcript import Event
from checks.engine.files.source import Source, builds_on
from checks.engine.hosting.host import Host
from checks.engine.judging.blame import blames_an_earlier_step
from checks.engine.judging.chains import Chains
from checks.engine.judging.rehearsal import Rehearsal
from checks.engine.judging.results import checks_of_step, passing, stopped_by
from checks.engine.judging.runner import Results, Runner
from checks.engine.judging.search import name_place
from checks.engine.judging.stroke import repeats
from checks.engine.known import Mistake
from checks.engine.language import Check
from checks.engine.naming.dependence import leak_map
from checks.engine.naming.diagnosis import Transcripts, diagnose
from checks.engine.naming.divergence import observe
from checks.engine.naming.properties import name_properties
from checks.engine.naming.slips import name_certain, name_ready_made, name_slip, name_unused
from checks.engine.naming.telling_lines import show_lines
from checks.engine.verdicts import CheckResult, StepResult, Stopped

FEWER = 2  # Draws of a check that shares a process; the second asks the same module again.
FIRST = 2  # Checks that run side by side, alone, for a first verdict.
SECONDS = 3.0  # Computing time for each check, unless --time-limit says otherwise.


class Judge:
    """Checks steps of one source. `passed` holds the ids of earlier steps that pass already.

    rehearsal_of: gives the rehearsal of a step, with the same seed. Who answers as in it passes.
    """

    def __init__(
        self,
        host: Host,
        source: Source,
        seed: int,
        seconds: float = SECONDS,
        passed: frozenset[str] = frozenset(),
        rehearsal_of: Callable[[Step], Rehearsal | None] = lambda step: None,
    ):
        self.host, self.source = host, source
        self.runner = Runner(host, seed, seconds)
        self.chains = Chains(host)
        self.verdicts = dict.fromkeys(passed, "pass")
        self.first_in_the_way: dict[str, Step] = {}  # Per blocked step.
        self.notice: Callable[[Step], None] = lambda step: None  # Called for steps on the way.
        self.transcripts: dict[str, Transcripts] = {}  # Per step that does not pass.
        self.unexplained: set[str] = set()  # Steps with a brief result.
        self.rehearsal_of = rehearsal_of

    @property
    def seed(self) -> int:
        return self.runner.seed

    def run(self, steps: list[Step], brief: bool = False) -> list[StepResult]:
        """The results of `steps`, in order. If `brief`, they come from one draw of each check, and
        a failing step has no reason yet: `complete` adds it.
        """
        try:
            return [self._step(step, brief) for step in steps]
        finally:
            self.chains.end()

    def cancel(self) -> None:
        """Cancel the present run, from another thread. It raises Cancelled there, and so do later
        calls.
        """
        self.runner.cancel()

    def first_failure(self, step: Step) -> CheckResult | None:
        """Run one check after the other, up to the first that does not pass. None: all pass."""
        files = self.files(step)
        for check in checks_of_step(step):
            result = self.runner.ask(step, check, files, {})
            if result.verdict != "pass":
                return result
        return None

    def files(self, step: Step) -> Files:
        return Files.of(self.source, step)

    def _step(self, step: Step, brief: bool = False) -> StepResult:
        result = StepResult(step.id, step.name, step.path)
        checks = checks_of_step(step)
        problem = self.source.problem(step) or self.blocked(step, builds_on(step))
        start = time.perf_counter()
        if problem is None:
            result.checks = self._ask_all(step, checks, brief)
            if brief:
                self.unexplained.add(step.id)
            else:
                self._name_mistake(step, result)
        else:
            result.checks = [stopped_by(check, problem) for check in checks]
        result.seconds = time.perf_counter() - start
        self.verdicts[step.id] = result.verdict
        return result

    def blocked(self, step: Step, earlier_steps: list[Step]) -> Stopped | None:
        """Why a step is blocked by these, or None. They are checked if necessary."""
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
                    why = f"is blocked by {first.id} {first.name} ({self.verdicts[first.id]})"
                sentence = f"This step builds on {earlier.id} {earlier.name}, which {why}."
                return Stopped("blocked", sentence)
        return None

    def _ask_all(self, step: Step, checks: list[Check], brief: bool) -> list[CheckResult]:
        """Run all checks in few processes first, for speed. A check that does not pass there runs
        again alone, in a process of its own, and only that result counts.

        If `brief`, only the first of those run again, and a failing one stands for the rest.
        """
        files = self.files(step)
        if not brief and self.repeats_rehearsal(step, files):
            return [passing(check) for check in checks]
        results = self.runner.together(step, checks, files, 1 if brief else FEWER)
        if brief:
            results |= self._briefly(step, checks, files, results)
        left = [check for check in checks if check not in results]
        if left:
            results |= zip(left, self._apart(step, left, files))
        return [results[check] for check in checks]

    def _briefly(self, step: Step, checks: list[Check], files: Files, results: Results) -> Results:
        """The results of the first of these checks without a result.

        If one fails, its result also stands for all other checks without a result.
        """
        first = [check for check in checks if check not in results][:FIRST]
        asked = self._apart(step, first, files, brief=True) if first else []
        wrong = next((result for result in asked if result.verdict != "pass"), None)
        if wrong is None:
            return dict(zip(first, asked))
        left = [check for check in checks_of_step(step) if check not in results]
        return {check: replace(wrong, name=check.__name__) for check in left}

    def rehearse(self, step: Step) -> Rehearsal | None:
        """Run the checks of a step and record the answers. The source should be the solutions."""
        events = self.runner.rehearse(step, checks_of_step(step), self.files(step))
        return None if events is None else Rehearsal(events)

    def repeats_rehearsal(self, step: Step, files: Files) -> bool:
        """Whether the submission answers as the solution did in the rehearsal, if there is one."""
        rehearsal = self.rehearsal_of(step)
        return rehearsal is not None and repeats(self.runner, self.chains, step, files, rehearsal)

    def close(self) -> None:
        """End the threads."""
        self.runner.close()

    def _apart(
        self, step: Step, checks: list[Check], files: Files, brief: bool = False
    ) -> list[CheckResult]:
        transcripts = self.transcripts[step.id] = {}
        return self.runner.apart(step, checks, files, transcripts, brief)

    def complete(self, step: Step, result: StepResult) -> None:
        """Complete a brief run: afterwards the result is the one that counts."""
        if step.id in self.unexplained:
            self.unexplained.discard(step.id)
            result.checks = self._ask_all(step, checks_of_step(step), brief=False)
            self.verdicts[step.id] = result.verdict
            self._name_mistake(step, result)

    def _name_mistake(self, step: Step, result: StepResult) -> None:
        """Name the mistake of a failing step, if it can be proven; else report what is seen."""
        transcripts, files = self.transcripts.get(step.id), self.files(step)
        if not any(c.verdict in ("fail", "error") for c in result.checks):
            if result.cause is not None:
                show_lines(files, result.cause)
            return
        if not transcripts:
            name_slip(files, result.checks)
            return
        checks = {check.__name__: check for check in checks_of_step(step)}
        first = next(c for c in result.checks if c.verdict in ("fail", "error"))
        if blames_an_earlier_step(self.runner, step, checks[first.name], files, first):
            return

        def evidence(name: str, operands: bool = False) -> list[list[Event]]:
            known: Transcripts = {} if operands else transcripts
            if name not in known:
                self.runner.ask(step, checks[name], files, known, operands=operands)
            return known.get(name, [])

        passes = partial(self._passes, step)
        named = name_certain(files, first) or diagnose(
            self.host, step, files, result.checks, evidence, passes
        )
        cause = next(c for c in result.checks if c.mistake) if named else first
        self._look_closer(step, checks[cause.name], files, cause)
        if not (
            named
            or name_slip(files, result.checks)
            or name_ready_made(result.checks)
            or name_unused(files, result.checks)
            or name_properties(result.checks)
        ):
            name_place(self.runner, step, files, result.checks, partial(self._source_passes, step))
        show_lines(files, next((c for c in result.checks if c.mistake), first))

    def _passes(self, step: Step, mistake: Mistake, names: list[str]) -> bool:
        """Whether a known version passes these checks, with the learner's own earlier steps."""
        return self._source_passes(step, mistake.source(step), names)

    def _source_passes(self, step: Step, source: str, names: list[str]) -> bool:
        files = self.files(step).instead({step.module: source.encode()})
        asked = [check for check in checks_of_step(step) if check.__name__ in names]
        left = set(asked) - self.runner.together(step, asked, files, FEWER).keys()
        results = self.runner.pool.map(lambda c: self.runner.ask(step, c, files, {}, SECONDS), left)
        return all(result.verdict == "pass" for result in results)

    def _look_closer(self, step: Step, check: Check, files: Files, result: CheckResult) -> None:
        """Run the failing check again, to draw what moves with what. If no known mistake explains
        its numbers, add certain facts about them.
        """
        named = result.mistake is not None
        if named and not isinstance(result.stopped, WrongNumbers):
            return
        observed: list[str] = []

        def closely(stopped: Stopped) -> None:
            result.picture = leak_map(stopped)
            if not named:
                observed.extend(observe(stopped))

        self.runner.ask(step, check, files, {}, closely=closely)
        if not named:
            result.message = "\n".join([result.message, *observed])
            result.observed = observed
