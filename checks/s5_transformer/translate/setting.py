"""What the checks of s5_transformer/translate.py build and ask."""

from __future__ import annotations

from typing import Any

import numpy as np

from checks.engine.language import Got, Received, Submission, expect_text, expectation, tries
from checks.scenes.stand_ins import ToyModel, Words
from checks.truth.decoding import Found, greedy

SOURCE = ["null", "a", "B", "c", "end", "D", "e", "f", "begin"]
TARGET = ["U", "V", "W", "begin", "X", "pad", "end", "Y"]
SRC_PAD, TRG_PAD, BOS, EOS = 0, 5, 3, 6  # For the source, begin 8 and end 4 have other meanings.
MARGIN = 1e-3


def scripted(
    submission: Submission,
    source: Words,
    text: str,
    max_len: int,
    ends: bool,
    least: int = 4,
    bos: int = BOS,
    eos: int = EOS,
    pads: bool = False,
    vocab_size: int = len(TARGET),
    ending: float = 0.0,
    **settings: Any,
) -> tuple[ToyModel, list[int]]:
    """A model with known scores, and the ids that it should write, from bos on.

    All choices are clear, and it writes `least` ids or more. `ending` makes eos more likely.
    `pads`: one padding is between words, so that a 5.4 which counts the words of a row loses no
    more than eos.
    """
    for _ in tries():
        pad = () if pads else (TRG_PAD,)
        rare = pad if bos == eos else (*pad, bos)
        model = ToyModel(submission, vocab_size, SRC_PAD, TRG_PAD, rare, **settings)
        model.bonus[:, eos] += ending if ends else -9
        src = np.array(source.encode(text))

        def found(model: ToyModel = model, src: np.ndarray = src) -> Found:
            return greedy(model.reading(src), bos, eos, max_len)

        ids, margin = found()
        if margin > MARGIN and len(ids) >= least and (ids[-1] == eos) == ends:
            if not pads or (TRG_PAD in ids[2:-2] and ids.count(TRG_PAD) == 1):
                break
    return model, ids


def expect_translation(
    got: Got, text: str, source: Words, target: Words, ids: list[int], eos: int = EOS
) -> None:
    """Fail, with the model's input and output, unless `got` is the text of these ids."""
    read, written = (" ".join(map(str, some[:12])) for some in (source.encode(text), ids))
    more = " …" if len(ids) > 12 else ""
    facts = f"encode gives {read}. When the model reads that, it writes {written}{more}."
    words = ids[1:-1] if ids[-1] == eos else ids[1:]
    toy = f'The toy vocabulary decodes {words[:3]} to "{target.decode(words[:3])}".'
    expect_text(got, target.decode(words), f"{facts}\n{toy}")


@expectation
def expect_with_or_without(
    got: Received, text: str, source: Words, target: Words, ids: list[int], words: list[int]
) -> None:
    """Fail unless `got` is the text of all ids, or of the words among them."""
    left_out = got.plain == target.decode(words[1:-1])
    expect_translation(got, text, source, target, words if left_out else ids)
