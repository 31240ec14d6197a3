"""The command line: what is typed, and what it does. See `python run_step.py --help`."""

from __future__ import annotations

import argparse
import difflib
import importlib
import json
import secrets
import sys
import time
from pathlib import Path
from typing import Any

from checks.contents import COURSE, STAGES, STEPS, Step

HELP = """\
python run_step.py                  check where you are, and what is next
python run_step.py 2.1              check a step; also layer_norm, or a path
python run_step.py 2 | s2 | all     check a stage, or everything
python run_step.py list             the map of the course, and how far you are
python run_step.py hint [STEP]      the next hint
python run_step.py compare [STEP]   your file beside the solution (after a pass)
python run_step.py reset STEP       back to the skeleton; your file is kept
python run_step.py undo STEP        take a reset back; and forth again
"""
PASSED, NOT_PASSED, USAGE, OUR_FAULT, INTERRUPTED = 0, 1, 2, 3, 130


class Usage(Exception):
    """What was typed cannot be done. The text says why and what to type instead."""


def main(arguments: list[str]) -> int:
    """Run the command; its exit status."""
    options = _parser().parse_intermixed_args(arguments)
    command = options.words[0] if options.words and options.words[0] in COMMANDS else "check"
    words = options.words if command == "check" else options.words[1:]
    try:
        return COMMANDS[command](words, options)
    except Usage as error:
        print(f"run_step.py: {error}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        print("\nStopped. What was said so far holds.", file=sys.stderr)
        return INTERRUPTED
    except ModuleNotFoundError as error:
        if error.name not in ("numpy", "rich"):
            raise
        return _not_installed(f"{error.name} is not installed.")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="run_step.py",
        description=HELP,
        usage="python run_step.py [STEP ... | COMMAND [STEP ...]] [options]",
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, width=80),
    )
    add = parser.add_argument
    add("words", nargs="*", metavar="STEP or COMMAND", help="see above")
    add("--submission", metavar="DIR", help="check the stage folders in DIR; nothing is written")
    add("--json", action="store_true", help="one JSON object instead of text (checks and list)")
    add("--seed", type=_whole, metavar="N", help="draw the same random numbers again")
    add("--time-limit", type=_positive, metavar="S", help="seconds of computing for each check (3)")
    add("--borrow", action="store_true", help="take the earlier steps from solutions/")
    add("--anyway", action="store_true", help="with compare: also before the step passes")
    return parser


