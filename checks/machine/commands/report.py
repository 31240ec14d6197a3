"""What the learner reads: one cause, the numbers, and the next thing to type."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from collections.abc import Callable
from typing import Any

from checks.contents import CORE, STEPS, Step
from checks.machine.naming.properties import PROPERTIES
from checks.machine.verdicts import CheckResult, StepResult

WIDTH = 80
PRINTED_LINES = 12
WORDS = {
    "pass": "passes",
    "fail": "is not right yet",
    "error": "stops with an error",
    "timeout": "does not come to an end",
    "memory": "asks for too much memory",
    "crash": "crashes Python",
    "output_limit": "prints without end",
    "no_result": "gives no answer",
    "unreadable": "cannot be read",
    "missing": "lacks something",
    "untouched": "is waiting for you",
    "blocked": "has to wait",
    "infra": "could not be checked: the checker itself failed",
}
# Why a mistake is named; True: the numbers were wrong.
PROOF = {
    True: "Proven: with it our solution gives your numbers here, on three random draws.",
    False: "Proven: with it our solution does the same here, on three random draws.",
}
# Everything but tab, newline and what stays where it is printed.
CONTROL = re.compile(
    "[^\n\t -~\u00a0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)
COLOURS = {"pass": "green", "untouched": "cyan", "blocked": "yellow", "infra": "magenta"}
STAGE_ENDS = {
    "s1_embedding": "Stage 1 is done: words and places are numbers now. Next they meet.",
    "s2_attention": "Stage 2 is done: these five parts are all that a Transformer is made of.",
    "s3_encoder": "Stage 3 is done: you have written an encoder, the half that reads.",
    "s4_decoder": "Stage 4 is done: you have written a decoder, the half that writes.",
    "s5_transformer": "The course is done: your Transformer translates, your encoder tells texts "
    "apart, and every line of them is yours. It learns from texts of your own, too.",
}


class Screen:
    """Text for a terminal (with colour, if wanted) or for a pipe (plain)."""

    def __init__(self) -> None:
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="replace")
        self.console: Any = None
        plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        if sys.stdout.isatty() and not plain:
            from rich.console import Console

            self.console = Console(highlight=False)

    def say(self, text: str = "", style: str = "") -> None:
        """One line or several, as they are. `style` is a colour of rich, and never the message."""
        text = clean(text)
        if self.console is None:
            print(text, flush=True)
        else:
            self.console.print(text, style=style or None, markup=False, soft_wrap=True)

    def sentence(self, text: str, indent: str = "", style: str = "") -> None:
        """Prose, wrapped at 80 columns."""
        lines = textwrap.wrap(clean(text), WIDTH, initial_indent=indent, subsequent_indent=indent)
        self.say("\n".join(lines), style)


def clean(text: str) -> str:
    """Without control characters: a learner's print must not move the cursor."""
    return CONTROL.sub("?", text)


def show_result(screen: Screen, result: StepResult, seed: int, again: str, own: bool) -> None:
    """The verdict of one step; if it is not pass, the first cause and what to do.

    `again` is what to type to check it once more; `own`: the files are the learner's own.
    """
    show_verdict(screen, result)
    show_reason(screen, result, seed, again, own)


def show_verdict(screen: Screen, result: StepResult) -> None:
    """The verdict of one step, in a line."""
    verdict = result.verdict
    title = f"{result.id} {result.name} {WORDS[verdict]}"
    if verdict == "pass":
        screen.say(f"{title}  ({len(result.checks)} checks, {result.seconds:.1f} s)", "green")
    else:
        screen.say(title, COLOURS.get(verdict, "red"))


def show_reason(
    screen: Screen, result: StepResult, seed: int, again: str, own: bool, watched: bool = False
) -> None:
    """Why a step does not pass, and what to do. `watched`: a save checks it once more."""
    verdict, first = result.verdict, result.cause
    if first is None:
        return
    if verdict == "untouched" and all(c.verdict == verdict for c in result.checks):
        _show_invitation(screen, result, first, again, watched)
    elif verdict == "blocked":
        screen.sentence(first.message, "  ")
        screen.say(f"  without waiting:  {again} --borrow")
    else:
        screen.say()
        _show_cause(screen, result, first)
        _show_others(screen, result, first)
        screen.say()
        _show_what_to_do(screen, result, seed, again, own, watched)
        screen.say()


def _show_invitation(
    screen: Screen, result: StepResult, first: CheckResult, again: str, watched: bool
) -> None:
    step = next(step for step in STEPS if step.id == result.id)
    if first.where is not None:
        screen.say(f"  {first.message}")
    screen.say(f"  write   {step.path}  (the TODOs)")
    screen.say(f"  read    {step.lesson}  (its part {step.id})")
    if watched:
        return
    screen.say(f"  check   {again}")
    screen.say(f"  stuck?  python run_step.py hint {step.id}")


