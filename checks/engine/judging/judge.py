"""Run the checks of steps and give their verdicts. No torch and no learner code runs here."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from checks.contents import Step
from checks.engine.asking.learner import Files
from checks.engine.asking.received import WrongNumbers
from checks.engine.asking.transcript import Event
from checks.engine.files.source import Source, builds_on
from checks.engine.hosting.host import Host
from checks.engine.judging.blame import blames_an_earlier_step
from checks.engine.judging.results import checks_of_step, passing, stopped_by
from checks.engine.judging.runner import Results, Runner, plan_ahead
from checks.engine.judging.search import name_place
from checks.engine.known import Mistake
from checks.engine.language import Check
from checks.engine.naming.dependence import leak_map
from checks.engine.naming.diagnosis import DRAWS, diagnose
from checks.engine.naming.divergence import observe
from checks.engine.naming.properties import name_properties
from checks.engine.naming.replays import Replays
from checks.engine.naming.slips import name_certain, name_ready_made, name_slip, name_unused
from checks.engine.naming.telling_lines import show_lines
from checks.engine.verdicts import CheckResult, StepResult, Stopped

SECONDS = 3.0  # Computing time for each check, unless --time-limit says otherwise.


class Judge:
    """Checks steps of one source. `passed` holds the ids of earlier steps that pass already."""

    def __init__(
        self,
        host: Host,
        source: Source,
        seed: int,
        seconds: float = SECONDS,
        passed: frozenset[str] = frozenset(),
    ):
        self.host, self.source = host, source
        self.runner = Runner(host, seed, seconds)
        self.verdicts = dict.fromkeys(passed, "pass")
        self.first_in_the_way: dict[str, Step] = {}  # Per blocked step.
        self.notice: Callable[[Step], None] = lambda step: None  # Called for steps on the way.
        self.unexplained: dict[str, Results] = {}  # Of steps with a brief result: what is known.

    @property
    def seed(self) -> int:
        return self.runner.seed

    def run(self, steps: list[Step], brief: bool = False) -> list[StepResult]:
        """The results of `steps`, in order.

        If `brief`, no check is asked after the first that fails: it stands for the rest, and has no
        reason yet. `complete` asks the rest, and adds the reason.
        """
        results = []
        for n, step in enumerate(steps):
            for near in steps[n : n + 2]:
                plan_ahead(near, self.seed)
            results.append(self._step(step, brief))
        return results

    def cancel(self) -> None:
        """Cancel the present run, from another thread. It raises Cancelled there, and so do later
        calls.
        """
        self.runner.cancel()

    def first_failure(self, step: Step) -> CheckResult | None:
        """The first check that does not pass, asked once. None: all pass."""
        results = self.runner.all(step, self.files(step), until=True)
        return next((one for one in results.values() if one.verdict != "pass"), None)

    def files(self, step: Step) -> Files:
        return Files.of(self.source, step)

    def _step(self, step: Step, brief: bool = False) -> StepResult:
        result = StepResult(step.id, step.name, step.path)
        problem = self.source.problem(step) or self.blocked(step, builds_on(step))
        start = time.perf_counter()
        if problem is not None:
            result.checks = [stopped_by(check, problem) for check in checks_of_step(step)]
        elif brief:
            result.checks = self._briefly(step)
        else:
            result.checks = self._whole(step)
            self._name_mistake(step, result)
        result.seconds = time.perf_counter() - start
        self.verdicts[step.id] = result.verdict
        return result

    def _whole(self, step: Step) -> list[CheckResult]:
        files = self.files(step)
        return self.runner.confirmed(step, files, self.runner.all(step, files))

    def _briefly(self, step: Step) -> list[CheckResult]:
        """The results up to the first check that fails, which stands for the rest."""
        files = self.files(step)
        known = self.runner.all(step, files, until=True)
        results = self.runner.confirmed(step, files, known)
        self.unexplained[step.id] = dict(zip(known, results))
        wrong = next((result for result in results if result.verdict != "pass"), None)
        left = [check for check in checks_of_step(step) if check not in known]
        if left and wrong is None:  # The answer of the second time counts.
            results += self.runner.confirmed(step, files, self.runner.all(step, files, left))
        elif wrong is not None:
            results += [wrong.of(passing(check)) for check in left]
        return results

    def complete(self, step: Step, result: StepResult) -> None:
        """Complete a brief run: afterwards the result is the one that counts."""
        known = self.unexplained.pop(step.id, None)
        if known is None or result.verdict == "pass":
            return
        files = self.files(step)
        left = [check for check in checks_of_step(step) if check not in known]
        more = self.runner.all(step, files, left) if left else {}
        known |= zip(more, self.runner.confirmed(step, files, more))
        result.checks = [known[check] for check in checks_of_step(step)]
        self.verdicts[step.id] = result.verdict
        self._name_mistake(step, result)

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

    def _name_mistake(self, step: Step, result: StepResult) -> None:
        """Name the mistake of a failing step, if it can be proven; else report what is seen."""
        files = self.files(step)
        if not any(c.verdict in ("fail", "error") for c in result.checks):
            if result.cause is not None:
                show_lines(files, result.cause)
            return
        checks = {check.__name__: check for check in checks_of_step(step)}
        first = next(c for c in result.checks if c.verdict in ("fail", "error"))
        if blames_an_earlier_step(self.runner, step, checks[first.name], files, first):
            return
        transcripts: dict[str, list[list[Event]]] = {}

        def evidence(name: str, operands: bool = False) -> list[list[Event]]:
            if operands:
                return self.runner.transcript(step, checks[name], files, DRAWS, operands)
            if name not in transcripts:
                transcripts[name] = self.runner.transcript(step, checks[name], files, DRAWS)
            return transcripts[name]

        if not any(evidence(first.name)):  # The file cannot be imported.
            name_slip(files, result.checks)
            return
        named = name_certain(files, first) or diagnose(
            Replays(self.host, step, files, self.runner.choices),
            result.checks,
            evidence,
            partial(self._passes, step),
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
            name_place(self.runner, step, files, result.checks)
        show_lines(files, next((c for c in result.checks if c.mistake), first))

    def _passes(self, step: Step, mistake: Mistake, names: list[str]) -> bool:
        """Whether a known version passes these checks, with the learner's own earlier steps."""
        source = mistake.source(step).encode()
        return self.runner.passes(step, self.files(step).instead({step.module: source}), names)

    def _look_closer(self, step: Step, check: Check, files: Files, result: CheckResult) -> None:
        """Ask the failing check again, to draw what moves with what. If no known mistake explains
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

        self.runner.closely(step, check, files, closely)
        if not named:
            result.message = "\n".join([result.message, *observed])
            result.observed = observed
