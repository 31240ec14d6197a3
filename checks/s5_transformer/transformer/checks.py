"""Checks for s5_transformer/transformer.py."""

import numpy as np

from checks.engine.language import (
    SHARES,
    Array,
    Submission,
    check,
    dropped,
    expect,
    expect_form,
    expect_gradients,
    expect_manners,
    expect_one_of,
    expect_sized,
    trains,
)
from checks.s5_transformer.transformer.setting import (
    BATCH_SIZE,
    DIM_VECTOR,
    N_HEAD,
    PADDING_ROWS,
    SIZES,
    SRC_LEN,
    SRC_PAD,
    TRG_PAD,
    a_model,
    expect_count,
    expect_logits,
    expect_plain,
    sentences,
)
from checks.scenes import dropout
from checks.truth import models, paper


@check
def the_tiny_example_runs(submission: Submission) -> None:
    """The example of the course works, arguments by position: two sentences in, logits (2, 4, 10)
    out.
    """
    model = submission.build("Transformer", 0, 0, 10, 10, 6, 2, 10, 3, 9, 0.1)
    src, trg = np.array([[1, 1, 4, 0], [4, 3, 2, 9]]), np.array([[5, 2, 5, 0], [6, 7, 9, 8]])

    logits = model(src, trg)

    expect_form(logits, (2, 4, 10))
    expect_count(logits, model.report, models.transformer_shapes(10, 10, 6, 3, 9))


@check
def source_and_target_become_logits(submission: Submission) -> None:
    """Encoder, decoder and both masks together give the logits of the formula, for all lengths."""
    model = a_model(submission, dropout=0.5)
    for src_len, trg_len in ((5, 7), (7, 4), (5, 1), (1, 1)):
        src, trg = sentences(submission, src_len, trg_len, pads=False)
        if src_len == 1:
            src, trg = src[:1], trg[:1]

        logits = model(src, trg)

        expect_logits(logits, model, src, trg)


@check
def padding_is_hidden_everywhere(submission: Submission) -> None:
    """Padding of both languages, each with its own index, is masked in encoder and decoder."""
    model = a_model(submission)
    for src_len, trg_len in ((5, 7), (5, 5), (5, 2), (5, 1)):
        src, trg = sentences(submission, src_len, max(trg_len, 3))
        trg = trg[:, :trg_len]

        logits = model(src, trg)

        expect_logits(logits, model, src, trg)

    src, trg = sentences(submission)
    unpadded = np.where(src[:1] == SRC_PAD, TRG_PAD, src[:1])
    for some in (src[:1], np.concatenate([unpadded, src[1:]])):  # One alone; one without padding.
        logits = model(some, trg[: len(some)])

        expect_logits(logits, model, some, trg[: len(some)])


@check
def encode_gives_output_and_mask(submission: Submission) -> None:
    """encode(src) returns the encoder's output and the source mask."""
    model = a_model(submission, 1, dropout=0.5)
    src, _ = sentences(submission)

    encoder_output, src_mask = model.method("encode", src).parts("encoder_output", "src_mask")

    truth = models.src_mask(src, SRC_PAD)
    expect(src_mask, truth, dtype="bool")
    weights = paper.part(model.weights, "encoder")
    encoded = models.encoder(src, weights, N_HEAD, 1, truth)
    expect(encoder_output, encoded, only=src != SRC_PAD)


@check
def decode_reads_what_it_is_given(submission: Submission) -> None:
    """decode(trg, encoder_output, src_mask) uses that output and that mask for its logits."""
    model = a_model(submission, 1, dropout=0.5)
    src, trg = sentences(submission)
    encoder_output = submission.normal(BATCH_SIZE, SRC_LEN, DIM_VECTOR)
    src_mask = submission.mask(BATCH_SIZE, 1, 1, SRC_LEN)
    model.method("encode", src)  # Of another source: nothing of it may be left.

    logits = model.method("decode", trg, encoder_output, src_mask)
    weights, trg_mask = paper.part(model.weights, "decoder"), models.trg_mask(trg, TRG_PAD)
    truth = models.decoder(trg, encoder_output, weights, N_HEAD, 1, trg_mask, src_mask)
    expect(logits, truth, only=trg != TRG_PAD)


