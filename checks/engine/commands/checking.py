"""Check steps, and report the results: the command without a name."""

from __future__ import annotations

import importlib
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from checks.contents import BONUS, CORE, STEPS, Step
from checks.course import ALL_PASS, GRADUATION, GRADUATIONS, LOOK_BACK, WELCOME
from checks.engine.commands.installed import torch_version
from checks.engine.commands.report import (
    show_graduation,
    show_later,
    show_next,
    show_result,
    show_stage_end,
    show_talk,
)
from checks.engine.commands.screen import Screen
from checks.engine.commands.surroundings import named_like_libraries
from checks.engine.commands.words import NOT_PASSED, OUR_FAULT, PASSED, find_steps, print_json
from checks.engine.commands.work import Work
from checks.engine.hosting.host import Host
from checks.engine.verdicts import StepResult

if TYPE_CHECKING:  # The import at run time comes later, while the workers start.
    from checks.engine.judging.judge import Judge


def check(words: list[str], options: Any, graduating: bool = True, host: Host | None = None) -> int:
    """Check the named steps, or go on where the learner is; the exit status.

    `graduating`: a step alone also runs its graduation, if it has one. `host`: an
    existing host to use, which stays open afterwards.
    """
    steps = find_steps(words)
    graduating = graduating and len(steps) <= 1
    work = Work(options)
    # A new host imports torch while this process imports numpy and the checks.
    with Host() if host is None else nullcontext(host) as serving:
        if options.json:
            return _check_as_json(serving, work, steps, options, graduating)
        return _check_as_text(serving, work, steps, options, graduating)


def graduation() -> Any:
    """The module with the course's graduations, imported when it is needed."""
    return importlib.import_module(GRADUATION)


def make_judge(host: Host, work: Work, options: Any) -> Judge:
    """A judge of the learner's files, with random numbers of its own."""
    from checks.engine.judging.judge import SECONDS, Judge

    passed = frozenset(step.id for step in STEPS if work.has_passed(step))
    seconds = options.time_limit or SECONDS
    return Judge(host, work.source, draw_seed(options), seconds, passed)


def draw_seed(options: Any) -> int:
    """The seed of the next run: another one each time, unless --seed gives it."""
    return secrets.randbelow(1_000_000) if options.seed is None else int(options.seed)


def _results(judge: Judge, work: Work, steps: list[Step], view: Any) -> Iterator[StepResult]:
    """The results of these steps. Without names: of the current step and, while all pass, of the
    next ones that are begun.

    `view`: it shows how a graduation goes. None means no graduation.
    """
    going_on = not steps
    waiting = steps or [step for step in [work.current()] if step is not None]
    while waiting:
        step = waiting.pop(0)
        result = judge.run([step])[0]
        work.record(judge.verdicts)
        if view is not None and step.name in GRADUATIONS and result.verdict == "pass":
            _graduate(judge, work, step, result, view)
        work.remember(result, judge.seed)
        yield result
        if going_on and result.verdict == "pass":
            later = work.current()
            if later is not None and work.source.problem(later) is None:
                waiting.append(later)


def _graduate(judge: Judge, work: Work, step: Step, result: StepResult, view: Any) -> None:
    """Add the graduation to the result of a step whose other checks pass."""
    room = graduation()
    found = room.graduate(judge, step, view, keep=room.kept.save if work.own else None)
    result.checks.append(found)
    result.seconds += found.seconds
    work.record(judge.verdicts)  # This includes the steps that it trains with.
    work.graduate(step, found.verdict == "pass")


