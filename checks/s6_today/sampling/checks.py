"""Checks for s6_today/sampling.py."""

import numpy as np

from checks.engine.language import (
    Function,
    Submission,
    check,
    expect_device,
    expect_manners,
)
from checks.s6_today.sampling.truth import filtered
from checks.scenes.draws import (
    MANY,
    ROWS,
    VOCAB,
    clear,
    expect_best_kept,
    expect_filtered,
    expect_other_draws,
    expect_same_draws,
    expect_shares,
    expect_tokens,
    expect_two_left,
)
from checks.scenes.stand_ins import Generator
from checks.truth.paper import softmax

ONE_LEFT, LARGE_VOCAB = 19, 50_000  # Rows of one token that is not cut.


def a_filter(submission: Submission, dtype: str = "float32") -> Function:
    return submission.function("filtered", lambda weights, *args: filtered(*args), dtype)


def a_sampler(submission: Submission) -> Function:
    return submission.function("sample", lambda weights, *args: args[0].argmax(-1))


@check
def the_defaults_cut_nothing(submission: Submission) -> None:
    """With its defaults, filtered cuts nothing and changes no probability."""
    for dtype in ("float32", "float64"):
        logits = submission.normal(ROWS, 60)

        got = a_filter(submission, dtype)(logits)

        expect_filtered(got, logits)


@check
def the_temperature_divides(submission: Submission) -> None:
    """The logits are divided by the temperature: below 1 the best token gains."""
    for temperature in (0.05, 0.5, 1.7, 2):
        logits = submission.normal(ROWS, VOCAB)

        got = a_filter(submission)(logits, temperature)

        expect_filtered(got, filtered(logits, temperature))


@check
def temperature_0_keeps_the_best(submission: Submission) -> None:
    """At temperature 0 only the best token stays, with or without other filters."""
    for how in ((0,), (0.0, 4, 0.9, 0.1)):
        logits = submission.normal(ROWS, VOCAB) - 1

        got = a_filter(submission)(logits, *how)

        expect_filtered(got, filtered(logits, *how))


@check
def of_equals_the_first_stays(submission: Submission) -> None:
    """If several tokens are best at temperature 0, the first of them stays alone."""
    logits = submission.normal(ROWS, VOCAB).clip(max=1)
    for row in logits:
        row[submission.rng.permutation(VOCAB)[:3]] = 2

    got = a_filter(submission)(logits, 0.0)

    expect_filtered(got, filtered(logits, 0.0))


@check
def top_k_keeps_the_best_k(submission: Submission) -> None:
    """With top_k the k best tokens of each row stay."""
    for top_k in (1, 4, VOCAB - 1):
        logits = submission.normal(ROWS, VOCAB)

        got = a_filter(submission)(logits, 1.0, top_k)

        expect_filtered(got, filtered(logits, 1.0, top_k))


@check
def top_k_may_cut_nothing(submission: Submission) -> None:
    """A top_k of 0 cuts nothing. One as large as the vocabulary or larger cuts nothing either."""
    for top_k in (0, VOCAB, VOCAB + 1, 500):
        logits = submission.normal(ROWS, VOCAB)

        got = a_filter(submission)(logits, 1.0, top_k)

        expect_filtered(got, logits)


@check
def equal_logits_share_a_fate(submission: Submission) -> None:
    """If logits are equal, at least top_k tokens stay, and no better token is cut."""
    logits = submission.tokens(4, ROWS, VOCAB).astype(float)
    logits[0] = 1

    got = a_filter(submission)(logits, 1.0, 4)

    expect_best_kept(got, logits, 4)


@check
def top_p_keeps_the_best_until_p(submission: Submission) -> None:
    """The best tokens stay until they sum to top_p, and the one that reaches it stays, too."""
    for top_p in (0.2, 0.6, 0.95):
        how = (1.0, 0, top_p)
        logits = clear(submission, ROWS, VOCAB, *how, far=60.0)

        got = a_filter(submission)(logits, *how)

        expect_filtered(got, filtered(logits, *how))


@check
def what_reaches_top_p_is_enough(submission: Submission) -> None:
    """As soon as the best tokens sum to top_p exactly, no other one stays. All that are equally
    good may stay.
    """
    got = a_filter(submission)(np.zeros((ROWS, 4)), 1.0, 0, 0.5)

    expect_two_left(got)


@check
def top_p_of_1_cuts_nothing(submission: Submission) -> None:
    """A top_p of 1 cuts nothing, not even what is very improbable."""
    for scale in (1.0, 9.0, 200.0):
        logits = submission.normal(40, 200, scale=scale)

        got = a_filter(submission)(logits, 1.0, 0, 1.0)

        expect_filtered(got, logits)


@check
def at_least_one_stays(submission: Submission) -> None:
    """The best token stays, even with a top_p of 0 or a min_p of 1."""
    for how in ((1.0, 0, 0.0), (1.0, 0, 1e-6), (1.0, 0, 1.0, 1.0), (0.7, 3, 0.0, 1.0)):
        logits = clear(submission, ROWS, VOCAB, *how)

        got = a_filter(submission)(logits, *how)

        expect_filtered(got, filtered(logits, *how))


