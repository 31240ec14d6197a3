"""`run_step.py watch`: run the checks again at every save, until the learner quits.

The main thread waits for saves, input and verdicts, and is the only one that prints. Each run of
the checks has a thread of its own, so a hang in learner code blocks neither of them.

A run begins as soon as a save is seen. Many editors empty the file before they write it, or replace
it. So a verdict that an incomplete save may give is held back for a while. If the files have
changed by then, it is never shown: the run is cancelled, and the next one has begun.
"""

from __future__ import annotations

import queue
import time
from contextlib import nullcontext
from functools import partial
from typing import Any

from checks.contents import STEPS, Step
from checks.course import PAGE
from checks.engine.commands import around, hints
from checks.engine.commands.checking import make_judge, welcome
from checks.engine.commands.screen import Screen
from checks.engine.commands.words import NOT_PASSED, OUR_FAULT, PASSED, Usage, function_of
from checks.engine.commands.work import Work, one_step
from checks.engine.files.source import below
from checks.engine.files.told import unsaid
from checks.engine.hosting.host import Host
from checks.engine.hosting.outcomes import NoWorker
from checks.engine.verdicts import StepResult
from checks.engine.watching.keys import END, Keys
from checks.engine.watching.running import Run
from checks.engine.watching.saves import SETTLES, WAITS, Saves
from checks.engine.watching.view import WORDS, View

AGAIN = "\n"  # Enter, or an empty line: check once more.
LONG = 0.5  # Seconds after which a run reports that it is still going on.


def watch(words: list[str], options: Any) -> int:
    """Check a step again at every save: the named one, else the current, then the saved one."""
    work = Work(options)
    step = one_step(words, options)
    screen = Screen()
    screen.full = options.full
    if not words:
        welcome(screen, work)
    with Host() as host:  # It imports torch meanwhile.
        # A SimpleQueue may wait without end after a signal (CPython before 3.13).
        events: queue.Queue[str | None] = queue.Queue()
        shown = getattr(options, "page", False)
        page = function_of(PAGE)(host, screen) if shown else nullcontext()
        with Keys(WORDS, events.put) as keys, page as served:
            view = View(screen, keys, options, served)
            return Watch(host, options, step, not words, view, events).stay()


