"""What a hunt says: where the file lies, the question, the verdict, and at the end the mistake."""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import Any

from checks.contents import STEPS
from checks.engine.commands.report import show_result
from checks.engine.commands.screen import WIDTH, Screen, wrapped
from checks.engine.commands.words import print_json
from checks.engine.drawing.example import example_of, pictures_of
from checks.engine.judging.results import checks_of_step
from checks.engine.known import Mistake, mistakes
from checks.engine.verdicts import Place, StepResult
from checks.hunting.boss import parts
from checks.hunting.kept import FOLDER, Hunt, Known
from checks.hunting.texts import essence, with_mistake

AGAIN = "python run_step.py hunt"
LINES = 10  # Of an example; the whole page fits on the screen.
PATHS = "|".join(rf"(?<![\w/]){re.escape(step.path)}" for step in STEPS)
SMALL = 2  # Lines of a small repair that is not letter by letter the file from before.


def show_begin(screen: Screen, hunt: Hunt, earlier: Path | None) -> None:
    """Say where the file lies, and how to observe it."""
    if earlier is not None:
        screen.say(f"The files of the hunt before are kept in {earlier.as_posix()}/.")
    step, example = hunt.of, example_of(hunt.of)
    if hunt.boss:
        _show_boss(screen, hunt)
    else:
        screen.say(f"\nA hunt in {step.id} {step.name}", "bold")
        screen.say(f"  the file  {path_of(hunt)}")
        whose = "your own file" if hunt.own else "the file from solutions/"
        screen.sentence(f"It is {whose} with one mistake. It runs, but it is not right.", "  ")
    lines = [] if example is None or hunt.boss else example.code.splitlines()
    lines = lines if len(lines) <= LINES else []  # `trace` shows a longer one.
    screen.say(f"\n  1. Observe it{', for example with this input' if lines else ''}:")
    if lines:
        screen.say("\n".join(f"       {line}" for line in lines))
    seen = parts(hunt.boss)[-1] if hunt.boss else step  # The last one that lies there.
    screen.say(f"     its shapes       python run_step.py trace {seen.id} --submission {FOLDER}")
    if hunt.boss:
        screen.say("                      (with the number of any of these steps)")
    if pictures_of(seen):
        screen.say(f"     its pictures     python run_step.py look {seen.id} --submission {FOLDER}")
    screen.say(f"     your own inputs  cd {FOLDER}, start python, and import the file")
    what = "which file has the mistake" if hunt.boss else "which expectation fails"
    screen.say(f"  2. Predict {what}:  {AGAIN}")
    screen.say("  3. Repair the file. The same command then checks it.")


def _show_boss(screen: Screen, hunt: Hunt) -> None:
    """Say where the files lie, and which expectation fails from outside."""
    files = parts(hunt.boss)
    screen.say(
        f"\nA hunt in the {len(files)} files that {hunt.of.id} {hunt.of.name} is made of", "bold"
    )
    whose = "They are your own" if hunt.own else "They come from solutions/"
    said = f"One of these {len(files)} files in {FOLDER}/ has a mistake. {whose}:"
    screen.sentence(said, "  ")
    for stage in dict.fromkeys(step.stage for step in files):
        names = " ".join(f"{step.name}.py" for step in files if step.stage == stage)
        screen.sentence(f"{FOLDER}/{stage}/  {names}", "    ")
    screen.sentence(f"This expectation of {hunt.of.id} fails: {hunt.symptom}", "  ")
    if hunt.of not in files:
        says = f"{hunt.of.id} puts these parts together. The course's own file is used for it: "
        screen.sentence(f"{says}it is right, and it lies outside the folder.", "  ")


def show_question(screen: Screen, hunt: Hunt) -> None:
    """Print the question with its options."""
    step = hunt.of
    screen.say(f"{step.id} {step.name}: predict", "cyan")
    asks = (
        f"With {path_of(hunt)} as it was at the beginning, one of these expectations fails. The "
        "others are met. Which one fails?"
    )
    if hunt.boss:
        asks = f"This expectation fails: {hunt.symptom} Which file has the mistake?"
    screen.sentence(asks, "  ")
    screen.say()
    for key, sentence in hunt.sentences().items():
        first, *more = wrapped(sentence, " " * 5)
        screen.say("\n".join([f"  {key}  {first.lstrip()}", *more]))