@check
def min_p_is_relative_to_the_best(submission: Submission) -> None:
    """Tokens stay that are at least min_p times as probable as the best one of their row."""
    for min_p in (0.02, 0.3):
        how = (1.0, 0, 1.0, min_p)
        logits = clear(submission, ROWS, VOCAB, *how, far=60.0)

        got = a_filter(submission)(logits, *how)

        expect_filtered(got, filtered(logits, *how))


@check
def each_filter_sees_what_is_left(submission: Submission) -> None:
    """The order is temperature, top_k, top_p, min_p, each on what the one before it left."""
    for how in ((2.0, 4, 0.7, 0.0), (0.5, 0, 0.9, 0.0), (3.0, 0, 0.7, 0.35), (1.6, 7, 0.9, 0.3)):
        logits = clear(submission, 4 * ROWS, VOCAB, *how)

        got = a_filter(submission)(logits, *how)

        expect_filtered(got, filtered(logits, *how))


@check
def every_row_has_its_own_cut(submission: Submission) -> None:
    """Each row is filtered alone: it keeps the same in another order, alone, and among many."""
    how = (0.9, 6, 0.8, 0.1)
    logits = clear(submission, ROWS, VOCAB, *how)
    logits[0] *= 4  # Fewer tokens stay in this row.
    for rows in (np.arange(ROWS), np.arange(ROWS)[::-1], np.zeros(1, int), np.arange(300) % ROWS):
        got = a_filter(submission)(logits[rows], *how)

        expect_filtered(got, filtered(logits[rows], *how))


@check
def large_vocabularies_work_too(submission: Submission) -> None:
    """It works for hundreds of tokens, of which hundreds stay."""
    for how in ((1.0, 300), (1.0, 0, 0.97), (1.5, 560, 0.99, 0.001)):
        logits = clear(submission, 3, 600, *how)

        got = a_filter(submission)(logits, *how)

        expect_filtered(got, filtered(logits, *how))


@check
def filtered_has_manners(submission: Submission) -> None:
    """The logits of the caller are not changed, and it works on any device."""
    logits = submission.normal(ROWS, VOCAB)
    for how in ((), (1.0, 3), (0.8, 0, 0.7), (1.0, 0, 1.0, 0.2), (0.0,)):
        expect_manners(a_filter(submission), logits, *how)


@check
def draws_follow_the_softmax(submission: Submission) -> None:
    """Each token is drawn with its probability, the softmax of the logits."""
    for far in (0.0, 150.0, -150.0, 70_000.0):  # The last is infinite in float16.
        logits = submission.normal(1, 5) + far

        got = a_sampler(submission)(np.tile(logits, (MANY, 1)))

        expect_shares(got, softmax(logits[0]))


@check
def what_is_cut_is_never_drawn(submission: Submission) -> None:
    """A token whose logit is minus infinity is never drawn, wherever it stands."""
    for cut in ([0, 3], [4, 5], [0, 1, 2, 4, 5]):
        logits = submission.normal(1, 6)
        logits[0, cut] = -np.inf

        got = a_sampler(submission)(np.tile(logits, (MANY, 1)))

        expect_shares(got, softmax(logits[0]))

    for _ in range(3):
        logits = np.full((ONE_LEFT, LARGE_VOCAB), -np.inf)
        logits[np.arange(ONE_LEFT), submission.tokens(LARGE_VOCAB, ONE_LEFT)] = 0

        got = a_sampler(submission)(logits)

        expect_tokens(got, np.exp(logits))


@check
def every_row_draws_its_own(submission: Submission) -> None:
    """Each row draws from its own logits: one token per row, as int64."""
    for rows, vocab in ((1, 7), (4, 1), (5, 5), (300, 600)):
        logits = np.full((rows, vocab), -np.inf)
        first, second = submission.tokens(vocab, 2, rows)
        logits[np.arange(rows), first] = submission.normal(rows)
        logits[: rows // 2][np.arange(rows // 2), second[: rows // 2]] = 0.5

        got = a_sampler(submission)(logits)

        expect_tokens(got, softmax(logits))


@check
def draws_are_new(submission: Submission) -> None:
    """Without a generator, each call draws again."""
    logits = submission.normal(300, VOCAB)

    first, second = a_sampler(submission)(logits), a_sampler(submission)(logits)

    expect_tokens(first, softmax(logits))
    expect_other_draws(first, second, "A second call, of 300 rows, drew the same in every row.")


@check
def a_generator_decides(submission: Submission) -> None:
    """Generators with the same seed give the same draws, and each call goes on from there."""
    logits = submission.normal(300, VOCAB)
    seed = int(submission.tokens(1000))
    one, other = Generator(submission, seed), Generator(submission, seed)

    first, same = a_sampler(submission)(logits, one), a_sampler(submission)(logits, other)
    next_one = a_sampler(submission)(logits, one)

    expect_tokens(first, softmax(logits))
    expect_same_draws(first, same)
    expect_other_draws(first, next_one, "A second call with a generator drew the same 300.")


@check
def sample_works_on_any_device(submission: Submission) -> None:
    """The tokens are on the device of the logits."""
    expect_device(a_sampler(submission), submission.normal(ROWS, VOCAB))
