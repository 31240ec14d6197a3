"""What can be set for a training, what is usual, and what a resumed one must agree with."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from checks.contents import COURSE, SOLUTIONS
from checks.engine.commands.words import Usage, parser_of, positive, whole
from checks.training.kinds import CLASSIFY, KINDS, TRANSLATE, WRITE

HELP = """\
Your model learns from your texts, plain or .gz:

  train SOURCE TARGET     two files, line n of one is the translation of line n of the other
  train PAIRS             one file of source<TAB>target
  train --labels FILE     texts with labels, for the classifier: lines of label<TAB>text
  train --labels neg=FILE pos=FILE           or one file for each label
  train --text FILE ...   any text, for the language model of stage 6; it goes on writing

It is kept in a folder as it goes. After an interruption: the same command, and --resume
(of it only --model is needed, once an epoch has begun).
Several processes, for as many GPUs: torchrun --nproc_per_node=2 run_step.py train ...
"""
SWITCHES = {"lower_case": False, "separate": False, "tie": True, "bf16": None}
MAY_CHANGE = ("epochs", "patience", "save_every", "score_sentences")
ABOUT = {
    "dim_vector": "features of each token",
    "n_head": "attention heads",
    "n_kv_head": "of --text: heads of keys and values, each for as many of queries",
    "num_layer": "layers of each stack",
    "dim_hidden": "features inside a feed-forward network",
    "dropout": "probability to drop an entry",
    "max_len": "longest text in tokens, longer pairs are left out; of --text: tokens read at once",
    "vocab_size": "word pieces, at most; every letter is one, and of --text every byte",
    "batch_tokens": "tokens of each side in a batch, padding counted",
    "accumulate": "batches for one step of the optimizer",
    "warmup": "steps in which the rate grows",
    "factor": "times the paper's learning rate",
    "label_smoothing": "part of each target that is spread over the vocabulary",
    "max_norm": "to which the gradient is clipped",
    "epochs": "at most",
    "patience": "epochs without a better validation score, then it stops",
    "average": "last epochs whose weights are averaged",
    "seed": "the same number, the same training",
    "save_every": "steps between two checkpoints",
    "score_sentences": "of the validation set, decoded after each epoch",
    "test_share": "percent of the data, kept apart for a test at the end",
}


def parser() -> argparse.ArgumentParser:
    made = parser_of("train", "FILE [FILE ...] [options]", HELP)
    add = made.add_argument
    add("words", nargs="+", metavar="FILE", help="what it learns from")
    what = made.add_mutually_exclusive_group()
    what.add_argument("--labels", action="store_true", help="the files are texts with labels")
    what.add_argument("--text", action="store_true", help="the files are texts to go on with")
    add("--validation", nargs="+", metavar="FILE", help="to stop by (else a tenth of the data)")
    add("--test", nargs="+", metavar="FILE", help="to be scored at the end")
    add("--model", metavar="FOLDER", help="where it is kept (models/translate, classify or write)")
    add("--resume", action="store_true", help="go on with the training in that folder")
    add("--anyway", action="store_true", help="train also if a step of the model does not pass")
    whose = made.add_mutually_exclusive_group()
    whose.add_argument(
        "--solution", action="store_true", help="train the solution instead of your model"
    )
    whose.add_argument("--submission", metavar="DIR", help="train the model of the steps in DIR")
    add("--lower-case", action="store_true", default=None, help="make all text lower-case")
    add("--separate", action="store_true", default=None, help="a vocabulary for each language")
    add("--no-tie", dest="tie", action="store_false", default=None, help="separate tables")
    add("--no-bf16", dest="bf16", action="store_false", default=None, help="never compute in bf16")
    for name, usual in WRITE.items():
        value = TRANSLATE.get(name, usual)
        kind: Any = whole if isinstance(value, int) else positive_or_zero
        other = "" if CLASSIFY.get(name, value) == value else f"; with --labels {CLASSIFY[name]}"
        if name in KINDS["write"].without:
            other += "; not with --text"
        elif usual != value:
            other += f"; with --text {usual}"
        about = f"{ABOUT[name]} ({value}{other})"
        add(f"--{name.replace('_', '-')}", type=kind, metavar="N", help=about)
    add("--threads", type=whole, metavar="N", help="of each process (one a core)")
    return made


def positive_or_zero(text: str) -> float:
    return 0.0 if text in ("0", "0.0") else positive(text)


def task_of(options: Any) -> str:
    return "classify" if options.labels else "write" if options.text else "translate"


def given(options: Any, processes: int, task: str | None = None) -> dict[str, Any]:
    """All settings of a new training, typed or default. bf16 is None: it is used where it pays."""
    task = task or task_of(options)
    for name in KINDS[task].without:
        if getattr(options, name) is not None:
            raise Usage(f"{_option(name)} is not for {task}: its model has nothing like it.")
    settings: dict[str, Any] = {**KINDS[task].usual, **SWITCHES}
    settings |= {name: value for name in settings if (value := getattr(options, name)) is not None}
    for name, value in settings.items():
        if isinstance(WRITE.get(name), int) and name not in ("seed", "test_share") and value < 1:
            raise Usage(f"{_option(name)} {value}: it is at least 1.")
    for name in ("dropout", "label_smoothing"):
        if settings[name] >= 1:
            raise Usage(f"{_option(name)} {settings[name]}: it must be below 1.")
    if settings["dim_vector"] % settings["n_head"]:
        told = f"--n-head {settings['n_head']} does not divide --dim-vector"
        raise Usage(f"{told} {settings['dim_vector']}: every head takes an equal part.")
    if task == "write":
        _check_writing(settings)
    return {
        "task": task,
        "code": "solutions" if options.solution else _absolute(options.submission) or "yours",
        "processes": processes,
        "data": options.words[1:],
        "validation": options.validation,
        "test": options.test,
        **settings,
    }


def agreed(kept: dict[str, Any], options: Any, processes: int, where: Path) -> dict[str, Any]:
    """The settings of the resumed training. Raises Usage if other ones were typed.

    Files may have moved; whether their content is the same is compared elsewhere.
    """
    named = options.labels or options.text or options.words[1:]
    typed = given(options, processes, None if named else kept["task"])
    names = [*WRITE, *SWITCHES]
    said = [name for name in names if getattr(options, name) is not None]
    same = [name for name in said if name not in MAY_CHANGE] + ["processes"]
    same += ["code"] if options.solution or options.submission else []
    same += ["task"] if named else []
    for name in same:
        if typed[name] != kept.get(name):
            told = f"The training in {where} has {name} {kept.get(name)}, not {typed[name]}"
            way = "--model FOLDER begins another one"
            if name == "processes" and kept[name] > 1:
                way = f"start it with torchrun --nproc_per_node={kept[name]}; {way}"
            raise Usage(f"{told}: {way}.")
    changed = [name for name in said if name in MAY_CHANGE]
    changed += [name for name in ("data", "validation", "test") if typed[name]]
    return {**kept, **{name: typed[name] for name in changed}}


def _check_writing(settings: dict[str, Any]) -> None:
    """Raises Usage if step 6.5 cannot make a language model of these sizes."""
    heads, groups, size = (settings[name] for name in ("n_head", "n_kv_head", "vocab_size"))
    if heads % groups:
        told = f"--n-kv-head {groups} does not divide --n-head {heads}"
        raise Usage(f"{told}: each serves as many heads of queries.")
    if settings["dim_vector"] // heads % 2:
        told = f"--dim-vector {settings['dim_vector']} and --n-head {heads} make heads of"
        raise Usage(f"{told} {settings['dim_vector'] // heads} features, and a turn needs pairs.")
    if size < 257:
        raise Usage(f"--vocab-size {size}: 256 bytes and the end of a text are 257 tokens.")


def code_root(settings: dict[str, Any]) -> Path:
    """The folder of the model's code. Raises Usage if it is not a folder."""
    code = settings["code"]
    root = {"yours": COURSE, "solutions": SOLUTIONS}.get(code, Path(code))
    if not root.is_dir():
        raise Usage(f"{code} should hold the model's code, but it is not a folder.")
    return root


def set_environment() -> None:
    """Set environment variables that torch reads at its import."""
    # Threads that spin while they wait take time from other programs; threads that sleep at once
    # wake up late, again and again. So they spin briefly, then sleep.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("GOMP_SPINCOUNT", "2000")
    # Keep the kernels of every shape: batches have hundreds of shapes.
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "20000")


def _absolute(path: str | None) -> str | None:
    return path and str(Path(path).resolve())


def _option(name: str) -> str:
    off = "no-" if SWITCHES.get(name, False) is not False else ""
    return f"--{off}{name.replace('_', '-')}"
