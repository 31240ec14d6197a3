"""Does it matter? Every known mistake, trained: `python benchmarks/why.py [STEP …]`

Each known mistake of the steps that make a translation model goes into the solutions. Then a small
Transformer is trained, as `run_step.py why` does it. The figures go to why.json, and from there to
docs/does-it-matter.md. With steps named, those of the other steps stay. Two trainings run at once.
All take about an hour on two cores.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

COURSE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(COURSE))

from checks.contents import SOLUTIONS  # noqa: E402
from checks.engine.commands.words import find_steps  # noqa: E402
from checks.engine.files.source import Source  # noqa: E402
from checks.engine.hosting.host import Host  # noqa: E402
from checks.engine.judging.judge import Judge  # noqa: E402
from checks.engine.known import mistakes  # noqa: E402
from checks.graduation.backwards import SIZES, STEPS  # noqa: E402
from checks.graduation.taste import parts_of_the_model  # noqa: E402
from checks.graduation.why import MATTERS, SEED, Found, train  # noqa: E402

FIGURES, PAGE = Path(__file__).with_name("why.json"), COURSE / "docs" / "does-it-matter.md"
HEAD = """\
# Does it matter?

For everybody who asks whether a mistake matters if the loss falls.

Most mistakes in a Transformer do not stop it. Everything looks right. This page shows what each
known mistake of this course does to a small model.

The model has {layers} layers of width {width}. It learns for {steps} steps to write digits
backwards: `4 7 2 9` becomes `9 2 7 4`. Two fractions are measured at the end:

- **told**: before each digit, the model gets the right digits so far.
- **alone**: the model writes every digit itself.

Both count an answer only if all its digits are right.

The right version ends with {told:.0%} told and {alone:.0%} alone. Of {all} mistakes, {stop} stop
the training with an error, {worse} make the model worse, and **{unseen} are not seen in this
training at all**. With a larger model, a longer training or other data, other mistakes can be
seen. But each of them fails a check.

`python run_step.py why 2.1 scale-without-root` says what the mistake is, and trains it again.
`python benchmarks/why.py` writes this page.
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("steps", nargs="*", help="train these again; the others keep their figures")
    parser.add_argument("--page", action="store_true", help="write the page, and train nothing")
    options = parser.parse_args()
    named = options.steps
    steps = [s for s in parts_of_the_model() if not named or s in find_steps(named)]
    figures = json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else {}
    if options.page:
        PAGE.write_text(page(figures), "utf-8")
        return 0
    start = time.perf_counter()
    with Host() as host, ThreadPoolExecutor(2) as pool:
        judge = Judge(host, Source(SOLUTIONS), SEED)
        figures["right"] = _figures(train(judge))
        for step in steps:
            known = mistakes(step)
            trained = pool.map(lambda m, s=step: _figures(train(judge, s, m)), known.values())
            figures[step.name] = dict(zip(known, trained))
            FIGURES.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
            print(f"{step.id} {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
        judge.close()
    PAGE.write_text(page(figures), "utf-8")
    return 0


def _figures(found: Found) -> dict[str, Any]:
    last = found.losses[-10:]
    loss = round(sum(last) / len(last), 2) if last else None
    stopped = " ".join(found.stopped.partition("\n")[0].split())
    return {"loss": loss, "told": found.told, "alone": found.alone, "stopped": stopped}


def page(figures: dict[str, Any]) -> str:
    """The whole page, as Markdown."""
    right = figures["right"]
    of_steps = {step: figures[step.name] for step in parts_of_the_model() if step.name in figures}
    groups = [_group(right, one) for ones in of_steps.values() for one in ones.values()]
    counts = {name: groups.count(name) for name in ("stop", "worse", "unseen")}
    facts = {"width": SIZES["dim_vector"], "layers": SIZES["num_layer"], "steps": STEPS}
    shares = {"told": right["told"], "alone": right["alone"]}
    parts = [HEAD.format(all=len(groups), **counts, **facts, **shares)]
    for step, ones in of_steps.items():
        parts.append(f"## {step.id} {step.name}\n")
        names = {
            group: [n for n, one in ones.items() if _group(right, one) == group] for group in counts
        }
        if names["worse"]:
            parts.append("| makes the model worse | last loss | told | alone |\n|---|---|---|---|")
            for name in sorted(names["worse"], key=lambda name: ones[name]["alone"]):
                one = ones[name]
                shares = f"{one['told']:.0%} | {one['alone']:.0%}"
                parts.append(f"| `{name}` | {one['loss']:.2f} | {shares} |")
            parts.append("")
        parts.append("| number | which |\n|---|---|")
        for group, says in (("stop", "stop the training"), ("unseen", "are not seen in training")):
            listed = ", ".join(f"`{name}`" for name in names[group])
            parts.append(f"| {len(names[group])} {says} | {listed} |")
        parts.append("")
    return "\n".join(parts).rstrip() + "\n"


def _group(right: dict[str, Any], one: dict[str, Any]) -> str:
    if one["stopped"]:
        return "stop"
    return "worse" if right["alone"] - one["alone"] >= MATTERS else "unseen"


if __name__ == "__main__":
    sys.exit(main())
