"""`run_step.py translate` and `classify`: lines in, lines out, by a trained model."""

from __future__ import annotations

import argparse
import gzip
import sys
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from checks.engine.commands.words import PASSED, Usage, whole
from checks.graduation import kept
from checks.training import graduated
from checks.training.lines import read_lines
from checks.training.settings import code_root, positive_or_zero, set_environment
from checks.training.vocabulary import library

CHUNK = 1000  # Lines to read before they are answered; on a terminal, one.


def translate_parser() -> argparse.ArgumentParser:
    made = _parser("translate", "Translate lines of text, with what `train` has made.")
    add = made.add_argument
    add("--beam", type=whole, default=1, metavar="N", help="hypotheses; 1 is greedy (1)")
    add(
        "--length-penalty", type=positive_or_zero, default=0.6, metavar="A", help="for --beam (0.6)"
    )
    add("--reference", metavar="FILE", help="the right translations: says BLEU at the end")
    return made


def classify_parser() -> argparse.ArgumentParser:
    return _parser("classify", "Write the label of each line of text, with what `train` has made.")


def _parser(name: str, what: str) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog=f"run_step.py {name}",
        description=f"{what} Without a FILE: the lines that are typed or piped in.",
        usage=f"python run_step.py {name} [FILE] [options]",
    )
    made.add_argument("words", nargs="+", metavar="FILE", help="text, plain or .gz")
    usual = f"its folder (models/{name}; if there is none, the model of step {kept.STEPS[name]})"
    made.add_argument("--model", metavar="FOLDER", help=usual)
    return made


def translate(words: list[str], options: Any) -> int:
    """Print a translation for each line."""
    if options.beam < 1:
        raise Usage(f"--beam {options.beam}: it is at least 1.")
    references = read_lines(options.reference) if options.reference else None
    if references is not None and len(words) == 1:
        _compare(sum(1 for _ in _lines(words[0])), references, options.reference)
    settings, vocabularies, model = _load(options.model, "translate")
    from checks.training.translating import translations

    written: list[str] = []
    for lines in _chunks(words):
        found = translations(
            model, lines, vocabularies, settings["max_len"], options.beam, options.length_penalty
        )
        written += found
        _write(found)
    if references is not None:
        _say_bleu(written, references, options.reference, vocabularies[-1].lower_case)
    return PASSED


def classify(words: list[str], options: Any) -> int:
    """Print a label for each line."""
    settings, vocabularies, model = _load(options.model, "classify")
    from checks.training.classifying import labels_of

    for lines in _chunks(words):
        _write(labels_of(model, lines, vocabularies, settings))
    return PASSED


def _load(path: str | None, task: str) -> tuple[dict[str, Any], list[Any], Any]:
    """The model of the folder; without a path, of the usual folder or of the graduation."""
    set_environment()
    if path is None:
        path = f"models/{task}"
        if not Path(path).exists() and kept.place(task).exists():
            return graduated.load(task)
    from checks.training.folder import Folder
    from checks.training.model import learner_code

    folder = Folder(path)
    settings = folder.settings(task)
    library("tokenizers")
    learner_code(code_root(settings))
    return loaded(folder)


def loaded(folder: Any) -> tuple[dict[str, Any], list[Any], Any]:
    """Settings, vocabularies and the best model of a folder, ready to use."""
    from checks.training.folder import fill
    from checks.training.tasks import build
    from checks.training.world import usual_device

    settings = folder.settings()
    if not (folder.path / "best.pt").exists():
        told = "its training has not come to the end of an epoch"
        raise Usage(f"{folder.path} holds no best.pt yet: {told}.")
    vocabularies = folder.vocabularies(settings)
    model, _ = build(settings, [len(vocabulary) for vocabulary in vocabularies])
    fill(model, folder.load("best.pt"), folder.path / "best.pt")
    return settings, vocabularies, model.to(usual_device()).eval()


def _chunks(words: list[str]) -> Iterator[list[str]]:
    """The input lines, stripped, in chunks."""
    if len(words) > 1:
        raise Usage(f"One file at a time, here are {len(words)}: {' '.join(words)}.")
    typed = not words and sys.stdin.isatty()
    lines = _lines(words[0]) if words else _piped()
    while chunk := [line.strip() for line in islice(lines, 1 if typed else CHUNK)]:
        yield chunk


def _lines(path: str) -> Iterator[str]:
    try:
        opened: Any = gzip.open if path.endswith(".gz") else open
        with opened(path, "rt", encoding="utf-8-sig", newline="\n") as file:
            yield from file
    except UnicodeDecodeError as error:
        raise Usage(f"{path} is not UTF-8: {error}") from None
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or error
        raise Usage(f"{path} cannot be read: {why}.") from None


def _piped() -> Iterator[str]:
    """Typed lines in the terminal's encoding, or piped lines in UTF-8."""
    if sys.stdin.isatty():
        yield from sys.stdin
    else:
        for number, line in enumerate(sys.stdin.buffer):
            try:
                yield line.decode("utf-8" if number else "utf-8-sig")
            except UnicodeDecodeError as error:
                raise Usage(f"What was piped in is not UTF-8: {error}") from None


def _write(lines: list[str]) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def _compare(count: int, references: list[str], path: str) -> None:
    if count != len(references):
        raise Usage(f"{path} has {len(references)} lines, what is translated {count}.")


def _say_bleu(written: list[str], references: list[str], path: str, lower_case: bool) -> None:
    from checks.training.translating import bleu

    _compare(len(written), references, path)
    wanted = [line.lower() for line in references] if lower_case else references
    score, signature = bleu(written, wanted)
    cased = ", references in lower case" if lower_case else ""
    print(f"BLEU {score:.2f}, {signature}{cased}", file=sys.stderr)
