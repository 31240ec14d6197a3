"""The solutions again and again, on a machine that has far more to do than it can.

    python -m tests.repeat [TIMES]     200 times, with four commands at once for every core

Prints every verdict but pass. Each time is the whole command, with other random numbers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

COURSE = Path(__file__).resolve().parent.parent
OVERSUBSCRIBED = 4


def verdicts(seed: int, *steps: str) -> Counter[str]:
    """Of every check of these steps or stages."""
    words = [*steps, "--submission", "solutions", "--json", "--seed", str(seed)]
    command = [sys.executable, str(COURSE / "run_step.py"), *words]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=COURSE)
    try:
        steps = json.loads(done.stdout)["steps"]
    except ValueError:
        return Counter({f"no JSON: {done.stderr[-300:]}": 1})
    found = Counter[str]()
    for step in steps:
        for check in step["checks"]:
            place = f"{check['verdict']} in {step['step']} {check['name']}, seed {seed}"
            found["pass" if check["verdict"] == "pass" else f"{place}: {check['message']}"] += 1
    return found


def repeat(times: int, *steps: str, first_seed: int = 0) -> Counter[str]:
    """All verdicts of so many runs, most of which have to wait for the processor."""
    at_once = OVERSUBSCRIBED * (os.cpu_count() or 1)
    with ThreadPoolExecutor(at_once) as pool:
        seeds = range(first_seed, first_seed + times)
        runs = pool.map(lambda seed: verdicts(seed, *steps), seeds)
        return sum(runs, Counter[str]())


if __name__ == "__main__":
    found = repeat(int(sys.argv[1]) if len(sys.argv) > 1 else 200, "all")
    print(f"pass: {found.pop('pass', 0)}; anything else: {found.total()}")
    for text, count in found.items():
        print(f"{count} x {text}")
    sys.exit(1 if found else 0)
