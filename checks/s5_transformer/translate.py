"""Checks for s5_transformer/translate.py."""

from functools import partial

import numpy as np

from checks.decoding import Found, greedy
from checks.machine.language import (
    Function,
    Oracle,
    Received,
    Submission,
    Words,
    check,
    expect_device,
    expect_mode,
    expect_text,
    state,
    tries,
)

HINTS = [
    "What does the model read and write, and which of the two vocabularies speaks it?",
    "encode gives a list of numbers, the model wants a batch: (1, src_len).",
    "Of what is decoded, which tokens are words of the translation? Not the first, and nothing "
    "from the end token on.",
    "src = torch.tensor([____], dtype=torch.int64, device=device)",
]
SOURCE = ["null", "a", "B", "c", "end", "D", "e", "f", "begin"]
TARGET = ["U", "V", "W", "begin", "X", "pad", "end", "Y"]
SRC_PAD, TRG_PAD, BOS, EOS = 0, 5, 3, 6  # Of the source: begin 8, end 4, which mean other things.
# Words that are others when blanks, signs or lines are put in order; "" stands between two blanks.
ODD_SOURCE = ["null", "a.", "", "½", "end", "D,e", "'f\n", "\t-", "begin"]
ODD_SOURCE += ["a", ".", "D", ",", "e", "De", "1⁄2", "'f", "-"]  # What comes of them then.
ODD_TARGET = [f"{word.lower()} .  ▁@@ &amp;" for word in TARGET]  # Any of them tells.
MARGIN = 1e-3


def translate(submission: Submission) -> Function:
    return submission.function("translate", greedy)


def vocabularies(
    submission: Submission,
    around: tuple[list[int], list[int]] = ([], []),
    words: tuple[list[str], list[str]] = (SOURCE, TARGET),
    bos: int = BOS,
    eos: int = EOS,
) -> tuple[Words, Words]:
    return (
        Words(submission, words[0], SRC_PAD, 8, 4, around),
        Words(submission, words[1], TRG_PAD, bos, eos, ([bos], [eos])),
    )


def a_text(submission: Submission, length: int) -> str:
    words = ["a", "B", "c", "D", "e", "f"]
    return " ".join(submission.rng.choice(words, length))


def scripted(
    submission: Submission,
    source: Words,
    text: str,
    max_len: int,
    ends: bool,
    least: int = 4,
    bos: int = BOS,
    eos: int = EOS,
    **settings: int,
) -> tuple[Oracle, list[int]]:
    """A model whose scores are known, and the ids that it should write, from bos on; with clear
    choices, and `least` of them or more.
    """
    for _ in tries():
        model = Oracle(submission, len(TARGET), SRC_PAD, TRG_PAD, (TRG_PAD, bos), **settings)
        model.bonus[:, eos] += 0 if ends else -9
        src = np.array(source.encode(text))

        def found(model: Oracle = model, src: np.ndarray = src) -> Found:
            return greedy(lambda tokens: model.next(src, tokens), bos, eos, max_len)

        ids, margin = found()
        if margin > MARGIN and len(ids) >= least and (ids[-1] == eos) == ends:
            break
    return model, ids


def expect_translation(
    got: Received, text: str, source: Words, target: Words, ids: list[int], eos: int = EOS
) -> None:
    """What these ids say; if it is something else, what the model was to read and write is said."""
    read, written = (" ".join(map(str, some[:12])) for some in (source.encode(text), ids))
    more = " …" if len(ids) > 12 else ""
    facts = f"encode gives {read}. When the model reads that, it writes {written}{more}."
    words = ids[1:-1] if ids[-1] == eos else ids[1:]
    expect_text(got, target.decode(words), facts)


@check
def a_text_becomes_a_text(submission: Submission) -> None:
    """The source's ids are decoded greedily, and the ids between bos and eos become the text."""
    for length in (4, 1, 6):
        source, target = vocabularies(submission)
        text = a_text(submission, length)
        model, ids = scripted(submission, source, text, 64, ends=True)

        got = translate(submission)(model, text, source, target)

        expect_translation(got, text, source, target, ids)


@check
def the_vocabularies_have_the_text(submission: Submission) -> None:
    """Text goes in and comes out as the vocabularies have it: blanks, signs, lines are theirs."""
    for _ in range(2):
        source, target = vocabularies(submission, words=(ODD_SOURCE, ODD_TARGET))
        odd = " ".join(submission.rng.permutation(["", "½", "D,e", "'f\n", "\t-", "a."]))
        text = f"a. {odd} a."
        model, ids = scripted(submission, source, text, 64, ends=True, least=6)

        got = translate(submission)(model, text, source, target)

        expect_translation(got, text, source, target, ids)


