"""Check steps, and say how they went: the command without a name."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checks.contents import BONUS, CORE, STEPS, Step
from checks.graduation import GRADUATIONS
from checks.machine.commands.report import (
    Screen,
    show_graduation,
    show_next,
    show_result,
    show_stage_end,
)
from checks.machine.commands.surroundings import named_like_libraries
from checks.machine.commands.words import (
    NOT_PASSED,
    OUR_FAULT,
    PASSED,
    Course,
    find_steps,
    print_json,
)
from checks.machine.hosting.host import Host
from checks.machine.hosting.process import NoWorker
from checks.machine.verdicts import StepResult

if TYPE_CHECKING:
    from checks.graduation.graduate import View


def check(words: list[str], options: Any, graduating: bool = True) -> int:
    """Check the named steps, or go on where the learner is.

    `graduating`: with the graduation, if there is one, of a step that is asked for by itself.
    """
    steps = find_steps(words)
    graduating = graduating and len(steps) <= 1
    course = Course(options)
    try:
        with Host() as host:  # It imports torch while we import numpy and the checks.
            if options.json:
                return _check_as_json(host, course, steps, options, graduating)
            return _check_as_text(host, course, steps, options, graduating)
    except NoWorker as error:
        return not_installed(str(error))


def make_judge(host: Host, course: Course, options: Any) -> Any:
    """A judge of the course's files, with random numbers of its own."""
    from checks.machine.judging.judge import SECONDS, Judge

    passed = frozenset(step.id for step in STEPS if course.has_passed(step))
    seconds = options.time_limit or SECONDS
    return Judge(host, course.source, draw_seed(options), seconds, passed)


def draw_seed(options: Any) -> int:
    """That of the next run: another one each time, unless --seed says which."""
    return secrets.randbelow(1_000_000) if options.seed is None else int(options.seed)


def record_all(judge: Any, course: Course) -> None:
    """Keep the verdicts of a run, also of steps checked on the way."""
    for known, verdict in judge.verdicts.items():
        course.record(next(step for step in STEPS if step.id == known), verdict == "pass")


def _results(
    judge: Any, course: Course, steps: list[Step], view: View | None
) -> Iterator[StepResult]:
    """Of these steps; or, if none are named, of the current one and, while they pass, the next.

    `view`: who is told how a graduation goes; None: there is to be none.
    """
    going_on = not steps
    waiting = steps or [step for step in [course.current()] if step is not None]
    while waiting:
        step = waiting.pop(0)
        result = judge.run([step])[0]
        record_all(judge, course)
        if view is not None and step.name in GRADUATIONS and result.verdict == "pass":
            _graduate(judge, course, step, result, view)
        course.remember(result)
        yield result
        if going_on and result.verdict == "pass":
            later = course.current()
            if later is not None and course.source.problem(later) is None:
                waiting.append(later)


def _graduate(judge: Any, course: Course, step: Step, result: StepResult, view: View) -> None:
    """One more check of a step whose others have passed."""
    from checks.graduation.graduate import graduate

    found = graduate(judge, step, view)
    result.checks.append(found)
    result.seconds += found.seconds
    record_all(judge, course)  # Of the steps that it trains with, too.
    course.graduate(step, found.verdict == "pass")


def _check_as_text(
    host: Host, course: Course, steps: list[Step], options: Any, graduating: bool
) -> int:
    from checks.graduation.live import view_on

    screen, going_on = Screen(), not steps
    if going_on and course.own and course.progress.is_new:
        welcome(screen)
        course.progress.save()
    current = course.current()
    if going_on and current is None:
        screen.say(f"All {len(CORE)} steps pass. You have written the whole Transformer.", "green")
        screen.say("  look back:  python run_step.py compare 5.2, python run_step.py list")
        if BONUS:
            screen.say("  look further:  python run_step.py list bonus")
        return PASSED
    named = steps or [step for step in [current] if step is not None]
    what = f"{named[0].id} {named[0].name}" if len(named) == 1 else f"{len(named)} steps"
    screen.say(f"Checking {what} …")
    judge = make_judge(host, course, options)
    judge.notice = lambda step: screen.say(f"  first {step.id} {step.name}, which it builds on …")
    results = []
    view = view_on(screen) if graduating else None
    for result in _results(judge, course, list(steps), view):
        results.append(result)
        step = next(step for step in STEPS if step.id == result.id)
        show_result(screen, result, judge.seed, again_words(step, going_on, options), course.own)
        if result.verdict == "pass" and not course.has_graduated(step):
            show_graduation(screen, again_words(step, False, options))
        if result.verdict == "pass" and course.own:
            show_stage_end(screen, step, course.has_passed)
    if len(steps) > 1:
        passed = sum(result.verdict == "pass" for result in results)
        screen.say(f"{passed} of {len(results)} steps pass.")
    elif results[-1].verdict == "pass" and course.own:
        show_next(screen, results[-1].id, course.current())
    for file in named_like_libraries(course.source.root, ("torch", "numpy")):
        name = file.relative_to(course.source.root).as_posix()
        note = f"Note: {name} has the name of a library. Run from its folder, Python takes it"
        screen.sentence(f"{note} for that one. Give it another name.")
    return _status(results)


def again_words(step: Step, going_on: bool, options: Any) -> str:
    """What to type to check a step once more."""
    words = ["python run_step.py", *([] if going_on else [step.id])]
    if options.submission is not None:
        words.append(f"--submission {options.submission}")
    return " ".join([*words, *(["--borrow"] if options.borrow else [])])


def welcome(screen: Any) -> None:
    """What is said the first time."""
    screen.say(
        "Welcome. You are going to write the whole Transformer, one small file at a time.\n"
        "\n"
        "  1. Read the lesson of the step, in the README.md of its folder.\n"
        "  2. Fill the TODOs of its file. Each takes a few lines.\n"
        "  3. Run  python run_step.py  again: it checks, and says what is next.\n"
        "\n"
        "First failures are part of it. `python run_step.py --help` lists the rest.\n"
    )


def _check_as_json(
    host: Host, course: Course, steps: list[Step], options: Any, graduating: bool
) -> int:
    from importlib.metadata import PackageNotFoundError, version

    from checks.graduation.live import Silent

    start = time.perf_counter()
    judge = make_judge(host, course, options)
    view = Silent() if graduating else None
    results = list(_results(judge, course, list(steps), view))
    try:
        torch = version("torch").partition("+")[0]
    except PackageNotFoundError:
        torch = None
    print_json(
        {
            "version": 1,
            "torch": torch,
            "seed": judge.seed,
            "isolation": host.isolation,
            "seconds": round(time.perf_counter() - start, 3),
            "steps": [result.as_json() for result in results],
        }
    )
    return _status(results)


def _status(results: list[StepResult]) -> int:
    """By all results; going on, only the last can be other than pass."""
    verdicts = {result.verdict for result in results}
    return OUR_FAULT if "infra" in verdicts else PASSED if verdicts <= {"pass"} else NOT_PASSED


def not_installed(why: str) -> int:
    sys.stderr.write(
        f"{why}\n\nWhat the course needs is installed by this, once:\n"
        f"  {Path(sys.executable).name} -m pip install -r requirements.txt\n"
    )
    return OUR_FAULT
