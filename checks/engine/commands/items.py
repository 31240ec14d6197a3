"""The checks of the learner's files as pytest items: `python -m pytest checks`.

A step is judged once per session and as a whole, since all of its checks prove a mistake. Then each
item reports the result of its check. Learner code runs in workers, never in this process.
"""

from __future__ import annotations

import importlib
import secrets
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

import pytest

from checks.contents import COURSE, STEPS, Step
from checks.engine.commands.report import gist, show_result
from checks.engine.commands.screen import Recorder
from checks.engine.files.source import Source
from checks.engine.hosting.host import Host
from checks.engine.hosting.outcomes import NoWorker
from checks.engine.verdicts import CheckResult, Place, StepResult

if TYPE_CHECKING:  # The import at run time comes later, while the workers start.
    from checks.engine.judging.judge import Judge

WAITING = ("untouched", "blocked")  # Nothing is wrong here: the item is skipped.


class Session:
    """What the items of one pytest session share: a host, and the results of the steps."""

    def __init__(self, submission: str | None):
        self.submission = submission
        self.root = COURSE if submission is None else Path(submission).resolve()
        if not self.root.is_dir():
            raise pytest.UsageError(f"--submission {submission!r} is not a folder.")
        self.seed = secrets.randbelow(1_000_000)
        self.host: Host | None = None
        self.judge: Judge | None = None
        self.no_worker: NoWorker | None = None
        self.results: dict[str, StepResult] = {}

    def result(self, step: Step) -> StepResult:
        """The result of a step, which is judged on the first call. Raises NoWorker."""
        if self.no_worker is not None:
            raise self.no_worker
        if step.id not in self.results:
            try:
                self.results[step.id] = self._judge().run([step])[0]
            except NoWorker as error:
                self.no_worker = error
                raise
        return self.results[step.id]

    def _judge(self) -> Judge:
        if self.judge is None:
            from checks.engine.judging.judge import SECONDS, Judge

            self.host = Host()
            self.judge = Judge(self.host, Source(self.root), self.seed, SECONDS)
        return self.judge

    def close(self) -> None:
        if self.host is not None:
            self.host.close()

    def page(self, result: StepResult, check: CheckResult) -> str:
        """The text of run_step.py: about the whole step for its cause, about the check for the
        others.
        """
        if check is not result.cause:
            others = [other for other in result.checks if other is not check]
            quiet = [o for o in others if o.message == check.message and o.mistake is None]
            passed = [CheckResult(o.name, o.sentence, "pass") for o in others if o not in quiet]
            result = replace(result, checks=[check, *quiet, *passed])
        again = f"python run_step.py {result.id}"
        if self.submission is not None:
            again += f" --submission {self.submission}"
        page = Recorder()
        page.full = True
        show_result(page, result, self.seed, again, self.submission is None)
        return "\n".join(line for line, _ in page.lines).rstrip()


class StepFile(pytest.File):
    """The file with the checks of one step."""

    judged: Session
    step: Step

    def collect(self) -> Iterator[CheckItem]:
        try:
            from checks.engine.language import checks_of

            module = importlib.import_module(f"{self.step.room}.checks")
        except ModuleNotFoundError as error:
            if error.name != "numpy":
                raise
            raise self.CollectError(f"{error}. Try: python run_step.py doctor") from None
        for check in checks_of(module):
            yield CheckItem.from_parent(self, name=check.__name__, check=check)


class NoTests(pytest.File):
    """A file that holds no tests."""

    def collect(self) -> list[pytest.Item]:
        return []


class CheckItem(pytest.Item):
    """One check of one step. Faults of the checker are raised in `setup`: pytest counts those as
    errors, not failures.
    """

    parent: StepFile

    def __init__(self, *, check: FunctionType, **kwargs: Any):
        super().__init__(**kwargs)
        self.obj = check  # `--collect-only -v` shows its docstring.
        self.extra_keyword_matches.add(self.parent.step.id)
        self.found = CheckResult(self.name, "", "infra")

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.obj.__code__.co_firstlineno - 1, self.name

    def setup(self) -> None:
        judged, step = self.parent.judged, self.parent.step
        try:
            result = judged.result(step)
        except NoWorker as error:
            why = f"{error}\nThis is not your code's fault. Try: python run_step.py doctor"
            raise Said(why, str(error), Place(step.path, 1)) from None
        self.found = next(check for check in result.checks if check.name == self.name)
        self.place = self.found.where or Place(step.path, 1)
        if self.found.verdict not in ("pass", *WAITING):
            self.said = Said(judged.page(result, self.found), gist(self.found), self.place)
            if self.found.verdict == "infra":
                raise self.said

    def runtest(self) -> None:
        if self.found.verdict in WAITING:
            pytest.skip(gist(self.found))
        if self.found.verdict != "pass":
            raise self.said

    def show(self, report: pytest.TestReport, error: BaseException) -> None:
        """Replace pytest's traceback by the learner's page and place."""
        if isinstance(error, Said):
            report.longrepr = Shown(error)  # type: ignore[assignment]
            place = error.place
        elif isinstance(error, pytest.skip.Exception) and self.found.verdict in WAITING:
            place = self.place
            report.longrepr = (str(self.parent.judged.root / place.file), place.line, str(error))
        else:
            return
        submission = self.parent.judged.submission
        file = place.file if submission is None else str(self.parent.judged.root / place.file)
        report.location = (file, place.line, self.name)  # JUnit XML prints the line unchanged.


class Said(AssertionError):
    """A check that does not pass: the page for the learner, a line with its gist, and the place."""

    def __init__(self, page: str, gist: str, place: Place):
        super().__init__(page)
        self.page, self.gist, self.place = page, gist, place


class Shown:
    """The learner's page as pytest shows a failure; `reprcrash` is for its short lines."""

    def __init__(self, said: Said):
        self.page = said.page
        self.reprcrash = Crash(said)

    def __str__(self) -> str:
        return self.page

    def toterminal(self, writer: Any) -> None:
        writer.line(self.page)


class Crash:
    """One line for `--tb=line` and the summary."""

    def __init__(self, said: Said):
        self.path, self.lineno, self.message = said.place.file, said.place.line, said.gist

    def __str__(self) -> str:
        return f"{self.path}:{self.lineno}: {self.message}"


def step_file(path: Path, parent: pytest.Collector, judged: Session) -> StepFile | None:
    """The collector for a file in checks/, if it holds the checks of a step."""
    for step in STEPS:
        if path == COURSE / "checks" / step.stage / step.name / "checks.py":
            file: StepFile = StepFile.from_parent(parent, path=path)
            file.judged, file.step = judged, step
            return file
    return None


def in_order(items: list[pytest.Item]) -> None:
    """Put the checks in the order of the course, after all other items."""
    place = {step.id: number for number, step in enumerate(STEPS)}
    items.sort(key=lambda item: place[item.parent.step.id] if isinstance(item, CheckItem) else -1)
