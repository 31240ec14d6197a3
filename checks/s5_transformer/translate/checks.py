"""Checks for s5_transformer/translate.py."""

import numpy as np

from checks.engine.language import (
    Function,
    Submission,
    check,
    expect_device,
    expect_mode,
    state,
    tries,
)
from checks.s5_transformer.translate.setting import (
    BOS,
    EOS,
    MARGIN,
    SOURCE,
    SRC_PAD,
    TARGET,
    TRG_PAD,
    expect_translation,
    expect_with_or_without,
    scripted,
)
from checks.scenes.stand_ins import ToyModel, Words
from checks.truth.decoding import greedy

# Words that change if blanks, signs or lines are normalised; "" stands between two blanks.
ODD_SOURCE = ["null", "a.", "", "½", "end", "D,e", "'f\n", "\t-", "begin"]
ODD_SOURCE += ["a", ".", "D", ",", "e", "De", "1⁄2", "'f", "-"]  # The same words after that.
ODD_SOURCE += ["e\N{COMBINING ACUTE ACCENT}", "\N{LATIN SMALL LETTER E WITH ACUTE}"]
ODD_SOURCE += ["a\N{NO-BREAK SPACE}-"]
ODD_TARGET = [f"{word.lower()} .  ▁@@ &amp;" for word in TARGET]  # Each of them shows it.
LONG, MANY_WORDS = 520, 1_100  # Tokens; words of a vocabulary.
CUTS = (50, 60, 64, 100, 128, 256, 512, LONG)


def translate(submission: Submission, dtype: str = "float32") -> Function:
    return submission.function("translate", dtype=dtype)


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


@check
def a_text_becomes_a_text(submission: Submission) -> None:
    """The source's ids are decoded greedily, and the ids between bos and eos become the text."""
    for length in (4, 1, 6):
        source, target = vocabularies(submission)
        text = a_text(submission, length)
        model, ids = scripted(submission, source, text, 64, ends=True)

        for records in (True, False):
            got = translate(submission).called(model, text, source, target, records=records)

            expect_translation(got, text, source, target, ids)


@check
def the_vocabularies_have_the_text(submission: Submission) -> None:
    """Only the vocabularies change the text: spaces, punctuation and lines stay as they are."""
    for around in ("a. {} a.", " {} ", "'f\n {} 'f\n"):  # Blanks and lines at both ends, too.
        source, target = vocabularies(submission, words=(ODD_SOURCE, ODD_TARGET))
        words = ["", "½", "D,e", "'f\n", "\t-", "a.", *ODD_SOURCE[-3:]]
        odd = " ".join(submission.rng.permutation(words))
        text = around.format(odd)
        model, ids = scripted(submission, source, text, 64, ends=True, least=6)

        got = translate(submission)(model, text, source, target)

        expect_translation(got, text, source, target, ids)


@check
def a_blank_text_is_a_text(submission: Submission) -> None:
    """A text of blanks is encoded and translated like any other."""
    for text in ("", "  "):
        source, target = vocabularies(submission, words=(ODD_SOURCE, ODD_TARGET))
        model, ids = scripted(submission, source, text, 64, ends=True)

        got = translate(submission)(model, text, source, target)

        expect_translation(got, text, source, target, ids)


@check
def bos_and_eos_may_be_0(submission: Submission) -> None:
    """bos and eos come from the target vocabulary: one may be 0, and both may be the same."""
    for bos, eos in ((0, EOS), (BOS, 0), (EOS, EOS)):
        source, target = vocabularies(submission, bos=bos, eos=eos)
        text = a_text(submission, 4)
        model, ids = scripted(submission, source, text, 64, True, bos=bos, eos=eos)

        got = translate(submission)(model, text, source, target)

        expect_translation(got, text, source, target, ids, eos)


@check
def padding_ends_nothing(submission: Submission) -> None:
    """A model may write padding between two words. You may keep it or leave it out."""
    source, target = vocabularies(submission)
    text = a_text(submission, 5)
    model, ids = scripted(submission, source, text, 64, ends=True, pads=True)

    got = translate(submission)(model, text, source, target)

    words = [token for token in ids if token != TRG_PAD]
    expect_with_or_without(got, text, source, target, ids, words)


