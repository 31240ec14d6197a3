"""`run_step.py watch`: run the checks again at every save, until the learner quits.

The main thread waits for saves, input and verdicts, and is the only one that prints. Each run of
the checks has a thread of its own, so a hang in learner code blocks neither of them.

A run begins as soon as a save is seen, although the save may be incomplete. Many editors empty the
file before they write it, or replace it. So a verdict that an incomplete save may give is held back
for the time that such a save may take. If the files have changed by then, the verdict is never
shown: the run is cancelled, and the next one has begun.

While nothing else runs, the solution answers the questions of the next run (see rehearsal.py), with
random numbers that no other run gets. A save that comes too early for this is checked without it.
"""

from __future__ import annotations

import argparse
import queue
import time
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Protocol

from checks.contents import COURSE, STEPS, Step
from checks.course import PAGE
from checks.engine.commands import around, hints
from checks.engine.commands.checking import (
    again_words,
    draw_seed,
    make_judge,
    record_all,
    welcome,
)
from checks.engine.commands.report import (
    show_graduation,
    show_next,
    show_reason,
    show_stage_end,
    show_verdict,
)
from checks.engine.commands.screen import WIDTH, Screen
from checks.engine.commands.words import (
    NOT_PASSED,
    OUR_FAULT,
    PASSED,
    Course,
    Usage,
    function_of,
    one_step,
)
from checks.engine.course.progress import Progress
from checks.engine.course.source import builds_on, solutions
from checks.engine.hosting.host import Host
from checks.engine.hosting.outcomes import NoWorker
from checks.engine.verdicts import StepResult
from checks.engine.watching.keys import END, Keys
from checks.engine.watching.running import Recording, Run
from checks.engine.watching.saves import Saves

if TYPE_CHECKING:  # The import at run time comes later, while the workers start.
    from checks.engine.judging.judge import Judge

WORDS = ("hint", "compare", "list", "next", "quit")
AGAIN = "\n"  # Enter, or an empty line: check once more.
SETTLES = 0.03  # Seconds from a save to its verdict, at least.
HALF_WRITTEN = dict.fromkeys(("untouched", "unreadable", "error"), 0.07) | {"missing": 0.25}
WAITS = {**HALF_WRITTEN, "pass": 0.0}  # A file that passes is complete.
LONG = 0.5  # Seconds after which a run reports that it is still going on.


def watch(words: list[str], options: Any) -> int:
    """Check a step again at every save: the named one, else the current, then the saved one."""
    course = Course(options)
    step = one_step(words, options)
    screen = Screen()
    screen.full = options.full
    if not words and course.own and course.progress.is_new:
        welcome(screen)
        course.progress.save()
    with Host() as host:  # It imports torch meanwhile.
        events: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        shown = getattr(options, "page", False)
        page = function_of(PAGE)(host, screen) if shown else nullcontext()
        with Keys(WORDS, events.put) as keys, page as served:
            return Watch(host, options, step, not words, screen, keys, events, served).stay()


class Page(Protocol):
    """A page that follows: see PAGE in checks/course.py."""

    address: str

    def begins(self, course: Course, step: Step) -> None:
        """Show that the step is being checked."""

    def says(
        self, course: Course, step: Step, result: StepResult, seed: int, again: str, whole: bool
    ) -> None:
        """Show its verdict. `whole`: with the reason."""


