"""The folder of a hunt: copies of the learner's files, one of them with a mistake.

A small file in it says how far the hunt is.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Collection
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from checks.contents import STEPS, Step
from checks.engine.files.progress import moved_aside, write_whole
from checks.engine.files.source import Source
from checks.engine.files.told import said_if_not_kept
from checks.engine.judging.results import checks_of_step, sentence_of
from checks.engine.known import Mistake, mistakes
from checks.hunting.boss import parts
from checks.hunting.making import Made
from checks.hunting.texts import words_in_common

FOLDER = "hunt"
FILE = "hunt.json"
COMMAND = "run_step.py"  # It lies beside the stage folders and is no part of a submission.
STAGES = ("observe", "predict", "repair", "found")
KEYS = "abcdefghijklmnopqrstuvwxyz"
OPTIONS = 4  # Of a question; that of a boss has one for each file.


class Known(NamedTuple):
    """A known mistake, with its step and its name."""

    step: Step
    name: str
    mistake: Mistake


@dataclass
class Hunt:
    """A hunt in a step. The mistake and the right option are kept as numbers that say nothing.

    `options`: names of checks; the mistake fails one of them. `guess`: a key, "" before it.
    `boss`: the stage of a hunt through several files, which the checks of `step` see from outside.
    Its options are names of steps, and `fails` is a check that fails.
    """

    step: str
    seed: int
    mistake: int
    own: bool
    seen: int
    options: list[str]
    answer: str
    stage: str = STAGES[0]
    guess: str = ""
    boss: str = ""
    fails: str = ""
    version: int = field(default=1)

    @property
    def of(self) -> Step:
        return next(step for step in STEPS if step.name == self.step)

    def known(self) -> Known | None:
        """The mistake; None if the course has no such mistake any more."""
        steps = STEPS if self.boss else [self.of]
        all_of_them = (Known(s, name, one) for s in steps for name, one in mistakes(s).items())
        return next((one for one in all_of_them if _number(*one[:2]) == self.mistake), None)

    def sentences(self) -> dict[str, str]:
        """The options, each with its key: expectations, or the files of a boss."""
        said = {check.__name__: sentence_of(check) for check in checks_of_step(self.of)}
        said |= {step.name: f"{FOLDER}/{step.path}" for step in STEPS if self.boss}
        return {key: said.get(name, name) for key, name in zip(KEYS, self.options)}

    @property
    def files(self) -> list[Step]:
        """The steps of which one has the mistake."""
        return parts(self.boss) if self.boss else [self.of]

    @property
    def symptom(self) -> str:
        """The expectation that fails from outside, of a boss; "" of another hunt."""
        checks = checks_of_step(self.of)
        return next((sentence_of(one) for one in checks if one.__name__ == self.fails), "")

    @property
    def right(self) -> str:
        """The key of the right option."""
        return next(key for key in KEYS if _scrambled(self.seed, key) == self.answer)


def _number(step: Step, name: str) -> int:
    return crc32(f"{step.name} {name}".encode())


def _scrambled(seed: int, key: str) -> str:
    return sha256(f"{seed} {key}".encode()).hexdigest()[:16]


def begun(step: Step, made: Made, seed: int) -> Hunt:
    """The hunt for this mistake. The options of its question are checks, of which one fails.

    The failing one is the first: checks begin with what a step is there for, so later ones often
    fail with it. The others share few words with the mistake's sentence, so they are not about it.
    """
    says = mistakes(step)[made.mistake].says
    common = {c.__name__: words_in_common(says, sentence_of(c)) for c in checks_of_step(step)}
    random = np.random.default_rng([seed, crc32(step.name.encode())])
    by_chance = [made.passes[n] for n in random.permutation(len(made.passes))]
    wrong = sorted(by_chance, key=lambda name: common[name])[: OPTIONS - 1]
    options = [made.first, *wrong]
    random = np.random.default_rng([seed, crc32(f"{step.name} order".encode())])
    options = [options[n] for n in random.permutation(len(options))]
    return _with_options(step, made, seed, step, options, made.first)


def begun_boss(step: Step, made: Made, seed: int, of: Step, boss: str) -> Hunt:
    """The hunt for this mistake in the file of the step `of`. `step` sees it from outside: the
    learner reads the first check that fails. The options of the question are all the files.
    """
    files = [part.name for part in parts(boss)]
    hunt = _with_options(step, made, seed, of, files, of.name)
    return replace(hunt, boss=boss, fails=made.first)


def _with_options(
    step: Step, made: Made, seed: int, of: Step, options: list[str], right: str
) -> Hunt:
    answer = _scrambled(seed, KEYS[options.index(right)])
    mistake = _number(of, made.mistake)
    return Hunt(step.name, seed, mistake, made.own, len(made.seen), options, answer)


def load(root: Path) -> Hunt | None:
    """The hunt in the course at this folder; None if there is none that can be read."""
    try:
        data: Any = json.loads((root / FOLDER / FILE).read_bytes())
        hunt = Hunt(**data)
        whole = all(type(n) is int for n in (hunt.seed, hunt.mistake, hunt.seen))
        listed = isinstance(hunt.options, list) and all(isinstance(n, str) for n in hunt.options)
        if not whole or not listed or hunt.stage not in STAGES or (hunt.of, hunt.right) is None:
            return None
    except (OSError, ValueError, TypeError, StopIteration):
        return None
    return hunt


def save(root: Path, hunt: Hunt) -> None:
    """Keep how far the hunt is; what cannot be written is said."""
    with said_if_not_kept("The hunt is", root / FOLDER / FILE):
        _write(root, hunt)


def _write(root: Path, hunt: Hunt) -> None:
    write_whole(root / FOLDER / FILE, (json.dumps(asdict(hunt), indent=1) + "\n").encode())


def lay_out(
    root: Path, source: Source, hunt: Hunt, shown: Collection[Step], wrong: Step, text: str
) -> Path | None:
    """Write the folder of a hunt: the files of the steps shown, one of them with this text. The
    folder before is moved to .kept/ first: its path there, or None.

    The file that says how far the hunt is comes last: the folder is then complete. Raises OSError
    if it cannot be written: then all is as it was before.
    """
    earlier = moved_aside(root / FOLDER) if (root / FOLDER).exists() else None
    try:
        _write_files(root, source, shown, wrong, text)
        _write(root, hunt)
    except OSError:
        shutil.rmtree(root / FOLDER, ignore_errors=True)
        if earlier is not None:
            os.rename(earlier, root / FOLDER)
        raise
    return earlier


def _write_files(
    root: Path, source: Source, shown: Collection[Step], wrong: Step, text: str
) -> None:
    steps = {other.module for other in STEPS}
    needed = {other.module for other in shown}
    for files in (source.modules, source.helpers):
        for module, (file, _, content) in files.items():
            if (module in needed or module not in steps) and file != COMMAND:
                write_whole(root / FOLDER / file, content)
    write_whole(root / FOLDER / wrong.path, text.encode())
