"""`run_step.py doctor`: what is installed, and what fixes the rest.

It needs only the standard library, because it is used when something is missing.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from typing import Any

from checks.engine.commands import installed, surroundings
from checks.engine.commands.installed import COURSE, FIX, Finding
from checks.engine.commands.screen import columns
from checks.engine.commands.words import Usage

WELL, NOT_WELL = 0, 1


def doctor(words: list[str], options: Any) -> int:
    """Examine everything and print the findings; 0 if nothing needs fixing."""
    if words:
        raise Usage("doctor looks at everything; it takes no step.")
    findings = []
    for finding in _examine():
        findings.append(finding)
        if not options.json:
            _show(finding)
    ill = [finding for finding in findings if finding.state == FIX]
    if options.json:
        entries = [finding._asdict() for finding in findings]
        print(json.dumps({"version": 1, "well": not ill, "findings": entries}, indent=1))
    else:
        _conclude(ill)
    return NOT_WELL if ill else WELL


def _examine() -> Iterator[Finding]:
    """The findings as they come."""
    yield installed.python()
    for name, pin in installed.pins().items():
        yield installed.package(name, pin)
    yield surroundings.folder()
    yield from surroundings.shadows(installed.pins())
    yield surroundings.terminal()
    yield from surroundings.walls()


def _show(finding: Finding) -> None:
    line = f"{finding.state:<5} {finding.about}: {finding.says}"
    words = {"break_long_words": False, "break_on_hyphens": False}
    print(textwrap.fill(line, columns(), subsequent_indent=" " * 6, **words))  # type: ignore[arg-type]
    if finding.command is not None:
        print(f"        {finding.command}", flush=True)


def _conclude(ill: list[Finding]) -> None:
    if not ill:
        print("\nAll is well. Go on: python run_step.py")
        return
    print(f"\nTo fix it, in {COURSE}:")
    for command in dict.fromkeys(str(finding.command) for finding in ill):
        print(f"  {command}")
    print("Then once more: python run_step.py doctor")
