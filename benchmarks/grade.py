"""How fast a class is graded: `python benchmarks/grade.py [--count 200]`

A class of complete, right submissions, no two alike, is graded by `run_step.py grade`, start-up
included. In the same run, some of them are also checked one after the other by `python -m pytest
checks --submission DIR`, like an instructor's loop. It prints the seconds per submission for each,
and the ratio. It exits with 1 if the ratio is below the bar.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COURSE = Path(__file__).resolve().parent.parent
sys.path.append(str(COURSE))
sys.dont_write_bytecode = True

from checks.contents import CORE, STEPS  # noqa: E402
from checks.engine.files.source import solution  # noqa: E402
from checks.grading.pool import usual_jobs  # noqa: E402

BAR = 10


def make(folder: Path, count: int) -> list[Path]:
    """Submissions with the solutions' code, and with different comments in every file."""
    made = [folder / f"student{number:03}" for number in range(count)]
    for root in made:
        for step in STEPS:
            (root / step.path).parent.mkdir(parents=True, exist_ok=True)
            (root / step.path).write_text(f"{solution(step)}\n# By {root.name}.\n", "utf-8")
    return made


def seconds(*command: str) -> tuple[float, str]:
    start = time.perf_counter()
    done = subprocess.run([sys.executable, *command], cwd=COURSE, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return time.perf_counter() - start, done.stdout


def grade(handed_in: Path, results: Path, jobs: int) -> float:
    """Seconds for the whole class."""
    words = ("--results", str(results), "--jobs", str(jobs), "--format", "json")
    time_used, text = seconds("run_step.py", "grade", str(handed_in), *words)
    assert all(row["points"] == len(CORE) for row in json.loads(text)["submissions"])
    return time_used


def by_pytest(root: Path) -> float:
    words = ("-q", "-p", "no:cacheprovider")
    return seconds("-m", "pytest", "checks", "--submission", str(root), *words)[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=200, metavar="N", help="submissions (200)")
    parser.add_argument("--pytest", type=int, default=4, metavar="N", help="of them, by pytest (4)")
    parser.add_argument("--jobs", type=int, default=usual_jobs(), metavar="N", help="judges")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = make(folder / "class", options.count)
        grade(made[0], folder / "warm-up", 1)
        by_pytest(made[0])
        some = made[:: max(1, len(made) // options.pytest)][: options.pytest]
        half = len(some) // 2
        times = [by_pytest(root) for root in some[:half]]
        whole = grade(folder / "class", folder / "results", options.jobs)
        times += [by_pytest(root) for root in some[half:]]
    each, other = whole / len(made), sum(times) / len(times)
    print(
        f"grade, {len(made)} submissions, {options.jobs} judges: {each:.2f} s each ({whole:.1f} s)"
    )
    print(f"pytest, {len(some)} of them, one by one: {other:.2f} s each")
    print(f"ratio: {other / each:.1f} (bar: {BAR})")
    return 0 if other / each >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
