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
    expect_independent,
    expect_kept,
    expect_manners,
    expect_one_of,
    expect_sized,
    raises,
    trains,
)
from checks.engine.tracing.example import Example
from checks.scenes import dropout
from checks.scenes.examples import AXES, SOURCE_MASK, TARGET, TARGET_MASK, leak, of_decoder_layer
from checks.truth import models, paper, pre_norm

HINTS = [
    "Which norms does step 4.1 have? In pre-norm, each comes before a sublayer: which one?",
    "Give the normalised x a name of its own: the sublayer reads it, but the sum starts at the "
    "old x.",
    "The encoder has already normalised the source at its end. So cross-attention normalises only "
    "its queries.",
    "No norm comes after the last sum of a layer. So one LayerNorm stands between the stack "
    "(nn.ModuleList) and the scores (nn.Linear).",
    "x = x + self.dropout(self.cross_attention(____, encoder_output, encoder_output, src_mask))",
]
EXAMPLE = Example(
    AXES,
    f"""\
decoder = PreNormDecoder(
    vocab_size=13, dim_vector=12, max_len=9,
    n_head=3, dim_hidden=20, num_layer=2,
).eval()
{TARGET}encoder_output = torch.randn(2, 7, 12)
{TARGET_MASK}{SOURCE_MASK}logits = decoder(trg, encoder_output, trg_mask, src_mask)
""",
)
PICTURES = [
    *of_decoder_layer("decoder.layers[1]"),
    leak("target", "lambda trg: decoder(trg, encoder_output, trg_mask, src_mask), trg"),
]
VOCAB_SIZE, DIM_VECTOR, N_HEAD, DIM_HIDDEN, MAX_LEN = 13, 6, 3, 11, 9
BATCH_SIZE, TRG_LEN, SRC_LEN = 2, 4, 7
MANY = 40  # Sentences that show how entries are dropped.
IN_LAYER = dropped("to each sublayer's output and inside the feed-forward network")
IN_STACK = dropped("to the embedding and in every layer")


def a_layer(submission: Submission, dtype: str = "float32", **kwargs: Any) -> Module:
    layer = submission.build(
        "PreNormDecoderLayer",
        dim_vector=DIM_VECTOR,
        n_head=N_HEAD,
        dim_hidden=DIM_HIDDEN,
        dtype=dtype,
        **kwargs,
    )

    def truth(weights: paper.Weights, x: Array, encoder_output: Array, *masks: Array) -> Array:
        return pre_norm.decoder_layer(x, encoder_output, weights, N_HEAD, *masks)

    shapes = pre_norm.decoder_layer_shapes(DIM_VECTOR, DIM_HIDDEN)
    layer.draw(shapes, truth, *vectors(submission))
    return layer


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


def vectors(
    submission: Submission,
    trg_len: int = TRG_LEN,
    src_len: int = SRC_LEN,
    batch_size: int = BATCH_SIZE,
) -> tuple[Array, Array]:
    """x and encoder_output, larger than normalised ones, which shows where the norms are."""
    x, source = (submission.normal(batch_size, n, DIM_VECTOR) for n in (trg_len, src_len))
    return 3 * x + 1, 2 * source - 1


def a_question(submission: Submission) -> list[Array]:
    """trg and encoder_output."""
    trg = submission.tokens(VOCAB_SIZE, BATCH_SIZE, TRG_LEN)
    return [trg, vectors(submission)[1]]


def masks(submission: Submission, trg_len: int = TRG_LEN, src_len: int = SRC_LEN) -> list[Array]:
    """A causal target mask with some keys masked, and a source mask."""
    causal = np.tril(np.ones((trg_len, trg_len), bool))
    hidden = submission.mask(BATCH_SIZE, 1, 1, trg_len)
    hidden[..., 0] = True
    return [causal & hidden, submission.mask(BATCH_SIZE, 1, 1, src_len)]


@check
def each_sublayer_reads_a_norm_and_x_is_added(submission: Submission) -> None:
    """Each of the three sublayers reads its own norm of x. Its output is added to the x before the
    norm.
    """
    layer = a_layer(submission)
    for lengths in ((TRG_LEN, SRC_LEN), (1, SRC_LEN), (1, 1)):
        x, encoder_output = vectors(submission, *lengths)
        if lengths == (1, 1):
            x, encoder_output = x[:1], encoder_output[:1]

        out = layer(x, encoder_output)

        expect(out, pre_norm.decoder_layer(x, encoder_output, layer.weights, N_HEAD))