def show_answer(screen: Screen, hunt: Hunt) -> None:
    """Say whether the guess is right, and what comes next."""
    if hunt.boss:
        says = "No. That file is right." if hunt.guess != hunt.right else "Yes. That is the file."
        screen.sentence(says, "  ", "green" if hunt.guess == hunt.right else "yellow")
    elif hunt.guess == hunt.right:
        screen.sentence(f"Yes, {hunt.right} is right: this expectation fails.", "  ", "green")
    else:
        screen.sentence(f"No. The answer is {hunt.right}. This expectation fails:", "  ", "yellow")
        screen.sentence(hunt.sentences()[hunt.right], "    ")
        screen.sentence(f"The expectation {hunt.guess} is met.", "  ")
    is_known = hunt.boss and hunt.guess == hunt.right
    screen.say(f"\n  repair  {hunt.sentences()[hunt.right] if is_known else path_of(hunt)}")
    screen.say(f"  check   {AGAIN}")


def show_question_first(screen: Screen, path: str) -> None:
    """Say that a repair does not pass, and no more: the rest would answer the question."""
    screen.sentence(f"{path} is not right yet.", style="red")
    screen.say(f"  The question comes first:  {AGAIN}")


def show_not_yet(screen: Screen, hunt: Hunt, result: StepResult, seed: int) -> None:
    """Print the verdict on a repair that does not pass. It does not name the mistake."""
    if result.verdict == "blocked":
        screen.sentence(
            f"{result.checks[0].message} Its file in {FOLDER}/ has changed.", style="red"
        )
        return
    from_outside = bool(hunt.boss) and result.name == hunt.step
    for check in result.checks:
        check.message = _in_the_folder(check.message)
        check.shorter = tuple(map(_in_the_folder, check.shorter))
    result.path = f"a file in {FOLDER}/" if from_outside else f"{FOLDER}/{result.path}"
    for check in result.checks:
        if from_outside:
            check.where = None
        if check.where is not None:
            check.where = Place(f"{FOLDER}/{check.where.file}", check.where.line)
    show_result(screen, result, seed, f"{AGAIN} --check", own=False)


def _in_the_folder(message: str) -> str:
    """The message with the paths of the files that lie in the folder of the hunt."""
    return re.sub(PATHS, rf"{FOLDER}/\g<0>", message)


def show_found(
    screen: Screen,
    hunt: Hunt,
    result: StepResult,
    known: Known | None,
    lines: int,
    right: str,
) -> None:
    """Print what the mistake was and where, who has made it, how many checks see it; and praise the
    repair if it is small.
    """
    step, count = hunt.of, len(checks_of_step(hunt.of))
    screen.say(f"Found. {step.id} {step.name} passes again  ({count} checks)", "green")
    if known is not None:
        if hunt.boss:
            screen.say(f"  The mistake was in {FOLDER}/{known.step.path}.")
        screen.sentence(f"The mistake: {known.mistake.says}", "  ", "bold")
        for line in place_of(known.mistake, right):
            screen.say(f"  {line}")
        if known.mistake.seen:
            places = known.mistake.seen.split(", ")
            screen.say("\n".join(["  The same mistake was in:", *(f"    {p}" for p in places)]))
    of = f"Only 1 of its {count} checks sees it." if hunt.seen == 1 else ""
    screen.sentence(of or f"{hunt.seen} of its {count} checks see it.", "  ")
    screen.sentence(about_the_repair(lines), "  ")
    what = f"--boss {hunt.boss}" if hunt.boss else step.id
    screen.say(f"  one more      {AGAIN} {what}")
    if not hunt.boss:
        screen.say(f"  a hard one    {AGAIN} {what} --hard")
    screen.say(f"  this one      {AGAIN} {what} --seed {hunt.seed}")


def about_the_repair(lines: int) -> str:
    """A sentence about a repair that differs from the right file in so many lines."""
    if lines == 0:
        return "Your repair is exact: the code is that of the right file."
    count = "1 line differs" if lines == 1 else f"{lines} lines differ"
    if lines <= SMALL:
        return f"Your repair is small: {count} from the right file."
    return f"Your repair is another right way: {count} from the right file."


def lines_apart(repaired: str, right: str) -> int:
    """How many lines of code differ between the two files."""
    changes = changed(essence(repaired), essence(right))
    return sum(max(b - a, d - c) for a, b, c, d in changes)


