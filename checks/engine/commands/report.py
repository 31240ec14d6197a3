"""What the learner reads: one cause, the numbers, and the next command to type."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from checks.contents import STEPS, Step
from checks.course import AFTER_STAGES, BEFORE_A_STEP, STAGE_ENDS
from checks.engine.commands.screen import Screen, clean, columns, fitted, wrapped
from checks.engine.naming.properties import PROPERTIES
from checks.engine.step import in_order
from checks.engine.verdicts import CheckResult, NoFile, StepResult

PRINTED_LINES = 12
PRINTED = "  Your code printed:"
ROOM = 18  # Lines of a reason; with the lines around it, it fits a screen of 24.
WARNING = re.compile(r"^.*[/\\](?=[^/\\]+[/\\][^/\\]+\.py:\d+: \w*Warning: )")  # Its path, so far.
LEAST = 4  # Lines of an example that are always shown.
WORDS = {
    "pass": "passes",
    "fail": "is not right yet",
    "error": "stops with an error",
    "timeout": "does not finish",
    "memory": "takes too much memory",
    "crash": "crashes Python",
    "output_limit": "prints without end",
    "no_result": "gives no answer",
    "unreadable": "cannot be read",
    "missing": "lacks something",
    "untouched": "is waiting for you",
    "blocked": "is blocked",
    "infra": "could not be checked: the checker itself failed",
}
# Why a mistake is named, by whether the numbers were wrong.
PROOF = {
    True: "Proof: with {} the solution gives your numbers, on 3 random inputs.",
    False: "Proof: with {} the solution does the same, on 3 random inputs.",
}
COLOURS = {"pass": "green", "untouched": "cyan", "blocked": "yellow", "infra": "magenta"}


def show_result(screen: Screen, result: StepResult, seed: int, again: str, own: bool) -> None:
    """Print the verdict of one step; if it is not pass, the first cause and what to do.

    `again` is the command that checks it once more. `own`: the files are the learner's own.
    """
    show_verdict(screen, result)
    show_reason(screen, result, seed, again, own)


def show_verdict(screen: Screen, result: StepResult) -> None:
    """Print the verdict of one step, in a line."""
    verdict = result.verdict
    title = f"{result.id} {result.name} {WORDS[verdict]}"
    if verdict == "pass":
        screen.say(f"{title}  ({len(result.checks)} checks, {result.seconds:.1f} s)", "green")
        for line in _printed(next((c for c in result.checks if c.printed), result.checks[0])):
            screen.say(line)
    else:
        screen.say(title, COLOURS.get(verdict, "red"))


def show_reason(
    screen: Screen, result: StepResult, seed: int, again: str, own: bool, watched: bool = False
) -> None:
    """Print why a step does not pass, and what to do. `watched`: a save checks it once more."""
    verdict, first = result.verdict, result.cause
    if first is None:
        return
    if verdict == "untouched" and all(c.verdict == verdict for c in result.checks):
        _show_invitation(screen, result, first, again, watched)
    elif verdict == "blocked":
        screen.sentence(first.message, "  ")
        screen.say(f"  without waiting:  {again} --borrow")
    else:
        head = _cause(screen, result, first)
        tail = [*_others(screen, result, first), "", *_what_to_do(result, again, own, watched)]
        shown, cut = _example(screen, first, ROOM - len(head) - len(tail))
        screen.say()
        if head:
            screen.say("\n".join(head), "bold")
        screen.say("\n".join([*shown, *tail]))
        if result.verdict not in ("infra", "untouched"):
            more = not screen.full and (cut or bool(_hidden(result, first)))
            name, option = ("see more", " --full") if more else ("repeat it", "")
            screen.say(f"        {name:<12}  {again}{option} --seed {seed}")
        # For editors that jump to the place: see .vscode/tasks.json.
        if os.environ.get("PROBLEM_LINES"):
            screen.say(f"{_place(result, first)}{'' if first.where else ':1'}: {gist(first)}")


def _show_invitation(
    screen: Screen, result: StepResult, first: CheckResult, again: str, watched: bool
) -> None:
    step = next(step for step in STEPS if step.id == result.id)
    if first.where is not None:
        screen.sentence(first.message, "  ")
    screen.say(f"  write   {step.path}  (the TODOs)")
    screen.say(f"  read    {step.lesson}  (its part {step.id})")
    if watched:
        return
    if BEFORE_A_STEP:
        screen.say(f"  quiz    {BEFORE_A_STEP} {step.id}  (questions first, if you like)")
    screen.say(f"  check   {again}")
    screen.say(f"  stuck?  python run_step.py hint {step.id}")


def _cause(screen: Screen, result: StepResult, first: CheckResult) -> list[str]:
    """Print what is wrong: the proven mistake, or what is expected and what else was seen."""
    whole_step = all(check.message == first.message for check in result.checks)
    lines: list[str] = []
    if first.mistake is not None:
        lines += wrapped(f"Mistake: {first.mistake.says}")
        if first.mistake.name not in PROPERTIES:  # Mistakes of structure are seen, not inferred.
            it = "each of them" if first.mistake.is_one_of_two else "this mistake"
            lines += wrapped(PROOF[first.kind == "values"].format(it))
        lines.append("")
    is_told = not (whole_step and first.verdict != "fail") and first.verdict != "untouched"
    if is_told and (first.mistake is None or screen.full):
        lines += wrapped(f"Expected: {first.sentence}")
    if not screen.full:
        facts = first.observed
        if first.mistake is not None:  # The name says more, and so does what the learner printed.
            facts = [] if first.printed else facts[:1]
        lines += [part for says in facts for part in wrapped(f"Seen: {says}")]
    return lines


def _example(screen: Screen, first: CheckResult, room: int) -> tuple[list[str], bool]:
    """The call, its result and the output of the learner's code, as far as there is room.

    The flag says whether there is more.
    """

    def lines_of(message: str) -> list[str]:
        lines = [part for line in message.splitlines() for part in fitted(line, "  ").split("\n")]
        return [*lines, *_printed(first)]

    picture = [f"  {line}" for line in first.picture]
    if screen.full:
        return [*lines_of(first.message), *picture], False
    message = first.message.removesuffix("\n".join(["", *first.observed]))
    numbers = first.kind == "values" and bool(first.shorter)  # At most two rows of numbers.
    ways = [*map(lines_of, [message, *first.shorter][numbers:])]
    if picture:  # It says more than the numbers.
        call = message.partition("\n")[0]
        texts: list[list[str]] = [lines_of(message), lines_of(call), _printed(first), []]
        ways[:0] = [[*text, *picture] for text in texts]
    fitting = next((lines for lines in ways if len(lines) <= room), None)
    if fitting is not None:
        return fitting, numbers or fitting is not ways[0]
    shown = ways[-1][: max(LEAST, room - 1)]
    while shown[-1] in ("", PRINTED):  # Nothing of it has room.
        shown.pop()
    left = len(ways[-1]) - len(shown)
    return [*shown, f"    … and {left} more line{'s' if left > 1 else ''}"], True


def _printed(check: CheckResult) -> list[str]:
    """What the learner's code printed during one run of a check."""
    printed = check.printed.strip("\n").splitlines()
    if not printed:
        return []
    lines = ["", PRINTED]
    for line in map(clean, printed[:PRINTED_LINES]):
        warns = WARNING.sub("", line)  # A warning is shown whole.
        parts = fitted(warns, "", columns() - 6) if warns != line else line[: columns() - 6]
        lines += [f"    | {part}" for part in parts.split("\n")]
    if len(printed) > PRINTED_LINES:
        lines.append(f"    | … and {len(printed) - PRINTED_LINES} more lines")
    return lines