@check
def each_mask_has_its_place(submission: Submission) -> None:
    """The self-attention uses trg_mask, and the cross-attention uses src_mask."""
    layer = a_layer(submission)
    for src_len in (TRG_LEN, SRC_LEN):  # With equal lengths, swapped masks do not even crash.
        x, encoder_output = vectors(submission, src_len=src_len)
        trg_mask, src_mask = masks(submission, src_len=src_len)
        asked = [(x, (trg_mask, src_mask)), (x, (trg_mask, None)), (x, (None, src_mask))]
        asked += [(x[:, :1], (None, src_mask))]  # One token, as decoding begins.
        for x, pair in asked:
            out = layer(x, encoder_output, *pair)

            truth = pre_norm.decoder_layer(x, encoder_output, layer.weights, N_HEAD, *pair)
            expect(out, truth)


@check
def gradients_flow_through_a_layer(submission: Submission) -> None:
    """The gradient reaches x, the encoder's output and every weight."""
    layer = trains(a_layer(submission, "float64", dropout=0.0))
    expect_gradients(layer, *vectors(submission), *masks(submission))


@check
def attention_is_dropped_in_training(submission: Submission) -> None:
    """In train mode, dropout (default 0.1) is applied to each attention's output, not to x."""
    for kwargs, p in SHARES:
        for norm, name in (("norm1", "self_attention"), ("norm2", "cross_attention")):
            layer = a_layer(submission, **kwargs)
            layer.train()
            layer.assign(dropout.silent(layer.weights, but=f"{name}."))
            weights, (x, encoder_output) = layer.weights, vectors(submission, 1, 1, MANY)

            out = layer(x, encoder_output)

            own = paper.layer_norm(x, paper.part(weights, norm))
            source = own if name == "self_attention" else encoder_output
            brought = dropout.attention(source, paper.part(weights, name), N_HEAD, p)
            found = expect_one_of(out, x[..., None, :] + brought, IN_LAYER)
            if kwargs:
                drops = dropout.all_drops(DIM_VECTOR, p)
                expect_independent(out, drops[found % len(drops)])


@check
def the_feed_forward_is_dropped_in_training(submission: Submission) -> None:
    """In train mode, dropout is applied inside the feed-forward network and to its output."""
    for kwargs, p in SHARES:
        layer = a_layer(submission, **kwargs)
        layer.train()
        awake = dropout.wide_awake(layer.weights)
        quiet = dropout.silent(awake, but="feed_forward.")
        layer.assign(awake | quiet | {"norm3.gamma": np.zeros(DIM_VECTOR)})
        weights, (x, encoder_output) = layer.weights, vectors(submission)

        out = layer(x, encoder_output)

        beta = np.broadcast_to(weights["norm3.beta"], x.shape)
        truth = x[..., None, :] + dropout.feed_forward(beta, weights, p)
        found = expect_one_of(out, truth, IN_LAYER)
        if kwargs:
            drops = dropout.all_drops(DIM_VECTOR, p)
            expect_independent(out, drops[found % len(drops)])


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
    """In train mode, every part applies dropout with the given probability (default 0.1)."""
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
    brought = dropout.attention(encoder_output, own, N_HEAD, p)
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
def a_layer_works_at_large_sizes(submission: Submission) -> None:
    """Large sizes work too: hundreds of tokens in the target or the source, or of features inside
    the feed-forward network.
    """
    for trg_len, src_len, dim_hidden in ((600, 3, 5), (3, 600, 5), (3, 2, 600)):
        expect_sized(
            submission,
            "PreNormDecoderLayer",
            pre_norm.decoder_layer_shapes(4, dim_hidden),
            lambda weights, x, source, *masks: pre_norm.decoder_layer(
                x, source, weights, 2, *masks
            ),
            submission.normal(1, trg_len, 4),
            submission.normal(1, src_len, 4),
            np.tril(np.ones((trg_len, trg_len), bool)),
            submission.mask(1, 1, 1, src_len),
            dim_vector=4,
            n_head=2,
            dim_hidden=dim_hidden,
        )


@check
def a_stack_works_at_large_sizes(submission: Submission) -> None:
    """Large sizes work too: hundreds of tokens and words, 13 layers, fewer words than features."""
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
    """In eval mode two calls give the same result; the inputs are not changed; it works on any
    device.
    """
    pair = masks(submission)
    expect_manners(a_layer(submission, dropout=0.5), *vectors(submission), *pair, drops=True)
    expect_manners(a_stack(submission, 1, dropout=0.5), *a_question(submission), *pair, drops=True)
