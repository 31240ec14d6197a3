"""A hunt through a whole model: the mistake is in one of its files, and is seen from outside."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator
from zlib import crc32

import numpy as np

from checks.contents import STEPS, Step
from checks.engine.asking.learner import Files
from checks.engine.files.source import Source, below, solution, solutions
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import SECONDS
from checks.engine.judging.runner import Runner
from checks.engine.known import mistakes
from checks.engine.verdicts import StepResult
from checks.hunting.making import MOST_SEEDS, SEEDS, Made, Maker, all_stopped, judged, measured

# The stages that end in such a hunt, and the step whose checks see the whole.
OUTSIDE = {"2": "3.1", "4": "4.2", "5": "5.2"}


def outside(boss: str) -> Step:
    """The step that is put together from all files of the hunt."""
    return next(step for step in STEPS if step.id == OUTSIDE[boss])


def parts(boss: str) -> list[Step]:
    """The steps of which one has the mistake. A step of a later stage is the solution: it is there
    to be run, and has no mistake.
    """
    whole = outside(boss)
    shown = below(whole) | ({whole} if whole.id.startswith(boss) else set())
    return [step for step in STEPS if step in shown]


def in_one_style(source: Source, made: Made) -> Source:
    """The learner's files; the solutions, if the mistake is in one of those. One file in another
    style would show itself.
    """
    return source if made.own else solutions()


def whole(source: Source, boss: str) -> Source:
    """The files with the step that is seen from outside."""
    step = outside(boss)
    return source if step in parts(boss) else source.with_text(step, solution(step))


def judged_boss(runner: Runner, source: Source, boss: str, passed: Collection[str]) -> StepResult:
    """How the whole does; if it passes, the first part that does not. `passed`: ids of steps that
    are not checked again.
    """
    for step in parts(boss):
        problem = source.problem(step)
        if problem is not None:
            return all_stopped(step, problem)
    top = outside(boss)
    result = judged(runner, top, Files.of(whole(source, boss), top))
    for step in parts(boss):
        if result.verdict == "pass" and step.id not in passed and step != top:
            result = judged(runner, step, Files.of(source, step))
    return result


def drawn_boss(
    host: Host, source: Source, boss: str, found: dict[str, list[str]], seed: int | None
) -> tuple[Made, Step, int] | None:
    """A file with a mistake that is seen from outside, its step, and a seed that repeats it."""
    top = outside(boss)
    runners = [Runner(host, seed, SECONDS) for seed in SEEDS]
    makers: dict[Step, Maker] = {}
    for step, name in _by_chance(boss, found) if seed is None else in_order(boss, seed):
        if step not in makers:
            makers[step] = Maker(host, source, step)
        made = makers[step].make(name)
        if made is not None:
            wrong = whole(in_one_style(source, made), boss).with_text(step, made.text)
            seen = measured(made, runners, top, Files.of(wrong, top))
            if seen is not None:
                return seen, step, _seed_of(boss, (step, name)) if seed is None else seed
    return None


def in_order(boss: str, seed: int) -> list[tuple[Step, str]]:
    """All mistakes of the parts, in an order that follows from the seed alone."""
    pairs = [(step, name) for step in parts(boss) for name in mistakes(step)]
    pairs.sort(key=lambda pair: crc32(f"{boss} {pair[0].name} {pair[1]}".encode()))
    return [pairs[n] for n in np.random.default_rng(seed).permutation(len(pairs))]


def _seed_of(boss: str, pair: tuple[Step, str]) -> int:
    """A seed whose order begins with this mistake."""
    draw = secrets.SystemRandom()
    while in_order(boss, seed := draw.randrange(MOST_SEEDS))[0] != pair:
        pass
    return seed


def _by_chance(boss: str, found: dict[str, list[str]]) -> Iterator[tuple[Step, str]]:
    """First those that were not found before. No step comes first because it has many mistakes."""
    draw = secrets.SystemRandom()

    def place(pair: tuple[Step, str]) -> tuple[bool, float]:
        step, name = pair
        return name in found.get(step.name, ()), draw.expovariate(1 / len(mistakes(step)))

    yield from sorted(in_order(boss, 0), key=place)