def changed(one: list[str], other: list[str]) -> list[tuple[int, int, int, int]]:
    """Where two lists of lines differ: from, to in the one, and from, to in the other."""
    found = difflib.SequenceMatcher(None, one, other, False).get_opcodes()
    return [(a, b, c, d) for tag, a, b, c, d in found if tag != "equal"]


def place_of(mistake: Mistake, right: str) -> list[str]:
    """Two lines that show where the mistake was; none if it does not fit in this file."""
    wrong = with_mistake(right, mistake)
    if wrong is None:
        return []
    lines, rights = wrong.splitlines(), right.splitlines()
    changes = changed(lines, rights)
    for is_said in (_is_code, str.strip):  # An import, if nothing else has changed.
        for a, b, c, d in changes:
            new = [n for n in range(a, b) if is_said(lines[n])]
            gone = [n for n in range(c, d) if is_said(rights[n])]
            if new:
                return [f"It was line {new[0] + 1}:", f"  {_cut(lines[new[0]].strip())}"]
            if gone:
                return [f"After line {a} this was missing:", f"  {_cut(rights[gone[0]].strip())}"]
    return []


def _is_code(line: str) -> bool:
    """Whether a line has code other than an import."""
    return bool(line.strip()) and not line.lstrip().startswith(("#", "import ", "from "))


def _cut(line: str) -> str:
    most = WIDTH - 4
    return line if len(line) <= most else f"{line[: most - 1]}…"


def show_list(
    screen: Screen, found: dict[str, list[str]], present: Hunt | None, as_an_object: bool
) -> None:
    """Print the mistakes that were found, by step, and the hunt that is not finished."""
    steps = [step for step in STEPS if found.get(step.name)]
    is_open = present is not None and present.stage != "found"
    if as_an_object:
        entries = [{"step": s.id, "name": s.name, "mistakes": found[s.name]} for s in steps]
        print_json(
            {
                "version": 1,
                "found": entries,
                "open": as_json(present) if present is not None and is_open else None,
            }
        )
        return
    for step in steps:
        screen.say(f"{step.id} {step.name}: {len(found[step.name])} found", "bold")
        for name in found[step.name]:
            says = mistakes(step)[name].says if name in mistakes(step) else name
            first, *more = wrapped(says, "    ")
            screen.say("\n".join([f"  - {first.lstrip()}", *more]))
    if not steps:
        screen.say("No hunt has been finished yet.")
    if present is not None and is_open:
        screen.say(f"Not finished: {present.of.id} {present.of.name} ({present.stage})")
    screen.say(f"{'Go on' if is_open else 'One more'}: {AGAIN}")


def as_json(
    hunt: Hunt,
    result: StepResult | None = None,
    known: Known | None = None,
    seed: int | None = None,
    lines: int | None = None,
) -> dict[str, Any]:
    """How far the hunt is, in the same fields at every stage: what is not known yet is null."""
    step, example = hunt.of, example_of(hunt.of)
    mistake = known and {
        "name": known.name,
        "says": known.mistake.says,
        "seen": known.mistake.seen,
        "path": known.step.path,
    }
    is_told = not hunt.boss or hunt.guess == hunt.right or hunt.stage == "found"
    checks = result.checks if result is not None and hunt.guess else []  # They answer the question.
    return {
        "version": 1,
        "step": step.id,
        "name": step.name,
        "path": path_of(hunt),
        "own": hunt.own,
        "boss": hunt.boss or None,
        "seed": hunt.seed,
        "stage": hunt.stage,
        "example": example and example.code,
        "options": [{"key": key, "text": text} for key, text in hunt.sentences().items()],
        "guess": hunt.guess or None,
        "fails": hunt.symptom or None,
        "right": hunt.right if hunt.guess and is_told else None,
        "verdict": result and result.verdict,
        "checks_seed": seed,
        "failed": [check.as_json() for check in checks if check.verdict != "pass"],
        "mistake": mistake,
        "seen_by": hunt.seen if hunt.stage == "found" else None,
        "lines": lines,
    }


def path_of(hunt: Hunt) -> str:
    """The file with the mistake; of a boss, the folder that it is in."""
    if hunt.boss:
        return f"{FOLDER}/"
    return f"{FOLDER}/{hunt.of.path}"
