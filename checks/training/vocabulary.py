"""Vocabularies of word pieces: byte-pair encoding (Sennrich et al. 2016), by `tokenizers`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from checks.engine.commands.words import Usage
from checks.training.kinds import Settings

SPECIAL = ("<pad>", "<bos>", "<eos>", "<unk>")
PAD, BOS, EOS, UNK = range(4)
LONG = re.compile(r"\S{1000,}")  # No word of a language.


class Vocabulary:
    """Text to ids and back: the learner's `translate` (step 5.5) gets this class, too."""

    pad_idx, bos_idx, eos_idx = PAD, BOS, EOS

    def __init__(self, tokenizer: Any, lower_case: bool):
        self.tokenizer = tokenizer
        self.lower_case = lower_case

    @classmethod
    def read(cls, path: Path, settings: Settings) -> Vocabulary:
        """The vocabulary of a file, as `learn` has made it."""
        return cls(library("tokenizers").Tokenizer.from_file(str(path)), settings["lower_case"])

    def __len__(self) -> int:
        return int(self.tokenizer.get_vocab_size())

    def encode(self, text: str) -> list[int]:
        """The ids of a text, followed by eos."""
        return self.encode_all([text])[0]

    def encode_all(self, texts: list[str]) -> list[list[int]]:
        cased = [text.lower() for text in texts] if self.lower_case else texts
        return [[*found.ids, EOS] for found in self.tokenizer.encode_batch(cased)]

    def decode(self, ids: list[int]) -> str:
        """The text of ids, without special tokens."""
        return str(self.tokenizer.decode(ids, skip_special_tokens=True)).strip()

    def as_text(self) -> str:
        return str(self.tokenizer.to_str())


def learn(texts: list[str], size: int, lower_case: bool) -> Vocabulary:
    """A vocabulary of at most `size` pieces, including the four special ones.

    Very long words teach it nothing: the pieces of one word are found in quadratic time.
    """
    tokenizers = library("tokenizers")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token=SPECIAL[UNK]))
    # A word carries the blank before it as "▁", so that its pieces can be joined again.
    blanks, signs = tokenizers.pre_tokenizers.Metaspace(), tokenizers.pre_tokenizers.Punctuation()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Sequence([blanks, signs])
    tokenizer.decoder = tokenizers.decoders.Metaspace()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=size, special_tokens=list(SPECIAL), show_progress=False
    )
    cased = [LONG.sub("", text.lower() if lower_case else text) for text in texts]
    tokenizer.train_from_iterator(cased, trainer)
    return Vocabulary(tokenizer, lower_case)


def cut(lines: list[str], vocabulary: Any, max_len: int) -> list[list[int]]:
    """The ids of each line, cut to max_len tokens; the last one, eos, is kept.

    A line that is cut is named on stderr.
    """
    ids: list[list[int]] = vocabulary.encode_all(lines)
    for number, row in enumerate(ids):
        if len(row) > max_len:
            start = lines[number][:40]
            told = f"{len(row)} tokens, cut to the {max_len} that the model was made for: {start} …"
            print(told, file=sys.stderr)
            ids[number] = [*row[: max_len - 1], row[-1]]
    return ids


def library(name: str) -> Any:
    """tokenizers or sacrebleu. Raises Usage with the command to install it if it is missing."""
    try:
        __import__(name)
    except ModuleNotFoundError:
        python = Path(sys.executable).name
        told = f"{name} is not installed; type {python} -m pip install -r requirements-train.txt"
        raise Usage(told) from None
    return sys.modules[name]
