"""Checks for s5_transformer/decoding.py."""

from collections.abc import Callable

import numpy as np

from checks import writer
from checks.decoding import beam, greedy, together
from checks.machine.language import (
    Fail,
    Function,
    Received,
    Submission,
    check,
    expect,
    expect_device,
    expect_mode,
    state,
)
from checks.searches import (
    BOS,
    EOS,
    TRG_PAD,
    VOCAB_SIZE,
    by_beam,
    differing,
    end,
    greedily,
    lengths,
    scripted,
    searched,
    with_a_tie,
)
from checks.writer import a_writer, ended

HINTS = [
    "Only bos is written. What does the model need to say what comes next? And after that?",
    "The model scores a next token at every place of what is written. Which place is new?",
    "Beam search adds up logarithms of probabilities: (live, vocab_size) sums, of which the best "
    "few are kept, whichever row they come from.",
    "token = logits.argmax(dim=-1).masked_fill(____, model.trg_pad_idx)",
]
LONG, MANY_WORDS = 26, 200  # In float32 the probability of such a text is 0, no logarithm is.


def greedy_decode(submission: Submission) -> Function:
    return submission.function("greedy_decode", greedy)


def beam_search(submission: Submission) -> Function:
    return submission.function("beam_search", beam)


def expect_tokens(got: Received, rows: list[list[int]], pad: int = TRG_PAD) -> None:
    """These rows; if they are shorter or longer, all of both are shown."""
    truth = together(rows, pad)
    try:
        expect(got, truth, dtype="int64")
    except Fail as fail:
        if fail.kind == "shape" and got.array is not None and got.array.ndim == 2:
            for who, shown in (("expected", truth), ("got", got.array)):
                fail.message += f"\n{who}"
                for row in shown[:5].tolist():
                    fail.message += "\n  " + " ".join(map(str, row))
        raise


@check
def the_best_next_token_is_written(submission: Submission) -> None:
    """From bos on, the token of the highest score is appended, given all that is written so far."""
    for max_len, batch_size in ((6, 3), (104, 1)):
        model, src, rows = scripted(
            submission, greedily(max_len), lambda r: lengths(r) == {max_len}, batch_size, ending=-9
        )

        tokens = greedy_decode(submission)(model, src, BOS, EOS, max_len)

        expect_tokens(tokens, rows)


@check
def rows_end_by_themselves(submission: Submission) -> None:
    """A row ends with eos; then it holds only padding, while the others go on."""
    for batch_size in (4, 1):
        model, src, rows = scripted(
            submission,
            greedily(12),
            lambda rows: all(end(rows)) and len(lengths(rows)) >= min(3, len(rows)),
            batch_size,
        )

        tokens = greedy_decode(submission)(model, src, BOS, EOS, 12)

        expect_tokens(tokens, rows)


@check
def max_len_is_the_most(submission: Submission) -> None:
    """There are at most max_len tokens, bos counted, whether the rows have ended or not."""
    for max_len in (1, 2, 5):
        model, src, rows = scripted(
            submission, greedily(max_len), lambda rows: any(end(rows)) or len(rows[0]) == 1
        )

        tokens = greedy_decode(submission)(model, src, BOS, EOS, max_len)

        expect_tokens(tokens, rows)


@check
def it_may_end_at_once(submission: Submission) -> None:
    """Where eos is the best first token, nothing else is written; all may end like that."""
    wanted: tuple[Callable[[list[list[int]]], bool], ...] = (
        lambda rows: 2 in lengths(rows) and max(lengths(rows)) > 3 and all(end(rows)),
        lambda rows: lengths(rows) == {2} and all(end(rows)),
    )
    for want, ending in zip(wanted, (0.0, 9.0)):
        model, src, rows = scripted(submission, greedily(9), want, ending=ending)

        tokens = greedy_decode(submission)(model, src, BOS, EOS, 9)

        expect_tokens(tokens, rows)


@check
def your_transformer_writes(submission: Submission) -> None:
    """With your own Transformer, greedy decoding writes what its formula says."""
    model, src, trg = a_writer(submission, marks=False, dropout=0.5)
    for eos, expected in ((writer.NEVER, trg), (writer.EOS, ended(trg))):
        tokens = greedy_decode(submission)(model, src, writer.BOS, eos, writer.MAX_LEN)

        expect(tokens, expected, dtype="int64")


