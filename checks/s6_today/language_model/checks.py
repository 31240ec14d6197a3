"""Checks for s6_today/language_model.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from checks.engine.language import (
    Kept,
    State,
    Submission,
    check,
    expect,
    expect_form,
    expect_gradients,
    expect_manners,
    expectation,
    state,
    trains,
)
from checks.s6_today.language_model.truth import Sizes, language_model
from checks.scenes.speaker import (
    BASE,
    BATCH_SIZE,
    DIM_VECTOR,
    LENGTH,
    MAX_LEN,
    N_HEAD,
    N_KV_HEAD,
    SIZES,
    VOCAB_SIZE,
    a_layer,
    a_model,
    cached,
    expect_even,
    expect_large,
    expect_no_leak,
    expect_nothing_saved,
    expect_spread,
    logits_of,
    pair_of,
    right_for,
    shape_of,
    the_table,
    tokens_of,
    vectors,
)

ROLE = "embedding.weight"
NEW_VOCAB = 300  # Tokens of a model that has learned nothing yet.
STD = 0.02  # The standard deviation of its table.


# The layer


@check
def each_sublayer_reads_a_norm_and_x_is_added(submission: Submission) -> None:
    """In a layer, each sublayer reads its own norm of x. Its output is added to the x before the
    norm.
    """
    layer, table = a_layer(submission), the_table()
    assert layer.truth is not None
    for length in (LENGTH, 1):
        x = vectors(submission, length)

        out, _ = layer(x, *table).parts("x", "cache")

        expect(out, layer.truth(layer.weights, x, *table))


@check
def the_attention_gets_all_that_it_needs(submission: Submission) -> None:
    """The layer passes start, mask and cache on, and gives the longer cache back."""
    layer, table = a_layer(submission), the_table()
    assert layer.truth is not None
    x, start = vectors(submission), 5
    seen = np.tril(np.ones((LENGTH, LENGTH), bool))

    out, cache = layer(x[:, :4], *table, start, seen[:4, :4]).parts("x", "cache")

    expect(out, layer.truth(layer.weights, x[:, :4], *table, start, seen[:4, :4]))
    pair = pair_of(cache, shape_of(4))

    out, _ = layer(x[:, 4:], *table, start + 4, seen[4:], pair).parts("x", "cache")

    expect(out, layer.truth(layer.weights, x, *table, start, seen)[:, 4:])


@check
def gradients_flow_through_a_layer(submission: Submission) -> None:
    """In a layer, the gradient reaches every weight, and x through both residual connections and
    both norms.
    """
    seen = np.tril(np.ones((LENGTH, LENGTH), bool))
    layer = trains(a_layer(submission, "float64"))

    expect_gradients(
        layer, vectors(submission), *the_table("float64"), 3, Kept("mask", seen, "bool")
    )


# The model


@check
def layers_follow_one_another_and_a_norm_closes(submission: Submission) -> None:
    """The table, num_layer layers with weights of their own, one norm, and the table again."""
    for num_layer in (3, 1, 0):
        model = a_model(submission, num_layer, "float64")
        whole = tokens_of(submission)
        for tokens in (whole, whole[:, :1], whole[:1, :2]):
            logits = logits_of(model(tokens))

            expect(logits, right_for(model, tokens))


@check
def no_token_sees_a_later_one(submission: Submission) -> None:
    """Each token attends to itself and to all before it: later ones change none of its scores."""
    model = a_model(submission)
    tokens = tokens_of(submission)
    other = tokens.copy()
    other[:, 3:] = (
        other[:, 3:] + 1 + submission.tokens(VOCAB_SIZE - 1, BATCH_SIZE, 4)
    ) % VOCAB_SIZE

    one, two = (logits_of(model(text)) for text in (tokens, other))

    expect(one, right_for(model, tokens))
    expect_no_leak(one, two)
    expect(two, right_for(model, other))


@check
def a_text_goes_on_with_its_caches(submission: Submission) -> None:
    """With the caches of all tokens so far, the next tokens get the scores that they get in the
    whole text. Each of the num_layer caches is longer then.
    """
    model = a_model(submission, 3)
    tokens = tokens_of(submission, 12)
    right, at = right_for(model, tokens), 0
    given: list[Any] = []
    for new in (3, 3, 1, 1, 2, 2):
        model.train(at % 2 == 1)  # There is no dropout in it.
        got = model(tokens[:, at : at + new], *given)

        expect(logits_of(got), right[:, at : at + new])
        at += new
        given = [cached(got, 3, shape_of(at))]


@check
def one_table_serves_twice(submission: Submission) -> None:
    """The scores come from the table that embeds, even after it has changed."""
    model = a_model(submission, 1)
    tokens = tokens_of(submission)
    for _ in range(2):
        logits = logits_of(model(tokens))

        expect(logits, right_for(model, tokens))
        model.assign({ROLE: submission.normal(VOCAB_SIZE, DIM_VECTOR)})


@check
def a_new_model_knows_nothing_yet(submission: Submission) -> None:
    """The table of a new model has small random numbers: no token has a high score at first."""
    sizes = SIZES | {"vocab_size": NEW_VOCAB, "num_layer": 2}
    model = submission.build("LanguageModel", **sizes)
    tokens = submission.tokens(NEW_VOCAB, BATCH_SIZE, 10)

    logits = logits_of(model(tokens))

    expect_even(logits, tokens, NEW_VOCAB)
    expect_new(state(submission, model))


@expectation
def expect_new(now: State) -> None:
    """Fail unless the table has small random numbers, and the norms are neutral."""
    for name, report in now.parameters.items():
        if tuple(report["shape"]) == (NEW_VOCAB, DIM_VECTOR):
            expect_spread(now.parameter(name), STD)
        elif name.endswith(".gamma"):
            expect(now.parameter(name), np.ones(DIM_VECTOR))


@check
def the_angles_are_not_saved(submission: Submission) -> None:
    """Only the parameters are saved: cos and sin follow from the sizes."""
    model = a_model(submission, 1)

    expect_nothing_saved(state(submission, model), model.made)


@check
def base_and_eps_reach_their_parts(submission: Submission) -> None:
    """base (default 10000) reaches the angles, and eps (default 1e-5) every norm."""
    given: list[dict[str, Any]] = [{}, {"base": BASE}, {"eps": 0.3}, {"base": 1e5, "eps": 1e-3}]
    for kwargs in given:
        model = a_model(submission, dtype="float64", **kwargs)
        scale = 1.0 if kwargs else 0.003  # The default eps counts if numbers are small.
        model.assign({ROLE: scale * model.weights[ROLE]})
        tokens = tokens_of(submission, MAX_LEN)

        logits = logits_of(model(tokens))

        expect(logits, right_for(model, tokens))


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches every layer, the closing norm, and the table from both its ends."""
    model = trains(a_model(submission, 3, "float64"))
    tokens = tokens_of(submission)
    tokens.flat[:VOCAB_SIZE] = submission.rng.permutation(VOCAB_SIZE)

    expect_gradients(model, tokens)


