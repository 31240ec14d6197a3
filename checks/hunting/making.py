"""The file to hunt in: a right file with one known mistake, and which checks see the mistake."""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection
from typing import NamedTuple
from zlib import crc32

import numpy as np

from checks.contents import Step
from checks.engine.asking.learner import Files
from checks.engine.drawing.example import example_of
from checks.engine.files.source import Source, solution
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import SECONDS
from checks.engine.judging.results import checks_of_step, stopped_by
from checks.engine.judging.runner import Runner
from checks.engine.known import mistakes
from checks.engine.language import is_always_asked
from checks.engine.tracing.run import show_values
from checks.engine.verdicts import CheckResult, StepResult, Stopped
from checks.hunting.texts import adds_a_number, is_odd, leaves_a_name, tells, with_mistake

SEEDS = (7, 8, 9, 10, 11)  # Of the checks that measure a mistake: a wrong option holds with each.
LEAST = 2  # Checks that must pass: they are the wrong options.
CANDIDATES = 6  # Mistakes that are measured to choose one.
HARD_ONES = 20  # The same, for the hardest of many.
QUIET = {"fail", "error"}  # Verdicts of checks that see the mistake.
MOST_SEEDS = 1 << 20
FORM = r"\b(shape|axes|axis|dtype|rows?|whole numbers?)\b"  # Words of sentences about it.


class Made(NamedTuple):
    """A file with a mistake. `own`: it is the learner's file, else the solution.

    Checks by name: those that do not pass, the first of them (known once it is confirmed), and
    those that pass.
    """

    mistake: str
    text: str
    own: bool
    seen: list[str]
    first: str
    passes: list[str]


class Maker:
    """Makes files with a mistake for one step, and measures them."""

    def __init__(self, host: Host, source: Source, step: Step):
        """`source`: the files of the learner, whose step passes."""
        self.host, self.source, self.step = host, source, step
        self.own = text_of(source, step) or ""
        self.runners = [Runner(host, seed, SECONDS) for seed in SEEDS]
        self.runner = self.runners[0]

    def make(self, name: str) -> Made | None:
        """The learner's file with this mistake; if it does not fit there, the solution with it.

        None: the file would stop at once, or no check would see it, or too few would pass.
        """
        mistake = mistakes(self.step)[name]
        for right, own in ((self.own, True), (solution(self.step), False)):
            text = with_mistake(right, mistake)
            if text is None or tells(name, mistake, text, right):
                continue
            if is_odd(text, right) or adds_a_number(text, right) or leaves_a_name(text, right):
                continue
            if not self._runs(text):
                continue
            results = self.runner.all(self.step, self._files(text)).values()
            passes = [check.name for check in results if check.verdict == "pass"]
            seen = [check.name for check in results if check.verdict != "pass"]
            if seen and len(passes) >= LEAST:
                return Made(name, text, own, seen, "", passes)
        return None

    def confirmed(self, made: Made) -> Made | None:
        """The same, with the checks as they go on many draws. None: it cannot be hunted."""
        return measured(made, self.runners, self.step, self._files(made.text))

    def _files(self, text: str) -> Files:
        return Files.of(self.source.with_text(self.step, text), self.step)

    def _runs(self, text: str) -> bool:
        """Whether the step's example runs to its end with this file."""
        example = example_of(self.step)
        if example is None:
            return False
        try:
            return show_values(self.host, self.step, self._files(text), example, []).error is None
        except Stopped:
            return False


def measured(made: Made, runners: list[Runner], step: Step, files: Files) -> Made | None:
    """The same, with the checks of this step as they go with the seed of each runner.

    A check that passes with some seeds only is left out of `passes`. None: too few pass, or the
    sentence of the first that fails does not say what failed, or a check meets a crash, for
    example.
    """
    result = judged(runners[0], step, files)
    found = {check.name: check.verdict for check in result.checks}
    seen = [name for name, verdict in found.items() if verdict != "pass"]
    first = next((check for check in result.checks if check.verdict != "pass"), None)
    if first is None or not is_said(first) or {found[name] for name in seen} - QUIET:
        return None
    passes = [c.__name__ for c in checks_of_step(step) if is_always_asked(c)]
    passes = [name for name in passes if name not in seen]
    for runner in runners[1:]:
        again = runner.all(step, files).values()
        passes = [check.name for check in again if check.verdict == "pass" and check.name in passes]
    if len(passes) < LEAST:
        return None
    return made._replace(seen=seen, first=first.name, passes=passes)


