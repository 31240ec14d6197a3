"""`run_step.py taste`: the learner's parts in a whole model that learns, before the course ends.

Every passing step is the learner's; the solution replaces the others. `--without PART` trains a
second model beside it, in which one part is left out.
"""

from __future__ import annotations

import argparse
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

import numpy as np

from checks.contents import CORE, STEPS, Step
from checks.engine.asking.learner import Files
from checks.engine.commands.checking import draw_seed
from checks.engine.commands.screen import Screen
from checks.engine.commands.words import NOT_PASSED, PASSED, Usage, parser_of, whole
from checks.engine.commands.work import Work
from checks.engine.files.source import below, solution, solutions
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import SECONDS, Judge
from checks.engine.verdicts import Stopped
from checks.graduation.graduate import View, learn
from checks.graduation.left_out import PARTS, SEEDS, WHOLE, Part
from checks.graduation.live import Silent, view_on
from checks.graduation.task import Sample
from checks.graduation.translation import SIZES, Translation

STEP = {step.name: step for step in STEPS}
MODEL = ("transformer", "training", "translate")  # The steps that learn, train and translate.
STEPS_OF_TRAINING, ASKED = 300, 100
TWO_LAYERS = {**SIZES, "num_layer": 2}
HELP = """\
Your parts in a whole Transformer that learns to translate numbers, in about half a minute.
Steps that do not pass yet are taken from solutions/.

  taste                    how well it learns
  taste --without PART     the same beside it, with one part left out
"""


class Taste(Translation):
    """A shorter training than the graduation's, and a shorter exam.

    The model has two layers. Without shortcuts a single layer learns on some seeds.
    """

    does = "A small Transformer learns to translate German numbers"
    sizes = TWO_LAYERS

    def __init__(self, seed: int):
        super().__init__(np.random.default_rng([seed, 5]), STEPS_OF_TRAINING, ASKED)


def parser() -> argparse.ArgumentParser:
    made = parser_of("taste", "[--without PART] [--seed N]", HELP)
    made.add_argument("words", nargs="+", help=argparse.SUPPRESS)
    names = ", ".join(part.name for part in PARTS)
    made.add_argument("--without", metavar="PART", help=f"one of: {names}")
    made.add_argument("--seed", type=whole, metavar="N", help="draw the same random numbers again")
    made.set_defaults(submission=None, borrow=False)
    return made


def taste(words: list[str], options: Any, host: Host | None = None) -> int:
    """Train the model live, and say whose parts it has."""
    if words:
        raise Usage(f"taste takes no {words[0]!r}. Leave a part out: taste --without positions")
    part = _part(options.without)
    work, screen = Work(options), Screen()
    yours = _yours(work)
    seed = draw_seed(options)
    screen.say(_whose(yours, part))
    try:
        with Host() if host is None else nullcontext(host) as serving:
            judge = Judge(serving, work.source, seed)
            files = mixed(judge, yours)
            if part is None:
                lesson(judge, files, view_on(screen))
                _say_more(screen)
            else:
                _beside(judge, files, part, screen)
    except Stopped as stopped:
        screen.say(f"\nIt stopped.\n{stopped.message}")
        return NOT_PASSED
    return PASSED


def _part(name: str | None) -> Part | None:
    found = next((part for part in PARTS if part.name == name), None)
    if name is not None and found is None:
        names = ", ".join(part.name for part in PARTS)
        raise Usage(f"There is no part {name!r} to leave out. There are: {names}.")
    return found


def parts_of_the_model() -> list[Step]:
    """The steps that make up the model, with those that train it and ask it."""
    direct = {STEP[name] for name in MODEL}
    found = direct.union(*map(below, direct))
    return [step for step in CORE if step in found]


def _yours(work: Work) -> list[Step]:
    return [step for step in parts_of_the_model() if work.has_passed(step)]


def _whose(yours: list[Step], part: Part | None) -> str:
    """Which parts are the learner's, and which are solutions."""
    left = None if part is None else STEP[part.step]
    yours = [step for step in yours if step is not left]
    ours = [step for step in parts_of_the_model() if step not in yours and step is not left]
    lines = [f"  yours     {_ids(yours) or 'none yet: each step that passes stands here'}"]
    lines += [f"  solution  {_ids(ours)}"] if ours else []
    if part is not None and left is not None:
        lines.append(f"  solution  {left.id} {left.name}: whole, and without {part.name}")
    return "\n".join(lines)


