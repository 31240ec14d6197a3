"""The data of a training: the parts to learn from, to stop by, and to test with."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from checks.engine.commands.words import Usage
from checks.training.lines import read_labelled, read_lines, read_pairs, read_text

Part = tuple[list[str], list[str]]  # Sources and targets, texts and labels, or texts alone.
SPLIT_SEED = 1  # The same rows are held out for every seed of the training.
SHOWN = 30  # Characters of each side of the first pair, at most.
MOST_LABELS = 10  # Labels that are named with their counts.
PERCENT = 10  # Percent of the data to stop by, if no validation set is given.


def read_parts(settings: dict[str, Any], say: Callable[[str], None]) -> list[Part]:
    """Two parts, or three if there is a test set. Says what was read. Raises Usage if they do not
    fit together.
    """
    if settings["task"] == "write":
        return _texts(settings, say)
    labelled = settings["task"] == "classify"
    read = read_labelled if labelled else read_pairs
    rows = list(zip(*read(settings["data"])))
    say(_labels(rows) if labelled else _pairs(rows, settings["data"]))
    random.Random(SPLIT_SEED).shuffle(rows)
    validation = read(settings["validation"]) if settings["validation"] else None
    test = read(settings["test"]) if settings["test"] else None
    if test is None and settings["test_share"]:
        test, rows = _taken(rows, settings["test_share"])
    if validation is None:
        validation, rows = _taken(rows, PERCENT)
    known = {row[1] for row in rows}
    for part, name in ((validation, "validation"), (test, "test")):
        strange = set(part[1]) - known if part and labelled else set()
        if strange:
            raise Usage(f"The label {min(strange)!r} of the {name} set is not in the data.")
    if labelled and len(known) < 2:
        raise Usage(f"All texts have the label {min(known)!r}: at least two are needed.")
    return [part for part in (_columns(rows), validation, test) if part]


def _pairs(rows: list[Any], paths: list[str]) -> str:
    lines = len(read_lines(paths[0], empty=True))
    source, target = (text if len(text) <= SHOWN else f"{text[:SHOWN]}…" for text in rows[0])
    return f"Read {lines:,} lines: {len(rows):,} pairs. The first is {source!r}, {target!r}."


def _labels(rows: list[Any]) -> str:
    """How many texts each label has. A header line is a label with one text."""
    counts = Counter(label for _, label in rows)
    said = [f"{label!r} {count:,}" for label, count in counts.most_common(MOST_LABELS)]
    more = len(counts) - len(said)
    told = f"Read {len(rows):,} lines with {len(counts):,} labels: {', '.join(said)}"
    told += f" and {more:,} more." if more else "."
    single = [label for label, count in counts.items() if count == 1]
    if len(counts) > 1 and rows[0][1] in single:
        told += f"\nOnly line 1 has the label {rows[0][1]!r}. Is it a header? Then delete it."
    elif single:
        told += f"\nOnly one text has the label {single[0]!r}. Is it spelled right?"
    return told


def _texts(settings: dict[str, Any], say: Callable[[str], None]) -> list[Part]:
    """The texts to learn from. What is kept apart is the end of each, from a new line on."""
    texts = [read_text(path) for path in settings["data"]]
    empty = [path for path, text in zip(settings["data"], texts) if not text.strip()]
    if empty:
        raise Usage(f"{empty[0]} has no text.")
    lines, signs = sum(text.count("\n") for text in texts), sum(map(len, texts))
    say(f"Read {lines:,} lines: {signs:,} characters.")
    named = [settings["validation"], settings["test"]]
    apart = [[read_text(path) for path in paths] if paths else [] for paths in named]
    for n, percent in ((1, settings["test_share"]), (0, PERCENT)):
        if percent and not apart[n]:
            cut = [without_end(text, percent) for text in texts]
            texts, apart[n] = [text for text, _ in cut], [end for _, end in cut]
    return [(part, []) for part in (texts, *apart) if part]


def without_end(text: str, percent: int) -> tuple[str, str]:
    """A text without this part of it, and that end: from a new line on, if one begins there."""
    at = len(text) * (100 - percent) // 100
    line = text.find("\n", at, len(text) - 1) + 1
    return text[: line or at], text[line or at :]


def _taken(rows: list[Any], percent: int) -> tuple[Part, list[Any]]:
    count = len(rows) * percent // 100
    if not 0 < count < len(rows):
        raise Usage(f"{percent} % of {len(rows)} rows are {count}: that cannot be kept apart.")
    return _columns(rows[:count]), rows[count:]


def _columns(rows: list[Any]) -> Part:
    return [row[0] for row in rows], [row[1] for row in rows]


def digest(parts: list[Part]) -> str:
    """A digest of all texts."""
    whole = hashlib.sha256()
    for part in parts:
        for column in part:
            whole.update("\n".join(column).encode() + b"\0")
    return whole.hexdigest()