class Watch:
    """Watches `step`; if it `follows`, it changes to the step whose file is saved."""

    def __init__(
        self,
        host: Host,
        options: Any,
        step: Step,
        follows: bool,
        screen: Screen,
        keys: Keys,
        events: queue.SimpleQueue[str | None],
        page: Page | None = None,
    ):
        self.host, self.options, self.step, self.follows = host, options, step, follows
        self.screen, self.keys, self.events, self.page = screen, keys, events, page
        self.passed: dict[str, str] = {}  # Digests of steps that passed in this session.
        self.status, self.ending, self.slow = PASSED, False, False
        self.goes_on = False  # Whether the next verdict follows the one on the screen.
        self.saves = Saves(Course(options).source.root)
        self.saved = time.monotonic() - SETTLES
        self.run: Run | None = None
        self.recording: Recording | None = None

    def stay(self) -> int:
        """Run until the learner quits, or the input has ended; the exit status."""
        self.screen.say(f"Checking {self.step.id} {self.step.name} …")
        self._begin()
        self.slow = True
        try:
            while True:
                typed = self._wait()
                if typed == "quit" or (typed == END and self.keys.single):
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
            self._cancel()

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
        return step in ([self.step] if self.options.borrow else _needed(self.step))

    def _course(self) -> Course:
        """The files as they are now, with their progress."""
        if not self.saves.root.is_dir():
            raise Usage(f"The folder {self.saves.root} is gone. Waiting for it to come back.")
        course = Course(self.options)
        course.just_passed = {
            step.id for step in STEPS if self.passed.get(step.id) == course.source.digest(step)
        }
        return course

    def _begin(self) -> None:
        """Check the step in its present state."""
        before = self._cancel()
        self.run, self.saves.near, self.slow = None, self.step.path, False
        try:
            course = self._course()
        except Usage as error:
            self.screen.say(str(error), "yellow")
            return

        recording = self._take_recording(course)

        def judge(course: Course) -> Judge:
            made = make_judge(self.host, course, self.options)
            if recording is not None:
                made.take_over(recording.judge, recording.rehearsals)
            return made

        if self.page is not None:
            self.page.begins(course, self.step)
        self.run = Run(self.step, course, judge, lambda: self.events.put(None), before)

    def _cancel(self) -> list[Run | Recording]:
        """Cancel the run and the recording; return them."""
        going_on = [one for one in (self.run, self.recording) if one is not None]
        for one in going_on:
            one.cancel()
        return going_on

    def _take_recording(self, course: Course) -> Recording | None:
        """The complete recording for the new run, or None. No other run may use it."""
        recording = self.recording
        if recording is None or course.source.problem(self.step) is not None:
            return None  # No recording, or no questions to ask.
        fits = recording.rehearsals is not None and recording.step == self.step
        if not fits or self.options.seed is None:
            self.recording = None
        return recording if fits else None

    def _record(self) -> None:
        """Prepare the next run, while nothing else goes on."""
        from checks.engine.judging.judge import Judge

        recording = self.recording
        if recording is None or recording.rehearsals is None or recording.step != self.step:
            judge = Judge(self.host, solutions(), draw_seed(self.options))
            self.recording = Recording(self.step, judge)

    def _advance(self) -> None:
        """Show what is known by now and has not been shown."""
        run, now = self.run, time.monotonic()
        if run is None or run.told:
            return
        if run.error is not None:
            self._broken(run, run.error)
        elif run.result is None:
            if not self.slow and now - run.start > LONG:
                self.slow = True
                self.screen.say(f"Checking {run.step.id} {run.step.name} …")
        elif not run.said:
            if now >= self._settles(run.result):
                if not self._look(others=True):
                    self._say(run, run.result)
        if run is self.run and run.said and run.explained and run.result is not None:
            self._tell(run, run.result)

    # What is shown

    def _say(self, run: Run, result: StepResult) -> None:
        run.said = True
        if not self.goes_on:
            self.screen.clear()
        self.goes_on = False
        clock = time.strftime("%H:%M:%S")
        self.screen.say(f"-- {clock} ".ljust(WIDTH, "-"), "dim")
        show_verdict(self.screen, result)
        self._show_on_the_page(run, result, whole=False)

    def _tell(self, run: Run, result: StepResult) -> None:
        """Show the reason and what is next; keep the progress."""
        assert run.judge is not None  # It has given the result.
        run.told, course = True, run.course
        if result.verdict != run.brief:
            self.screen.say("On a closer look:")
            show_verdict(self.screen, result)
        again = again_words(run.step, False, self.options)
        show_reason(self.screen, result, run.judge.seed, again, course.own, watched=True)
        course.progress = Progress(course.progress.file)  # `hint` may have changed it.
        record_all(run.judge, course)
        course.remember(result, run.judge.seed)
        if result.verdict != "pass":  # A helper module may have changed.
            course.just_passed.discard(result.id)
            self.passed.pop(result.id, None)
        for step in STEPS:
            if step.id in course.just_passed:
                self.passed[step.id] = course.source.digest(step)
        self._show_on_the_page(run, result, whole=True)
        self.status = {"pass": PASSED, "infra": OUR_FAULT}.get(result.verdict, NOT_PASSED)
        if result.verdict == "pass" and self._passes(course):
            return
        self._prompt()
        self._record()

    def _passes(self, course: Course) -> bool:
        """Show what follows a pass. If the next step is begun, check it now and return True."""
        if course.own:
            show_stage_end(self.screen, self.step, course.has_passed)
        if not course.has_graduated(self.step):
            show_graduation(self.screen, again_words(self.step, False, self.options))
        later = next(iter(course.not_passed(self.step)), None)
        if later is None:
            self.screen.say("All steps pass.", "green")
            return False
        begun = course.source.problem(later) is None
        if self.follows and begun and STEPS.index(later) > STEPS.index(self.step):
            self.step, self.goes_on = later, True
            self._begin()
            return True
        if course.own:
            show_next(self.screen, self.step.id, later)
        return False

    def _show_on_the_page(self, run: Run, result: StepResult, whole: bool) -> None:
        if self.page is not None and run.judge is not None:
            again = again_words(run.step, False, self.options)
            self.page.says(run.course, run.step, result, run.judge.seed, again, whole)

    def _prompt(self) -> None:
        keys = "  ".join(f"{word[0]} {word}" if self.keys.single else word for word in WORDS)
        self.screen.say(f"Watching {self.step.id} {self.step.name}: {keys}", "dim")
        if self.page is not None:
            self.screen.say(f"The page: {self.page.address}", "dim")

    def _broken(self, run: Run, error: BaseException) -> None:
        if isinstance(error, (NoWorker, ModuleNotFoundError)):
            raise error
        run.said = run.told = True
        self.status = OUR_FAULT
        if not COURSE.is_dir():
            self.screen.say(f"The folder {COURSE} is gone. Waiting for it to come back.")
            return
        why = f"{type(error).__name__}: {error}"
        self.screen.say(f"The checker itself failed. Please report it:\n  {why}", "magenta")
        self._prompt()

    # What is typed

    def _do(self, typed: str) -> None:
        try:
            self._course()
            if typed == "hint":
                hints.hint([self.step.id], self.options, watched=True)
            elif typed == "compare":
                self._compare()
            elif typed == "list":
                around.list_steps([], self.options)
            elif typed == "next":
                self._next()
            elif typed == AGAIN:
                self._begin()
            else:
                self.screen.say(f"There is no key {typed!r}. The keys are:")
                self._prompt()
        except (Usage, OSError) as error:
            self.screen.say(str(error))

    def _next(self) -> None:
        """Go to the next step that does not pass, or to an earlier one if all later steps pass."""
        course, here = self._course(), STEPS.index(self.step)
        open_steps = course.not_passed(self.step)
        others = [step for step in open_steps if step is not self.step]
        if not others:
            everything = "All steps pass." if not open_steps else "All other steps pass."
            self.screen.say(everything, "green")
            return
        done = course.has_passed(self.step)
        later = (step for step in others if STEPS.index(step) > here)
        self.step = others[0] if done else next(later, others[0])
        self._begin()

    def _compare(self) -> None:
        if self._course().has_passed(self.step):
            options = argparse.Namespace(**{**vars(self.options), "anyway": True})
            around.compare([self.step.id], options)
            return
        self.screen.say("The solution can wait until it passes. To see it all the same:")
        self.screen.say(f"  python run_step.py compare {self.step.id} --anyway")


def _needed(step: Step) -> set[Step]:
    """The step, and all steps that it builds on."""
    return {step}.union(*(_needed(earlier) for earlier in builds_on(step)))