def _ids(steps: list[Step]) -> str:
    return " ".join(step.id for step in steps)


def mixed(judge: Judge, yours: list[Step]) -> Files:
    """The learner's files of these steps, and the solutions of all others."""
    files, ours = judge.files(STEP["translate"]), solutions()
    contents = {**files.contents}
    for step in STEPS:
        if step not in yours:
            contents[step.module] = ours.modules[step.module]
    return Files(files.root, contents, STEP["translate"].path, files.helpers)


def lesson(judge: Judge, files: Files, view: View) -> list[Sample]:
    """The model's answers in its exam. Raises Stopped if learner code fails."""
    worker, task = judge.host.worker(SECONDS), Taste(judge.seed)
    samples: list[Sample] = []
    try:
        samples = learn(worker, judge, STEP["translate"], files, task, view).samples
        return samples
    finally:
        view.end(samples)
        judge.host.done(worker)


class Columns:
    """Two trainings side by side: a line for each look, when both have reached it."""

    def __init__(self, screen: Screen, names: list[str]):
        self.screen, self.names = screen, names
        self.lock = threading.Lock()
        self.seen: dict[int, dict[str, str]] = {}

    def look(self, name: str, step: int, said: str) -> None:
        with self.lock:
            row = self.seen.setdefault(step, {})
            row[name] = said
            if len(row) == len(self.names):
                self.say(f"{step:>4}", [row[name] for name in self.names])

    def say(self, first: str, cells: list[str]) -> None:
        self.screen.say("  ".join([f"  {first:<4}", *(f"{cell:<28}" for cell in cells)]).rstrip())


class Column(Silent):
    """One of the two trainings."""

    def __init__(self, columns: Columns, name: str):
        self.columns, self.name, self.losses = columns, name, list[float]()

    def trained(self, step: int, losses: list[float]) -> None:
        self.losses = losses

    def looked(self, step: int, samples: list[Sample]) -> None:
        loss = f"loss {self.losses[-1]:.3f}" if self.losses else ""
        self.columns.look(self.name, step, f"{_right(samples):<16}{loss}")


def _beside(judge: Judge, files: Files, part: Part, screen: Screen) -> None:
    """Train the whole model and the model without the part, side by side."""
    step, names = STEP[part.step], ["whole", f"without {part.name}"]
    sources = [solution(step).encode(), part.without.source(step).encode()]
    columns = Columns(screen, names)
    screen.say(f"A small Transformer learns to translate numbers, in {STEPS_OF_TRAINING} steps.")
    columns.say("step", names)

    def column(name: str, source: bytes) -> list[Sample]:
        return lesson(judge, files.instead({step.module: source}), Column(columns, name))

    with ThreadPoolExecutor(2) as pool:
        lessons = [pool.submit(column, *each) for each in zip(names, sources)]
        try:
            answers = [each.result() for each in lessons]
        except BaseException:  # Any end of one, even Ctrl-C, ends both.
            judge.host.interrupt()
            raise
    columns.say("end", [_right(samples) for samples in answers])
    screen.say()
    screen.sentence(f"Without {part.name}: {part.without.says}", "  ")
    screen.sentence(measured(part), "  ")
    wrong = next((sample for sample in answers[1] if not sample.right), None)
    if wrong is not None:
        screen.sentence(f"For example: {wrong.question} -> {wrong.answer or '(nothing)'}", "  ")


def measured(part: Part) -> str:
    """How many answers were right on several seeds, with the part and without it."""
    whole, without = (
        str(most) if least == most else f"{least} to {most}" for least, most in (WHOLE, part.right)
    )
    return f"On {SEEDS} seeds, {whole} of 100 were right with it, and {without} without it."


def _right(samples: list[Sample]) -> str:
    return f"{sum(sample.right for sample in samples)} of {len(samples)} right"


def _say_more(screen: Screen) -> None:
    screen.say("  What is a part good for? Leave one out:")
    screen.say("    python run_step.py taste --without positions")
    names = [part.name for part in PARTS[1:]]
    screen.say(f"  or without {', '.join(names[:-1])} or {names[-1]}.")