class Watch:
    """Watches `step`; if it `follows`, it changes to the step whose file is saved."""

    def __init__(
        self,
        host: Host,
        options: Any,
        step: Step,
        follows: bool,
        view: View,
        events: queue.Queue[str | None],
    ):
        self.host, self.options, self.step, self.follows = host, options, step, follows
        self.view, self.screen, self.events = view, view.screen, events
        self.passed: dict[str, str] = {}  # Digests of steps that passed in this session.
        self.status, self.ending, self.announced = PASSED, False, False
        self.saves = Saves(Work(options).source.root)
        self.saved = time.monotonic() - SETTLES
        self.run: Run | None = None

    def stay(self) -> int:
        """Run until the learner quits, or the input has ended; the exit status."""
        self.view.checking(self.step)
        self._begin()
        self.announced = True
        try:
            while True:
                typed = self._wait()
                if typed == "quit" or (typed == END and self.view.keys.single):
                    return PASSED
                if typed == END:
                    self.ending = True
                elif typed is not None:
                    self._do(typed)
                if self.saves.patience() == 0:
                    self._look()
                self._advance()
                if self.ending and (self.run is None or self.run.told):
                    return self.status
        finally:
            if self.run is not None:
                self.run.cancel()

    def _wait(self) -> str | None:
        """The next input; None if it is time to look, or a run has news."""
        seconds = self.saves.patience()
        if self.run is not None and self.run.result is not None and not self.run.said:
            seconds = min(seconds, self._settles(self.run.result) - time.monotonic())
        try:
            return self.events.get(timeout=max(0.001, seconds))
        except queue.Empty:
            return None

    def _settles(self, result: StepResult) -> float:
        """The time from which this verdict may be shown."""
        return self.saved + WAITS.get(result.verdict, SETTLES)

    # Saves and runs

    def _look(self, others: bool = False) -> bool:
        """Look for saves that affect the verdict. After one, begin a new run and return True."""
        saved = self.saves.look(others)
        steps = [step for step in STEPS if step.path in saved]
        if self.follows and steps and self.step not in steps:
            self.step = steps[0]
        elif not any(self._concerns(path) for path in saved):
            return False
        self.saved = time.monotonic()
        self._begin()
        return True

    def _concerns(self, path: str) -> bool:
        """Whether the verdict depends on this file."""
        step = next((step for step in STEPS if step.path == path), None)
        if step is None:
            return True  # A module of the learner's own.
        return step == self.step or (not self.options.borrow and step in below(self.step))

    def _present_work(self) -> Work:
        """The files as they are now, with their progress."""
        if not self.saves.root.is_dir():
            raise Usage(f"The folder {self.saves.root} is gone. Waiting for it to come back.")
        work = Work(self.options)
        work.just_passed = {
            step.id for step in STEPS if self.passed.get(step.id) == work.source.digest(step)
        }
        return work

    def _begin(self) -> None:
        """Check the step in its present state."""
        before = self.run
        if before is not None:
            before.cancel()
        self.run, self.saves.near, self.announced = None, self.step.path, False
        try:
            work = self._present_work()
        except Usage as error:
            self.screen.say(str(error), "yellow")
            return
        judge = partial(make_judge, self.host, options=self.options)
        self.view.begins(work, self.step)
        self.run = Run(self.step, work, judge, lambda: self.events.put(None), before)

    def _advance(self) -> None:
        """Show what is known by now and has not been shown."""
        run, now = self.run, time.monotonic()
        if run is None or run.told:
            return
        if run.error is not None:
            self._broken(run, run.error)
        elif run.result is None:
            if not self.announced and now - run.start > LONG:
                self.announced = True
                self.view.checking(run.step)
        elif not run.said:
            if now >= self._settles(run.result):
                if not self._look(others=True):
                    self.view.verdict(run, run.result)
        if run is self.run and run.said and run.explained and run.result is not None:
            self._tell(run, run.result)

    # After a verdict

    def _tell(self, run: Run, result: StepResult) -> None:
        """Show the reason and what is next; keep the progress."""
        assert run.judge is not None  # It has given the result.
        run.told, work = True, run.work
        self.view.reason(run, result)
        work.record(run.judge.verdicts)
        work.remember(result, run.judge.seed)
        self._say_what_is_not_kept()
        if result.verdict != "pass":  # A helper module may have changed.
            work.just_passed.discard(result.id)
            self.passed.pop(result.id, None)
        for step in STEPS:
            if step.id in work.just_passed:
                self.passed[step.id] = work.source.digest(step)
        self.view.on_the_page(run, result, whole=True)
        self.status = {"pass": PASSED, "infra": OUR_FAULT}.get(result.verdict, NOT_PASSED)
        if result.verdict == "pass" and self._passes(work):
            return
        self.view.prompt(self.step)

    def _passes(self, work: Work) -> bool:
        """Show what follows a pass. If the next step is begun, check it now and return True."""
        later = next(iter(work.not_passed(self.step)), None)
        here = STEPS.index(self.step)
        begun = later in STEPS[here + 1 :] and work.source.problem(later) is None
        self.view.passed(work, self.step, later, goes_on=self.follows and begun)
        if later is None or not (self.follows and begun):
            return False
        self.step = later
        self._begin()
        return True

    def _broken(self, run: Run, error: BaseException) -> None:
        if isinstance(error, (NoWorker, ModuleNotFoundError)):
            raise error
        run.said = run.told = True
        self.status = OUR_FAULT
        self.view.broken(error, self.step)

    # What is typed

    def _do(self, typed: str) -> None:
        try:
            self._present_work()  # Raises Usage if the folder is gone.
            if typed == "hint":
                hints.hint([self.step.id], self.options, watched=True)
            elif typed == "compare":
                self.view.compare(self._present_work(), self.step)
            elif typed == "list":
                around.list_steps([], self.options)
            elif typed == "next":
                self._next()
            elif typed == AGAIN:
                self._begin()
            else:
                self.screen.say(f"There is no key {typed!r}. The keys are:")
                self.view.prompt(self.step)
        except (Usage, OSError) as error:
            self.screen.say(str(error))
        self._say_what_is_not_kept()

    def _say_what_is_not_kept(self) -> None:
        for sentence in unsaid():
            self.screen.sentence(sentence, style="yellow")

    def _next(self) -> None:
        """Go to the next step that does not pass, or to an earlier one if all later steps pass."""
        work, here = self._present_work(), STEPS.index(self.step)
        open_steps = work.not_passed(self.step)
        others = [step for step in open_steps if step is not self.step]
        if not others:
            self.screen.say("All other steps pass." if open_steps else "All steps pass.", "green")
            return
        later = [step for step in others if STEPS.index(step) > here]
        self.step = others[0] if work.has_passed(self.step) or not later else later[0]
        self._begin()
