"""A run of the checks, in a thread of its own: it can be cancelled."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from checks.contents import Step
from checks.engine.commands.work import Work
from checks.engine.verdicts import StepResult

if TYPE_CHECKING:  # The import at run time comes later, while the workers start.
    from checks.engine.judging.judge import Judge

ENDS = 2.0  # Seconds for a cancelled run to end; it takes a fraction of one.


class Run:
    """One run of a step's checks, in a thread of its own. It waits for the end of the run before.

    `wake` is called when there is news: the verdict, and then its reason.
    """

    def __init__(
        self,
        step: Step,
        work: Work,
        make_judge: Callable[[Work], Judge],
        wake: Callable[[], None],
        before: Run | None = None,
    ):
        self.step, self.work, self.make_judge, self.wake = step, work, make_judge, wake
        self.before = before
        self.judge: Judge | None = None
        self.result: StepResult | None = None
        self.explained = self.cancelled = False  # explained: the reason is known, too.
        self.first_verdict: str | None = None  # From one draw.
        self.error: BaseException | None = None
        self.said = self.told = False  # Whether the verdict and the reason are shown.
        self.start = time.monotonic()
        self.thread = threading.Thread(target=self._work, daemon=True)
        self.thread.start()

    def _work(self) -> None:
        try:
            if self.before is not None:
                self.before.thread.join(ENDS)
            self.before = None
            self.judge = self.make_judge(self.work)
            if self.cancelled:
                return
            self.result = self.judge.run([self.step], brief=True)[0]
            self.first_verdict = self.result.verdict
            self.wake()
            self.judge.complete(self.step, self.result)
            self.explained = True
        except BaseException as error:  # For the main thread, unless the run was cancelled.
            self.error = error
        finally:
            self.wake()

    def cancel(self) -> None:
        self.cancelled = True
        if self.judge is not None:
            self.judge.cancel()