@check
def bos_and_eos_may_be_0(submission: Submission) -> None:
    """The target's bos and eos are those of its vocabulary, also where one of them is 0."""
    for bos, eos in ((0, EOS), (BOS, 0)):
        source, target = vocabularies(submission, bos=bos, eos=eos)
        text = a_text(submission, 4)
        model, ids = scripted(submission, source, text, 64, True, bos=bos, eos=eos)

        got = translate(submission)(model, text, source, target)

        expect_translation(got, text, source, target, ids, eos)


@check
def the_source_is_encoded_as_it_is(submission: Submission) -> None:
    """What encode gives is what the model reads: nothing is added to it, nothing is taken off."""
    for around in (([8], [4]), ([], [4]), ([], [])):
        source, target = vocabularies(submission, around)
        text = a_text(submission, 3)
        model, ids = scripted(submission, source, text, 64, ends=True, src_max_len=9)

        got = translate(submission)(model, text, source, target)

        expect_translation(got, text, source, target, ids)


@check
def max_len_is_the_limit(submission: Submission) -> None:
    """Without an end there are max_len tokens, bos counted: 64, if nothing else is said."""
    for more in ((7,), (2,), (1,), (104,), ()):
        source, target = vocabularies(submission)
        most = more[0] if more else 64
        for _ in tries():
            text = a_text(submission, 70 if more == (104,) else 9)
            model, ids = scripted(submission, source, text, most, ends=False, least=most)
            src = np.array(source.encode(text))
            cuts = {model.source(src[:n]) for n in (most, 50, 60, 64) if n < len(src)}
            if model.source(src) not in cuts:
                break  # It is seen whether anything cuts the source, too.

        got = translate(submission)(model, text, source, target, *more)

        expect_translation(got, text, source, target, ids)


@check
def nothing_may_be_said(submission: Submission) -> None:
    """Where the model ends at once, the translation is what decode makes of no ids."""
    source, target = vocabularies(submission)
    text = a_text(submission, 4)
    for _ in tries():
        model, ids = scripted(submission, source, text, 64, ends=True, least=2)
        if len(ids) == 2:
            break

    got = translate(submission)(model, text, source, target)

    expect_translation(got, text, source, target, ids)


@check
def translating_is_evaluation(submission: Submission) -> None:
    """Nothing is dropped while translating, and the model stays in the mode it was in."""
    for trains in (True, False):
        source, target = vocabularies(submission)
        text = a_text(submission, 5)
        model, ids = scripted(submission, source, text, 64, ends=True)
        model.trains = trains

        for _ in range(2):
            got = translate(submission)(model, text, source, target)
            model.trains = None

            expect_translation(got, text, source, target, ids)
        expect_mode(got, state(submission, model), trains)


@check
def every_call_begins_anew(submission: Submission) -> None:
    """Another text, another model, the first again, then trained: no call leaves anything."""
    source, target = vocabularies(submission)
    text = a_text(submission, 4)
    second, ids_of_second = scripted(submission, source, text, 64, ends=True, shift=1)
    for _ in tries():
        first, ids = scripted(submission, source, text, 64, ends=True)
        other = a_text(submission, 5)  # To be drawn again where the model takes both for the same.
        src = np.array(source.encode(other))
        ids_of_other, margin = greedy(partial(first.next, src), BOS, EOS, 64)
        if margin > MARGIN and ids_of_other != ids != ids_of_second:
            break
    ask = translate(submission)

    answers = [ask(first, text, source, target), ask(first, other, source, target)]
    answers += [ask(second, text, source, target), ask(first, text, source, target)]
    first.becomes(second)
    answers.append(ask(first, text, source, target))

    texts = (text, other, text, text, text)
    written = (ids, ids_of_other, ids_of_second, ids, ids_of_second)
    for got, read, wanted in zip(answers, texts, written):
        expect_translation(got, read, source, target, wanted)


@check
def the_source_goes_to_the_model(submission: Submission) -> None:
    """The ids are on the device of the model, wherever that is (here meta stands for one)."""
    source, target = vocabularies(submission)
    model = Oracle(submission, len(TARGET), SRC_PAD, TRG_PAD)

    expect_device(translate(submission), model, a_text(submission, 4), source, target, 6)
