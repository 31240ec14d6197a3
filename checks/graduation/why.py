"""`run_step.py why`: what a known mistake does to a model that learns, beside the right version.

Both models are made of the solutions, and have the same first values and batches: the figures are
the same every time.
"""

from __future__ import annotations

import argparse
import difflib
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from checks.contents import SOLUTIONS, STEPS, Step
from checks.engine.asking.compare import differs
from checks.engine.asking.received import WrongNumbers
from checks.engine.commands.screen import Screen, clean, fitted
from checks.engine.commands.words import PASSED, Usage, find_steps, parser_of
from checks.engine.commands.work import Work
from checks.engine.files.source import Source
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import SECONDS, Judge
from checks.engine.known import Mistake, mistakes
from checks.engine.naming.properties import PROPERTIES
from checks.engine.verdicts import CheckResult, Stopped
from checks.graduation.backwards import STEPS as STEPS_OF_TRAINING
from checks.graduation.backwards import Backwards
from checks.graduation.graduate import learn
from checks.graduation.live import Silent
from checks.graduation.task import Sample
from checks.graduation.taste import STEP, parts_of_the_model

SEED = 0
MATTERS = 0.05  # A fraction of right answers; smaller differences may come from rounding.
REAL = {  # Where mistakes of a step, or of a stage, can be seen with real weights.
    "s6_today": "What some mistakes do to a real model: s6_today/README.md, “Fluent is not right”.",
    "bert_encoder": "What some mistakes do to a real one: s3_encoder/README.md, “The wrong ones”.",
}
HELP = """\
What does a mistake do? Two small Transformers learn to write digits backwards:
a right one, and one with the mistake. It takes some seconds, and gives the same
figures every time. Some mistakes cannot be seen in training. A check sees each.

  why                           the mistake that was named last
  why MISTAKE                   a known mistake by its name
  why STEP MISTAKE              if several steps have one of this name
"""


class Found(NamedTuple):
    """What a training came to. `told`: the fraction right if the right digits so far are given;
    `alone`: the fraction right if the model writes alone.
    """

    losses: list[float]
    told: float
    alone: float
    samples: list[Sample]
    stopped: str = ""


def parser() -> argparse.ArgumentParser:
    made = parser_of("why", "[[STEP] MISTAKE]", HELP)
    made.add_argument("words", nargs="+", help=argparse.SUPPRESS)
    made.set_defaults(submission=None, borrow=False)
    return made


def offered(step: Step, name: str) -> str:
    """The line that offers `why`; "" if the small model has no such part, or if the mistake looks
    different in every program.
    """
    can_train = step in parts_of_the_model() and name not in PROPERTIES
    return f"see what it does to a model:  python run_step.py why {step.id}" if can_train else ""


def why(words: list[str], options: Any) -> int:
    """Train a right model and one with the mistake, and show both."""
    step, name = _meant(words, Work(options))
    screen = Screen()
    known = "  (from your last check)" if words in ([], [step.id]) else ""
    screen.say(f"{step.id} {step.name}: {name}{known}", "bold")
    if name in PROPERTIES:
        if "{" not in PROPERTIES[name]:  # One with a gap belongs to one answer only.
            screen.sentence(PROPERTIES[name], "  ")
        screen.sentence("It looks different in every program, so there is none to train.", "  ")
        return PASSED
    mistake = mistakes(step)[name]
    screen.sentence(mistake.says, "  ")
    screen.say()
    with Host() as host:
        judge = Judge(host, Source(SOLUTIONS), SEED)
        if step in parts_of_the_model():
            screen.sentence(f"{Backwards.does}, with and without the mistake.")
            with ThreadPoolExecutor(2) as pool:
                right = pool.submit(train, judge)
                wrong = pool.submit(train, judge, step, mistake)
                _show(screen, right.result(), wrong.result())
        else:
            real = REAL.get(step.stage, REAL.get(step.name, ""))
            screen.sentence(f"The small model that learns here has no {step.name}. {real}")
        _show_check(screen, seen_by(judge, step, mistake))
    return PASSED


def _meant(words: list[str], work: Work) -> tuple[Step, str]:
    """The step and the name of the mistake that the words mean."""
    named = work.progress.mistakes
    if not words:
        last = next(reversed(named), None)
        if last is None:
            raise Usage(
                "No step has a named mistake now. (A mistake is forgotten when its step passes.) "
                "Take one, for example: python run_step.py why 2.1 scale-without-root"
            )
        return STEP[last], named[last].partition(" or ")[0]
    asked = [step for step in STEPS if words == [step.id]]
    if asked and asked[0].name in named:
        return asked[0], named[asked[0].name].partition(" or ")[0]
    if asked:
        id, known = asked[0].id, [*mistakes(asked[0])]
        says = "Type a step and a mistake.\n"
        says += f"  for example:  python run_step.py why {id} {known[0]}"
        raise Usage(f"{says}\nThe mistakes of {id}:\n{fitted(', '.join(known), '  ')}")
    if len(words) > 2:
        raise Usage(f"why takes a step and a mistake, not {len(words)} words.")
    of, name = words[:-1], words[-1].lower().replace("_", "-")
    steps = find_steps(of) if of else STEPS
    having = [step for step in steps if name in mistakes(step)]
    if len(having) == 1:
        return having[0], name
    if having:
        first = having[0].id
        raise Usage(f"{_ids(having)} have a mistake of this name. Say which: why {first} {name}")
    known = [other for step in steps for other in mistakes(step)]
    near = difflib.get_close_matches(name, known, 1, 0.7)
    hint = f"Did you mean {near[0]}?" if near else "Their names are in docs/does-it-matter.md."
    where = f" in {_ids(steps)}" if of else ""
    raise Usage(f"There is no known mistake {name!r}{where}. {hint}")


