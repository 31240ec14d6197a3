"""`run_step.py train`: the learner's own model learns from real text."""

from __future__ import annotations

import argparse
import hashlib
import os
import random
from pathlib import Path
from typing import Any

from checks.contents import COURSE, SOLUTIONS
from checks.machine.commands.words import PASSED, USAGE, Usage, positive, whole
from checks.training.lines import read_labelled, read_pairs
from checks.training.vocabulary import library

HELP = """\
Your model learns from your texts, plain or .gz:

  train SOURCE TARGET     two files, line n of one is the translation of line n of the other
  train PAIRS             one file of source<TAB>target
  train --labels FILE     texts with labels, for the classifier: lines of label<TAB>text
  train --labels neg=FILE pos=FILE           or one file for each label

It is kept in a folder as it goes. After an interruption: the same command, and --resume.
Several processes, for as many GPUs: torchrun --nproc_per_node=2 run_step.py train ...
"""
# Settings for each task. Sizes and schedule are measured in benchmarks/README.md.
TRANSLATE = {
    "dim_vector": 256,
    "n_head": 4,
    "num_layer": 3,
    "dim_hidden": 512,
    "dropout": 0.25,
    "max_len": 128,
    "vocab_size": 5000,
    "batch_tokens": 2000,
    "accumulate": 1,
    "warmup": 800,
    "factor": 0.6,
    "label_smoothing": 0.1,
    "max_norm": 1.0,
    "epochs": 30,
    "patience": 5,
    "average": 5,
    "seed": 1,
    "save_every": 200,
    "score_sentences": 200,
    "test_share": 0,
}
CLASSIFY = {
    **TRANSLATE,
    "dim_vector": 128,
    "num_layer": 1,
    "dim_hidden": 256,
    "dropout": 0.5,
    "max_len": 256,
    "vocab_size": 8000,
    "warmup": 200,
    "score_sentences": 1_000_000,
}
MAY_CHANGE = ("epochs", "patience", "save_every", "score_sentences")
ABOUT = {
    "dim_vector": "features of each token",
    "n_head": "attention heads",
    "num_layer": "layers of each stack",
    "dim_hidden": "features inside a feed-forward network",
    "dropout": "share of numbers dropped",
    "max_len": "longest text in tokens; longer pairs are left out",
    "vocab_size": "word pieces, at most",
    "batch_tokens": "tokens of each side in a batch, padding counted",
    "accumulate": "batches for one step of the optimizer",
    "warmup": "steps in which the rate grows",
    "factor": "times the paper's learning rate",
    "label_smoothing": "share of each target spread over the vocabulary",
    "max_norm": "to which the gradient is clipped",
    "epochs": "at most",
    "patience": "epochs without a better validation loss, then it stops",
    "average": "last epochs whose weights are averaged",
    "seed": "the same number, the same training",
    "save_every": "steps between two checkpoints",
    "score_sentences": "of the validation set, decoded after each epoch",
    "test_share": "percent of the data, kept apart for a test at the end",
}


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="run_step.py train",
        description=HELP,
        usage="python run_step.py train FILE [FILE ...] [options]",
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, width=80),
    )
    add = made.add_argument
    add("words", nargs="+", metavar="FILE", help="what it learns from")
    add("--labels", action="store_true", help="the files are texts with labels")
    add("--validation", nargs="+", metavar="FILE", help="to stop by (else a tenth of the data)")
    add("--test", nargs="+", metavar="FILE", help="to be scored at the end")
    add("--model", metavar="FOLDER", help="where it is kept (models/translate, models/classify)")
    add("--resume", action="store_true", help="go on with the training in that folder")
    whose = made.add_mutually_exclusive_group()
    whose.add_argument("--solution", action="store_true", help="train our model, not yours")
    whose.add_argument("--submission", metavar="DIR", help="train the model of the steps in DIR")
    add("--lower-case", action="store_true", default=None, help="make all text lower-case")
    add("--separate", action="store_true", default=None, help="a vocabulary for each language")
    add("--no-tie", dest="tie", action="store_false", default=None, help="separate tables")
    add("--no-bf16", dest="bf16", action="store_false", default=None, help="never compute in bf16")
    for name, value in TRANSLATE.items():
        kind: Any = whole if isinstance(value, int) else positive_or_zero
        other = "" if CLASSIFY[name] == value else f"; with --labels {CLASSIFY[name]}"
        about = f"{ABOUT[name]} ({value}{other})"
        add(f"--{name.replace('_', '-')}", type=kind, metavar="N", help=about)
    add("--threads", type=whole, metavar="N", help="of each process")
    return made


def positive_or_zero(text: str) -> float:
    return 0.0 if text in ("0", "0.0") else positive(text)