def _whole(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 on")
    return int(text)


def _positive(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return seconds


# Which steps are meant


def find_steps(words: list[str]) -> list[Step]:
    """The steps that the words name, each once, in the order of the course."""
    wanted = [step for word in words for step in _named(word)]
    return [step for step in STEPS if step in wanted]


def _named(word: str) -> list[Step]:
    plain = word.strip().replace("\\", "/").rstrip("/").removeprefix("./").lower()
    if plain == "all":
        return STEPS
    tail = "/".join(plain.split("/")[-2:])
    found = [
        step
        for step in STEPS
        if plain in (step.id, step.name, step.stage, step.stage.split("_")[0], step.stage[1])
        or tail in (step.path, step.path.removesuffix(".py"), step.name + ".py", step.stage)
    ]
    if not found:
        raise Usage(f"There is no step or command {word!r}.{_nearest(plain)}")
    return found


def _nearest(word: str) -> str:
    known = [*COMMANDS, "all", *STAGES, *(name for s in STEPS for name in (s.name, s.id))]
    known.remove("check")
    near = difflib.get_close_matches(word.rpartition("/")[2].removesuffix(".py"), known, 1, 0.4)
    return f" Did you mean {near[0]}?" if near else " Try: python run_step.py list"


def _one_step(words: list[str], options: Any) -> Step:
    """The step that a command is about: the one named, or the current one."""
    if not words:
        return _Course(options).current() or STEPS[-1]
    steps = find_steps(words)
    if len(steps) != 1:
        raise Usage(f"One step at a time, please: {' '.join(words)} are {len(steps)}.")
    return steps[0]


class _Course:
    """The files asked about, and the progress that goes with them (none with --submission)."""

    def __init__(self, options: Any):
        from checks.machine.progress import Progress
        from checks.machine.source import Source

        self.own = options.submission is None
        root = COURSE if self.own else Path(options.submission)
        if not root.is_dir():
            raise Usage(f"--submission {options.submission!r} is not a folder.")
        self.source = Source(root, borrow=options.borrow)
        self.progress = Progress()
        self.keeps = self.own and not options.borrow

    def has_passed(self, step: Step) -> bool:
        return self.own and self.progress.has_passed(step, self.source.digest(step))

    def current(self) -> Step | None:
        """The first step that is not known to pass."""
        return next((step for step in STEPS if not self.has_passed(step)), None)

    def record(self, step: Step, passed: bool) -> None:
        if self.keeps:
            self.progress.record(step, self.source.digest(step), passed)
            self.progress.save()


# The commands


def check(words: list[str], options: Any) -> int:
    """Check the named steps, or go on where the learner is."""
    from checks.machine.host import Host, NoWorker

    steps = find_steps(words)
    course = _Course(options)
    try:
        with Host() as host:  # It imports torch while we import numpy and the checks.
            if options.json:
                return _check_as_json(host, course, steps, options)
            if steps:
                return _check_these(host, course, steps, options)
            return _go_on(host, course, options)
    except NoWorker as error:
        return _not_installed(str(error))


def _judge(host: Any, course: _Course, options: Any, known: bool = True) -> Any:
    from checks.machine.judge import SECONDS, Judge

    seed = secrets.randbelow(1_000_000) if options.seed is None else options.seed
    passed = frozenset(s.id for s in STEPS if known and course.has_passed(s))
    return Judge(host, course.source, seed, options.time_limit or SECONDS, passed)


def _check_these(host: Any, course: _Course, steps: list[Step], options: Any) -> int:
    from checks.machine.report import Screen, show_after_pass, show_result

    screen = Screen()
    screen.say(f"Checking {_spell(steps)} …")
    judge = _judge(host, course, options)
    again = _options_again(options)

    def watch(result: Any) -> None:
        show_result(screen, result, judge.seed, again)

    results = []
    for step in steps:
        result = judge.run([step], watch)[0]
        results.append(result)
        course.record(step, result.verdict == "pass")
    if len(steps) == 1 and results[0].verdict == "pass" and course.own:
        show_after_pass(screen, steps[0])
    if len(steps) > 1:
        passed = sum(result.verdict == "pass" for result in results)
        screen.say(f"\n{passed} of {len(results)} steps pass.")
    return _status(results)


def _go_on(host: Any, course: _Course, options: Any) -> int:
    """Check the current step; while it passes and the next one is begun, that one too."""
    from checks.machine.report import Screen, show_after_pass, show_result

    screen = Screen()
    if course.own and course.progress.is_new:
        _welcome(screen)
        course.progress.save()
    step = course.current()
    if step is None:
        screen.say(f"All {len(STEPS)} steps pass. You have written the whole Transformer.", "green")
        screen.say("  look back:  python run_step.py compare 5.2, python run_step.py list")
        return PASSED
    status = NOT_PASSED
    screen.say(f"Checking {step.id} {step.name} …")
    judge = _judge(host, course, options)
    while True:
        result = judge.run([step], lambda r: show_result(screen, r, judge.seed, ""))[0]
        course.record(step, result.verdict == "pass")
        if result.verdict != "pass":
            return max(status, _status([result]))
        status, last = PASSED, step
        later = [s for s in STEPS[STEPS.index(step) + 1 :] if not course.has_passed(s)]
        if not later or course.source.problem(later[0]) is not None:
            show_after_pass(screen, last)
            return status
        step, status = later[0], NOT_PASSED


def _welcome(screen: Any) -> None:
    screen.say(
        "Welcome. You are going to write the whole Transformer, one small file at a time.\n"
        "\n"
        "  1. Read the lesson of the step, in the README.md of its folder.\n"
        "  2. Fill the TODOs of its file. Each takes a few lines.\n"
        "  3. Run  python run_step.py  again: it checks, and says what is next.\n"
        "\n"
        "First failures are part of it. `python run_step.py --help` lists the rest.\n"
    )


def _check_as_json(host: Any, course: _Course, steps: list[Step], options: Any) -> int:
    from importlib.metadata import PackageNotFoundError, version

    start = time.perf_counter()
    judge = _judge(host, course, options)
    results = judge.run(steps or [course.current() or STEPS[-1]])
    for step in STEPS:
        for result in results:
            if result.id == step.id:
                course.record(step, result.verdict == "pass")
    try:
        torch = version("torch").partition("+")[0]
    except PackageNotFoundError:
        torch = None
    _print_json(
        {
            "version": 1,
            "torch": torch,
            "seed": judge.seed,
            "isolation": "process",
            "seconds": round(time.perf_counter() - start, 3),
            "steps": [result.as_json() for result in results],
        }
    )
    return _status(results)


def _status(results: list[Any]) -> int:
    verdicts = {result.verdict for result in results}
    return OUR_FAULT if "infra" in verdicts else PASSED if verdicts <= {"pass"} else NOT_PASSED


def _spell(steps: list[Step]) -> str:
    return f"{steps[0].id} {steps[0].name}" if len(steps) == 1 else f"{len(steps)} steps"


def _options_again(options: Any) -> str:
    words = []
    if options.submission is not None:
        words.append(f" --submission {options.submission}")
    return "".join(words) + (" --borrow" if options.borrow else "")


def list_steps(words: list[str], options: Any) -> int:
    """The map of the course with progress."""
    course = _Course(options)
    steps = find_steps(words) if words else STEPS
    states = {step.id: _state(course, step) for step in STEPS}
    current = course.current() if course.own else None
    if options.json:
        entries = [
            {
                "step": step.id,
                "name": step.name,
                "path": step.path,
                "summary": step.summary,
                "state": states[step.id],
                "current": step is current,
            }
            for step in steps
        ]
        _print_json({"version": 1, "steps": entries})
        return PASSED
    from checks.machine.report import Screen

    screen = Screen()
    for stage in dict.fromkeys(step.stage for step in steps):
        screen.say(f"{stage}/", "bold")
        for step in steps:
            if step.stage == stage:
                here = "->" if step is current else "  "
                line = f"{here} {step.id}  {step.name:<22}{states[step.id]:<12}{step.summary}"
                screen.say(line.rstrip(), "green" if states[step.id] == "passed" else "")
    if course.own:
        passed = sum(state == "passed" for state in states.values())
        screen.say(f"\n{passed} of {len(STEPS)} steps passed. Go on: python run_step.py")
    return PASSED


def _state(course: _Course, step: Step) -> str:
    if course.has_passed(step):
        return "passed"
    problem = course.source.problem(step)
    return "begun" if problem is None else problem.verdict


def hint(words: list[str], options: Any) -> int:
    """The next hint of a step, one each time."""
    from checks.machine.report import WIDTH, Screen

    step = _one_step(words, options)
    course, screen = _Course(options), Screen()
    hints = importlib.import_module(f"checks.{step.module}").HINTS
    shown = min(course.progress.hints.get(step.name, 0) if course.own else 0, len(hints) - 1)
    screen.say(f"{step.id} {step.name}, hint {shown + 1} of {len(hints)}", "cyan")
    if len(hints[shown]) > WIDTH or "=" not in hints[shown]:
        screen.sentence(hints[shown], "  ")
    else:
        screen.say(f"  {hints[shown]}")
    screen.say()
    if shown + 1 < len(hints):
        screen.say(f"  one more:  python run_step.py hint {step.id}")
    else:
        screen.say(f"  the last.  The solution: python run_step.py compare {step.id} --anyway")
    if course.own:
        course.progress.hints[step.name] = shown + 1
        course.progress.save()
    return PASSED


def compare(words: list[str], options: Any) -> int:
    """The learner's file beside the solution, as a diff."""
    from checks.machine.report import Screen
    from checks.machine.source import solution

    course, screen = _Course(options), Screen()
    step = _one_step(words, options) if words else _last_passed(course)
    if not options.anyway and not course.has_passed(step):
        if check([step.id], options) != PASSED:
            screen.say("\nThe solution can wait until it passes. To see it all the same:")
            screen.say(f"  python run_step.py compare {step.id} --anyway")
            return NOT_PASSED
        screen.say()
    problem = course.source.problem(step)
    if problem is not None and problem.verdict != "untouched":
        screen.say(problem.message)
        return NOT_PASSED
    yours = course.source.modules[step.module][2].decode("utf-8", "replace")
    lines = difflib.unified_diff(
        yours.splitlines(),
        solution(step).splitlines(),
        f"yours:    {step.path}",
        f"solution: solutions/{step.path}",
        lineterm="",
    )
    shown = False
    for line in lines:
        shown = True
        screen.say(line, {"-": "red", "+": "green", "@": "cyan"}.get(line[:1], ""))
    if not shown:
        screen.say(f"Your {step.name} is our solution, letter by letter.")
    return PASSED


def _last_passed(course: _Course) -> Step:
    """Without a name, compare is about what was done last."""
    passed = [step for step in STEPS if course.has_passed(step)]
    return passed[-1] if passed else STEPS[0]


def reset(words: list[str], options: Any) -> int:
    """Back to the skeleton; the file as it was is kept."""
    from checks.machine.progress import Kept, write_whole
    from checks.machine.report import Screen
    from checks.machine.source import pristine

    screen = Screen()
    for step in _steps_to_write(words, options, "reset"):
        file = COURSE / step.path
        try:
            text = file.read_text("utf-8", "replace") if file.exists() else None
            if text == pristine(step):
                screen.say(f"{step.path} is the skeleton already. Nothing was changed.")
                continue
            copy = Kept(step).keep()
            write_whole(file, pristine(step).encode())
        except OSError as error:
            raise Usage(f"{step.path} was not reset: {error}") from None
        screen.say(f"{step.path} is the skeleton again.")
        if copy is not None:
            screen.say(f"  yours is kept:  {copy.relative_to(COURSE)}")
            screen.say(f"  bring it back:  python run_step.py undo {step.id}")
    return PASSED


def undo(words: list[str], options: Any) -> int:
    """Exchange a step's file with its newest kept copy."""
    from checks.machine.progress import Kept
    from checks.machine.report import Screen

    screen, status = Screen(), PASSED
    for step in _steps_to_write(words, options, "undo"):
        try:
            copy = Kept(step).swap()
        except OSError as error:
            raise Usage(f"{step.path} was not changed: {error}") from None
        if copy is None:
            screen.say(f"{step.path} was never reset: there is nothing to bring back.")
            status = NOT_PASSED
            continue
        screen.say(f"{step.path} is as it was before the last reset or undo.")
        screen.say(f"  forth again:  python run_step.py undo {step.id}")
    return status


def _steps_to_write(words: list[str], options: Any, command: str) -> list[Step]:
    if not words:
        raise Usage(f"Which step? For example: python run_step.py {command} 2.1")
    if options.submission is not None:
        raise Usage(f"{command} changes your own files; with --submission nothing is written.")
    return find_steps(words)


def _not_installed(why: str) -> int:
    sys.stderr.write(
        f"{why}\n\nWhat the course needs is installed by this, once:\n"
        f"  {Path(sys.executable).name} -m pip install -r requirements.txt\n"
    )
    return OUR_FAULT


def _print_json(data: Any) -> None:
    print(json.dumps(data, indent=1))


COMMANDS = {
    "check": check,
    "list": list_steps,
    "hint": hint,
    "compare": compare,
    "reset": reset,
    "undo": undo,
}