@check
def a_beam_of_one_is_greedy(submission: Submission) -> None:
    """beam_search with beam_size 1 writes what greedy_decode writes."""
    model, src, rows = scripted(
        submission, greedily(9), lambda rows: len(lengths(rows)) > 2 and any(end(rows))
    )

    tokens = beam_search(submission)(model, src, BOS, EOS, 9, 1)

    expect_tokens(tokens, rows)


@check
def the_beam_finds_better_ones(submission: Submission) -> None:
    """Several hypotheses of a sentence grow side by side: a worse beginning may win."""
    for how in ((), (3,), (2, 0.6), (4, 0.6)):
        truth = by_beam(7, *how)
        model, src, rows = scripted(submission, truth, also=[greedily(7)])
        if submission.rng.random() < 0.9:  # Most often one in which greedy is not enough.
            model, src, rows = differing(submission, truth, greedily(7))

        tokens = beam_search(submission)(model, src, BOS, EOS, 7, *how)

        expect_tokens(tokens, rows)


@check
def finished_ones_stay_in_the_race(submission: Submission) -> None:
    """A hypothesis that ends in eos is kept; it may be beaten later, but it is not forgotten."""
    for max_len, beam_size in ((9, 3), (5, 4)):
        truth = by_beam(max_len, beam_size)
        model, src, rows = scripted(
            submission, truth, lambda rows: all(end(rows)) and len(lengths(rows)) > 2
        )

        tokens = beam_search(submission)(model, src, BOS, EOS, max_len, beam_size)

        expect_tokens(tokens, rows)


@check
def the_search_goes_on_after_the_first_end(submission: Submission) -> None:
    """A hypothesis that ends later may win, however likely one was that has ended before."""
    for hasty in (any, lambda ends: ends[0]):
        other = by_beam(10, 4, 2.0, hasty)
        model, src, rows = differing(submission, by_beam(10, 4, 2.0), other, 1, batch_size=6)

        tokens = beam_search(submission)(model, src, BOS, EOS, 10, 4, 2.0)

        expect_tokens(tokens, rows)


@check
def the_length_penalty_counts(submission: Submission) -> None:
    """log P is divided by ((5 + n) / 6)^length_penalty, eos counted in n, bos not."""
    one_more, one_less = ((2.0, None, np.inf, more) for more in (1, -1))
    for penalty, other in ((0.0, (0.6,)), (0.6, (1.2,)), (2.0, one_more), (2.0, one_less)):
        truth = by_beam(10, 4, penalty)
        model, src, rows = differing(submission, truth, by_beam(10, 4, *other), 1, batch_size=2)

        tokens = beam_search(submission)(model, src, BOS, EOS, 10, 4, penalty)

        expect_tokens(tokens, rows)


@check
def four_and_six_tenths_are_the_defaults(submission: Submission) -> None:
    """beam_size is 4 and length_penalty 0.6, as in the paper, where nothing else is said."""
    for other in ((4, 0.0), (3, 0.6), (5, 0.6), (4, 1.0)):
        model, src, rows = differing(submission, by_beam(9), by_beam(9, *other), 1, batch_size=2)

        tokens = beam_search(submission)(model, src, BOS, EOS, 9)

        expect_tokens(tokens, rows)


@check
def without_an_end_the_best_is_returned(submission: Submission) -> None:
    """If no hypothesis has finished at max_len, the best live one is the answer."""
    for max_len, batch_size in ((4, 3), (1, 3), (60, 1)):
        truth = by_beam(max_len, 3)
        model, src, rows = scripted(
            submission, truth, lambda r: not any(end(r)), batch_size, ending=-90
        )

        tokens = beam_search(submission)(model, src, BOS, EOS, max_len, 3)

        expect_tokens(tokens, rows)


@check
def a_long_text_may_be_searched(submission: Submission) -> None:
    """However unlikely a text becomes, token by token: the likeliest beginnings are kept."""
    model, src, rows = scripted(
        submission, by_beam(LONG, 2), batch_size=1, ending=-90, vocab_size=MANY_WORDS
    )

    tokens = beam_search(submission)(model, src, BOS, EOS, LONG, 2)

    expect_tokens(tokens, rows)


