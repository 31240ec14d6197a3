"""Checks for s5_transformer/decoding.py."""

import numpy as np

from checks.engine.language import (
    Function,
    Submission,
    check,
    expect_device,
    expect_mode,
    expect_unchanged,
    state,
    tries,
)
from checks.s5_transformer.decoding import greedy
from checks.s5_transformer.decoding.greedy import LONG, MANY, MANY_WORDS, greedy_decode
from checks.scenes import writer
from checks.scenes.searches import (
    BOS,
    EOS,
    MARKED,
    SRC_PAD,
    TRG_PAD,
    VOCAB_SIZE,
    by_beam,
    differing,
    end,
    expect_tokens,
    greedily,
    lengths,
    no_next_token_helps,
    one_has_ended,
    scripted,
    searched,
    the_likeliest_has_ended,
    with_a_tie,
    won_by_the_last,
)

PARTS = [greedy]
CUTS = (64, 100, 128, 256, 512)  # Lengths to which a source might be cut.
UNLIKELY = 130  # Tokens: in float32 the probability of such a text is 0; its logarithm is not.


def beam_search(submission: Submission) -> Function:
    return submission.function("beam_search")


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
    """Several hypotheses of a sentence grow side by side; one with a worse beginning may win."""
    for how in ((), (3,), (2, 0.6), (4, 0.6)):
        truth = by_beam(7, *how)
        model, src, rows = scripted(submission, truth, also=[greedily(7)])
        if submission.rng.random() < 0.9:  # Usually one in which greedy is not enough.
            model, src, rows = differing(submission, truth, greedily(7))

        tokens = beam_search(submission)(model, src, BOS, EOS, 7, *how)

        expect_tokens(tokens, rows)


@check
def padding_may_be_in_the_best_hypothesis(submission: Submission) -> None:
    """In beam search, too, padding or bos with a high score is written like any other token."""
    for wanted, settings in MARKED:
        model, src, rows = scripted(submission, by_beam(7), wanted, **settings)

        tokens = beam_search(submission)(model, src, BOS, EOS, 7)

        expect_tokens(tokens, rows)


@check
def without_an_end_the_best_is_returned(submission: Submission) -> None:
    """If no hypothesis has finished at max_len, the best live one is returned."""
    for max_len, batch_size in ((4, 3), (1, 3), (60, 1)):
        truth = by_beam(max_len, 3)
        model, src, rows = scripted(
            submission, truth, lambda r: not any(end(r)), batch_size, ending=-90
        )

        tokens = beam_search(submission)(model, src, BOS, EOS, max_len, 3)

        expect_tokens(tokens, rows)


@check
def finished_ones_stay_in_the_race(submission: Submission) -> None:
    """A hypothesis that ends in eos is kept; a later one may beat it."""
    for max_len, beam_size in ((9, 3), (5, 4)):
        truth = by_beam(max_len, beam_size)
        model, src, rows = scripted(
            submission, truth, lambda rows: all(end(rows)) and len(lengths(rows)) > 2
        )

        tokens = beam_search(submission)(model, src, BOS, EOS, max_len, beam_size)

        expect_tokens(tokens, rows)


@check
def the_search_goes_on_after_the_first_end(submission: Submission) -> None:
    """A hypothesis that ends later may win, however likely an earlier one was."""
    for hasty in (one_has_ended, the_likeliest_has_ended, no_next_token_helps(2.0)):
        other = by_beam(10, 4, 2.0, hasty)
        model, src, rows = differing(submission, by_beam(10, 4, 2.0), other, 1, batch_size=6)

        tokens = beam_search(submission)(model, src, BOS, EOS, 10, 4, 2.0)

        expect_tokens(tokens, rows)


@check
def the_length_penalty_counts(submission: Submission) -> None:
    """log P is divided by ((5 + n) / 6)^length_penalty; n counts eos but not bos."""
    one_more, one_less = ((2.0, None, np.inf, more) for more in (1, -1))
    for penalty, other in ((0.0, (0.6,)), (0.6, (1.2,)), (2.0, one_more), (2.0, one_less)):
        truth = by_beam(10, 4, penalty)
        model, src, rows = differing(submission, truth, by_beam(10, 4, *other), 1, batch_size=2)

        tokens = beam_search(submission)(model, src, BOS, EOS, 10, 4, penalty)

        expect_tokens(tokens, rows)


@check
def four_and_six_tenths_are_the_defaults(submission: Submission) -> None:
    """The default of beam_size is 4 and that of length_penalty 0.6, as in the paper."""
    for other in ((4, 0.0), (3, 0.6), (5, 0.6), (4, 1.0)):
        model, src, rows = differing(submission, by_beam(9), by_beam(9, *other), 1, batch_size=2)

        tokens = beam_search(submission)(model, src, BOS, EOS, 9)

        expect_tokens(tokens, rows)


@check
def equal_ones_may_meet(submission: Submission) -> None:
    """If two hypotheses are equally likely, the best of all is still returned."""
    model, src, rows = with_a_tie(submission)

    tokens = beam_search(submission)(model, src, BOS, EOS, 6, 3)

    expect_tokens(tokens, rows)


