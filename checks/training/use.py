"""`run_step.py translate` and `classify`: lines in, lines out, by a trained model."""

from __future__ import annotations

import argparse
import gzip
import io
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from checks.engine.commands.words import PASSED, Usage, whole
from checks.engine.files.source import is_utf_16
from checks.graduation import kept
from checks.training import graduated
from checks.training.lines import decoded, read_lines
from checks.training.settings import code_root, positive_or_zero, set_environment
from checks.training.vocabulary import library

CHUNK = 1 << 16  # Bytes to read before their lines are answered, at most.


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
        _compare(sum(map(len, _chunks(words))), references, options.reference)
    settings, vocabularies, model = _load(options.model, "translate")
    from checks.training.translating import translations

    def answer(lines: list[str]) -> list[str]:
        most, beam, penalty = settings["max_len"], options.beam, options.length_penalty
        return translations(model, lines, vocabularies, most, beam, penalty)

    written = answer_all(words, vocabularies[0], answer)
    if references is not None:
        _say_bleu(written, references, options.reference, vocabularies[-1].lower_case)
    return PASSED


def classify(words: list[str], options: Any) -> int:
    """Print a label for each line."""
    settings, vocabularies, model = _load(options.model, "classify")
    from checks.training.classifying import labels_of

    answer_all(
        words, vocabularies[0], lambda lines: labels_of(model, lines, vocabularies, settings)
    )
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


def answer_all(
    words: list[str], vocabulary: Any, answer: Callable[[list[str]], list[str]]
) -> list[str]:
    """Print an answer for each line, and return all of them. Where a line has none, the reason
    stands in its place.
    """
    written: list[str] = []
    name = words[0] if words else "The input"
    for chunk in _chunks(words):
        lines, wrong = list[str](), dict[int, str]()
        for number, content in enumerate(chunk):
            try:
                line = decoded(content, name, len(written) + number + 1).strip()
                vocabulary.encode_all([line])  # The model of a graduation knows few letters.
            except Usage as error:
                line, wrong[number] = "", f"({error})"
            lines.append(line)
        found = answer(lines)
        written += [wrong.get(n, text) for n, text in enumerate(found)]
        sys.stdout.write("".join(f"{line}\n" for line in written[-len(chunk) :]))
        sys.stdout.flush()
    return written


def _chunks(words: list[str]) -> Iterator[list[bytes]]:
    """The lines of a file, or of the input: as many at once as are there."""
    if len(words) > 1:
        raise Usage(f"One file at a time, here are {len(words)}: {' '.join(words)}.")
    if not words and sys.stdin.isatty():
        yield from _typed()
        return
    name = words[0] if words else "The input"
    opened: Any = gzip.open if name.endswith(".gz") else open
    try:
        with opened(name, "rb") if words else nullcontext(sys.stdin.buffer) as file:
            yield from _cut_into_lines(file, name)
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or error
        raise Usage(f"{name} cannot be read: {why}.") from None


def _cut_into_lines(file: Any, name: str) -> Iterator[list[bytes]]:
    rest = b""
    while part := file.read1(CHUNK):
        if not rest and is_utf_16(part):
            raise Usage(f"{name} is saved as UTF-16. Save it as UTF-8.")
        *lines, rest = (rest + part).split(b"\n")
        if lines:
            yield lines
    if rest:
        yield [rest]


def _typed() -> Iterator[list[bytes]]:
    """The lines that are typed, one by one, in the terminal's encoding."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")
    prompt = "> " if sys.stdout.isatty() else ""
    while True:
        try:
            yield [input(prompt).encode("utf-8", "surrogateescape")]
        except EOFError:
            if prompt:
                print()
            return


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
