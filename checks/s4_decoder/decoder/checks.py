"""Checks for s4_decoder/decoder.py."""

from typing import Any

import numpy as np

from checks.engine.language import (
    SHARES,
    Array,
    Module,
    Submission,
    check,
    dropped,
    expect,
    expect_gradients,
    expect_manners,
    expect_one_of,
    expect_sized,
    raises,
    trains,
)
from checks.scenes import dropout
from checks.truth import models, paper

VOCAB_SIZE, DIM_VECTOR, N_HEAD, DIM_HIDDEN, MAX_LEN = 13, 6, 3, 11, 9
BATCH_SIZE, TRG_LEN, SRC_LEN = 2, 4, 7
PLACE = dropped("to the embedding and in every layer")


def a_stack(
    submission: Submission, num_layer: int = 2, dtype: str = "float32", **kwargs: Any
) -> Module:
    decoder = submission.build(
        "Decoder",
        vocab_size=VOCAB_SIZE,
        dim_vector=DIM_VECTOR,
        max_len=MAX_LEN,
        n_head=N_HEAD,
        dim_hidden=DIM_HIDDEN,
        num_layer=num_layer,
        dtype=dtype,
        **kwargs,
    )

    def truth(weights: paper.Weights, trg: Array, encoder_output: Array, *masks: Array) -> Array:
        return models.decoder(trg, encoder_output, weights, N_HEAD, num_layer, *masks)

    shapes = models.decoder_shapes(VOCAB_SIZE, DIM_VECTOR, DIM_HIDDEN, num_layer)
    words = submission.tokens(VOCAB_SIZE, BATCH_SIZE, TRG_LEN, low=1)  # 0 may be padding.
    decoder.draw(shapes, truth, words, a_question(submission)[1])
    return decoder


def a_question(submission: Submission) -> list[Array]:
    """trg and encoder_output."""
    trg = submission.tokens(VOCAB_SIZE, BATCH_SIZE, TRG_LEN)
    return [trg, submission.normal(BATCH_SIZE, SRC_LEN, DIM_VECTOR)]


def masks(
    submission: Submission, trg: Array, pad: int = -1, whole: int | None = None
) -> list[Array]:
    """The causal mask (with padding masked, if there is any), and a source mask. `whole`: a source
    in which nothing is masked.
    """
    return [models.trg_mask(trg, pad), submission.mask(BATCH_SIZE, 1, 1, SRC_LEN, whole=whole)]


@check
def layers_follow_one_another(submission: Submission) -> None:
    """The embedding, num_layer layers that all read the source, and a score for every word."""
    for num_layer in (3, 1):
        decoder = a_stack(submission, num_layer, "float64", dropout=0.5)
        whole = a_question(submission)
        first = [whole[0][:, :1], whole[1]]  # The first token, as decoding begins.
        one_token = [part[:1, :1] for part in whole]
        for trg, encoder_output in [whole, first, one_token] if num_layer == 3 else [whole]:
            logits = decoder(trg, encoder_output)

            truth = models.decoder(trg, encoder_output, decoder.weights, N_HEAD, num_layer)
            expect(logits, truth)

        decoder.assign({role: decoder.drawn(role, w.shape) for role, w in decoder.weights.items()})
        logits = decoder(*whole)  # With other weights: nothing may be kept.

        expect(logits, models.decoder(*whole, decoder.weights, N_HEAD, num_layer))


@check
def every_layer_gets_both_masks(submission: Submission) -> None:
    """Every layer uses both masks: trg_mask for the target, src_mask for the source."""
    decoder = a_stack(submission, 3, "float64")
    trg, encoder_output = a_question(submission)
    both, first, last = (masks(submission, trg, whole=whole) for whole in (None, 0, 1))
    questions: list[tuple[Array, list[Array | None]]] = [
        (trg, [*both]),
        (trg, [both[0], None]),
        (trg, [None, both[1]]),
        (trg, [*first]),
        (trg, [*last]),
        (trg[:, :1], [None, both[1]]),  # One token, as decoding begins.
    ]
    for tokens, pair in questions:
        logits = decoder(tokens, encoder_output, *pair)

        truth = models.decoder(tokens, encoder_output, decoder.weights, N_HEAD, 3, *pair)
        expect(logits, truth)


@check
def padding_idx_changes_no_real_token(submission: Submission) -> None:
    """With padding_idx, real tokens get the formula's scores, with and without padding masks."""
    decoder = a_stack(submission, dtype="float64", padding_idx=0)
    table = np.array(decoder.weights["embedding.token_embedding.embedding.weight"])
    table[0] = 0
    decoder.assign({"embedding.token_embedding.embedding.weight": table})
    words = submission.rng.permutation(np.arange(1, VOCAB_SIZE))  # Every real token.
    trg = np.insert(words, [3, 7], 0).reshape(BATCH_SIZE, 7)
    encoder_output = a_question(submission)[1]
    both = masks(submission, trg, pad=0)
    for pair in (both, []):
        logits = decoder(trg, encoder_output, *pair)

        truth = models.decoder(trg, encoder_output, decoder.weights, N_HEAD, 2, *pair)
        expect(logits, truth, only=trg != 0)


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches every row of the table, every weight, and the encoder's output."""
    decoder = a_stack(submission, 3, "float64", dropout=0.0)
    trg = np.resize(submission.rng.permutation(VOCAB_SIZE), (BATCH_SIZE, 7))  # Every token.
    encoder_output = a_question(submission)[1]
    expect_gradients(trains(decoder), trg, encoder_output, *masks(submission, trg))