@check
def max_len_is_the_limit(submission: Submission) -> None:
    """max_len tokens are possible, those in the caches included. One more raises the ValueError of
    step 6.2.
    """
    model = a_model(submission, 1)
    tokens = tokens_of(submission, MAX_LEN + 1, 2)

    whole = model(tokens[:, :MAX_LEN])

    expect(logits_of(whole), right_for(model, tokens[:, :MAX_LEN]))
    with submission.raises(ValueError, MAX_LEN + 1, MAX_LEN):
        model(tokens)
    caches = cached(whole, 1, shape_of(MAX_LEN, 2))
    with submission.raises(ValueError, MAX_LEN):
        model(tokens[:, MAX_LEN:], caches)


@check
def it_runs_in_half_precision(submission: Submission) -> None:
    """In bfloat16 and float16, scores and caches have that dtype too, and a text goes on."""
    for dtype in ("bfloat16", "float16"):
        model = a_model(submission, 2, dtype)
        tokens = tokens_of(submission)

        got = model(tokens[:, :4])

        expect_form(logits_of(got), (BATCH_SIZE, 4, VOCAB_SIZE))
        caches = cached(got, 2, shape_of(4))

        logits = logits_of(model(tokens[:, 4:], caches))

        expect_form(logits, (BATCH_SIZE, 3, VOCAB_SIZE))


@check
def sizes_are_arguments(submission: Submission) -> None:
    """Every size is an argument: other values work too, and so do as many key heads as heads."""
    for n_head, n_kv_head in ((2, 1), (2, 2), (4, 2), (1, 1)):
        expect_large(submission, 19, 16, n_head, n_kv_head, 5, 1, 12)


@check
def large_sizes_work_too(submission: Submission) -> None:
    """Large sizes work too: hundreds of tokens, words or hidden features, and 13 layers."""
    expect_large(submission, 600, 8, 2, 1, 5, 1, 3)
    expect_large(submission, 5, 8, 2, 1, 3, 1, 600)
    expect_large(submission, 5, 8, 2, 1, 600, 1, 3)
    expect_large(submission, 3, 8, 2, 1, 5, 13, 4)
    expect_large(submission, 3, 600, 6, 2, 5, 1, 4)


@check
def it_has_manners(submission: Submission) -> None:
    """Two calls give the same result; tokens and caches are not changed; it works on any device."""
    model = a_model(submission)
    tokens = tokens_of(submission)
    expect_manners(model, tokens)

    caches = language_model(tokens[:, :5], model.weights, Sizes(N_HEAD, N_KV_HEAD, 2))[1]

    expect_manners(model, tokens[:, 5:], caches)
