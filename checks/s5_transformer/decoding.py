"""Checks for s5_transformer/decoding.py."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from checks import writer
from checks.decoding import Found, Next, beam, greedy, together
from checks.machine.language import (
    Array,
    Fail,
    Function,
    Oracle,
    Received,
    Submission,
    check,
    expect,
    expect_device,
    expect_mode,
    state,
)
from checks.s5_transformer.transformer import SRC_PAD, TRG_PAD
from checks.writer import a_writer, ended, taught

HINTS = [
    "Only bos is written. What does the model need to say what comes next? And after that?",
    "The model scores a next token at every place of what is written. Which place is new?",
    "Beam search adds up logarithms of probabilities: (live, vocab_size) sums, of which the best "
    "few are kept, whichever row they come from.",
    "token = logits.argmax(dim=-1).masked_fill(____, model.trg_pad_idx)",
]
VOCAB_SIZE, BOS, EOS = 8, 3, 6
LONG, MANY_WORDS = 26, 200  # In float32 the probability of such a text is 0, no logarithm is.
MARGIN = 1e-3  # By which every choice must be clear: ties are open.
ROUNDING = 3e-5  # Of a score, for each 1 of the last layer's largest weight, at most.
Truth = Callable[[Next], Found]


def sources(submission: Submission, batch_size: int = 3, src_len: int = 5) -> Array:
    """Source sentences: one is padded at the end, the second before and after, others inside."""
    src = submission.tokens(9, batch_size, src_len)
    src[src == SRC_PAD] = TRG_PAD
    src[0, -1], src[1:2, [0, -1]], src[2:, 1] = SRC_PAD, SRC_PAD, SRC_PAD
    return src


def scripted(
    submission: Submission,
    truth: Truth,
    wanted: Callable[[list[list[int]]], bool] = lambda rows: True,
    batch_size: int = 3,
    ending: float = 0.0,
    also: Sequence[Truth] = (),
    given: Array | None = None,
    vocab_size: int = VOCAB_SIZE,
    rare: tuple[int, int] = (TRG_PAD, BOS),
    **settings: Any,
) -> tuple[Oracle, Array, list[list[int]]]:
    """A model whose scores are known, sources, and what should be written; with clear choices.

    `wanted`: what the rows should be like. `ending` makes eos more likely. `also`: other searches
    whose choices should be clear as well. `given`: the sources, if they are not to be drawn.
    In a large vocabulary many words are about as likely. `rare`: padding and bos.
    """
    for _ in range(2000):
        model = Oracle(submission, vocab_size, SRC_PAD, rare[0], rare, **settings)
        if vocab_size > VOCAB_SIZE:
            model.scores /= 8
            model.bonus[model.bonus > -40] /= 8
        model.bonus[:, EOS] += ending
        src = sources(submission, batch_size) if given is None else given
        if given is None and len({model.source(row) for row in src}) < batch_size:
            continue  # Two that it cannot tell apart.
        found = [truth(scores_of(model, row)) for row in src]
        more = [other(scores_of(model, row)) for row in src for other in also]
        rows = [tokens for tokens, _ in found]
        if min(margin for _, margin in found + more) > MARGIN and wanted(rows):
            return model, src, rows
    raise AssertionError("no such model was found")


def scores_of(model: Oracle, row: Array) -> Next:
    return lambda tokens: model.next(row, tokens)


def greedily(max_len: int, bos: int = BOS, eos: int = EOS) -> Truth:
    return lambda scores: greedy(scores, bos, eos, max_len)


def by_beam(max_len: int, *how: Any, bos: int = BOS, eos: int = EOS) -> Truth:
    return lambda scores: beam(scores, bos, eos, max_len, *how)


def lengths(rows: list[list[int]]) -> set[int]:
    return set(map(len, rows))


def end(rows: list[list[int]]) -> list[bool]:
    return [row[-1] == EOS for row in rows]


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


def searched(submission: Submission, max_len: int, beam_size: int) -> tuple[Any, ...]:
    """A Transformer, sources, and what beam search should find, with clear choices."""
    model, src, _ = a_writer(submission, marks=False, dropout=0.5)
    how = (writer.BOS, writer.EOS, max_len, beam_size)

    def scores(row: Array) -> Next:
        assert model.truth is not None
        ask, weights = model.truth, model.weights
        return lambda tokens: ask(weights, row[None], np.array([tokens]))[0, -1]

    while True:
        src = src[:2]
        found = [beam(scores(row), *how) for row in src]
        rounding = ROUNDING * np.abs(model.weights["decoder.linear.weight"]).max()
        if min(margin for _, margin in found) > max(MARGIN, rounding):
            return model, src, [tokens for tokens, _ in found]
        model, src, _ = taught(submission, model, 2, marks=False)


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


def differing(
    submission: Submission, truth: Truth, other: Truth, least: int = 2, batch_size: int = 3
) -> tuple[Oracle, Array, list[list[int]]]:
    """As `scripted`, where the other way to search finds something else in several rows."""
    for _ in range(300):
        model, src, rows = scripted(submission, truth, batch_size=batch_size)
        others = [other(scores_of(model, row))[0] for row in src]
        if sum(one != two for one, two in zip(rows, others)) >= least:
            break
    return model, src, rows


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


def with_a_tie(submission: Submission) -> tuple[Oracle, Array, list[list[int]]]:
    """A model, sources, and what is best: two others, as likely as one another, end before it."""
    words = [word for word in range(VOCAB_SIZE) if word not in (BOS, EOS, TRG_PAD)]
    while True:
        model = Oracle(submission, VOCAB_SIZE, SRC_PAD, TRG_PAD, (TRG_PAD, BOS))
        best, after, one, two = map(int, submission.rng.permutation(words)[:4])
        model.bonus[model.bonus > -40] = 0
        model.scores[:] = 0
        model.scores[..., EOS] = 3
        for written, likely in (([BOS], {best: 3, one: 2, two: 2}), ([BOS, best], {after: 6})):
            at = model.states(written)[-1]
            model.scores[:, :, at] = 0
            model.scores[:, :, at, EOS] = -9
            for word, score in likely.items():
                model.scores[:, :, at, word] = score
        src = sources(submission, 2)
        found = [beam(scores_of(model, row), BOS, EOS, 6, 3) for row in src]
        rows = [tokens for tokens, _ in found]
        if rows == [[BOS, best, after, EOS]] * 2 and min(margin for _, margin in found) > MARGIN:
            return model, src, rows


@check
def a_beam_may_be_wider_than_the_vocabulary(submission: Submission) -> None:
    """With more hypotheses than there are words, the first step keeps as many as there are."""
    for beam_size in (VOCAB_SIZE + 5, 3 * VOCAB_SIZE):
        wide, narrow = (by_beam(5, beam_size, 2.0, None, n) for n in (np.inf, VOCAB_SIZE))
        model, src, rows = differing(submission, wide, narrow, least=1)

        tokens = beam_search(submission)(model, src, BOS, EOS, 5, beam_size, 2.0)

        expect_tokens(tokens, rows)


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
