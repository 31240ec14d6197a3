"""A run of the checks, and what makes the next one fast: each in a thread, and can be cancelled."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from checks.contents import Step
from checks.machine.commands.words import Course
from checks.machine.judging.rehearsal import Rehearsals
from checks.machine.verdicts import StepResult

ENDS = 2.0  # Seconds in which a run that is cancelled ends; it takes a fraction of one.


class Run:
    """One run of a step's checks, in a thread of its own, `after` earlier ones have ended.

    `wake` is called when there is news: the verdict, and then its reason.
    """

    def __init__(
        self,
        step: Step,
        course: Course,
        make_judge: Callable[[Course], Any],
        wake: Callable[[], None],
        after: Sequence[Run | Recording] = (),
    ):
        self.step, self.course, self.make_judge, self.wake = step, course, make_judge, wake
        self.after = after
        self.judge: Any = None
        self.result: StepResult | None = None
        self.explained = self.cancelled = False  # explained: the reason is known, too.
        self.brief: str | None = None  # The verdict at first sight.
        self.error: BaseException | None = None
        self.said = self.told = False  # The verdict; the reason.
        self.start = time.monotonic()
        self.thread = threading.Thread(target=self._work, daemon=True)
        self.thread.start()

    def _work(self) -> None:
        try:
            for earlier in self.after:
                earlier.thread.join(ENDS)
            self.after = ()
            self.judge = self.make_judge(self.course)
            if self.cancelled:
                return
            self.result = self.judge.run([self.step], brief=True)[0]
            self.brief = self.result.verdict
            self.wake()
            self.judge.explain(self.step, self.result)
            self.explained = True
        except BaseException as error:  # For the main thread; unless the run was cancelled.
            self.error = error
        finally:
            self.wake()
            if self.judge is not None:
                self.judge.close()

    def cancel(self) -> None:
        self.cancelled = True
        if self.judge is not None:
            self.judge.cancel()


class Recording:
    """Our solution is asked what the next run will ask, which can then ask it all at one stroke.

    One draw of each check, with the random numbers of the judge, whose source is the solutions.
    """

    def __init__(self, step: Step, judge: Any):
        self.step, self.judge = step, judge
        self.rehearsals: Rehearsals | None = None  # When it is complete.
        self.thread = threading.Thread(target=self._work, daemon=True)
        self.thread.start()

    def _work(self) -> None:
        found = Rehearsals(self.judge.rehearse, draws=1)
        try:
            found.of(self.step)
            self.rehearsals = found
        except Exception:  # Cancelled; or what the next run will say, which does without.
            pass
        finally:
            self.judge.close()

    def cancel(self) -> None:
        """Its workers end at once; if it is complete, nothing happens."""
        if self.rehearsals is None:
            self.judge.cancel()