def train(words: list[str], options: Any) -> int:
    """Train, or go on training; prints what the best model scores."""
    # Before torch is there: threads that wait by turning in circles take the others' time.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    library("tokenizers")
    library("sacrebleu")
    from checks.training.progress import Seen
    from checks.training.world import World

    world = World()
    try:
        with Seen(silent=world.rank > 0) as seen:
            _train(words, options, world, seen)
    except Usage:
        if world.rank > 0:  # The first process says it.
            return USAGE
        raise
    finally:
        world.close()
    return PASSED


def _train(words: list[str], options: Any, world: Any, seen: Any) -> None:
    import torch

    from checks.training.folder import Folder, fill
    from checks.training.loop import Training
    from checks.training.model import build, learner_code

    if options.threads:
        torch.set_num_threads(options.threads)
    task = "classify" if options.labels else "translate"
    folder = Folder(options.model or f"models/{task}")
    resuming = options.resume and folder.begun
    settings = given(words, options, task, world)
    if resuming:
        settings = agreed(settings, folder.settings(task), options, folder)
    elif world.rank == 0:
        folder.refuse_to_overwrite()
    world.wait()
    learner_code(Path(settings["code"]) if settings["code"] else COURSE)
    data = split(settings)
    if not resuming:
        settings["labels"] = sorted(set(data[0][1])) if task == "classify" else []
        if world.rank == 0:
            begin(folder, settings, data[0])
    elif settings["digest"] != digest(data):
        raise Usage(f"The texts are not those that the training in {folder.path} began with.")
    world.wait()
    vocabularies = folder.vocabularies(settings)
    model, tables = build(settings, [len(vocabulary) for vocabulary in vocabularies])
    tasks = [make_task(part, vocabularies, settings) for part in data]
    training = Training(model, tables, (tasks[0], tasks[1]), settings, folder, world)
    if resuming:
        training.resume()
        seen.say(f"Going on with epoch {training.epoch}, after {training.step} steps.")
    else:
        seen.say(described(model, tables, tasks, settings, world))
    best = training.run(seen)
    seen.say(f"The best is epoch {best['epoch']}; it is in {folder.path}/best.pt.")
    if len(tasks) == 3 and world.rank == 0:
        fill(model, folder.load("best.pt"), folder.path / "best.pt")
        seen.say(test_line(model, tasks[2], world))
    world.wait()


def given(words: list[str], options: Any, task: str, world: Any) -> dict[str, Any]:
    """All settings of a new training, as typed or as usual."""
    from checks.training.world import bf16_pays

    usual: dict[str, Any] = dict(CLASSIFY if options.labels else TRANSLATE)
    flags = {"lower_case": False, "separate": False, "tie": True}
    for name, value in {**usual, **flags}.items():
        typed = getattr(options, name)
        usual[name] = value if typed is None else typed
    for name in ("dim_vector", "n_head", "num_layer", "dim_hidden", "max_len", "batch_tokens"):
        _at_least(usual, name, 1)
    for name in ("accumulate", "warmup", "epochs", "average", "save_every", "score_sentences"):
        _at_least(usual, name, 1)
    if usual["dropout"] >= 1 or usual["label_smoothing"] >= 1:
        raise Usage("--dropout and --label-smoothing are shares: below 1.")
    if usual["dim_vector"] % usual["n_head"]:
        told = f"--n-head {usual['n_head']} does not divide --dim-vector {usual['dim_vector']}"
        raise Usage(f"{told}: every head needs as many features.")
    code = str(SOLUTIONS) if options.solution else options.submission
    if code is not None and not Path(code).is_dir():
        raise Usage(f"--submission {code!r} is not a folder.")
    bf16 = bf16_pays(world.device) if options.bf16 is None else options.bf16
    files = {"data": words, "validation": options.validation, "test": options.test}
    return {"task": task, "code": code, "bf16": bf16, "processes": world.size, **files, **usual}


def _at_least(settings: dict[str, Any], name: str, least: int) -> None:
    if settings[name] < least:
        raise Usage(f"--{name.replace('_', '-')} {settings[name]}: it is at least {least}.")


def agreed(
    typed: dict[str, Any], kept: dict[str, Any], options: Any, folder: Any
) -> dict[str, Any]:
    """The settings of the training that goes on. Raises Usage where something else was typed."""
    names = [*TRANSLATE, "lower_case", "separate", "tie", "bf16"]
    said = [name for name in names if getattr(options, name) is not None]
    said += [name for name in ("validation", "test") if getattr(options, name)]
    for name in [*said, "data", "code", "processes"]:
        if typed[name] != kept[name] and name not in MAY_CHANGE:
            told = f"The training in {folder.path} has {name} {kept[name]}, not {typed[name]}"
            raise Usage(f"{told}: --model FOLDER begins another one.")
    return {**kept, **{name: typed[name] for name in said if name in MAY_CHANGE}}


