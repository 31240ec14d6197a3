"""Checks for s4_decoder/pre_norm_decoder.py."""

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
    expect_kept,
    expect_manners,
    expect_one_of,
    expect_sized,
    raises,
    trains,
)
from checks.s4_decoder.pre_norm_decoder import layer
from checks.s4_decoder.pre_norm_decoder.layer import (
    BATCH_SIZE,
    DIM_HIDDEN,
    DIM_VECTOR,
    MANY,
    MAX_LEN,
    N_HEAD,
    SRC_LEN,
    TRG_LEN,
    VOCAB_SIZE,
    a_layer,
    a_question,
    masks,
    vectors,
)
from checks.scenes import dropout
from checks.truth import models, paper, pre_norm

PARTS = [layer]
IN_STACK = dropped("to the embedding and in every layer")


def a_stack(
    submission: Submission, num_layer: int = 2, dtype: str = "float32", **kwargs: Any
) -> Module:
    decoder = submission.build(
        "PreNormDecoder",
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
        return pre_norm.decoder(trg, encoder_output, weights, N_HEAD, num_layer, *masks)

    shapes = pre_norm.decoder_shapes(VOCAB_SIZE, DIM_VECTOR, DIM_HIDDEN, num_layer)
    words = submission.tokens(VOCAB_SIZE, BATCH_SIZE, TRG_LEN, low=1)  # 0 may be padding.
    decoder.draw(shapes, truth, words, a_question(submission)[1])
    return decoder


@check
def layers_follow_one_another_and_a_norm_closes(submission: Submission) -> None:
    """The embedding, num_layer layers that all read the source, one norm, a score for each word."""
    for num_layer in (3, 1):
        decoder = a_stack(submission, num_layer, "float64", dropout=0.5)
        whole = a_question(submission)
        first = [whole[0][:, :1], whole[1]]  # The first token, as decoding begins.
        one_token = [part[:1, :1] for part in whole]
        for trg, encoder_output in [whole, first, one_token] if num_layer == 3 else [whole]:
            logits = decoder(trg, encoder_output)

            truth = pre_norm.decoder(trg, encoder_output, decoder.weights, N_HEAD, num_layer)
            expect(logits, truth)


@check
def the_closing_norm_has_its_eps(submission: Submission) -> None:
    """The closing norm has eps 1e-5, as in step 2.3: this shows if its input is small."""
    decoder = a_stack(submission, 1, "float64", dropout=0.0)
    decoder.assign(dropout.small_sums(decoder.weights, MAX_LEN))
    trg, encoder_output = np.arange(MAX_LEN)[None], a_question(submission)[1][:1]

    logits = decoder(trg, encoder_output)

    expect(logits, pre_norm.decoder(trg, encoder_output, decoder.weights, N_HEAD, 1))


@check
def every_layer_gets_both_masks(submission: Submission) -> None:
    """Every layer uses both masks: trg_mask for the target, src_mask for the source."""
    decoder = a_stack(submission, 3, "float64")
    trg, encoder_output = a_question(submission)
    both = masks(submission)
    questions: list[tuple[Array, list[Array | None]]] = [
        (trg, [*both]),
        (trg, [both[0], None]),
        (trg, [None, both[1]]),
        (trg[:, :1], [None, both[1]]),  # One token, as decoding begins.
    ]
    for tokens, pair in questions:
        logits = decoder(tokens, encoder_output, *pair)

        truth = pre_norm.decoder(tokens, encoder_output, decoder.weights, N_HEAD, 3, *pair)
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
    both = [models.trg_mask(trg, 0), masks(submission)[1]]
    for pair in (both, []):
        logits = decoder(trg, encoder_output, *pair)

        truth = pre_norm.decoder(trg, encoder_output, decoder.weights, N_HEAD, 2, *pair)
        expect(logits, truth, only=trg != 0)


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches every row of the table, every weight, and the encoder's output."""
    decoder = a_stack(submission, 3, "float64", dropout=0.0)
    trg = np.resize(submission.rng.permutation(VOCAB_SIZE), (BATCH_SIZE, 7))  # Every token.
    encoder_output = a_question(submission)[1]
    expect_gradients(trains(decoder), trg, encoder_output, *masks(submission, trg_len=7))


@check
def dropout_reaches_the_embedding_and_every_layer(submission: Submission) -> None:
    """In train mode, every part applies dropout once, with the given probability (default 0.1)."""
    for kwargs, p in SHARES:
        decoder = a_stack(submission, **kwargs)
        decoder.train()
        drawn = decoder.weights
        for simple, outcomes in (
            (dropout.few_words(drawn), dropout.embedding),
            (dropout.last_network(drawn), dropout.unclosed),
        ):
            decoder.assign(drawn | simple)
            trg, encoder_output = a_question(submission)
            trg = trg[:, :2]

            logits = decoder(trg, encoder_output)

            sums = outcomes(trg, drawn | simple, p)
            closed = paper.layer_norm(sums, paper.part(drawn, "norm"))
            expect_one_of(logits, paper.linear(closed, paper.part(drawn, "linear")), IN_STACK)


@check
def the_closing_norm_reads_the_sums(submission: Submission) -> None:
    """In train mode, nothing more is dropped between the last layer and the closing norm."""
    decoder = a_stack(submission, dropout=0.5)
    decoder.train()
    drawn = decoder.weights
    # The first scores are then the output of the closing norm.
    plain = {role: np.zeros_like(drawn[role]) for role in ("linear.weight", "linear.bias")}
    np.fill_diagonal(plain["linear.weight"], 1)
    decoder.assign(drawn | dropout.big_words(drawn) | plain)
    trg = submission.tokens(VOCAB_SIZE, MANY, MAX_LEN)

    logits = decoder(trg, submission.normal(MANY, SRC_LEN, DIM_VECTOR))

    expect_kept(logits, (MANY, MAX_LEN, VOCAB_SIZE), DIM_VECTOR)


@check
def the_source_is_not_dropped(submission: Submission) -> None:
    """In train mode, the layers read the encoder's output as it is: no dropout is applied to it."""
    p = 0.2
    decoder = a_stack(submission, dropout=p)
    decoder.train()
    drawn = decoder.weights
    decoder.assign(dropout.silent(drawn, but="layers.0.cross_attention."))
    decoder.assign(dropout.reserved(drawn, "layers.0.cross_attention.linear"))
    weights, trg = decoder.weights, submission.tokens(VOCAB_SIZE, BATCH_SIZE, 2)
    encoder_output = submission.normal(BATCH_SIZE, 1, DIM_VECTOR)

    logits = decoder(trg, encoder_output)

    embedded = paper.transformer_embedding(trg, paper.part(weights, "embedding"))
    own = paper.part(weights, "layers.0.cross_attention")
    brought = dropout.attention(embedded, encoder_output, own, N_HEAD, p)
    sums = dropout.added(embedded, dropout.all_drops(DIM_VECTOR, p), brought)
    closed = paper.layer_norm(sums, paper.part(weights, "norm"))
    expect_one_of(logits, paper.linear(closed, paper.part(weights, "linear")), IN_STACK)


@check
def max_len_is_the_limit(submission: Submission) -> None:
    """A target of max_len tokens works; one more token raises the ValueError of step 1.2."""
    decoder = a_stack(submission, 1, dropout=0.5)
    trg = submission.tokens(VOCAB_SIZE, 2, MAX_LEN + 1)
    encoder_output = submission.normal(2, SRC_LEN, DIM_VECTOR)

    logits = decoder(trg[:, :MAX_LEN], encoder_output)

    truth = pre_norm.decoder(trg[:, :MAX_LEN], encoder_output, decoder.weights, N_HEAD, 1)
    expect(logits, truth)
    with raises(ValueError, MAX_LEN + 1, MAX_LEN):
        decoder(trg, encoder_output)


@check
def sizes_are_arguments(submission: Submission) -> None:
    """Every size of the layer and of the stack is an argument: other values work too."""
    expect_sized(
        submission,
        "PreNormDecoderLayer",
        pre_norm.decoder_layer_shapes(8, 5),
        lambda weights, x, source: pre_norm.decoder_layer(x, source, weights, 4),
        submission.normal(2, 3, 8),
        submission.normal(2, 6, 8),
        dim_vector=8,
        n_head=4,
        dim_hidden=5,
    )
    expect_sized(
        submission,
        "PreNormDecoder",
        pre_norm.decoder_shapes(17, 8, 5, 1),
        lambda weights, trg, source: pre_norm.decoder(trg, source, weights, 4, 1),
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
def a_stack_works_at_large_sizes(submission: Submission) -> None:
    """The stack works at large sizes: hundreds of tokens and words, 13 layers, few words."""
    for vocab_size, max_len, num_layer in ((600, 600, 1), (3, 4, 13)):
        trg = submission.tokens(vocab_size, 1, max_len)

        def truth(weights: paper.Weights, *args: Array, num_layer: int = num_layer) -> Array:
            return pre_norm.decoder(*args[:2], weights, 2, num_layer, *args[2:])

        expect_sized(
            submission,
            "PreNormDecoder",
            pre_norm.decoder_shapes(vocab_size, 4, 5, num_layer),
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
    pair = masks(submission)
    expect_manners(a_layer(submission, dropout=0.5), *vectors(submission), *pair, drops=True)
    expect_manners(a_stack(submission, 1, dropout=0.5), *a_question(submission), *pair, drops=True)