@check
def dropout_reaches_the_embedding(submission: Submission) -> None:
    """In train mode, dropout is applied once to the embedding, with the given probability (default
    0.1).
    """
    for kwargs, p in SHARES:
        decoder = a_stack(submission, **kwargs)
        decoder.train()
        decoder.assign(dropout.few_words(decoder.weights))
        weights, (trg, encoder_output) = decoder.weights, a_question(submission)
        trg = trg[:, :2]

        logits = decoder(trg, encoder_output)

        x = dropout.embedding(trg, weights, p)
        expect_one_of(logits, paper.linear(x, paper.part(weights, "linear")), PLACE)


@check
def dropout_reaches_every_layer(submission: Submission) -> None:
    """In train mode, every layer applies dropout with the given probability (default 0.1)."""
    for kwargs, p in SHARES:
        decoder = a_stack(submission, **kwargs)
        decoder.train()
        drawn = decoder.weights
        for n in (0, 1):
            quiet = dropout.only_bias(drawn, f"layers.{n}.feed_forward.linear2")
            quiet |= dropout.flat(drawn, f"layers.{n}.add_norm2")
            decoder.assign(drawn | quiet)
            weights, (trg, encoder_output) = decoder.weights, a_question(submission)

            logits = decoder(trg, encoder_output)

            x = dropout.layer(trg, weights, n, ("add_norm2", "add_norm3"), p)
            expect_one_of(logits, paper.linear(x, paper.part(weights, "linear")), PLACE)


@check
def the_source_is_not_dropped(submission: Submission) -> None:
    """In train mode, the layers read the encoder's output as it is: no dropout is applied to it."""
    p = 0.2
    decoder = a_stack(submission, dropout=p)
    decoder.train()
    quiet = dropout.silent(decoder.weights, but="layers.0.cross_attention.")
    decoder.assign(quiet | dropout.flat(decoder.weights, "layers.0.add_norm1"))
    weights, trg = decoder.weights, submission.tokens(VOCAB_SIZE, BATCH_SIZE, TRG_LEN)
    encoder_output = submission.normal(BATCH_SIZE, 1, DIM_VECTOR)

    logits = decoder(trg, encoder_output)

    x = dropout.one_source(trg, encoder_output, weights, N_HEAD, p)
    expect_one_of(logits, paper.linear(x, paper.part(weights, "linear")), PLACE)


@check
def max_len_is_the_limit(submission: Submission) -> None:
    """A target of max_len tokens works; one more token raises the ValueError of step 1.2."""
    decoder = a_stack(submission, 1, dropout=0.5)
    trg = submission.tokens(VOCAB_SIZE, 2, MAX_LEN + 1)
    encoder_output = submission.normal(2, SRC_LEN, DIM_VECTOR)

    logits = decoder(trg[:, :MAX_LEN], encoder_output)

    expect(logits, models.decoder(trg[:, :MAX_LEN], encoder_output, decoder.weights, N_HEAD, 1))
    with raises(ValueError, MAX_LEN + 1, MAX_LEN):
        decoder(trg, encoder_output)


@check
def sizes_are_arguments(submission: Submission) -> None:
    """Every size is an argument: vocab_size, dim_vector, max_len, n_head, dim_hidden."""
    expect_sized(
        submission,
        "Decoder",
        models.decoder_shapes(17, 8, 5, 1),
        lambda weights, trg, source: models.decoder(trg, source, weights, 4, 1),
        submission.tokens(17, 2, 12),
        submission.normal(2, 3, 8),
        vocab_size=17,
        dim_vector=8,
        max_len=12,
        n_head=4,
        dim_hidden=5,
        num_layer=1,
    )


@check
def large_sizes_work_too(submission: Submission) -> None:
    """Large sizes work too: hundreds of tokens and words, 13 layers, fewer words than features."""
    for vocab_size, max_len, num_layer in ((600, 600, 1), (3, 4, 5), (3, 4, 13)):
        trg = submission.tokens(vocab_size, 1, max_len)

        def truth(weights: paper.Weights, *args: Array, num_layer: int = num_layer) -> Array:
            return models.decoder(*args[:2], weights, 2, num_layer, *args[2:])

        expect_sized(
            submission,
            "Decoder",
            models.decoder_shapes(vocab_size, 4, 5, num_layer),
            truth,
            trg,
            submission.normal(1, max_len, 4),
            models.trg_mask(trg, -1),
            submission.mask(1, 1, 1, max_len),
            vocab_size=vocab_size,
            dim_vector=4,
            max_len=max_len,
            n_head=2,
            dim_hidden=5,
            num_layer=num_layer,
        )


@check
def it_has_manners(submission: Submission) -> None:
    """In eval mode two calls give the same result, in train mode other ones; the inputs are not
    changed; it works on any device.
    """
    decoder = a_stack(submission, 1, dropout=0.5)
    trg, encoder_output = a_question(submission)
    expect_manners(decoder, trg, encoder_output, *masks(submission, trg), drops=True)