def _check_as_text(
    host: Host, work: Work, steps: list[Step], options: Any, graduating: bool
) -> int:
    screen, going_on = Screen(), not steps
    screen.full = options.full
    if going_on:
        welcome(screen, work)
    current = work.current()
    if going_on and current is None:
        _show_the_end(screen)
        return PASSED
    named = steps or [step for step in [current] if step is not None]
    what = f"{named[0].id} {named[0].name}" if len(named) == 1 else f"{len(named)} steps"
    screen.say(f"Checking {what} …")
    judge = make_judge(host, work, options)
    judge.notice = lambda step: screen.on_the_way(
        f" {step.id}" if screen.column else f"  first what it builds on: {step.id}"
    )
    results = []
    view = graduation().view_on(screen) if graduating and GRADUATIONS else None
    for result in _results(judge, work, list(steps), view):
        results.append(result)
        step = next(step for step in STEPS if step.id == result.id)
        show_result(screen, result, judge.seed, again_words(step, going_on, options), work.own)
        if result.verdict == "pass" and not work.has_graduated(step):
            show_graduation(screen, again_words(step, False, options))
        if view is not None and work.own and result.verdict == "pass":
            show_talk(screen, graduation().kept.example(step))
        if result.verdict == "pass" and work.own:
            show_stage_end(screen, step, work.has_passed)
    if len(steps) > 1:
        passed = sum(result.verdict == "pass" for result in results)
        screen.say(f"{passed} of {len(results)} steps pass.")
        if passed == len(results) and work.own:
            show_later(screen, work.after(step))
    elif results[-1].verdict == "pass" and work.own:
        show_next(screen, results[-1].id, work.after(step))
    _warn_of_names(screen, work)
    return _status(results)


def _show_the_end(screen: Screen) -> None:
    """What is said when every step has passed."""
    screen.say(f"All {len(CORE)} steps pass. {ALL_PASS}", "green")
    screen.say(f"  {LOOK_BACK}")
    if BONUS:
        screen.say("  look further:  python run_step.py list bonus")


def _warn_of_names(screen: Screen, work: Work) -> None:
    """Say which files of the learner's hide a library."""
    for file in named_like_libraries(work.source.root, ("torch", "numpy")):
        name = file.relative_to(work.source.root).as_posix()
        note = f"Note: {name} has the name of a library. In its folder, Python imports it"
        screen.sentence(f"{note} in place of the library. Give it another name.")


def again_words(step: Step, going_on: bool, options: Any) -> str:
    """The command that checks a step once more."""
    words = ["python run_step.py", *([] if going_on else [step.id])]
    if options.submission is not None:
        words.append(f"--submission {options.submission}")
    return " ".join([*words, *(["--borrow"] if options.borrow else [])])


def welcome(screen: Screen, work: Work) -> None:
    """Print the greeting of the first run."""
    if not (work.own and work.progress.is_new):
        return
    with work.progress.changing():
        pass  # Now the file is there.
    screen.say(
        f"Welcome. {WELCOME}\n"
        "\n"
        "  1. Read the lesson of the step, in the README.md of its folder.\n"
        "  2. Fill in the TODOs of its file, a few lines each. Delete every line\n"
        "     `raise NotImplementedError(…)`.\n"
        "  3. Run  python run_step.py  again: it checks, and says what is next.\n"
        "\n"
        "It is normal to fail at first. `python run_step.py --help` lists the rest.\n"
    )


def _check_as_json(
    host: Host, work: Work, steps: list[Step], options: Any, graduating: bool
) -> int:
    start = time.perf_counter()
    judge = make_judge(host, work, options)
    view = graduation().Silent() if graduating and GRADUATIONS else None
    results = list(_results(judge, work, list(steps), view))
    print_json(
        {
            "version": 1,
            "torch": torch_version(),
            "seed": judge.seed,
            "isolation": host.isolation,
            "seconds": round(time.perf_counter() - start, 3),
            "steps": [result.as_json() for result in results],
        }
    )
    return _status(results)


def _status(results: list[StepResult]) -> int:
    """The exit status from all results. Without names, only the last can be other than pass."""
    verdicts = {result.verdict for result in results}
    return OUR_FAULT if "infra" in verdicts else PASSED if verdicts <= {"pass"} else NOT_PASSED


def not_installed(why: str) -> int:
    from checks.engine.commands.installed import pip

    command = pip("-r requirements.txt")
    asks = "Is your virtual environment active? (README, Set up.) To fix it"
    sys.stderr.write(f"{why}\n\n{asks}:\n  {command}\n")
    return OUR_FAULT
