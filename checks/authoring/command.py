"""python run_step.py author new 2.6 rms_norm  ·  python run_step.py author check 2.6"""

from __future__ import annotations

import time
from typing import Any

from checks.authoring.fault import Fault
from checks.authoring.judged import of_mutants, of_verdicts
from checks.authoring.new import write_new
from checks.authoring.promises import of_files, of_written
from checks.authoring.tested import RUNS, WORDS, of_tests
from checks.engine.commands.screen import Screen
from checks.engine.commands.words import NOT_PASSED, PASSED, Usage
from checks.engine.commands.work import one_step
from checks.engine.hosting.host import Host

HOW = """\
python run_step.py author new 2.6 rms_norm    write the files of a new bonus step
python run_step.py author new 2.6 rms_norm --core   of a step that everybody does
python run_step.py author check 2.6           hold a step to all its promises"""


def author(words: list[str], options: Any) -> int:
    """Write the files of a new step, or check a step: what is missing, where, and what to write."""
    match words:
        case ["new", id, name]:
            return _new(id, name, options.core)
        case ["check", *rest] if rest:
            return _check(rest, options)
    raise Usage(f"author wants one of these:\n{HOW}")


def _new(id: str, name: str, core: bool) -> int:
    screen = Screen()
    written = write_new(id, name, core)
    screen.say(f"{id} {name} is begun. These files were written or changed:")
    for file in written:
        screen.say(f"  {file}")
    screen.say("\nAUTHOR marks what is yours to write: the solution first.")
    screen.say(f"  what is missing:  python run_step.py author check {id}")
    return PASSED


def _check(words: list[str], options: Any) -> int:
    """Check the files and their words, known versions, small changes of the solution, questions."""
    screen, step, start = Screen(), one_step(words, options), time.perf_counter()
    faults = of_files(step) or of_written()
    if not faults:
        screen.say(f"{step.id} {step.name}: the files hold. Reading its words …")
        faults = of_tests(step, WORDS)
    if not faults:
        screen.say("They are plain. Judging its versions …")
        with Host() as host:
            faults = of_verdicts(host, step)
            if not faults:
                screen.say("Its known versions are as they should be. Changing its lines …")
                faults = of_mutants(host, step)
    if not faults:
        screen.say("Every change is noticed. Asking its questions …")
        faults = of_tests(step, RUNS)
    for fault in faults:
        _show(screen, fault)
    seconds = time.perf_counter() - start
    if faults:
        screen.say(f"\n{len(faults)} to do, seen in {seconds:.0f} s.")
        screen.say(f"  again:  python run_step.py author check {step.id}")
        return NOT_PASSED
    screen.say(f"{step.id} {step.name} keeps its promises ({seconds:.0f} s).")
    screen.say("  before you commit:  ruff format . && ruff check . && mypy && python -m pytest")
    return PASSED


def _show(screen: Screen, fault: Fault) -> None:
    place = fault.file if fault.line is None else f"{fault.file}:{fault.line}"
    screen.say(place, "bold")
    screen.sentence(fault.says, "  ")


def parser() -> Any:
    """The options of the command."""
    import argparse

    made = argparse.ArgumentParser(
        prog="run_step.py",
        usage=HOW,
        description="For authors of steps. CONTRIBUTING.md says more.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("words", nargs="*")
    made.add_argument("--core", action="store_true", help="not a bonus step: everybody does it")
    made.set_defaults(submission=None, borrow=False, json=False)
    return made
