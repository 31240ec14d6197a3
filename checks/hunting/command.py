"""`run_step.py hunt`: find and repair the one mistake in a file of a step that has passed."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from checks.contents import CORE, Step
from checks.engine.commands.checking import draw_seed
from checks.engine.commands.screen import Screen
from checks.engine.commands.words import (
    INTERRUPTED,
    NOT_PASSED,
    PASSED,
    Usage,
    find_steps,
    parser_of,
    print_json,
    whole,
)
from checks.engine.commands.work import Work
from checks.engine.files.source import Source, below
from checks.engine.hosting.host import Host
from checks.hunting.boss import OUTSIDE, drawn_boss, in_one_style, outside, parts
from checks.hunting.judging import both, result_of
from checks.hunting.kept import FOLDER, Hunt, begun, begun_boss, lay_out, load, save
from checks.hunting.making import Made, Maker, drawn, repeated, seed_of
from checks.hunting.sheet import sheet
from checks.hunting.telling import (
    as_json,
    lines_apart,
    path_of,
    show_answer,
    show_begin,
    show_found,
    show_list,
    show_not_yet,
    show_question,
    show_question_first,
)

HELP = """\
A file of a step that you have passed, with one mistake in it. It lies in the
folder hunt/; your own file stays as it is. First observe it, with trace and
look. Then predict which expectation fails. Then repair the file: any right
repair counts. Each `hunt` takes you one stage further.

python run_step.py hunt             go on, or begin in a step with few finds
python run_step.py hunt 2.3         begin with this step; easy ones come first
python run_step.py hunt 2.3 --hard  begin with one that few checks see
python run_step.py hunt --check     judge the repaired file
python run_step.py hunt --boss 2    one mistake in the files of a whole (2, 4, 5)
python run_step.py hunt --sheet 12  for teachers: twelve files for a class, and a key
"""


def parser() -> argparse.ArgumentParser:
    made = parser_of("hunt", "[STEP] [options]", HELP)
    which = made.add_mutually_exclusive_group()
    made.add_argument("words", nargs="+", help=argparse.SUPPRESS)
    made.add_argument("--check", action="store_true", help="judge the repaired file")
    made.add_argument("--guess", metavar="KEY", help="answer the question, without a terminal")
    which.add_argument("--hard", action="store_true", help="the hardest of many mistakes")
    which.add_argument(
        "--seed", type=whole, metavar="N", help="the same hunt again; with --check: its numbers"
    )
    made.add_argument(
        "--boss", choices=OUTSIDE, help="at the end of a stage: through all its files"
    )
    made.add_argument(
        "--sheet", type=whole, metavar="N", help="for teachers: N files for a class, and a key"
    )
    made.add_argument("--new", action="store_true", help="leave this hunt; its files are kept")
    made.add_argument("--list", action="store_true", help="the mistakes that you have found")
    made.add_argument("--full", action="store_true", help="a failure with all its numbers")
    made.add_argument("--json", action="store_true", help="print what it says as a JSON object")
    made.set_defaults(submission=None, borrow=False)
    return made


def hunt(words: list[str], options: Any) -> int:
    """Begin a hunt, or go on with it by one stage; the exit status."""
    work, screen = Work(options), Screen()
    screen.full = options.full
    present = load(work.source.root)
    if options.list:
        show_list(screen, work.progress.hunts, present, options.json)
        return PASSED
    if options.sheet is not None:
        if words or options.hard or options.boss or options.check or options.guess is not None:
            raise Usage("--sheet takes only --seed and --json beside it.")
        return sheet(screen, options)
    if words and len(steps := find_steps(words)) != 1:
        several = f"{' '.join(words)} means {len(steps)} steps"
        raise Usage(f"One step at a time, please: {several}. For example: {steps[-1].id}")
    if options.boss and (words or options.hard):
        raise Usage(f"--boss {options.boss} takes no step and no --hard.")
    if present is not None and present.stage != "found" and not options.new:
        _stop_if_another(words, options, present)
        return _go_on(screen, work, options, present)
    if options.check or options.guess is not None:
        raise Usage("There is no hunt to go on with. Begin one: python run_step.py hunt")
    step = _outside(options.boss, work) if options.boss else _step(words, work)
    return _begin(screen, work, options, step)


def _stop_if_another(words: list[str], options: Any, present: Hunt) -> None:
    step = present.of
    other = words and find_steps(words) != [step]
    if other or options.hard or options.boss or (options.seed is not None and not options.check):
        hard = ["--hard"] if options.hard else []
        hard += [f"--boss {options.boss}"] if options.boss else []
        seed = [f"--seed {options.seed}"] if options.seed is not None else []
        wanted = " ".join(["hunt", *words, *hard, *seed, "--new"])
        raise Usage(
            f"The hunt in {step.id} {step.name} is not finished.\n"
            "  go on:     python run_step.py hunt\n"
            f"  leave it:  python run_step.py {wanted}  (its files are kept)"
        )


def _step(words: list[str], work: Work) -> Step:
    """The step to hunt in: the one named, or of those that have passed one with the fewest finds,
    the last of them.
    """
    if not words:
        passed = [step for step in CORE if work.has_passed(step)]
        if not passed:
            raise Usage("No step has passed yet, and hunt needs one. Go on: python run_step.py")
        found = work.progress.hunts
        return min(reversed(passed), key=lambda step: len(found.get(step.name, [])))
    (step,) = find_steps(words)
    if not work.has_passed(step):
        raise Usage(
            f"{step.id} {step.name} has not passed yet, or has changed since.\n"
            f"A hunt needs a step that passes. Check it first: python run_step.py {step.id}"
        )
    return step


def _outside(boss: str, work: Work) -> Step:
    """The step that sees all files of the hunt from outside. They must have passed."""
    waiting = [step for step in parts(boss) if not work.has_passed(step)]
    if waiting:
        first = waiting[0]
        raise Usage(
            f"--boss {boss} needs all steps of the model. {first.id} {first.name} has not passed.\n"
            f"Check it first: python run_step.py {first.id}"
        )
    return outside(boss)


def _begin(screen: Screen, work: Work, options: Any, step: Step) -> int:
    """Make a file with a mistake, and say where it lies."""
    if not options.json:
        of = "" if options.boss else f" for {step.id} {step.name}"
        screen.sentence(f"Choosing a mistake{of} … (up to two minutes in late steps)")
    with Host() as host:
        chosen = _chosen(host, work, options, step)
    if chosen is None:
        raise Usage(
            f"None of the known mistakes of {step.id} {step.name} can be hunted in your files.\n"
            "Take another step. For example: python run_step.py hunt 2.3"
        )
    made, wrong, seed = chosen
    source, root = work.source, work.source.root
    if options.boss:
        present = begun_boss(step, made, seed, wrong, options.boss)
        source = in_one_style(source, made)
    else:
        present = begun(step, made, seed)
    try:
        shown = parts(options.boss) if options.boss else [step, *below(step)]
        earlier = lay_out(root, source, present, shown, wrong, made.text)
    except OSError as error:
        raise Usage(f"The folder {FOLDER}/ cannot be written: {error}") from None
    if options.json:
        print_json(as_json(present))
    else:
        where = None if earlier is None else earlier.relative_to(root)
        show_begin(screen, present, where)
    return PASSED


def _chosen(host: Host, work: Work, options: Any, step: Step) -> tuple[Made, Step, int] | None:
    """A file with a mistake, its step, and the seed that repeats it."""
    found, seed = work.progress.hunts, options.seed
    if options.boss:
        return drawn_boss(host, work.source, options.boss, found, seed)
    maker = Maker(host, work.source, step)
    if seed is not None:
        made = repeated(maker, seed)
    else:
        rank = sum(map(len, found.values()))
        made = drawn(maker, found.get(step.name, []), rank, options.hard)
    if made is None:
        return None
    return made, step, seed_of(step, made.mistake) if seed is None else seed


def _go_on(screen: Screen, work: Work, options: Any, present: Hunt) -> int:
    """Ask the question, or judge the repaired file."""
    if options.guess is not None and present.guess:
        raise Usage(f"You have answered already: {present.guess}. Repair the file now.")
    if options.check or present.guess:
        return _judge(screen, work, options, present)
    present.stage = "predict"
    save(work.source.root, present)
    if options.guess is None and not options.json:
        show_question(screen, present)
        if not in_a_terminal():
            screen.say(f"\n  answer:  python run_step.py hunt --guess LETTER  ({_keys(present)})")
            return PASSED
        try:
            while options.guess not in present.sentences():
                if options.guess is not None:
                    screen.sentence(_no_option(options.guess, present), "  ")
                options.guess = input("\n  your answer: ").strip().lower()
        except (EOFError, KeyboardInterrupt) as end:
            print()
            return PASSED if isinstance(end, EOFError) else INTERRUPTED
        screen.say()
    if options.guess is not None:
        key = options.guess.strip().lower()
        if key not in present.sentences():
            raise Usage(_no_option(options.guess, present))
        present.guess, present.stage = key, "repair"
        save(work.source.root, present)
    if options.json:
        print_json(as_json(present))
    else:
        show_answer(screen, present)
    return PASSED


def in_a_terminal() -> bool:
    """Whether somebody can answer."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def _no_option(typed: str, present: Hunt) -> str:
    no = f"{typed!r} is no answer here. " if typed.strip() else ""
    return f"{no}Type {_keys(present)}."


