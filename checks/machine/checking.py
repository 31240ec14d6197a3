"""Check steps, and say how they went: the command without a name."""

from __future__ import annotations

import secrets
import sys
import time
from pathlib import Path
from typing import Any

from checks.contents import STEPS, Step
from checks.machine.host import Host
from checks.machine.process import NoWorker
from checks.machine.report import Screen, show_after_pass, show_result
from checks.machine.words import NOT_PASSED, OUR_FAULT, PASSED, Course, find_steps, print_json


def check(words: list[str], options: Any) -> int:
    """Check the named steps, or go on where the learner is."""
    steps = find_steps(words)
    course = Course(options)
    try:
        with Host() as host:  # It imports torch while we import numpy and the checks.
            if options.json:
                return _check_as_json(host, course, steps, options)
            if steps:
                return _check_these(host, course, steps, options)
            return _go_on(host, course, options)
    except NoWorker as error:
        return not_installed(str(error))


def _judge(host: Any, course: Course, options: Any, known: bool = True) -> Any:
    from checks.machine.judge import SECONDS, Judge

    seed = secrets.randbelow(1_000_000) if options.seed is None else options.seed
    passed = frozenset(s.id for s in STEPS if known and course.has_passed(s))
    return Judge(host, course.source, seed, options.time_limit or SECONDS, passed)


def _check_these(host: Any, course: Course, steps: list[Step], options: Any) -> int:
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


def _go_on(host: Any, course: Course, options: Any) -> int:
    """Check the current step; while it passes and the next one is begun, that one too."""
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


def _check_as_json(host: Any, course: Course, steps: list[Step], options: Any) -> int:
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
    print_json(
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


def not_installed(why: str) -> int:
    sys.stderr.write(
        f"{why}\n\nWhat the course needs is installed by this, once:\n"
        f"  {Path(sys.executable).name} -m pip install -r requirements.txt\n"
    )
    return OUR_FAULT
