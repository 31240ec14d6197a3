"""`run_step.py ask`: a few questions about a step, before its code is written."""

from __future__ import annotations

import argparse
import re
import sys
from datetime import date
from itertools import zip_longest
from typing import Any

from checks.contents import Step
from checks.engine.commands.checking import draw_seed
from checks.engine.commands.screen import WIDTH, Screen
from checks.engine.commands.words import INTERRUPTED, PASSED, Usage, parser_of, print_json, whole
from checks.engine.commands.work import Work, one_step
from checks.questions.drawing import COUNT, Asked, Option, asked, mistake_of
from checks.recalling.schedule import due, nothing_due

HELP = """\
Predict first, then write: four questions about a step, other ones each time.
Type a letter, or the answer itself. Each wrong option is what a known mistake
gives, and the answer names it. There is no score, and nothing is written.

python run_step.py ask               about the current step
python run_step.py ask 2.1           about another one
python run_step.py ask 2.1 --seed 7  the same questions again
python run_step.py ask --review      about the steps that `recall` takes today
"""
NEAR = 0.006  # A typed number with two decimals is the answer.
APART = "    "  # Between options of several lines, which stand side by side.


def parser() -> argparse.ArgumentParser:
    made = parser_of("ask", "[STEP] [--review] [--seed N] [--json]", HELP)
    made.add_argument("words", nargs="+", help=argparse.SUPPRESS)
    made.add_argument("--seed", type=whole, metavar="N", help="ask the same questions again")
    made.add_argument("--review", action="store_true", help="about steps that can be recalled")
    made.add_argument("--json", action="store_true", help="print the questions and their answers")
    made.set_defaults(submission=None, borrow=False)
    return made


def ask(words: list[str], options: Any) -> int:
    """Ask about a step in a terminal; elsewhere print the questions, and the answers below."""
    seed = draw_seed(options)
    step = None if options.review else one_step(words, options)
    found = review(words, options, seed) if step is None else [(step, a) for a in asked(step, seed)]
    if not found and step is not None:
        raise Usage(f"There are no questions about {step.id} {step.name}.")
    if options.json:
        print_json(as_json(step, seed, found))
        return PASSED
    screen = Screen()
    if not found:
        screen.say(nothing_due(Work(options), date.today()))
        return PASSED
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()):
        _print_all(screen, found)
        return PASSED
    try:
        for number, (of, one) in enumerate(found, 1):
            _show(screen, of, one, number, len(found))
            _answer(screen, of, one)
    except (EOFError, KeyboardInterrupt) as end:
        print()
        return PASSED if isinstance(end, EOFError) else INTERRUPTED
    if step is None:
        screen.say("  write a line again:  python run_step.py recall")
        return PASSED
    screen.say(f"  write it:         {step.path}")
    screen.say(f"  other questions:  python run_step.py ask {step.id}")
    screen.say(f"  these again:      python run_step.py ask {step.id} --seed {seed}")
    return PASSED


def review(words: list[str], options: Any, seed: int) -> list[tuple[Step, Asked]]:
    """Questions about the steps that can be recalled today, in turn."""
    if words:
        raise Usage("ask --review chooses the steps itself. It takes no step.")
    steps = [one.step for one in due(Work(options), date.today())]
    rows = zip(*([(step, one) for one in asked(step, seed)] for step in steps))
    return [pair for row in rows for pair in row][:COUNT]


def as_json(step: Step | None, seed: int, found: list[tuple[Step, Asked]]) -> dict[str, Any]:
    """The questions with their options, and what each wrong one means. No step: a review."""

    def option(of: Step, one: Option) -> dict[str, Any]:
        mistake = None
        if one.mistake:
            mistake = {"name": one.mistake, "says": mistake_of(of, one).says}
        return {"key": one.key, "text": one.text, "mistake": mistake}

    questions = [
        {
            "step": of.id,
            "name": one.question.name,
            "text": one.text,
            "typed": one.question.typed,
            "options": [option(of, each) for each in one.options],
            "right": one.right.key,
            "why": one.question.why,
            "lesson": one.place._asdict(),
        }
        for of, one in found
    ]
    return {
        "version": 1,
        "step": step and step.id,
        "name": step and step.name,
        "seed": seed,
        "questions": questions,
    }


