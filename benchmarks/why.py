"""Does it matter? Every known mistake, trained: `python benchmarks/why.py [STEP …]`

Each known mistake of the steps that make a translation model is put into the solutions, and a
small Transformer is trained, as `run_step.py why` does it. The table in docs/does-it-matter.md is
written anew; with steps named, it is only printed. Two trainings run at once. All take about an
hour on two cores.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

COURSE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(COURSE))

from checks.contents import SOLUTIONS, Step  # noqa: E402
from checks.engine.commands.words import find_steps  # noqa: E402
from checks.engine.course.source import Source  # noqa: E402
from checks.engine.hosting.host import Host  # noqa: E402
from checks.engine.judging.judge import Judge  # noqa: E402
from checks.engine.known import mistakes  # noqa: E402
from checks.graduation.taste import parts_of_the_model  # noqa: E402
from checks.graduation.why import SEED, Found, shows, train  # noqa: E402

PAGE = COURSE / "docs" / "does-it-matter.md"
HEAD = """\
# Does it matter?

Most mistakes in a Transformer do not stop it. The loss falls, and all looks well. So the only
proof is a check. This page shows what each known mistake of this course does to a small model.

The model has two layers of width {width}. It learns for {steps} steps to write digits backwards:
`4 7 2 9` becomes `9 2 7 4`. The right version ends with {told:.0%} told and {alone:.0%} alone:

- **told**: the fraction of answers in which each digit is right, if the right digits before it are
  given. Training measures this.
- **alone**: the fraction of answers that are right if the model writes the whole answer.

Of {all} mistakes, {stop} stop the training with an error, {worse} make the model worse, and
**{unseen} cannot be seen in training at all**. Larger models, longer training or other data show
more of them, or fewer. `python run_step.py why 2.1 scale-without-root` repeats a line of these
tables; `python benchmarks/why.py` writes this page.
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("steps", nargs="*", help="these only, printed and not written")
    named = parser.parse_args().steps
    steps = [s for s in parts_of_the_model() if not named or s in find_steps(named)]
    start = time.perf_counter()
    with Host() as host, ThreadPoolExecutor(2) as pool:
        judge = Judge(host, Source(SOLUTIONS), SEED)
        right = train(judge)
        found: dict[Step, dict[str, Found]] = {}
        for step in steps:
            known = mistakes(step)
            trained = pool.map(lambda m, s=step: train(judge, s, m), known.values())
            found[step] = dict(zip(known, trained))
            print(f"{step.id} {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
        judge.close()
    text = page(right, found)
    if named:
        print(text)
    else:
        PAGE.write_text(text, "utf-8")
    return 0


def page(right: Found, found: dict[Step, dict[str, Found]]) -> str:
    """The whole page, as Markdown."""
    from checks.graduation.backwards import SIZES, STEPS

    every = [one for step in found.values() for one in step.values()]
    counts = {
        "all": len(every),
        "stop": sum(bool(one.stopped) for one in every),
        "unseen": sum(not shows(right, one) for one in every),
    }
    counts["worse"] = counts["all"] - counts["stop"] - counts["unseen"]
    facts = {"width": SIZES["dim_vector"], "steps": STEPS}
    parts = [HEAD.format(told=right.told, alone=right.alone, **facts, **counts)]
    for step, ones in found.items():
        parts.append(f"## {step.id} {step.name}\n")
        worse = {n: one for n, one in ones.items() if shows(right, one) and not one.stopped}
        if worse:
            parts.append("| mistake | last loss | told | alone |\n|---|---|---|---|")
            for name, one in sorted(worse.items(), key=lambda pair: pair[1].alone):
                loss = sum(one.losses[-10:]) / 10
                parts.append(f"| {name} | {loss:.2f} | {one.told:.0%} | {one.alone:.0%} |")
            parts.append("")
        for says, chosen in (
            ("Stops with an error", [n for n, one in ones.items() if one.stopped]),
            ("Not seen in training", [n for n, one in ones.items() if not shows(right, one)]),
        ):
            if chosen:
                parts.append(f"{says} ({len(chosen)}): {', '.join(chosen)}.\n")
    return "\n".join(parts).rstrip() + "\n"


if __name__ == "__main__":
    sys.exit(main())