@check
def a_beam_may_be_wide(submission: Submission) -> None:
    """With a large beam_size, hundreds of hypotheses are kept, and the last of them may win. The id
    eos_idx may be large, too.
    """
    for eos, max_len in ((EOS, 3), (MANY_WORDS - 1, 5)):
        model, src, rows = won_by_the_last(submission, MANY, MANY_WORDS, eos)

        tokens = beam_search(submission)(model, src, BOS, eos, max_len, MANY)

        expect_tokens(tokens, rows)


@check
def a_beam_may_be_wider_than_the_vocabulary(submission: Submission) -> None:
    """If beam_size is larger than the vocabulary, the first step keeps one hypothesis per word."""
    for beam_size in (VOCAB_SIZE + 5, 3 * VOCAB_SIZE):
        wide, narrow = (by_beam(5, beam_size, 2.0, None, n) for n in (np.inf, VOCAB_SIZE))
        model, src, rows = differing(submission, wide, narrow, least=1)

        tokens = beam_search(submission)(model, src, BOS, EOS, 5, beam_size, 2.0)

        expect_tokens(tokens, rows)


@check
def a_long_text_may_be_searched(submission: Submission) -> None:
    """Beam search keeps the most likely hypotheses, even if a long text is very unlikely."""
    model, src, rows = scripted(
        submission, by_beam(UNLIKELY, 2), batch_size=1, ending=-90, vocab_size=MANY_WORDS
    )

    tokens = beam_search(submission)(model, src, BOS, EOS, UNLIKELY, 2)

    expect_tokens(tokens, rows)


@check
def your_transformer_searches(submission: Submission) -> None:
    """With your own Transformer, beam search finds what the formula gives."""
    model, src, rows = searched(submission, max_len=5, beam_size=3)

    tokens = beam_search(submission)(model, src, writer.BOS, writer.EOS, 5, 3)

    expect_tokens(tokens, rows)


@check
def bos_and_eos_are_arguments(submission: Submission) -> None:
    """Other ids for bos, eos and padding work as well: one may be 0, and bos may be eos."""
    for function, search in ((greedy_decode, greedily), (beam_search, by_beam)):
        for bos, eos, pad in ((0, 1, TRG_PAD), (BOS, 0, TRG_PAD), (BOS, EOS, 0), (4, 4, TRG_PAD)):

            def wanted(rows: list[list[int]], eos: int = eos) -> bool:
                return len(lengths(rows)) > 1 and any(row[-1] == eos for row in rows)

            truth = search(8, bos=bos, eos=eos)
            rare = (pad, pad if bos == eos else bos)
            model, src, rows = scripted(submission, truth, wanted, rare=rare)

            tokens = function(submission)(model, src, bos, eos, 8)

            expect_tokens(tokens, rows, pad)


@check
def decoding_is_evaluation(submission: Submission) -> None:
    """Both functions decode in eval mode, without dropout. Afterwards the mode of the model and the
    recording of gradients are as before.
    """
    for function, truth in ((greedy_decode, greedily(6)), (beam_search, by_beam(6))):
        asked = []
        for max_len, trains in ((6, True), (6, False), (1, True)):
            model, src, rows = scripted(submission, truth, frozen=True)
            model.trains = trains

            given = model, src, BOS, EOS, max_len
            tokens = function(submission).called(*given, records=trains)

            expect_tokens(tokens, rows if max_len > 1 else [[BOS]] * len(rows))
            asked.append((tokens, state(submission, model), trains, model.FROZEN))
        for after in asked:  # Only now: one mode may lose what the other keeps.
            expect_mode(*after)


@check
def decoding_has_manners(submission: Submission) -> None:
    """Nothing is kept from an earlier call; equal sentences in a batch are allowed; the source is
    not changed.
    """
    for function, truth in ((greedy_decode, greedily(6)), (beam_search, by_beam(6))):
        model, src, rows = scripted(submission, truth)
        learned, _, other_rows = scripted(submission, truth, given=src, shift=1)

        for order, expected in (
            ([0, 1, 2, 1, 0], rows),
            ([2, 1, 0], rows),
            ([1, 0, 2, 0, 1], rows),
            ([0, 1, 2, 1, 0], other_rows),
        ):
            if expected is other_rows:
                model.becomes(learned)
            tokens = function(submission)(model, src[order], BOS, EOS, 6)

            expect_unchanged(tokens)
            expect_tokens(tokens, [expected[row] for row in order])


@check
def it_works_where_the_source_is(submission: Submission) -> None:
    """All new tensors are on the device of the source (here the meta device)."""
    for function, truth in ((greedy_decode, greedily(4)), (beam_search, by_beam(4))):
        model, src, _ = scripted(submission, truth)

        expect_device(function(submission), model, src[:2], BOS, EOS, 3)


@check
def the_whole_source_is_read(submission: Submission) -> None:
    """A source may have hundreds of tokens, or one: the model reads all of them."""
    for function, search, src_len in (
        (greedy_decode, greedily(6), LONG),
        (greedy_decode, greedily(6), 1),
        (beam_search, by_beam(6), LONG),
    ):
        for _ in tries():
            src = submission.tokens(SRC_PAD, 1, src_len)
            model, _, rows = scripted(submission, search, given=src)
            if model.source(src[0]) not in {model.source(src[0, :n]) for n in CUTS if n < src_len}:
                break  # The model sees the difference to a source that was cut.

        tokens = function(submission)(model, src, BOS, EOS, 6)

        expect_tokens(tokens, rows)
