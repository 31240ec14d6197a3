"""Checks for s6_today/speak.py."""

from __future__ import annotations

from checks.engine.language import (
    Fail,
    Received,
    Submission,
    check,
    expect_device,
    expect_whole_numbers,
    expectation,
)
from checks.s6_today.speak import loading
from checks.scenes.held_weights import (
    MOST,
    TOY,
    a_text,
    a_text_with,
    expect_drawn,
    expect_lower_half,
    expect_share_of,
    expect_the_least,
    unused,
    written,
)
from checks.scenes.stand_ins import Speaker

PARTS = [loading]
SMALL, LARGE = 1e-4, 100.0
# At this temperature all tokens have nearly the same chance, and only the best one passes min_p.
# In bfloat16 the chances of many are equal.
ALMOST_EQUAL = (2000.0, 0, 1.0, 0.9999)
UNEQUAL = 4.25  # At this temperature one of two tokens that are 20 apart has a chance of 0.9 %.
LARGE_TOKEN = 1_100  # In Python 3.15, each whole number up to 1,024 is one object.
TAKEN = 1000  # Tokens that are taken of an iterator at most.


@check
def at_temperature_0_the_best_tokens_follow(submission: Submission) -> None:
    """With temperature 0, write yields the best next tokens one by one, num_new in all."""
    for length, num_new in ((4, MOST), (1, 3), (5, 1), (3, 0), (2, 200), (600, 2)):
        model, tokens = Speaker(submission, TOY), a_text(submission, length)

        got = written(submission, model, tokens, num_new, TOY, 0.0)

        expect_whole_numbers(got, model.goes_on(tokens, num_new), "iterator")


@check
def the_end_token_ends_it(submission: Submission) -> None:
    """The token `end` ends the text and is not yielded, even if it is token 0."""
    model, tokens, best = a_text_with(submission, range(1))
    for end in (*best[:3], 0, unused(best)):
        got = written(submission, model, tokens, MOST, end, 0.0)

        expect_whole_numbers(got, best[: best.index(end)] if end in best else best, "iterator")


@check
def a_large_number_ends_it_too(submission: Submission) -> None:
    """A real vocabulary has large numbers. `end` may be one of them."""
    large = range(LARGE_TOKEN, 2 * LARGE_TOKEN)
    model, tokens, best = a_text_with(submission, large, 2 * LARGE_TOKEN)
    end = next(token for token in best if token in large)

    got = written(submission, model, tokens, MOST, end, 0.0)

    expect_whole_numbers(got, best[: best.index(end)], "iterator")


@check
def the_given_text_does_not_end_it(submission: Submission) -> None:
    """`end` may stand in the given text, as after a question. The writing begins all the same."""
    model = Speaker(submission, TOY)
    for place in (-1, 1):
        tokens = a_text(submission)
        best = model.goes_on(tokens, MOST)
        best = best[: best.index(tokens[place])] if tokens[place] in best else best

        got = written(submission, model, tokens, MOST, tokens[place], 0.0)

        expect_whole_numbers(got, best, "iterator")


@check
def the_filters_are_those_of_the_call(submission: Submission) -> None:
    """temperature, top_k, top_p and min_p reach `filtered`: each can leave the best token alone."""
    alone = (2.0, 0, 1.0, 0.55)  # At a higher temperature it would not be.
    of_two = ((LARGE, 2, SMALL), (LARGE, 2, 1.0, 1.0), (LARGE, 0, 0.9, 1.0))  # Both count.
    one = ((SMALL,), (1.0, 1), (1.0, 0, SMALL), (1.0, 0, 1.0, 1.0), (LARGE, 1), alone)
    for how in (*one, *of_two):
        model, tokens = Speaker(submission, TOY), a_text(submission)

        got = written(submission, model, tokens, MOST, TOY, *how)

        expect_whole_numbers(got, model.goes_on(tokens, MOST), "iterator")


@check
def scores_are_filtered_in_float32(submission: Submission) -> None:
    """The scores of a model in bfloat16 are filtered in float32: almost equal chances differ."""
    model, tokens = Speaker(submission, TOY, rounded=True), a_text(submission)

    got = written(submission, model, tokens, MOST, TOY, *ALMOST_EQUAL)

    expect_whole_numbers(got, model.goes_on(tokens, MOST), "iterator")


@check
def each_token_is_read_once(submission: Submission) -> None:
    """The text is read once. Then each new token is read alone, with the caches."""
    model, tokens = Speaker(submission, TOY), a_text(submission, 5)

    got = written(submission, model, tokens, MOST, TOY, 0.0)

    expect_whole_numbers(got, model.goes_on(tokens, MOST), "iterator")
    expect_read_once(got, model.kept("read"), tokens)


