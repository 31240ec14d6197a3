"""What `taste` shows, seed by seed: `python benchmarks/taste.py [--seeds N]`

The solution learns as in `run_step.py taste`, whole and without each part. The fewest and the most
right answers are the figures in checks/graduation/left_out.py. Eight seeds are 64 trainings.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from checks.contents import SOLUTIONS, STEPS
from checks.engine.files.source import Source
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import Judge
from checks.graduation.left_out import PARTS, SEEDS, Part
from checks.graduation.live import Silent
from checks.graduation.taste import STEP, lesson, mixed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"how many ({SEEDS})")
    seeds = range(1, parser.parse_args().seeds + 1)
    for name, step, source in [
        ("whole", "", b""),
        *((p.name, p.step, _left_out(p)) for p in PARTS),
    ]:
        right = [_right(seed, step, source) for seed in seeds]
        print(f"{name:<14}{min(right):>4} to {max(right):<6}{right}", flush=True)
    return 0


def _left_out(part: Part) -> bytes:
    return part.without.source(STEP[part.step]).encode()


def _right(seed: int, step: str, source: bytes) -> int:
    """How many of the answers are right at the end, with this source in the place of the step."""
    with Host() as host:
        judge = Judge(host, Source(SOLUTIONS), seed, passed=frozenset(s.id for s in STEPS))
        files = mixed(judge, [])
        if step:
            files = files.instead({STEP[step].module: source})
        return sum(sample.right for sample in lesson(judge, files, Silent()))


if __name__ == "__main__":
    sys.exit(main())