Part = tuple[list[str], list[str]]


def split(settings: dict[str, Any]) -> list[Part]:
    """What to learn from, to stop by, and to test with, if there is a test.

    A share that is taken from the data is always the same one: drawn with seed 1.
    """
    read = read_labelled if settings["task"] == "classify" else read_pairs
    rows = list(zip(*read(settings["data"])))
    random.Random(1).shuffle(rows)
    parts: list[Any] = [None, None, None]
    for place, name in ((1, "validation"), (2, "test")):
        if settings[name]:
            parts[place] = read(settings[name])
    if parts[2] is None and settings["test_share"]:
        parts[2], rows = _taken(rows, settings["test_share"])
    if parts[1] is None:
        parts[1], rows = _taken(rows, 10)
    parts[0] = _columns(rows)
    known = set(parts[0][1])
    for part, name in zip(parts[1:], ("validation", "test")):
        strange = set(part[1]) - known if part and settings["task"] == "classify" else set()
        if strange:
            raise Usage(f"The label {min(strange)!r} of the {name} set is not in the data.")
    if settings["task"] == "classify" and len(known) < 2:
        raise Usage(f"All texts have the label {min(known)!r}: at least two are needed.")
    return [part for part in parts if part]


def _taken(rows: list[Any], percent: int) -> tuple[Part, list[Any]]:
    count = len(rows) * percent // 100
    if not 0 < count < len(rows):
        raise Usage(f"{percent} % of {len(rows)} rows are {count}: too few to go on.")
    return _columns(rows[:count]), rows[count:]


def _columns(rows: list[Any]) -> Part:
    return [row[0] for row in rows], [row[1] for row in rows]


def digest(data: list[Part]) -> str:
    whole = hashlib.sha256()
    for part in data:
        for column in part:
            whole.update("\n".join(column).encode() + b"\0")
    return whole.hexdigest()


def begin(folder: Any, settings: dict[str, Any], data: Part) -> None:
    """Learn the vocabularies, and write the folder."""
    from checks.training.vocabulary import learn

    size, lower_case = settings["vocab_size"], settings["lower_case"]
    if settings["task"] == "classify":
        texts = [data[0]]
    else:
        texts = [data[0], data[1]] if settings["separate"] else [data[0] + data[1]]
    vocabularies = [learn(part, size, lower_case) for part in texts]
    settings["digest"] = digest(split(settings))
    folder.begin(settings, vocabularies)


def make_task(part: Part, vocabularies: list[Any], settings: dict[str, Any]) -> Any:
    from checks.training.tasks import Classification, Translation

    if settings["task"] == "classify":
        made: Any = Classification(part, vocabularies, settings["max_len"], settings["labels"])
    else:
        made = Translation(part, vocabularies, settings["max_len"])
    if not made.rows:
        raise Usage(f"No text fits into --max-len {settings['max_len']}.")
    return made


def described(model: Any, tables: Any, tasks: Any, settings: dict[str, Any], world: Any) -> str:
    """What is going to be trained, on what."""
    count = sum(parameter.numel() for parameter in model.parameters())
    sizes = ", ".join(str(len(task.rows)) for task in tasks)
    left = sum(task.left_out for task in tasks)
    lines = [
        f"{count:,} parameters; rows to learn from, to stop by, to test: {sizes}"
        + (f" ({left} longer than {settings['max_len']} tokens left out)" if left else ""),
        f"on {world.size} x {world.device.type}{' in bf16' if settings['bf16'] else ''}",
    ]
    if settings["tie"] and settings["task"] == "translate" and tables.target is None:
        lines.append("The model's tables could not be told apart: nothing is tied.")
    return "\n".join(lines)


def test_line(model: Any, task: Any, world: Any) -> str:
    """The test's score: decoded with beam 4 and length penalty 0.6, as in the paper."""
    from checks.training.use import translations

    model.eval()
    if hasattr(task, "labels"):
        import torch

        with torch.no_grad():
            scores = task.scores(task.predict(model, list(range(len(task.rows))), world.device))
        return f"Test: accuracy {scores['accuracy']:.2f} % of {len(task.rows)}"
    sources = [source for source, _ in task.texts]
    found = translations(model, sources, task.vocabularies, task.max_len, 4, 0.6)
    scores = task.scores(dict(enumerate(found)))
    return f"Test: BLEU {scores['bleu']:.2f}, beam 4, {scores['signature']}"
