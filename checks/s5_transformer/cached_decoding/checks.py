"""Checks for s5_transformer/cached_decoding.py."""

from typing import Any

import numpy as np

from checks.engine.language import (
    Array,
    Fail,
    Module,
    Place,
    Received,
    Submission,
    check,
    check_until,
    expect,
    expect_device,
    expect_form,
    expect_mode,
    expectation,
    state,
)
from checks.s5_transformer.cached_decoding.setting import (
    SMALL,
    an_attention,
    cache_of,
    expect_cheap,
    expect_same_words,
)
from checks.scenes.writer import (
    BOS,
    EOS,
    LONG,
    LONG_VOCAB,
    MAX_LEN,
    NEVER,
    ROWS,
    SRC_LEN,
    a_writer,
    ended,
    exchanged,
    long_writer,
    short_sources,
    taught,
)
from checks.truth import models, paper

UNCLEAR = 1e-3  # Rounding may exchange two scores that differ by less.


def decode(submission: Submission, *args: Any, **watched: Any) -> Place:
    return submission.function("cached_decode").called(*args, **watched)


# The parts, in the order of writing: they are checked until cached_decode is written. Then only the
# whole counts, with any parts.


def expect_cache(got: Place, cache: tuple[Array, Array]) -> None:
    for part, expected in zip(got.parts("cache_keys", "cache_values"), cache):
        expect(part, expected)


@check_until("cached_decode")
def keys_and_values_are_projected_and_split(submission: Submission) -> None:
    """keys_and_values projects the tokens with w_k and with w_v, and splits both into heads."""
    attention = an_attention(submission)
    for shape in ((2, 5, SMALL), (3, 1, SMALL)):
        x = submission.normal(*shape)

        got = submission.function("keys_and_values")(attention, x)

        expect_cache(got, cache_of(x, attention.weights))


@check_until("cached_decode")
def attend_reads_the_cache(submission: Submission) -> None:
    """attend lets the newest token read from keys and values that are there already."""
    attention = an_attention(submission)
    x, seen = submission.normal(2, 1, SMALL), submission.normal(2, 5, SMALL)
    mask = submission.mask(2, 1, 1, 5)

    out = submission.function("attend")(attention, x, cache_of(seen, attention.weights), mask)

    expect(out, paper.multi_head_attention(x, seen, seen, attention.weights, 3, mask))


@check_until("cached_decode")
def layer_step_takes_one_token_through_a_layer(submission: Submission) -> None:
    """layer_step gives what the layer gives for the newest token, and the cache with it added."""
    layer = submission.build(
        "DecoderLayer", home="s4_decoder.decoder_layer", dim_vector=SMALL, n_head=3, dim_hidden=11
    )

    def truth(weights: paper.Weights, x: Array, source: Array, *masks: Array) -> Array:
        return models.decoder_layer(x, source, weights, 3, *masks)

    tokens, source = submission.normal(2, 4, SMALL), submission.normal(2, 5, SMALL)
    layer.draw(models.decoder_layer_shapes(SMALL, 11), truth, tokens, source)
    own, other = (paper.part(layer.weights, f"{name}_attention") for name in ("self", "cross"))
    shown, src_mask = submission.mask(2, 1, 1, 4), submission.mask(2, 1, 1, 5)
    before = cache_of(tokens[:, :-1], own)

    got = submission.function("layer_step")(
        layer, tokens[:, -1:], before, cache_of(source, other), (shown, src_mask)
    )

    out, written = got.parts("x", "written")
    causal = np.tile(np.tril(np.ones((4, 4), bool)), (2, 1, 1, 1))
    causal[:, :, -1:] = shown
    expect(out, truth(layer.weights, tokens, source, causal, src_mask)[:, -1:])
    expect_cache(written, cache_of(tokens, own))


# The whole


@check
def the_tokens_are_those_of_greedy_decode(submission: Submission) -> None:
    """It writes the tokens that greedy_decode writes, up to max_len with bos_idx, even for a short
    source.
    """
    model, src, trg = a_writer(submission, num_layer=3)
    for max_len in (MAX_LEN, 2, 1):
        tokens = decode(submission, model, src, BOS, NEVER, max_len)

        expect(tokens, trg[:, :max_len], dtype="int64")

    many = np.arange(300) % ROWS

    tokens = decode(submission, model, src[many], BOS, NEVER, 4)

    expect(tokens, trg[many, :4], dtype="int64")

    model, src, trg = taught(submission, model, 3, given=short_sources(submission))

    tokens = decode(submission, model, src, BOS, NEVER, MAX_LEN)

    expect(tokens, trg, dtype="int64")