@check
def equal_ones_may_meet(submission: Submission) -> None:
    """Two hypotheses may be equally likely: the best of all is returned all the same."""
    model, src, rows = with_a_tie(submission)

    tokens = beam_search(submission)(model, src, BOS, EOS, 6, 3)

    expect_tokens(tokens, rows)


@check
def a_beam_may_be_wider_than_the_vocabulary(submission: Submission) -> None:
    """With more hypotheses than there are words, the first step keeps as many as there are."""
    for beam_size in (VOCAB_SIZE + 5, 3 * VOCAB_SIZE):
        wide, narrow = (by_beam(5, beam_size, 2.0, None, n) for n in (np.inf, VOCAB_SIZE))
        model, src, rows = differing(submission, wide, narrow, least=1)

        tokens = beam_search(submission)(model, src, BOS, EOS, 5, beam_size, 2.0)

        expect_tokens(tokens, rows)


@check
def bos_and_eos_are_arguments(submission: Submission) -> None:
    """Other numbers for bos, eos and padding do as well; one of them may be 0."""
    for function, search in ((greedy_decode, greedily), (beam_search, by_beam)):
        for bos, eos, pad in ((0, 1, TRG_PAD), (BOS, 0, TRG_PAD), (BOS, EOS, 0)):

            def wanted(rows: list[list[int]], eos: int = eos) -> bool:
                return len(lengths(rows)) > 1 and any(row[-1] == eos for row in rows)

            truth = search(8, bos=bos, eos=eos)
            model, src, rows = scripted(submission, truth, wanted, rare=(pad, bos))

            tokens = function(submission)(model, src, bos, eos, 8)

            expect_tokens(tokens, rows, pad)


@check
def your_transformer_searches(submission: Submission) -> None:
    """With your own Transformer, beam search finds what its formula says."""
    model, src, rows = searched(submission, max_len=5, beam_size=3)

    tokens = beam_search(submission)(model, src, writer.BOS, writer.EOS, 5, 3)

    expect_tokens(tokens, rows)


@check
def decoding_is_evaluation(submission: Submission) -> None:
    """Both decode in eval mode, without dropout, and leave the model in the mode it was in."""
    for function, truth in ((greedy_decode, greedily(6)), (beam_search, by_beam(6))):
        asked = []
        for max_len, trains in ((6, True), (6, False), (1, True)):
            model, src, rows = scripted(submission, truth)
            model.trains = trains

            tokens = function(submission)(model, src, BOS, EOS, max_len)

            expect_tokens(tokens, rows if max_len > 1 else [[BOS]] * len(rows))
            asked.append((tokens, state(submission, model), trains))
        for after in asked:  # Only now, for what is lost in one mode may be kept in the other.
            expect_mode(*after)


@check
def decoding_has_manners(submission: Submission) -> None:
    """Each call begins anew, with other sources, or when the model has learned; a sentence may
    stand in a batch twice; the source stays as it was.
    """
    for function, truth in ((greedy_decode, greedily(6)), (beam_search, by_beam(6))):
        model, src, rows = scripted(submission, truth)
        learned, _, other_rows = scripted(submission, truth, given=src, shift=1)

        for order, expected in (
            ([0, 1, 2, 1, 0], rows),
            ([2, 1, 0], rows),
            ([0, 1, 2, 1, 0], other_rows),
        ):
            if expected is other_rows:
                model.becomes(learned)
            tokens, answer = function(submission).called(model, src[order], BOS, EOS, 6)

            if answer["changed"]:
                sentence = "The call changed the source in place."
                raise Fail("mutation", tokens.say(sentence), shows="argument-changed")
            expect_tokens(tokens, [expected[row] for row in order])


@check
def it_works_where_the_source_is(submission: Submission) -> None:
    """What is made on the way is on the device of the source (here meta stands for one)."""
    for function, truth in ((greedy_decode, greedily(4)), (beam_search, by_beam(4))):
        model, src, _ = scripted(submission, truth)

        expect_device(function(submission), model, src[:2], BOS, EOS, 3)