def gist(check: CheckResult) -> str:
    """The result of a failing check, in one line."""
    if check.verdict == "infra":
        return "The checker itself failed: this is not your code's fault."
    if check.mistake is not None:
        return clean(check.mistake.says)
    if check.verdict == "fail":
        return clean(f"This does not hold: {check.sentence}")
    return clean(next(iter(check.message.splitlines()), check.verdict))


def _hidden(result: StepResult, first: CheckResult) -> list[CheckResult]:
    """The other failing checks that do not fit."""
    others = [c for c in result.checks if c.verdict not in ("pass", "untouched") and c is not first]
    return [] if all(check.message == first.message for check in others) else others


def _others(screen: Screen, result: StepResult, first: CheckResult) -> list[str]:
    """Print how the other checks went."""
    others = [c for c in result.checks if c.verdict != "pass" and c is not first]
    if len(others) == len(result.checks) - 1 and all(c.message == first.message for c in others):
        return []
    waiting = dict.fromkeys(c.message for c in others if c.verdict == "untouched")
    said = [message for message in waiting if message != first.message]
    passed = len(result.checks) - len(others) - 1
    if first.verdict == "untouched" and passed:
        count = f"{passed} checks pass" if passed > 1 else "1 check passes"
        said.insert(0, f"What you have written is right so far: {count}.")
    failing = _hidden(result, first)
    if failing:
        count = f"{len(failing)} more checks fail" if len(failing) > 1 else "1 more check fails"
        said.insert(0, f"{count}, perhaps for the same reason.")
    lines = wrapped(" ".join(said))
    if screen.full:
        for check in failing:
            lines += wrapped(f"- {check.sentence}", "    ")
    return lines