def is_said(check: CheckResult) -> bool:
    """Whether the sentence of a failing check says what failed. A check of the gradient may fail at
    other numbers, and any check at a shape or a dtype. A forbidden function may give the right
    numbers, so nothing could be observed.
    """
    if "gradient reaches" in check.sentence:
        return check.shows == "no-gradient"
    if check.kind in ("shape", "dtype"):
        return re.search(FORM, check.sentence) is not None
    return check.verdict == "fail" and check.kind != "rule"


def text_of(source: Source, step: Step) -> str | None:
    """The text of a step's file; None without a file."""
    if step.module not in source.modules:
        return None
    text = source.modules[step.module][2].decode("utf-8", "replace")
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def judged(runner: Runner, step: Step, files: Files) -> StepResult:
    """The results of all checks of a step, without the name of a mistake."""
    results = runner.confirmed(step, files, runner.all(step, files))
    return StepResult(step.id, step.name, step.path, results)


def all_stopped(step: Step, problem: Stopped) -> StepResult:
    """The results of a step whose checks cannot run, for this reason."""
    checks = [stopped_by(check, problem) for check in checks_of_step(step)]
    return StepResult(step.id, step.name, step.path, checks)


def in_order(step: Step, seed: int) -> list[str]:
    """The names of the step's mistakes, in an order that follows from the seed alone."""
    names = sorted(mistakes(step), key=lambda name: crc32(f"{step.name} {name}".encode()))
    return [names[n] for n in np.random.default_rng(seed).permutation(len(names))]


def seed_of(step: Step, name: str) -> int:
    """A seed whose order begins with this mistake."""
    draw = secrets.SystemRandom()
    while in_order(step, seed := draw.randrange(MOST_SEEDS))[0] != name:
        pass
    return seed


def repeated(maker: Maker, seed: int) -> Made | None:
    """The hunt of a seed: with the first mistake, in its order, that can be hunted."""
    for name in in_order(maker.step, seed):
        made = maker.make(name)
        whole = made and maker.confirmed(made)
        if whole:
            return whole
    return None


def drawn(maker: Maker, found: Collection[str], rank: int, hard: bool) -> Made | None:
    """A new hunt. A few mistakes are measured, if possible new ones. Rank 0 takes the one that most
    checks see, the last rank the hardest one. If none of them can be hunted, others are measured.
    """
    draw = secrets.SystemRandom()
    order = sorted(mistakes(maker.step), key=lambda name: (name in found, draw.random()))
    several: list[Made] = []
    for name in order:
        made = maker.make(name)
        if made is not None and hard and len(made.seen) == 1:
            made = maker.confirmed(made)
            if made is not None and len(made.seen) == 1:
                return made  # None is harder.
        if made is not None:
            several.append(made)
        if name == order[-1] or len(several) == (HARD_ONES if hard else CANDIDATES):
            whole = _best(maker, several, found, rank, hard)
            if whole is not None:
                return whole
            several.clear()
    return None


def _best(
    maker: Maker, several: list[Made], found: Collection[str], rank: int, hard: bool
) -> Made | None:
    """Of these, the one that the rank asks for, or the nearest that can be hunted."""
    new = [made for made in several if made.mistake not in found] or several
    new.sort(key=lambda made: -len(made.seen))
    first = len(new) - 1 if hard else min(rank, len(new) - 1)
    for made in sorted(new, key=lambda made: abs(new.index(made) - first)):
        whole = maker.confirmed(made)
        if whole is not None:
            return whole
    return None