def _keys(present: Hunt) -> str:
    *some, last = present.sentences()
    return f"{', '.join(some)} or {last}"


def _refuse_without_files(root: Path, present: Hunt) -> None:
    """Raises Usage if a file of the hunt is not there any more."""
    gone = [step.path for step in present.files if not (root / FOLDER / step.path).exists()]
    if gone:
        where = f"--boss {present.boss}" if present.boss else present.of.id
        raise Usage(
            f"There is no {FOLDER}/{gone[0]} any more.\n"
            f"  begin again:  python run_step.py hunt {where} --seed {present.seed} --new"
        )


def _judge(screen: Screen, work: Work, options: Any, present: Hunt) -> int:
    """Run the checks on the repaired file; if they pass, tell the mistake and keep that."""
    root = work.source.root
    _refuse_without_files(root, present)
    if not options.json:
        screen.say(f"Checking {path_of(present)} …")
    source, seed = Source(root / FOLDER), draw_seed(options)
    result = result_of(work, source, present, seed)
    known = present.known()
    step = present.of if known is None else known.step
    passed, lines = result.verdict == "pass", None
    if passed:
        lines = sum(lines_apart(*both(work, source, present, of)) for of in present.files)
        present.stage = "found"
        save(root, present)
        if known is not None:
            with work.progress.changing():
                work.progress.found(known.step, known.name)
    if options.json:
        print_json(as_json(present, result, known if passed else None, seed, lines))
    elif lines is not None:
        _, right = both(work, source, present, step)
        show_found(screen, present, result, known, lines, right)
    elif not present.guess:
        show_question_first(screen, path_of(present))
    else:
        show_not_yet(screen, present, result, seed)
    return PASSED if passed else NOT_PASSED