def _show_cause(screen: Screen, result: StepResult, first: CheckResult) -> None:
    whole_step = all(check.message == first.message for check in result.checks)
    if not (whole_step and first.verdict != "fail"):
        screen.sentence(f"What should hold: {first.sentence}", "  ", "bold")
        screen.say()
    if first.mistake is not None:
        screen.sentence(f"The mistake: {first.mistake.says}", "  ", "bold")
        if first.mistake.name not in PROPERTIES:  # Those are seen, not inferred.
            screen.sentence(PROOF[first.kind == "values"], "  ")
        screen.say()
    for line in first.message.splitlines():
        screen.say(_fitted(line, "    "))
    printed = first.printed.strip("\n").splitlines()
    if printed:
        screen.say()
        screen.say("  Your code printed:")
        left_out = len(printed) - PRINTED_LINES
        if left_out > 0:
            screen.say(f"    | ({left_out} lines before these)")
        for line in printed[-PRINTED_LINES:]:
            screen.say(f"    | {clean(line)[: WIDTH - 6]}")


def gist(check: CheckResult) -> str:
    """What a check that does not pass has found, in one line."""
    if check.verdict == "infra":
        return "The checker itself failed: this is not your code's fault."
    if check.mistake is not None:
        return clean(check.mistake.says)
    if check.verdict == "fail":
        return clean(f"This does not hold: {check.sentence}")
    return clean(next(iter(check.message.splitlines()), check.verdict))


def _fitted(line: str, indent: str) -> str:
    """A line of a message within 80 columns; what goes on is set in."""
    own = indent + line[: len(line) - len(line.lstrip())]
    lines = textwrap.wrap(clean(line), WIDTH, initial_indent=indent, subsequent_indent=own + "  ")
    return "\n".join(lines)


def _show_others(screen: Screen, result: StepResult, first: CheckResult) -> None:
    others = [c for c in result.checks if c.verdict != "pass" and c is not first]
    passed = len(result.checks) - len(others) - 1
    if not others or all(check.message == first.message for check in others):
        return
    screen.say()
    said = [f"{passed} of {len(result.checks)} checks pass."]
    waiting = dict.fromkeys(c.message for c in others if c.verdict == "untouched")
    said += [message for message in waiting if message != first.message]
    others = [c for c in others if c.verdict != "untouched"]
    if first.mistake is not None or not others:
        if first.verdict != "untouched":
            said.append("See what is left when this is mended.")
        screen.sentence(" ".join(said), "  ")
        return
    said.append("These do not either, perhaps for the same reason:")
    screen.sentence(" ".join(said), "  ")
    for check in others[:4]:
        screen.say("    - " + textwrap.shorten(check.sentence, WIDTH - 6, placeholder=" …"))
    if len(others) > 4:
        screen.say(f"    - and {len(others) - 4} more")


def _show_what_to_do(
    screen: Screen, result: StepResult, seed: int, again: str, own: bool, watched: bool
) -> None:
    first = result.cause
    if result.verdict == "infra" or first is None:
        screen.sentence("This is not your fault. Please report it, with the lines above.", "  ")
        return
    if result.verdict == "missing" and "There is no file" in first.message and own:
        screen.say(f"  Next: the skeleton again  python run_step.py reset {result.id}")
        return
    place = f"{first.where.file}:{first.where.line}" if first.where else result.path
    if first.where and first.mistake is not None and first.mistake.name not in PROPERTIES:
        place = f"{first.where.file} (it stopped at line {first.where.line})"
    screen.say(f"  Next: {'write' if first.verdict == 'untouched' else 'mend'} {place}")
    if watched:
        screen.say("        check again   save the file")
    else:
        screen.say(f"        check again   {again}")
    if own and not watched:
        screen.say(f"        get a hint    python run_step.py hint {result.id}")
    screen.say(f"        same numbers  {again} --seed {seed}")
    if os.environ.get("PROBLEM_LINES"):  # For editors that jump to it: see .vscode/tasks.json.
        screen.say(f"{place}{'' if first.where else ':1'}: {gist(first)}")


def show_graduation(screen: Screen, command: str) -> None:
    """After the checks of a step that has a graduation, which is still to come."""
    screen.say(f"  let it learn something real:  {command}")


def show_stage_end(screen: Screen, step: Step, has_passed: Callable[[Step], bool]) -> None:
    """A warm word after the last step of a stage, if all before it pass too; it does not wait for
    the bonus steps.
    """
    before = CORE[: CORE.index(step)] if step in CORE else []
    ends = step in CORE and all(other.stage != step.stage for other in CORE[len(before) + 1 :])
    if ends and all(map(has_passed, before)):
        screen.sentence(STAGE_ENDS[step.stage], style="bold")
        if step == CORE[-1]:
            screen.say("  texts of your own:  python run_step.py train --help")


def show_next(screen: Screen, id: str, later: Step | None) -> None:
    """After a pass: the solution to compare with, and where to go on."""
    screen.say(f"  compare with ours:  python run_step.py compare {id}")
    if later is not None:
        screen.say(f"  next:  {later.id} {later.name}: {later.summary}")
        screen.say(f"         write {later.path}, read {later.lesson}")