def _place(result: StepResult, first: CheckResult) -> str:
    """The place to go on: a line, or a file."""
    if first.where is None:
        return result.path
    named = first.mistake
    if named is not None and named.name not in PROPERTIES:  # The mistake may be in another line.
        return f"{first.where.file} (it stopped at line {first.where.line})"
    return f"{first.where.file}:{first.where.line}"


def _what_to_do(result: StepResult, again: str, own: bool, watched: bool) -> list[str]:
    """What to do next, most important first."""
    first = result.cause
    if result.verdict == "infra" or first is None:
        return wrapped("This is not your fault. Please report it, with the lines above.")
    if result.verdict == "missing" and isinstance(first.stopped, NoFile) and own:
        return [f"  Next: the skeleton again  python run_step.py reset {result.id}"]
    verb = "write" if first.verdict == "untouched" else "fix"
    lines = [f"  Next: {verb} {_place(result, first)}"]
    lines.append(f"        check again   {'save the file' if watched else again}")
    if own and not watched:
        lines.append(f"        get a hint    python run_step.py hint {result.id}")
        if first.verdict == "error" or first.kind == "shape":
            lines.append(f"        see shapes    python run_step.py trace {result.id}")
        elif first.kind == "values" and _has_pictures(result, first):
            lines.append(f"        see pictures  python run_step.py look {result.id}")
    return lines


def _has_pictures(result: StepResult, first: CheckResult) -> bool:
    """Whether `look` has a picture of the step, or of this failure."""
    from checks.engine.drawing.example import pictures_of
    from checks.engine.drawing.failure import failure_of

    step = next(step for step in STEPS if step.id == result.id)
    return bool(pictures_of(step) or first.picture or failure_of(first))


def show_graduation(screen: Screen, command: str) -> None:
    """Print the command for a graduation that is still to come."""
    screen.say(f"  let it learn something real:  {command}")


def show_talk(screen: Screen, command: str) -> None:
    """Print the command to talk to the model that a graduation has kept."""
    if command:
        screen.say(f"  talk to it:  {command}")


def show_stage_end(screen: Screen, step: Step, has_passed: Callable[[Step], bool]) -> None:
    """Print a warm word after the last step of a stage, if all steps before it pass too. Bonus
    steps do not count, except in a stage that has no others.
    """
    steps = in_order(step, STEPS)
    at = steps.index(step) if steps else 0
    ends = all(other.stage != step.stage for other in steps[at + 1 :])
    if steps and ends and all(map(has_passed, steps[:at])):
        screen.sentence(STAGE_ENDS[step.stage], style="bold")
        if step.stage in AFTER_STAGES:
            screen.say(f"  {AFTER_STAGES[step.stage]}")


def show_next(screen: Screen, id: str, later: Step | None) -> None:
    """Print what comes after a pass: the solution to compare with, and the next step."""
    screen.say(f"  compare with the solution:  python run_step.py compare {id}")
    show_later(screen, later)


def show_later(screen: Screen, later: Step | None) -> None:
    """Print the step to go on with."""
    if later is not None:
        screen.say(f"  next:  {later.id} {later.name}: {later.summary}")
        screen.say(f"         write {later.path}")
        screen.say(f"         read  {later.lesson}")
        if BEFORE_A_STEP:
            screen.say(f"         quiz  {BEFORE_A_STEP} {later.id}")