@check
def nothing_is_left_from_another_call(submission: Submission) -> None:
    """Nothing is kept from an earlier call: the source, the model or its weights may be others."""
    one, two = a_writer(submission, num_layer=1), a_writer(submission, num_layer=1)
    for writer in (one, None, two):
        model, src, trg = writer or taught(submission, one[0], 1, given=one[1])

        tokens = decode(submission, model, src, BOS, EOS, MAX_LEN)

        expect(tokens, ended(trg), dtype="int64")


@check
def nothing_is_computed_twice(submission: Submission) -> None:
    """A new token costs the work of one token, not of all written ones (multiplications are
    counted). One sentence or many: it is the same for each.
    """
    model, src, _ = a_writer(submission, num_layer=1)
    for rows in (ROWS, 1, 2 * ROWS):
        expect_little_work(submission, model, src[np.arange(rows) % ROWS])


def expect_little_work(submission: Submission, model: Module, src: Array) -> None:
    """Fail if a new token costs more than it has to."""

    def spent(src: Array, max_len: int) -> tuple[Place, Place]:
        cached_decode = submission.function("cached_decode")
        return cached_decode.counted(model, src, BOS, NEVER, max_len)

    (_, two), (tokens, three), (_, all_of_them) = (spent(src, n) for n in (3, 4, MAX_LEN))
    brief = src[:, : SRC_LEN // 2]
    less, more = (spent(brief, n)[1] for n in (3, 4))
    expect_cheap(tokens, len(src), two, three, all_of_them, less, more)


@check
def a_long_text_is_written(submission: Submission) -> None:
    """In a text of hundreds of tokens, the newest token can attend to all written tokens."""
    model, src = long_writer(submission)

    tokens = decode(submission, model, src, BOS, NEVER, LONG)

    expect_long_text(tokens, model, src)


@expectation
def expect_long_text(tokens: Received, model: Module, src: Array) -> None:
    """Fail unless each token is the best one after those before it."""
    expect_form(tokens, (1, LONG), "int64")
    assert tokens.array is not None and model.truth is not None
    if not ((tokens.array >= 0) & (tokens.array < LONG_VOCAB)).all():
        raise Fail(
            "values", tokens.say(f"There is a token outside the vocabulary of {LONG_VOCAB}.")
        )
    logits = model.truth(model.weights, src, tokens.array[:, :-1])
    expected = np.c_[[[BOS]], logits.argmax(-1)]
    best, second = np.sort(logits, axis=-1)[..., :-3:-1].T
    unclear = np.c_[[[False]], (best - second < UNCLEAR).T]
    expect(tokens, np.where(unclear, tokens.array, expected), dtype="int64")


@check
def each_row_ends_with_its_eos(submission: Submission) -> None:
    """After its eos_idx a row holds only padding; decoding stops when all rows have ended."""
    model, src, trg = a_writer(submission)
    first = int(trg[1, 1])  # A word that row 1 begins with: as eos it ends the row at once.
    every = slice(None)
    one, third = slice(1), slice(2, 3)
    for rows, eos in ((every, EOS), (one, EOS), (third, EOS), (every, first), (every, BOS)):
        tokens = decode(submission, model, src[rows], BOS, eos, MAX_LEN)

        expect(tokens, without_the_rest(trg[rows], eos), dtype="int64")


@check
def bos_and_eos_may_be_0(submission: Submission) -> None:
    """bos_idx and eos_idx are arguments: either may be 0."""
    for bos, eos in ((0, EOS), (BOS, 0)):
        model, src, trg = a_writer(submission, num_layer=1)
        trg = exchanged(model, trg, BOS if bos == 0 else EOS, 0)

        tokens = decode(submission, model, src, bos, eos, MAX_LEN)

        expect(tokens, without_the_rest(trg, eos), dtype="int64")


def without_the_rest(trg: Array, eos: int) -> Array:
    """The tokens up to `eos` in each row, then padding. The first token is no end."""
    rest = ended(np.where(np.arange(MAX_LEN) > 0, trg, NEVER), eos)
    return np.c_[trg[:, :1], rest[:, 1:]]


@check
def it_decodes_in_eval_mode_and_leaves_the_mode(submission: Submission) -> None:
    """A model in train mode decodes as in eval mode. Afterwards its mode, its answers and the
    recording of gradients are as before.
    """
    model, src, trg = a_writer(submission, num_layer=1, dropout=0.5)
    for trains in (True, False):
        model.train(trains)

        tokens = decode(submission, model, src, BOS, EOS, MAX_LEN, records=trains)

        expect(tokens, ended(trg), dtype="int64")
        expect_mode(tokens, state(submission, model), trains)

    logits = model(src, trg[:, :-1])
    expect_same_words(logits, trg)


@check
def it_works_where_the_source_is(submission: Submission) -> None:
    """All new tensors are on the device of the source (here the meta device)."""
    model, src, _ = a_writer(submission, num_layer=1)

    expect_device(submission.function("cached_decode"), model, src, BOS, EOS, 3)