def chosen(one: Asked, typed: str) -> Option | None:
    """The option that was typed: its key, or the answer itself. None if there is no such option."""
    text = typed.strip().lower().rstrip(".)")
    numbers = _numbers(typed)
    for option in [*one.options, *one.others]:
        if text and text in (option.text.lower(), option.key if not one.question.typed else ""):
            return option
    for option in [*one.options, *one.others]:
        theirs = _numbers(option.text)
        if numbers and len(numbers) == len(theirs) and not re.search("[a-z]", option.text):
            if all(abs(a - b) < NEAR for a, b in zip(numbers, theirs)):
                return option
    return None


def _numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


def _show(screen: Screen, step: Step, one: Asked, number: int, count: int) -> None:
    """Print a question with its options."""
    screen.say(f"{step.id} {step.name}, question {number} of {count}", "cyan")
    for line in one.text.split("\n"):
        screen.sentence(line.strip(), "    " if line.startswith(" ") else "  ")
    screen.say()
    if one.question.typed:
        screen.say(f"  {_kind(one)}")
    else:
        screen.say("\n".join(laid_out(one.options)))


def _kind(one: Asked) -> str:
    """What is to be typed, if there are no options to choose from."""
    shape = one.right.text.startswith("(")
    return "Type a shape, such as (2, 3)." if shape else "Type a number."


def laid_out(options: list[Option]) -> list[str]:
    """The options in lines: one below the other, or side by side if they have several lines."""
    blocks = [option.text.split("\n") for option in options]
    if all(len(block) == 1 for block in blocks):
        return [f"  {option.key}  {option.text}" for option in options]
    parts = [[f"{o.key}  {b[0]}", *(f"   {row}" for row in b[1:])] for o, b in zip(options, blocks)]
    wide = max(len(row) for part in parts for row in part)
    if 2 + len(parts) * (wide + len(APART)) > WIDTH:
        return [f"  {row}" for part in parts for row in part]
    rows = zip_longest(*parts, fillvalue="")
    return ["  " + APART.join(f"{cell:<{wide}}" for cell in row).rstrip() for row in rows]


def _answer(screen: Screen, step: Step, one: Asked) -> None:
    """Read an answer until it is one, and say what it means."""
    while True:
        typed = input("\n  your answer: ")
        option = chosen(one, typed)
        if option is not None or (one.question.typed and _numbers(typed)):
            break
        keys = [each.key for each in one.options]
        wanted = f"Type {', '.join(keys[:-1])} or {keys[-1]}."
        if one.question.typed:
            wanted = _kind(one)
        no = f"{typed.strip()!r} is no answer here. " if typed.strip() else ""
        screen.sentence(f"{no}{wanted} Ctrl-C stops.", "  ")
    screen.say()
    _explain(screen, step, one, option)
    screen.say()


def _explain(screen: Screen, step: Step, one: Asked, option: Option | None) -> None:
    """Print why the right answer is right, and what a wrong one means."""
    if option is one.right:
        screen.sentence(f"Yes. {one.question.why}", "  ", "green")
        return
    screen.say("\n".join(told(one)))
    screen.sentence(one.question.why, "  ")
    if option is None:
        screen.sentence("No known mistake gives your answer.", "  ")
    else:
        screen.sentence(f"Yours comes from this mistake ({option.mistake}):", "  ")
        screen.sentence(mistake_of(step, option).says, "    ", "yellow")
    screen.sentence(f'Lesson: "{one.place.says}"', "  ")
    screen.sentence(f"({one.place.file}, line {one.place.line}: {one.place.heading})", "  ")


def told(one: Asked) -> list[str]:
    """The right answer in lines."""
    key = "" if one.question.typed else f"{one.right.key}  "
    first, *rest = one.right.text.split("\n")
    label = f"  No. The answer is  {key}"
    return [label + first, *(" " * len(label) + row for row in rest)]


def _print_all(screen: Screen, found: list[tuple[Step, Asked]]) -> None:
    """Print all questions, and below them all answers."""
    for number, (step, one) in enumerate(found, 1):
        _show(screen, step, one, number, len(found))
        screen.say()
    screen.say("Answers", "bold")
    for number, (step, one) in enumerate(found, 1):
        screen.say()
        key = "" if one.question.typed else f"{one.right.key}  "
        label = f"  {number}.  {key}"
        screen.say(label + one.right.text.replace("\n", "\n" + " " * len(label)))
        screen.sentence(one.question.why, "      ")
        for option in one.options:
            if option.mistake:
                name = option.key if not one.question.typed else option.text
                says = mistake_of(step, option).says
                screen.sentence(f"{name} comes from this mistake: {says}", "      ")
        screen.sentence(f'Lesson: "{one.place.says}" (line {one.place.line})', "      ")
