"""The meaning of texts as vectors, by the learner's encoder; those of a file are kept."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from checks.engine.commands.words import Usage
from checks.engine.files.progress import write_whole
from checks.engine.files.told import said_if_not_kept
from checks.speaking.bert import TOKENS, Loaded
from checks.training.vocabulary import library

BATCH = 4096  # Tokens of a batch, padding counted.
Vectors = NDArray[np.float32]
_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+")


class Text(NamedTuple):
    """A text of a file, and the number of its first line, from 1."""

    line: int
    text: str


def lines_of(lines: list[str]) -> list[Text]:
    """Every line that is not empty."""
    return [Text(number, line) for number, line in enumerate(lines, 1) if line]


def sentences_of(lines: list[str]) -> list[Text]:
    """Every sentence. Lines without an empty one between them go on."""
    found, paragraph, begins = [], "", [0]
    for number, line in enumerate([*lines, ""], 1):
        if line:
            begins += [number] * (len(line) + 1)
            paragraph += line + " "
            continue
        at = 0
        for end in [*(match.end() for match in _END.finditer(paragraph)), len(paragraph)]:
            if paragraph[at:end].strip():
                found.append(Text(begins[1 + at], paragraph[at:end].strip()))
            at = end
        paragraph, begins = "", [0]
    return found


class Reader:
    """Texts in, vectors of length 1 out."""

    def __init__(self, folder: Path, longest: int):
        try:
            self.tokenizer = library("tokenizers").Tokenizer.from_file(str(folder / TOKENS))
        except Usage:
            raise
        except Exception as error:  # The library raises no other kind.
            raise Usage(f"{folder / TOKENS} cannot be read: {error}") from None
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(longest)

    def ids(self, texts: list[str]) -> list[list[int]]:
        """The tokens of each text, with the special ones at both ends, cut to the longest."""
        return [one.ids for one in self.tokenizer.encode_batch(texts)]

    def vectors(
        self, loaded: Loaded, texts: list[str], seen: Callable[[int], None] = lambda n: None
    ) -> Vectors:
        """(len(texts), dim_vector). `seen` gets the number of texts that are done."""
        found: dict[int, Vectors] = {}
        ids, done = self.ids(texts), 0
        for batch in _batches(ids):
            tokens, mask = padded([ids[n] for n in batch])
            given = torch.from_numpy(tokens), torch.from_numpy(mask)
            with torch.no_grad():
                out = loaded.encoder(given[0], None, given[1])
                rows = loaded.sentence_vectors(out, given[1]).float().numpy()
            found |= dict(zip(batch, rows))
            done += len(batch)
            seen(done)
        return np.stack([found[n] for n in range(len(texts))])


def padded(rows: list[list[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Tokens and mask, (len(rows), the longest); padding is 0 in both."""
    tokens = np.zeros((len(rows), max(map(len, rows))), np.int64)
    mask = np.zeros_like(tokens)
    for n, row in enumerate(rows):
        tokens[n, : len(row)], mask[n, : len(row)] = row, 1
    return tokens, mask


def _batches(ids: list[list[int]]) -> Iterator[list[int]]:
    """The numbers of texts that are read together: texts of like lengths, the longest first."""
    batch: list[int] = []
    for n in sorted(range(len(ids)), key=lambda n: -len(ids[n])):
        if batch and (len(batch) + 1) * len(ids[batch[0]]) > BATCH:
            yield batch
            batch = []
        batch.append(n)
    yield batch


def kept(place: Path, made_of: list[str], make: Callable[[], Vectors]) -> Vectors:
    """The vectors in the file `place`, if they were made of the same; else made now and kept."""
    key = hashlib.sha256("\0".join(made_of).encode()).hexdigest()
    try:
        with np.load(place) as file:
            if str(file["key"]) == key:
                vectors: Vectors = file["vectors"]
                return vectors
    except Exception:  # There is none, or it is cut.
        pass
    vectors = make()
    content = io.BytesIO()
    np.savez(content, key=np.array(key), vectors=vectors)
    with said_if_not_kept("The vectors are", place):
        write_whole(place, content.getvalue())
    return vectors


def nearest(vectors: Vectors, question: Vectors, most: int) -> list[tuple[int, float]]:
    """The numbers of the texts whose vectors are nearest to that of the question, with the
    cosines.
    """
    cosines: Any = vectors @ question
    order = np.argsort(-cosines, kind="stable")[:most]
    return [(int(n), float(cosines[n])) for n in order]
