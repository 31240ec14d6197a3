"""Text files, plain or .gz: pairs of sentences, and texts with labels."""

from __future__ import annotations

import gzip
import os
import sys
import zlib
from pathlib import Path

from checks.engine.commands.words import Usage
from checks.engine.files.source import is_utf_16

SUFFIXES = (".gz", ".txt", ".tsv")


def read_text(path: str | Path) -> str:
    """All of a text file. Raises Usage if it cannot be read or is not UTF-8."""
    try:
        content = Path(path).read_bytes()
        if Path(path).suffix == ".gz":
            content = gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or error
        raise Usage(f"{path} cannot be read: {why}.") from None
    return decoded(content, path)


def decoded(content: bytes, path: str | Path, line: int = 1) -> str:
    """The text of a file, or of a part that begins at this line. Raises Usage for other encodings
    than UTF-8.
    """
    if is_utf_16(content):
        raise Usage(f"{path} is saved as UTF-16. Save it as UTF-8.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line += content.count(b"\n", 0, error.start)
        told = f"{path}, line {line}: is not UTF-8 ({error.reason})"
        raise Usage(f"{told}. Save it as UTF-8.") from None


def read_lines(path: str | Path, empty: bool = False, whole: bool = False) -> list[str]:
    """The lines of a text file, stripped, without the empty ones at its end.

    Raises Usage if it cannot be read, is not UTF-8, has no line, or has an empty line among others,
    unless `empty` ones are allowed. `whole`: a tab at either end counts.
    """
    text = read_text(path)
    blanks = " \r" if whole else None
    lines = [line.strip(blanks) for line in text.split("\n")]  # splitlines also splits at U+2028.
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        raise Usage(f"{path} has no line.")
    if "" in lines and not empty:
        raise Usage(f"{path}, line {lines.index('') + 1}: is empty.")
    return lines


def read_pairs(paths: list[str]) -> tuple[list[str], list[str]]:
    """Sources and targets, from two files of equal length or one of source<TAB>target.

    Further columns are left out. Pairs with an empty side are left out and reported.
    """
    if len(paths) == 1:
        rows = enumerate(read_lines(paths[0], empty=True, whole=True))
        return _full([_columns(line, paths[0], number) for number, line in rows if line], paths)
    if len(paths) != 2:
        raise Usage(f"Pairs are one file or two, here are {len(paths)}: {' '.join(paths)}.")
    source, target = (read_lines(path, empty=True) for path in paths)
    if len(source) != len(target):
        told = f"{paths[0]} has {len(source)} lines, {paths[1]} has {len(target)}"
        raise Usage(f"{told}: line n of the one must be the translation of line n of the other.")
    return _full(list(zip(source, target)), paths)


def read_labelled(words: list[str]) -> tuple[list[str], list[str]]:
    """Texts and their labels, from one file of label<TAB>text, or one file per label.

    A file for a label is named LABEL=FILE, or its name is the label: rt-polarity.neg.gz.
    """
    if len(words) == 1:
        path = words[0]
        label, equals, _ = path.partition("=")
        if equals and not Path(path).exists():
            told = f"{path} is one label, {label!r}: at least two are needed, each LABEL=FILE"
            raise Usage(f"{told}; or one file with lines of label<TAB>text.")
        form = "a label and a text, with one tab between them"
        lines = read_lines(path, whole=True)
        rows = [_cut(line, path, number, form) for number, line in enumerate(lines)]
        return [text for _, text in rows], [label for label, _ in rows]
    texts, labels = [], []
    for word in words:
        label, equals, path = word.partition("=")
        if not equals:
            label, path = _stem(word), word
        if label in labels:
            raise Usage(f"The label {label!r} has two files; LABEL=FILE names another.")
        lines = read_lines(path)
        texts += lines
        labels += [label] * len(lines)
    return texts, labels


def _columns(line: str, path: str, number: int) -> tuple[str, str]:
    """The first two fields of a line; one of them may be empty."""
    fields = [field.strip() for field in line.split("\t")]
    return (fields[0], fields[1]) if len(fields) > 1 else _cut(line, path, number)


def _full(pairs: list[tuple[str, str]], paths: list[str]) -> tuple[list[str], list[str]]:
    """Sources and targets of the pairs without an empty side; the number of others is reported."""
    kept, names = [pair for pair in pairs if all(pair)], ", ".join(paths)
    if not kept:
        raise Usage(f"{names}: there is no pair without an empty side.")
    if len(kept) < len(pairs) and os.environ.get("RANK", "0") == "0":
        told = f"{len(pairs) - len(kept)} of {len(pairs)} pairs have an empty side"
        print(f"{names}: {told}; they are left out.", file=sys.stderr)
    return [source for source, _ in kept], [target for _, target in kept]


def _cut(
    line: str, path: str, number: int, form: str = "two texts with one tab between them"
) -> tuple[str, str]:
    fields = [field.strip() for field in line.split("\t")]
    if len(fields) != 2 or not all(fields):
        told = f"{path}, line {number + 1}: has {len(fields) - 1} tabs"
        if len(fields) == 2:
            told = f"{path}, line {number + 1}: has {line!r}, of which one side is empty"
        raise Usage(f"{told}; expected {form}.")
    return fields[0], fields[1]


def _stem(path: str) -> str:
    name = Path(path).name
    while name.endswith(SUFFIXES):
        name = name.rpartition(".")[0]
    return name
