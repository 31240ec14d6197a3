"""From a save to the verdict on the screen, for every step: `python benchmarks/watch.py [STEP ...]`

The real command watches a copied course in a pseudo-terminal. Right and wrong versions take turns:
each is written beside the file and replaces it. The clock runs from then until the line with the
verdict is read. The wrong versions are the step's known mistakes, each in turn. The last column has
the time to the end of the output, in which the mistake is named.

A pause follows the output before the next save, shorter than reading and typing take. On a machine
with other work, the verdict takes longer.
"""

from __future__ import annotations

import argparse
import itertools
import os
import pty
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

COURSE = Path(__file__).resolve().parent.parent
sys.path.append(str(COURSE))
sys.dont_write_bytecode = True

from checks.contents import SOLUTIONS, STEPS, Step  # noqa: E402
from checks.engine.files.source import solution  # noqa: E402
from checks.engine.known import mistakes  # noqa: E402

PAUSE = 0.7  # Seconds from the end of the output to the next save.
LONGEST = 120.0  # Seconds to wait for a verdict.
BAR = 100  # Milliseconds: the largest median that a step may have.


class Watching:
    """`run_step.py watch STEP` in a pseudo-terminal."""

    def __init__(self, course: Path, step: Step):
        self.file, self.step, self.text = course / step.path, step, ""
        self.fd, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, str(course / "run_step.py"), "watch", step.id],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env={**os.environ, "NO_COLOR": "1"},
        )
        os.close(theirs)
        self._until(r"\nWatching [^\n]*\n")

    def save(self, text: str) -> tuple[float, float, str]:
        """Milliseconds to the verdict, and to the end of the output; the verdict's line."""
        beside = self.file.with_name("saved.tmp")
        beside.write_text(text, "utf-8")
        os.replace(beside, self.file)
        start = time.perf_counter()
        line = self._until(rf"\n{re.escape(self.step.id)} {self.step.name} [^\n]*\n")
        verdict = time.perf_counter()
        self._until(r"\nWatching [^\n]*\n")
        return 1e3 * (verdict - start), 1e3 * (time.perf_counter() - start), line

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
        os.close(self.fd)

    def _until(self, pattern: str) -> str:
        end = time.monotonic() + LONGEST
        while (found := re.search(pattern, self.text)) is None:
            if time.monotonic() > end:
                raise SystemExit(f"no {pattern!r} within {LONGEST} s in {self.text!r}")
            self.text += os.read(self.fd, 1 << 16).decode("utf-8", "replace").replace("\r", "")
        self.text = self.text[found.end() - 1 :]  # Including the end of the line.
        return found[0].strip()


def versions(step: Step, count: int) -> Iterator[tuple[str, bool]]:
    """`count` files to save, and whether they are right: a right one, a wrong one, a right one …"""
    wrong = itertools.cycle(mistake.source(step) for mistake in mistakes(step).values())
    for number in range(count):
        is_right = number % 2 == 0
        yield f"{solution(step)}# {number}\n" if is_right else next(wrong), is_right


def measure(course: Path, step: Step, count: int) -> tuple[dict[bool, list[float]], list[float]]:
    """Times to the verdict of right (True) and of wrong versions; and to the end, of all."""
    watching = Watching(course, step)
    try:
        to_verdict: dict[bool, list[float]] = {True: [], False: []}
        to_end = []
        for text, is_right in versions(step, count):
            time.sleep(PAUSE)
            verdict, end, line = watching.save(text)
            if (" passes" in line) != is_right:
                raise SystemExit(f"{'right' if is_right else 'wrong'} version, but: {line}")
            to_verdict[is_right].append(verdict)
            to_end.append(end)
        return to_verdict, to_end
    finally:
        watching.close()
        shutil.copy(SOLUTIONS / step.path, course / step.path)


def import_torch() -> float:
    """Milliseconds of `python -c "import torch"`, the best of three."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import torch"], check=True)
        times.append(1e3 * (time.perf_counter() - start))
    return min(times)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("steps", nargs="*", metavar="STEP", help="ids; all if none is named")
    parser.add_argument(
        "--saves", type=int, default=20, metavar="N", help="for each step, 2 or more (20)"
    )
    options = parser.parse_args()
    steps = [step for step in STEPS if not options.steps or step.id in options.steps]
    torch, slow, everything = import_torch(), [], list[float]()
    print(f'python -c "import torch": {torch:.0f} ms\n')
    print("from a save to the verdict, ms: medians                           to the end, ms")
    print("step                       right  wrong    all  worst  x import  median  worst")
    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder) / "course"
        shutil.copytree(COURSE, course, ignore=shutil.ignore_patterns("__pycache__", ".*", "tests"))
        for step in STEPS:
            shutil.copy(SOLUTIONS / step.path, course / step.path)
        for step in steps:
            verdict, end = measure(course, step, options.saves)
            both = verdict[True] + verdict[False]
            right, wrong, median = map(statistics.median, (verdict[True], verdict[False], both))
            slow += [step.id] if median > BAR else []
            everything += both
            print(
                f"{step.id} {step.name:<22} {right:5.0f} {wrong:6.0f} {median:6.0f}"
                f" {max(both):6.0f} {median / torch:9.2f}"
                f" {statistics.median(end):7.0f} {max(end):6.0f}",
                flush=True,
            )
    print(f"\nmedian of all saves: {statistics.median(everything):.0f} ms")
    print(f"median above {BAR} ms: {', '.join(slow) or 'none'}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