class Losses(Silent):
    """The losses so far."""

    def __init__(self) -> None:
        self.losses: list[float] = []

    def trained(self, step: int, losses: list[float]) -> None:
        self.losses = [*losses]


def train(judge: Judge, step: Step | None = None, mistake: Mistake | None = None) -> Found:
    """Train the solutions, with a mistake in one step if it is given, and ask the model."""
    files = judge.files(STEP["translate"])
    if step is not None and mistake is not None:
        files = files.instead({step.module: mistake.source(step).encode()})
    worker, task, view = judge.host.worker(SECONDS), Backwards(SEED), Losses()
    try:
        learned = learn(worker, judge, STEP["translate"], files, task, view)
        told = task.told(learned.ask)
        alone = sum(sample.right for sample in learned.samples) / len(learned.samples)
        return Found(learned.losses, told, alone, learned.samples)
    except Stopped as stopped:
        return Found(view.losses, 0.0, 0.0, [], stopped.message)
    finally:
        judge.host.done(worker)


def shows(right: Found, wrong: Found) -> bool:
    """Whether the training shows the mistake."""
    return bool(wrong.stopped) or right.alone - wrong.alone >= MATTERS


def seen_by(judge: Judge, step: Step, mistake: Mistake) -> CheckResult | None:
    """The first check that the mistake does not pass."""
    files = judge.files(step).instead({step.module: mistake.source(step).encode()})
    results = judge.runner.all(step, files, until=True).values()
    return next((result for result in results if result.verdict != "pass"), None)


def measured(result: CheckResult) -> str:
    """What a failing check measures, in one line."""
    stopped = result.stopped
    if isinstance(stopped, WrongNumbers) and stopped.got.truth is not None:
        got, truth = np.asarray(stopped.got.array), stopped.got.truth
        wrong = differs(got, truth)
        if np.isfinite(got[wrong]).all() and truth.dtype != bool:
            most = np.abs(got - truth)[wrong].max()
            return f"There {wrong.sum()} of {wrong.size} numbers differ, by up to {most:.2g}."
    lines = result.message.splitlines()
    return next((line for line in lines if not line.startswith("Example: ")), result.verdict)


def _show(screen: Screen, right: Found, wrong: Found) -> None:
    """The losses on the way, how much is right at the end, and one answer of each."""
    marks = [1, *(n * STEPS_OF_TRAINING // 5 for n in range(1, 6))]
    screen.say(f"\n{'loss in step':<18}" + "".join(f"{n:>6}" for n in marks) + "    told  alone")
    rows = (("right", right), ("with the mistake", wrong))
    for name, found in rows:
        losses = "".join(f"{_loss(found.losses, n):>6}" for n in marks)
        shares = f"{found.told:>6.0%} {found.alone:>6.0%}"
        screen.say(f"{name:<18}{losses}  {'it stops' if found.stopped else shares}")
    screen.say()
    screen.sentence(
        "The loss says how wrong the model is: 0 is perfect. told: before each digit, the model "
        "gets the right digits so far. alone: the model writes the whole answer itself. Both are "
        "the share of answers without an error."
    )
    samples = next(
        ((a, b) for a, b in zip(right.samples, wrong.samples) if a.right and not b.right), None
    )
    if wrong.stopped:
        screen.say()
        screen.sentence(f"Training stops: {wrong.stopped.splitlines()[0]}")
    elif samples is not None:
        one, two = samples
        screen.say(
            f"\n{one.question}  ->  {one.answer}    with the mistake  {two.answer or '(nothing)'}"
        )
    if not shows(right, wrong):
        screen.say()
        screen.sentence("Training does not show it here: both models learn the task.", style="bold")


def _loss(losses: list[float], step: int) -> str:
    """The mean loss of up to ten steps that end there, in five characters."""
    found = losses[max(0, step - 10) : step] if len(losses) >= step else []
    return f"{sum(found) / len(found):.2f}" if found else "-"


def _show_check(screen: Screen, result: CheckResult | None) -> None:
    if result is not None:
        screen.say()
        screen.sentence(f'The check that sees it: "{result.sentence}"')
        screen.sentence(clean(measured(result)))


def _ids(steps: list[Step]) -> str:
    return " and ".join(step.id for step in steps)
