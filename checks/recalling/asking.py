"""One step is asked, and the checks judge the answer."""

from __future__ import annotations

import ast
import sys
from random import Random

from checks.contents import STEPS, Step
from checks.engine.commands.report import show_verdict
from checks.engine.commands.screen import Screen, fitted
from checks.engine.commands.work import Work
from checks.engine.files.progress import Recall
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import SECONDS, Judge
from checks.engine.known import mistakes
from checks.engine.verdicts import CheckResult, StepResult
from checks.recalling.items import GAP, KEYS, Gap, Mixed, gap, mixed, text_of

MESSAGE = 5  # Lines of a message below a verdict.
TRIES = 2


class Asking:
    """One step is asked: the line that does not belong at first, later a line to type."""

    def __init__(self, screen: Screen, host: Host, work: Work, step: Step, seed: int):
        self.screen, self.host, self.source = screen, host, work.source
        self.step, self.seed = step, seed
        self.known = work.progress.recalls.get(step.name, Recall())
        self.tried = 0

    def ask(self) -> bool:
        """Whether the answer is right. Raises EOFError if there is no answer to read."""
        draw, text = Random(f"{self.seed} {self.step.name}"), text_of(self.source, self.step)
        if self.known.rounds == 0:
            one = mixed(self.step, text, self._passes, draw, self.known.named)
            if one is not None:
                return self._which(one)
        line = gap(self.step, text, self._passes, draw)
        if line is None:
            self.screen.sentence("No line of your file can be asked here.", "  ")
            return True
        return self._line(line)

    def _which(self, one: Mixed) -> bool:
        """Ask for the key of the line that does not belong."""
        screen, keys = self.screen, KEYS[: len(one.lines)]
        screen.sentence(
            f"These are your lines of {one.function}, in another order, and one line that is not "
            "yours. With that line in your file, the checks fail. Which one is it?",
            "  ",
        )
        screen.say()
        for key, line in zip(keys, one.lines):
            screen.say(fitted(f"{key}  {line}", "    "))
        says = mistakes(self.step)[one.mistake].says
        while self.tried < TRIES:
            typed = self._read("its letter: ")
            key = typed.lower().rstrip(".)")
            if key == one.key:
                screen.sentence(f"Yes. {says}", "  ", "green")
                return True
            if not typed:
                break
            if key not in list(keys):
                wanted = f"Type a letter from {keys[0]} to {keys[-1]}. Ctrl-C stops."
                screen.sentence(f"{typed!r} is no answer here. {wanted}", "  ")
                continue
            self.tried += 1
            screen.sentence(f"No. Line {key} is in your file, and your file passes.", "  ", "red")
        screen.sentence(f"The line is {one.key}. {says}", "  ")
        return False

    def _line(self, one: Gap) -> bool:
        """Ask for the line at the gap."""
        screen = self.screen
        screen.say(f"  One line of {one.function} is missing, at {GAP}. Type it.")
        screen.say("  (An empty line shows yours.)")
        screen.say()
        for row in one.shown():
            screen.say(fitted(row, "  ").rstrip())
        if one.names:
            screen.say()
            screen.sentence(f"Names in other functions of the class: {', '.join(one.names)}", "  ")
        while self.tried < TRIES:
            typed = self._read("the line: ")
            if not typed:
                break
            result = self._result(one.with_line(typed))
            if result.verdict == "pass":
                show_verdict(screen, result)
                if not _same(typed, one.own):
                    screen.say(fitted(f"in your file: {one.own}", "  "))
                return True
            self.tried += 1
            show_verdict(screen, result)
            self._reason(result.cause)
        screen.say("\n  In your file it is:")
        screen.say(fitted(one.own, "    "), "bold")
        return False

    def _read(self, prompt: str) -> str:
        """A typed line. At the end of a file after a first try, "": the answer is shown."""
        if sys.stdin is None:
            raise EOFError
        terminal = sys.stdin.isatty()
        try:
            typed = input(f"\n  {prompt}").strip()
        except EOFError:
            if not self.tried or terminal:
                raise
            typed = ""
        if not terminal:
            print()
        return typed.encode("utf-8", "replace").decode("utf-8")

    def _reason(self, cause: CheckResult | None) -> None:
        """Print why the file with the typed line does not pass."""
        if cause is None:
            return
        if cause.mistake is not None:
            self.screen.sentence(f"Mistake: {cause.mistake.says}", "  ", "bold")
        elif cause.verdict == "fail":
            self.screen.sentence(f"Expected: {cause.sentence}", "  ")
        message = ([cause.message, *cause.shorter][-1]).splitlines()
        lines = [part for line in message for part in fitted(line, "  ").split("\n")]
        self.screen.say("\n".join(lines[:MESSAGE]))

    def _passes(self, text: str) -> bool:
        """Whether no check fails with this text in place of the step's file."""
        judge = self._judge(text)
        failure = judge.first_failure(self.step)
        return failure is None or failure.verdict == "infra"

    def _result(self, text: str) -> StepResult:
        judge = self._judge(text)
        return judge.run([self.step])[0]

    def _judge(self, text: str) -> Judge:
        """A judge of the learner's files with another text of this one, in memory. The steps that
        it builds on have passed.
        """
        passed = frozenset(step.id for step in STEPS if step != self.step)
        source = self.source.with_text(self.step, text)
        return Judge(self.host, source, self.seed, SECONDS, passed)


def _same(typed: str, own: str) -> bool:
    """Whether both lines are the same code."""
    try:
        return ast.dump(ast.parse(typed)) == ast.dump(ast.parse(own))
    except (SyntaxError, ValueError):
        return typed == own
