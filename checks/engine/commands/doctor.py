"""`run_step.py doctor`: what is installed, what this system offers, and what fixes the rest.

It needs only the standard library. It runs under a Python that is too old for the rest of the
checker, because that is when it is needed.
"""

from __future__ import annotations

import json
import sys
import textwrap
import time
from collections.abc import Iterator
from typing import Any

from checks.engine.commands import installed, surroundings
from checks.engine.commands.installed import COURSE, FIX, NOTE, OK, Finding
from checks.engine.commands.screen import columns

WELL, NOT_WELL = 0, 1
OLDEST = (3, 10)  # The oldest Python for the rest of the checker.


def doctor(words: list[str], options: Any) -> int:
    """Examine everything and print the findings; 0 if nothing needs fixing."""
    if words:
        from checks.engine.commands.words import Usage

        raise Usage("doctor looks at everything; it takes no step.")
    return main(["--json"] if options.json else [])


def main(arguments: list[str]) -> int:
    """Run the doctor from typed words, for a Python that cannot read the command line's module."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    as_json = "--json" in arguments
    findings = []
    for finding in _examine():
        findings.append(finding)
        if not as_json:
            _show(finding)
    ill = [finding for finding in findings if finding.state == FIX]
    if as_json:
        entries = [finding._asdict() for finding in findings]
        print(json.dumps({"version": 1, "well": not ill, "findings": entries}, indent=1))
    else:
        _conclude(ill)
    return NOT_WELL if ill else WELL


def _examine() -> Iterator[Finding]:
    """The findings as they come."""
    yield installed.python()
    if sys.version_info < OLDEST:
        return
    broken = set()
    for name, pin in installed.pins().items():
        found = installed.package(name, pin)
        broken |= {name} if found.state == FIX else set()
        yield found
    yield from surroundings.folder()
    yield from surroundings.shadows(installed.pins())
    yield surroundings.progress()
    yield surroundings.terminal()
    yield surroundings.system()
    if broken & {"torch", "numpy"}:
        yield Finding("speed", NOTE, "Not measured: that takes torch and numpy.")
    else:
        yield from _measure()


def _measure() -> Iterator[Finding]:
    """How learner code is isolated, and how fast checks are: measured on a step's solution."""
    from checks.contents import STEPS
    from checks.engine.files.source import solutions
    from checks.engine.hosting.host import Host
    from checks.engine.hosting.outcomes import NoWorker
    from checks.engine.judging.judge import SECONDS, Judge

    step = next(step for step in STEPS if step.id == "2.1")
    try:
        start = time.perf_counter()
        with Host() as host:
            host.worker(SECONDS).close()
            ready = time.perf_counter() - start
            judge = Judge(host, solutions(), 0, SECONDS, frozenset(step.id for step in STEPS))
            first, second = judge.run([step]) + judge.run([step])  # The first run warms up.
            isolation, forks = host.isolation, host.fork
        with Host(grading=True) as host:
            host.worker(SECONDS).close()
            grading = host.isolation
    except (NoWorker, OSError) as error:
        again = installed.pip("--force-reinstall --no-deps torch")
        yield Finding("workers", FIX, f"None can be started: {error}", again)
        return
    says = f"Learner code is kept apart by: {isolation}; when grading: {grading}"
    yield Finding("isolation", OK, says, None, {"self_study": isolation, "grading": grading})
    seconds = min(first.seconds, second.seconds)
    way = "a warm process that forks" if forks else "a fresh process for every check"
    says = f"{way}, ready after {ready:.1f} s; step {step.id} with its {len(second.checks)} checks"
    says += f" then takes {seconds:.2f} s"
    details = {"forks": forks, "ready": round(ready, 3), "step": round(seconds, 3)}
    command = None
    if second.verdict != "pass":
        says += f". But the solution itself does not pass here: {second.verdict}."
        command = "git checkout -- checks solutions"
    yield Finding("speed", FIX if command else OK, says, command, details)


def _show(finding: Finding) -> None:
    line = f"{finding.state:<5} {finding.about}: {finding.says}"
    words = {"break_long_words": False, "break_on_hyphens": False}
    print(textwrap.fill(line, columns(), subsequent_indent=" " * 6, **words))  # type: ignore[arg-type]
    if finding.command is not None:
        print(f"        {finding.command}")
    sys.stdout.flush()


def _conclude(ill: list[Finding]) -> None:
    if not ill:
        print("\nAll is well. Go on: python run_step.py")
        return
    print(f"\nTo fix it, in {COURSE}:")
    commands = dict.fromkeys(str(finding.command) for finding in ill)
    for command in commands:
        print(f"  {command}")
    made = any("-m venv .venv" in command for command in commands)
    print(f"Then once more: {installed.OF_ENVIRONMENT if made else 'python'} run_step.py doctor")
