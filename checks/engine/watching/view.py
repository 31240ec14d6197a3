"""What `watch` shows, on the screen and on the page."""

from __future__ import annotations

import argparse
import time
from typing import Any, Protocol

from checks.contents import COURSE, Step
from checks.engine.commands import around
from checks.engine.commands.checking import again_words
from checks.engine.commands.report import (
    show_graduation,
    show_next,
    show_reason,
    show_stage_end,
    show_verdict,
)
from checks.engine.commands.screen import Screen, columns
from checks.engine.commands.work import Work
from checks.engine.verdicts import StepResult
from checks.engine.watching.keys import Keys
from checks.engine.watching.running import Run

WORDS = ("hint", "compare", "list", "next", "quit")


class Page(Protocol):
    """A page that follows: see PAGE in checks/course.py."""

    address: str

    def begins(self, work: Work, step: Step) -> None:
        """Show that the step is being checked."""

    def says(
        self, work: Work, step: Step, result: StepResult, seed: int, again: str, whole: bool
    ) -> None:
        """Show its verdict. `whole`: with the reason."""


class View:
    """The screen of a `watch`, its line of keys, and its page, if it has one."""

    def __init__(self, screen: Screen, keys: Keys, options: Any, page: Page | None = None):
        self.screen, self.keys, self.options, self.page = screen, keys, options, page
        self.goes_on = False  # Whether the next verdict follows the one on the screen.

    def checking(self, step: Step) -> None:
        self.screen.say(f"Checking {step.id} {step.name} …")

    def begins(self, work: Work, step: Step) -> None:
        if self.page is not None:
            self.page.begins(work, step)

    def verdict(self, run: Run, result: StepResult) -> None:
        """The first verdict of a run, at the top of the screen."""
        run.said = True
        if not self.goes_on:
            self.screen.clear()
        self.goes_on = False
        clock = time.strftime("%H:%M:%S")
        self.screen.say(f"-- {clock} ".ljust(columns(), "-"), "dim")
        show_verdict(self.screen, result)
        self.on_the_page(run, result, whole=False)

    def reason(self, run: Run, result: StepResult) -> None:
        """The reason of a verdict; and the verdict again, if it is another one by now."""
        assert run.judge is not None  # It has given the result.
        if result.verdict != run.first_verdict:
            self.screen.say("On a closer look:")
            show_verdict(self.screen, result)
        again = again_words(run.step, False, self.options)
        show_reason(self.screen, result, run.judge.seed, again, run.work.own, watched=True)

    def passed(self, work: Work, step: Step, later: Step | None, goes_on: bool) -> None:
        """What follows a pass: the stage's end, a graduation, and the next step that is open. It is
        not offered if the watch `goes_on` with it by itself.
        """
        self.goes_on = goes_on
        if work.own:
            show_stage_end(self.screen, step, work.has_passed)
        if not work.has_graduated(step):
            show_graduation(self.screen, again_words(step, False, self.options))
        if later is None:
            self.screen.say("All steps pass.", "green")
        elif work.own and not goes_on:
            show_next(self.screen, step.id, later)

    def broken(self, error: BaseException, step: Step) -> None:
        """An error of the checker's own."""
        if not COURSE.is_dir():
            self.screen.say(f"The folder {COURSE} is gone. Waiting for it to come back.")
            return
        why = f"{type(error).__name__}: {error}"
        self.screen.say(f"The checker itself failed. Please report it:\n  {why}", "magenta")
        self.prompt(step)

    def prompt(self, step: Step) -> None:
        """The keys that the learner may press now."""
        keys = "  ".join(f"{word[0]} {word}" if self.keys.single else word for word in WORDS)
        self.screen.say(f"Watching {step.id} {step.name}: {keys}", "dim")
        if self.page is not None:
            self.screen.say(f"The page: {self.page.address}", "dim")

    def compare(self, work: Work, step: Step) -> None:
        """The learner's file beside the solution. Before a pass: how to see it all the same."""
        if work.has_passed(step):
            options = argparse.Namespace(**{**vars(self.options), "anyway": True})
            around.compare([step.id], options)
            return
        self.screen.say("The solution can wait until it passes. To see it all the same:")
        self.screen.say(f"  python run_step.py compare {step.id} --anyway")

    def on_the_page(self, run: Run, result: StepResult, whole: bool) -> None:
        if self.page is not None and run.judge is not None:
            again = again_words(run.step, False, self.options)
            self.page.says(run.work, run.step, result, run.judge.seed, again, whole)
