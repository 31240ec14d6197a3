"""The file to hunt in: a right file with one known mistake, and which checks see the mistake."""

from __future__ import annotations

import io
import re
import secrets
import tokenize
from collections.abc import Collection, Iterator
from typing import NamedTuple
from zlib import crc32

from checks.contents import Step
from checks.engine.asking.learner import Files
from checks.engine.course.source import Source, solution
from checks.engine.course.syntax import parsed
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import FEWER, SECONDS
from checks.engine.judging.results import checks_of_step, stopped_by
from checks.engine.judging.runner import Runner
from checks.engine.known import Mistake, mistakes
from checks.engine.tracing.example import example_of
from checks.engine.tracing.run import show_values
from checks.engine.verdicts import StepResult, Stopped

SEEDS = (7, 8, 9, 10, 11)  # Of the checks that measure a mistake: a wrong option holds with each.
LEAST = 2  # Checks that must pass: they are the wrong options.
CANDIDATES = 6  # Mistakes that are measured to choose one.
CANDIDATES_IF_HARD = 20
QUIET = {"fail", "error"}  # Verdicts of checks that see the mistake.
LETTERS = 5  # Of a word that could give the mistake away; shorter ones stand everywhere.


class Made(NamedTuple):
    """A file with a mistake. `own`: it is the learner's file, else the solution.

    Checks by name: those that do not pass, those of them that fail without an error (known once it
    is confirmed), and those that pass.
    """

    mistake: str
    text: str
    own: bool
    seen: list[str]
    fails: list[str]
    passes: list[str]


class Maker:
    """Makes files with a mistake for one step, and measures them. Close it at the end."""

    def __init__(self, host: Host, source: Source, step: Step):
        """`source`: the files of the learner, whose step passes."""
        self.host, self.source, self.step = host, source, step
        self.own = text_of(source, step) or ""
        self.runners = [Runner(host, seed, SECONDS) for seed in SEEDS]
        self.runner = self.runners[0]

    def close(self) -> None:
        """End the threads."""
        for runner in self.runners:
            runner.close()

    def make(self, name: str) -> Made | None:
        """The learner's file with this mistake; if it does not fit there, the solution with it.

        None: the file would stop at once, or no check would see it, or too few would pass.
        """
        mistake = mistakes(self.step)[name]
        for right, own in ((self.own, True), (solution(self.step), False)):
            text = with_mistake(right, mistake)
            if text is None or tells(name, mistake, text, right) or not self._runs(text):
                continue
            checks = checks_of_step(self.step)
            passed = self.runner.together(self.step, checks, self._files(text), FEWER)
            passes = [check.__name__ for check in checks if check in passed]
            seen = [check.__name__ for check in checks if check not in passed]
            if seen and len(passes) >= LEAST:
                return Made(name, text, own, seen, [], passes)
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

    A check that passes with some seeds only is left out of `passes`. None: too few pass or fail, or
    a check meets a crash, for example.
    """
    result = judged(runners[0], step, files)
    found = {check.name: check.verdict for check in result.checks}
    seen = [name for name, verdict in found.items() if verdict != "pass"]
    fails = [name for name in seen if found[name] == "fail"]
    left = [check for check in checks_of_step(step) if check.__name__ not in seen]
    for runner in runners[1:] if fails else ():
        passed = runner.together(step, left, files, FEWER) if left else {}
        left = [check for check in left if check in passed]
    passes = [check.__name__ for check in left]
    if not fails or len(passes) < LEAST or {found[name] for name in seen} - QUIET:
        return None
    return made._replace(seen=seen, fails=fails, passes=passes)


def text_of(source: Source, step: Step) -> str | None:
    """The text of a step's file; None without a file."""
    if step.module not in source.modules:
        return None
    text = source.modules[step.module][2].decode("utf-8", "replace")
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def judged(runner: Runner, step: Step, files: Files) -> StepResult:
    """The results of all checks of a step, without the name of a mistake."""
    checks = checks_of_step(step)
    results = runner.together(step, checks, files, FEWER)
    left = [check for check in checks if check not in results]
    if left:
        results |= zip(left, runner.apart(step, left, files, {}))
    return StepResult(step.id, step.name, step.path, [results[check] for check in checks])


def all_stopped(step: Step, problem: Stopped) -> StepResult:
    """The results of a step whose checks cannot run, for this reason."""
    checks = [stopped_by(check, problem) for check in checks_of_step(step)]
    return StepResult(step.id, step.name, step.path, checks)


def with_mistake(right: str, mistake: Mistake) -> str | None:
    """A right file with the mistake, without the comments of the mistake; None if it does not fit
    or cannot be parsed.
    """
    text = right
    for find, replacement in mistake.edit.items():
        if text.count(find) != 1:
            return None
        text = text.replace(find, replacement)
    try:
        parsed(text)
        return _without_new_comments(text, {token.string for token in _comments(right)})
    except (SyntaxError, ValueError, tokenize.TokenError):
        return None


def _comments(text: str) -> Iterator[tokenize.TokenInfo]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return (token for token in tokens if token.type == tokenize.COMMENT)


def _without_new_comments(text: str, known: Collection[str]) -> str:
    lines = text.splitlines()
    for token in reversed(list(_comments(text))):
        if token.string not in known:
            row, column = token.start
            kept = lines[row - 1][:column].rstrip()
            lines[row - 1 : row] = [kept] if kept else []
    return "\n".join(lines) + "\n"


def tells(name: str, mistake: Mistake, text: str, right: str) -> set[str]:
    """The long words of the mistake's sentence or name that stand in this text, and not in the
    right one.
    """
    return _words(f"{mistake.says} {name}") & _words(text) - _words(right)


def _words(text: str) -> set[str]:
    return {word.lower() for word in re.findall(rf"[^\W\d_]{{{LETTERS},}}", text)}


def in_order(step: Step) -> list[str]:
    """The names of the step's mistakes, in an order that says nothing about them."""
    return sorted(mistakes(step), key=lambda name: crc32(f"{step.name} {name}".encode()))


def repeated(maker: Maker, seed: int) -> tuple[Made, int] | None:
    """The hunt of a seed, and the seed itself: a later one, if its mistake cannot be hunted."""
    names = in_order(maker.step)
    for later in range(len(names)):
        made = maker.make(names[(seed + later) % len(names)])
        whole = made and maker.confirmed(made)
        if whole:
            return whole, seed + later
    return None


def drawn(maker: Maker, found: Collection[str], rank: int, hard: bool) -> tuple[Made, int] | None:
    """A new hunt, and a seed that repeats it. A few mistakes are measured, if possible new ones.
    Rank 0 takes the one that most checks see, the last rank the hardest one.
    """
    names, draw = in_order(maker.step), secrets.SystemRandom()
    order = sorted(names, key=lambda name: (name in found, draw.random()))
    several: list[Made] = []
    for name in order:
        made = maker.make(name)
        if made is not None:
            several.append(made)
        hardest = hard and made is not None and len(made.seen) == 1
        if hardest or len(several) == (CANDIDATES_IF_HARD if hard else CANDIDATES):
            break
    new = [made for made in several if made.mistake not in found] or several
    new.sort(key=lambda made: -len(made.seen))
    first = len(new) - 1 if hard else min(rank, len(new) - 1)
    for made in sorted(new, key=lambda made: abs(new.index(made) - first)):
        whole = maker.confirmed(made)
        if whole is not None:
            return whole, draw.randrange(1000) * len(names) + names.index(made.mistake)
    return None