@expectation
def expect_read_once(got: Received, read: Received, tokens: list[int]) -> None:
    counts = [int(n) for n in str(read.plain).strip("[]").split(",") if n.strip().isdecimal()]
    if sum(counts) > len(tokens) + MOST:
        says = f"Its calls read {read.plain} tokens, which are {sum(counts)} in all."
        raise Fail("rule", got.say(says))


@check
def tokens_are_drawn(submission: Submission) -> None:
    """Without filters the tokens are drawn. The same generator gives the same text again."""
    model, tokens = Speaker(submission, TOY), a_text(submission)
    best = model.goes_on(tokens, 60)

    one, two = (written(submission, model, tokens, 60, TOY, LARGE) for _ in range(2))
    other = written(submission, model, tokens, 60, TOY, LARGE, seed=8)
    expect_drawn(one, two, other, best)


@check
def each_token_has_its_chance(submission: Submission) -> None:
    """A token is as probable as the model says: also if it stands in the text already, and also if
    99 others are possible.
    """
    for vocab_size, tokens in ((TOY, [1, 3, 6, 7]), (100, a_text(submission))):
        model = Speaker(submission, vocab_size)

        got = written(submission, model, tokens, 400, vocab_size, LARGE)

        expect_lower_half(got, model, tokens, LARGE)
        if vocab_size == TOY:
            expect_share_of(got, tokens)


@check
def the_defaults_filter_nothing(submission: Submission) -> None:
    """Without filters, write does the same as with 1, 0, 1 and 0. Without a generator, each call
    draws new tokens.
    """
    model, tokens = Speaker(submission, TOY, gap=0.3), a_text(submission)
    function = submission.function("write")
    right = written(submission, model, tokens, 60, TOY, 1.0, 0, 1.0, 0.0)

    got = written(submission, model, tokens, 60, TOY)

    expect_same_text(got, right)
    expect_whole_numbers(function(model, tokens, 0, TOY), [], "iterator")
    one, two = (function(model, tokens, 60, TOY) for _ in range(2))
    expect_new_text(one, two)


@expectation
def expect_same_text(got: Received, right: Received) -> None:
    if got.plain is None or got.plain != right.plain:
        says = f"With 1, 0, 1, 0 the output is {right.plain}.\nWithout them it is {got.plain}."
        raise Fail("values", got.say(says))


@expectation
def expect_new_text(one: Received, two: Received) -> None:
    if one.plain == two.plain:
        raise Fail("values", two.say("Without a generator, a second call gives the same text."))


@check
def each_token_comes_at_once(submission: Submission) -> None:
    """A token is yielded before the next one is computed: one reads while the model writes."""
    model, tokens = Speaker(submission, TOY), a_text(submission)
    got = written(submission, model, tokens, 2 * TAKEN, TOY, 0.0)
    expect_whole_numbers(got, model.goes_on(tokens, TAKEN), "iterator")
    expect_not_ahead(got, model.kept("read"), tokens)


@expectation
def expect_not_ahead(got: Received, kept: Received, tokens: list[int]) -> None:
    read = len(str(kept.plain).split(","))
    if read > TAKEN + len(tokens):
        says = f"{TAKEN} tokens were taken, but the model was called {read} times before the end."
        raise Fail("rule", got.say(says))


@check
def rare_tokens_come_too(submission: Submission) -> None:
    """Without filters every token is possible, even if its chance is below 1 %."""
    model, tokens = Speaker(submission, 2, gap=20.0), [1, 0, 1]

    texts = [
        written(submission, model, tokens, TAKEN // 4, 2, UNEQUAL, seed=seed)
        for seed in range(7, 15)  # Short ones: in the first wrong text most known versions differ.
    ]

    expect_the_least(model, tokens, UNEQUAL, *texts)


@check
def nothing_is_recorded(submission: Submission) -> None:
    """No gradients are recorded while it writes: a long text would fill the memory."""
    model, tokens = Speaker(submission, TOY), a_text(submission)

    got = written(submission, model, tokens, MOST, TOY, 0.0)

    expect_unrecorded(got, model.kept("recorded"))


@expectation
def expect_unrecorded(got: Received, recorded: Received) -> None:
    if recorded.plain is not False:
        raise Fail("rule", got.say("PyTorch records every operation for gradients."))


@check
def the_models_own_error_comes_through(submission: Submission) -> None:
    """If the text gets too long for the model, its ValueError reaches the caller."""
    model, tokens = Speaker(submission, TOY, limit=7), a_text(submission)
    with submission.raises(ValueError, 8, 7):
        written(submission, model, tokens, MOST, TOY, 0.0)


@check
def it_writes_on_any_device(submission: Submission) -> None:
    """The tokens go to the device of the model, wherever it is."""
    function = submission.function("write")
    expect_device(function, Speaker(submission, TOY), a_text(submission), 3, TOY, None, 0.0)