@check
def ids_may_be_large(submission: Submission) -> None:
    """A vocabulary may have hundreds of words, and eos may be the last of them."""
    names = [*TARGET, *(f"word{n}" for n in range(MANY_WORDS - len(TARGET)))]
    eos = MANY_WORDS - 1
    source, target = vocabularies(submission, words=(SOURCE, names), eos=eos)
    text = a_text(submission, 4)
    model, ids = scripted(
        submission, source, text, 200, ends=True, eos=eos, vocab_size=MANY_WORDS, ending=3.0
    )

    got = translate(submission)(model, text, source, target, 200)

    expect_translation(got, text, source, target, ids, eos)


@check
def the_source_is_encoded_as_it_is(submission: Submission) -> None:
    """The model reads exactly what encode returns: nothing is added or removed."""
    for around in (([8], [4]), ([], [4]), ([], [])):
        source, target = vocabularies(submission, around)
        text = f"{a_text(submission, 2)} {SOURCE[SRC_PAD]} {a_text(submission, 1)}"
        model, ids = scripted(submission, source, text, 64, ends=True, src_max_len=9)

        got = translate(submission)(model, text, source, target)

        expect_translation(got, text, source, target, ids)


@check
def max_len_is_the_limit(submission: Submission) -> None:
    """Without an end there are max_len tokens (default 64), bos included."""
    for more in ((7,), (2,), (1,), (LONG,), ()):
        source, target = vocabularies(submission)
        most = more[0] if more else 64
        for _ in tries():
            text = a_text(submission, LONG + 40 if more == (LONG,) else 9)
            model, ids = scripted(submission, source, text, most, ends=False, least=most)
            src = np.array(source.encode(text))
            cuts = {model.source(src[:n]) for n in CUTS if n < len(src)}
            if model.source(src) not in cuts:
                break  # Now it is seen whether the source is cut, too.

        got = translate(submission)(model, text, source, target, *more)

        expect_translation(got, text, source, target, ids)


@check
def the_end_may_come_last(submission: Submission) -> None:
    """If the last of max_len tokens is eos, it is no part of the text."""
    source, target = vocabularies(submission)
    text = a_text(submission, 5)
    model, ids = scripted(submission, source, text, 64, ends=True)

    got = translate(submission)(model, text, source, target, len(ids))

    expect_translation(got, text, source, target, ids)


@check
def nothing_may_be_said(submission: Submission) -> None:
    """If the model ends at once, the translation is what decode returns for an empty list."""
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
    """Nothing is dropped while translating, and the model stays in the mode in which it came."""
    for trains, dtype in ((True, "float32"), (False, "float64")):
        source, target = vocabularies(submission)
        text = a_text(submission, 5)
        model, ids = scripted(submission, source, text, 64, ends=True, frozen=True)
        model.trains = trains

        for _ in range(2):
            got = translate(submission, dtype)(model, text, source, target)
            model.trains = None

            expect_translation(got, text, source, target, ids)
        expect_mode(got, state(submission, model), trains, model.FROZEN, dtype)


@check
def every_call_begins_anew(submission: Submission) -> None:
    """Nothing is kept from an earlier call: the text, the model or its weights may be others."""
    source, target = vocabularies(submission)
    text = a_text(submission, 4)
    second, ids_of_second = scripted(submission, source, text, 64, ends=True, shift=1)
    for _ in tries():
        first, ids = scripted(submission, source, text, 64, ends=True)
        other = a_text(submission, 5)  # Drawn again if the model cannot see the difference.
        src = np.array(source.encode(other))
        ids_of_other, margin = greedy(first.reading(src), BOS, EOS, 64)
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
    """The ids are on the device of the model (here the meta device)."""
    source, target = vocabularies(submission)
    model = ToyModel(submission, len(TARGET), SRC_PAD, TRG_PAD)

    expect_device(translate(submission), model, a_text(submission, 4), source, target, 6)