@check
def it_knows_its_padding(submission: Submission) -> None:
    """Each model keeps its own src_pad_idx and trg_pad_idx: training and decoding need them."""
    pairs = ((SRC_PAD, TRG_PAD), (SRC_PAD, 0), (0, TRG_PAD))
    several = [dict(zip(("src_pad_idx", "trg_pad_idx"), pads)) for pads in pairs]
    built = [
        submission.build("Transformer", **{**SIZES, **given}, num_layer=1) for given in several
    ]
    for model, given in zip(built, several):
        for name, pad in given.items():
            expect_plain(model.attribute(name), pad)


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches every weight of encoder and decoder, and every word of both tables."""
    src, trg = sentences(submission, 7, 8)
    for tokens, vocab_size, pad in ((src, 11, SRC_PAD), (trg, 13, TRG_PAD)):
        words = submission.rng.permutation(np.delete(np.arange(vocab_size), pad))
        tokens[tokens != pad] = np.resize(words, np.sum(tokens != pad))
    model = trains(a_model(submission, 1, "float64", dropout=0.0))

    expect_gradients(model, src, trg, only=trg != TRG_PAD)


@check
def dropout_reaches_both_sides(submission: Submission) -> None:
    """In train mode, dropout acts in encoder and decoder, as given (default probability 0.1)."""
    for kwargs, p in SHARES:
        model = a_model(submission, **kwargs)
        model.train()
        quiet: dict[str, Array] = {}
        for side, norm in (("encoder", "add_norm1"), ("decoder", "add_norm2")):
            own = paper.part(model.weights, side)
            silent = dropout.only_bias(own, "layers.0.feed_forward.linear2")
            silent |= dropout.flat(own, f"layers.0.{norm}")
            quiet |= {f"{side}.{role}": w for role, w in silent.items()}
        model.assign(quiet)
        src, trg = sentences(submission, pads=False)

        logits = model(src, trg)
        encoder_output, _ = model.method("encode", src).parts("encoder_output", "src_mask")

        weights = model.weights
        own, norms = paper.part(weights, "encoder"), ("add_norm1", "add_norm2")
        truth = dropout.layer(src, own, 0, norms, p)
        expect_one_of(encoder_output, truth, dropped("in the encoder"))
        own = paper.part(weights, "decoder")
        x = dropout.layer(trg, own, 0, ("add_norm2", "add_norm3"), p)
        truth = paper.linear(x, paper.part(own, "linear"))
        expect_one_of(logits, truth, dropped("in the decoder"))


@check
def the_source_is_not_dropped(submission: Submission) -> None:
    """In train mode, the decoder reads the encoder's output as it is, without more dropout."""
    p = 0.2
    model = a_model(submission, dropout=p)
    model.train()
    decoder = paper.part(model.weights, "decoder")
    quiet = dropout.silent(decoder, but="layers.0.cross_attention.")
    quiet |= dropout.flat(decoder, "layers.0.add_norm1")
    last = dropout.flat(model.weights, "encoder.layers.1.add_norm2")
    model.assign({f"decoder.{role}": w for role, w in quiet.items()} | last)
    src, trg = sentences(submission, src_len=1, pads=False)

    logits = model(src, trg)

    source = dropout.beta_of(model.weights, "encoder.layers.1.add_norm2", BATCH_SIZE, 1)
    decoder = paper.part(model.weights, "decoder")
    x = dropout.one_source(trg, source, decoder, N_HEAD, p)
    truth = paper.linear(x, paper.part(decoder, "linear"))
    expect_one_of(logits, truth, "In train mode something of the encoder's output is dropped.")


@check
def max_len_is_the_limit(submission: Submission) -> None:
    """Source and target may have max_len tokens; one more, in either, raises an error."""
    model = a_model(submission, 1, dropout=0.5)
    max_len = SIZES["max_len"]
    src, trg = sentences(submission, max_len + 1, max_len + 1, pads=False)

    expect_logits(model(src[:, 1:], trg[:, 1:]), model, src[:, 1:], trg[:, 1:])

    for pair in ((src, trg[:, 1:]), (src[:, 1:], trg)):
        with submission.raises(
            Exception
        ):  # A mask in a table of max_len rows may raise before step 1.2.
            model(*pair)


@check
def sizes_are_arguments(submission: Submission) -> None:
    """Every size and both padding indices are arguments: other values work as well. Vocabularies
    of one size are still two.
    """

    def truth(weights: paper.Weights, src: Array, trg: Array) -> Array:
        return models.transformer(src, trg, weights, 4, 1, 7, 2)

    for target_words in (12, 14):
        model = submission.build(
            "Transformer",
            src_pad_idx=7,
            trg_pad_idx=2,
            encoder_vocab_size=14,
            decoder_vocab_size=target_words,
            dim_vector=8,
            n_head=4,
            max_len=11,
            dim_hidden=5,
            num_layer=1,
        )
        src, trg = submission.tokens(14, 2, 11), submission.tokens(target_words, 2, 11)
        src[src == 7], trg[trg == 2] = 2, 7
        model.draw(models.transformer_shapes(14, target_words, 8, 5, 1), truth, src, trg)
        src[0, -2:], src[1, 3], trg[0, 4], trg[1, -1] = 7, 7, 2, 2

        expect_logits(model(src, trg), model, src, trg, pad=2)


@check
def each_call_begins_anew(submission: Submission) -> None:
    """Each call uses the padding of its own batch and the current weights."""
    model = a_model(submission, 1)
    first = sentences(submission)
    second = [np.flip(tokens, axis=0).copy() for tokens in first]  # Other places are padding.
    for src, trg in (first, second, first):
        logits = model(src, trg)

        expect_logits(logits, model, src, trg)

    learned = {role: w for role, w in model.weights.items() if role not in PADDING_ROWS}
    model.assign({role: model.drawn(role, w.shape) for role, w in learned.items()})

    src, trg = first
    expect_logits(model(src, trg), model, src, trg)


@check
def large_sizes_work_too(submission: Submission) -> None:
    """The model works with hundreds of tokens and words, 13 layers, or more features than words."""
    for vocab_size, length, num_layer in ((600, 520, 1), (3, 4, 13)):

        def truth(weights: paper.Weights, *args: Array, num_layer: int = num_layer) -> Array:
            return models.transformer(*args, weights, 2, num_layer, 0, 0)

        expect_sized(
            submission,
            "Transformer",
            models.transformer_shapes(vocab_size, vocab_size, 4, 5, num_layer),
            truth,
            *(submission.tokens(vocab_size, 1, length, low=1) for _ in range(2)),
            src_pad_idx=0,
            trg_pad_idx=0,
            encoder_vocab_size=vocab_size,
            decoder_vocab_size=vocab_size,
            dim_vector=4,
            n_head=2,
            max_len=length,
            dim_hidden=5,
            num_layer=num_layer,
        )


@check
def it_has_manners(submission: Submission) -> None:
    """In eval mode two calls give the same result, in train mode other ones; the inputs are not
    changed; it works on any device.
    """
    expect_manners(a_model(submission, 1, dropout=0.5), *sentences(submission), drops=True)
