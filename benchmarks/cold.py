"""What the command costs from cold, beside `import torch`: `python benchmarks/cold.py [--rounds N]`

Every round runs each command once, in turn with `python -c "import torch"`, so that other work of
the machine affects all of them alike. It prints medians and their ratio to the import's. It also
prints the time until the first line of a check is on the screen.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

COURSE = Path(__file__).resolve().parent.parent
RUN = [sys.executable, str(COURSE / "run_step.py")]
SOLUTIONS = ["--submission", str(COURSE / "solutions")]
# The commands, and how many times the import of torch each may take, if it has a bar.
COMMANDS: dict[str, tuple[list[str], float | None]] = {
    "2.1": ([*RUN, "2.1", *SOLUTIONS], 1.5),
    "1.1 to 5.2": ([*RUN, "1", "2", "3", "4", "5.1", "5.2", *SOLUTIONS], 3.0),
    "all": ([*RUN, "all", *SOLUTIONS], None),
    "trace 2.2": ([*RUN, "trace", "2.2", *SOLUTIONS], 1.5),
    "list": ([*RUN, "list", *SOLUTIONS], 0.3),
    "hint 2.1": ([*RUN, "hint", "2.1", *SOLUTIONS], 0.3),
    "--help": ([*RUN, "--help"], 0.3),
}
FIRST_LINE = 200.0  # Milliseconds.


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:  # A solution that is not accepted is worth a look.
        sys.exit(f"{' '.join(command[1:])} ended with {done.returncode}:\n{done.stdout}")
    return time.perf_counter() - start


def first_line() -> float:
    """Milliseconds until a check prints its first line."""
    start = time.perf_counter()
    process = subprocess.Popen(COMMANDS["2.1"][0], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    found = time.perf_counter() - start
    process.communicate()
    return 1e3 * found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7, metavar="N")
    rounds = parser.parse_args().rounds
    imports: list[float] = []
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    lines: list[float] = []
    for _ in range(rounds):
        for name, (command, _) in COMMANDS.items():
            imports.append(seconds([sys.executable, "-c", "import torch"]))
            times[name].append(seconds(command))
        lines.append(first_line())
    torch = statistics.median(imports)
    print(f"{'import torch':<14} {torch:6.2f} s")
    too_slow = []
    for name, (_, bar) in COMMANDS.items():
        median = statistics.median(times[name])
        told = "" if bar is None else f"   (at most {bar} x)"
        print(f"{name:<14} {median:6.2f} s   {median / torch:5.2f} x{told}")
        too_slow += [name] if bar is not None and median > bar * torch else []
    line = statistics.median(lines)
    print(f"{'first line':<14} {line:6.0f} ms           (at most {FIRST_LINE:.0f} ms)")
    too_slow += ["first line"] if line > FIRST_LINE else []
    if too_slow:
        print(f"too slow: {', '.join(too_slow)}")
    return 1 if too_slow else 0


if __name__ == "__main__":
    sys.exit(main())
