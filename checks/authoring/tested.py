"""The tests of the course that are about a step: what each failing one says."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from xml.etree import ElementTree

from checks.authoring.fault import Fault
from checks.contents import COURSE, Step
from checks.engine.files.scratch import Scratch

WORDS = ("course", "lessons", "words", "sentences", "docs")  # Tests that take seconds.
RUNS = ("questions", "look")  # Those that run code of the step.
LONGEST = 700  # Characters of what a test says.


def of_tests(step: Step, names: tuple[str, ...]) -> list[Fault]:
    """What some tests say about the step."""
    files = [f"tests/test_{name}.py" for name in names]
    about = f"{step.name} or {step.id} or {step.stage} or README or docs"
    with closing(Scratch()) as scratch:
        report = scratch.folder / "report.xml"
        command = [sys.executable, "-m", "pytest", *files, "-k", about, f"--junitxml={report}"]
        done = subprocess.run(command, cwd=COURSE, capture_output=True, text=True)
        if report.exists():
            return list(faults_in(ElementTree.parse(report).getroot()))
    return [Fault("tests", None, f"The tests cannot run: {(done.stdout + done.stderr)[-LONGEST:]}")]


def faults_in(report: ElementTree.Element) -> Iterator[Fault]:
    """Each failure in a report of pytest: the test's place, its name in words, its message."""
    for case in report.iter("testcase"):
        for problem in (*case.findall("failure"), *case.findall("error")):
            promise = case.get("name", "").removeprefix("test_").replace("_", " ", 20)
            lines = re.findall(r"^E {1,7}(.*)$", problem.text or "", re.MULTILINE)
            message = "\n".join(lines).removeprefix("AssertionError: ")
            says = message.partition("\nassert ")[0]
            line = int(case.get("line", 0)) + 1
            yield Fault(case.get("file", "tests"), line, f"{promise}:\n{says[:LONGEST]}")
