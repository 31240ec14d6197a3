"""Checks for s5_transformer/classifier.py."""

import math

import numpy as np

from checks.engine.language import (
    SHARES,
    Array,
    Fail,
    Made,
    Received,
    Shapes,
    Submission,
    check,
    dropped,
    expect,
    expect_form,
    expect_gradients,
    expect_manners,
    expect_mode,
    expect_one_of,
    expect_sized,
    expectation,
    state,
)
from checks.s5_transformer.classifier.setting import (
    BATCH_SIZE,
    LENGTH,
    N_HEAD,
    PAD,
    SIZES,
    TABLE,
    a_classifier,
    expect_scores,
    texts,
)
from checks.scenes import dropout
from checks.truth import models, paper


@check
def the_tiny_example_runs(submission: Submission) -> None:
    """The example of the course works, arguments by position: two texts in, one score per class
    out.
    """
    model = submission.build("TextClassifier", 10, 3, 6, 2, 10, 3, 9, 0, 0.1)

    logits = model(np.array([[1, 1, 4, 0], [4, 3, 2, 9]]))

    expect_form(logits, (2, 3))
    expect_count(logits, model.report, models.classifier_shapes(10, 3, 6, 3, 9))


@expectation
def expect_count(logits: Received, made: Made, needed: Shapes) -> None:
    """Fail unless there are as many numbers to learn as these shapes have."""
    counts = [sum(map(math.prod, shapes)) for shapes in (needed.values(), made.sizes)]
    if counts[0] != counts[1]:
        rule = f"It has {counts[1]} numbers to learn, expected {counts[0]}."
        raise Fail("params", logits.say(rule), shows="one-object-twice" if made.shares else None)


@check
def a_text_becomes_scores(submission: Submission) -> None:
    """Encoder, mean over the tokens and linear layer together give the scores, for all lengths."""
    model = a_classifier(submission, dropout=0.5)
    for length, batch_size in ((LENGTH, 3), (1, 3), (3, 1), (9, 3), (1, 1)):
        expect_scores(model, texts(submission, length, padded=False)[:batch_size])


@check
def padding_counts_for_nothing(submission: Submission) -> None:
    """Padding changes neither what the encoder makes of words nor the mean, wherever it stands."""
    model = a_classifier(submission)

    expect_scores(model, texts(submission))
    for rows in (slice(None, None, -1), slice(1, 2), slice(2, 3)):
        expect_scores(model, texts(submission)[rows])

    tokens = texts(submission)
    tokens[:, 0], tokens[1, 1:] = PAD, np.resize([PAD - 1, PAD + 1], LENGTH - 1)
    expect_scores(model, tokens)

    # At first, no place has words in all texts; then there are texts of one word, too.
    tokens = np.resize(texts(submission, padded=False), (5, LENGTH))
    tokens[1, :4], tokens[2, 3:], tokens[3, :-1], tokens[4, 1:] = PAD, PAD, PAD, PAD
    for rows in (slice(0, 3), slice(1, 3), slice(None), slice(3, None), slice(3, 4)):
        expect_scores(model, tokens[rows])

    tokens = texts(submission, 4, padded=False)
    longer = np.concatenate([tokens, np.full((BATCH_SIZE, 4), PAD)], 1)
    assert model.truth is not None
    expect(model(longer), model.truth(model.weights, tokens))


@check
def padding_is_an_argument(submission: Submission) -> None:
    """pad_idx says which token is padding (default 0)."""
    for pad in (8, 0):
        model = a_classifier(submission, 1, pad_idx=pad)
        expect_scores(model, texts(submission, pad=pad))
    model = submission.build("TextClassifier", **SIZES, num_layer=1)
    table = submission.normal(11, 6)
    table[0] = 0

    def truth(weights: paper.Weights, tokens: Array) -> Array:
        return models.classifier(tokens, weights, N_HEAD, 1, 0)

    shapes = models.classifier_shapes(11, 4, 6, 10, 1)
    tokens = texts(submission, pad=0, padded=False)
    model.draw(shapes, truth, tokens, **{TABLE.replace(".", "__"): table})
    expect_scores(model, texts(submission, pad=0))


@check
def an_empty_text_is_refused(submission: Submission) -> None:
    """A text without a real token raises a ValueError, because it has no mean."""
    model = a_classifier(submission, 1)
    for padded in (True, False):
        for rows in ([0, 1, 2], [0], [1], [2]):
            tokens = texts(submission, padded=padded)
            tokens[rows] = PAD
            with submission.raises(ValueError):
                model(tokens)
    with submission.raises(ValueError):
        model(np.full((1, 5), PAD))


@check
def max_len_is_the_limit(submission: Submission) -> None:
    """A text may have max_len tokens; one more raises a ValueError."""
    model = a_classifier(submission, 1, dropout=0.5)
    tokens = texts(submission, 10, padded=False)

    expect_scores(model, tokens[:, 1:])

    with submission.raises(ValueError, 10, 9):
        model(tokens)


@check
def gradients_flow(submission: Submission) -> None:
    """In train mode, the gradient reaches every weight of the encoder, the last layer, and every
    word.
    """
    tokens = texts(submission)
    words = submission.rng.permutation(np.delete(np.arange(11), PAD))
    tokens[tokens != PAD] = np.resize(words, np.sum(tokens != PAD))
    model = a_classifier(submission, 1, "float64", dropout=0.0)
    model.train()
    expect_gradients(model, tokens)


@check
def dropout_reaches_the_encoder(submission: Submission) -> None:
    """In train mode, dropout acts only in the encoder, as given (default probability 0.1)."""
    for kwargs, p in SHARES:
        model = a_classifier(submission, 2, **kwargs)
        model.train()
        own = paper.part(model.weights, "encoder")
        silent = dropout.only_bias(own, "layers.0.feed_forward.linear2")
        silent |= dropout.flat(own, "layers.0.add_norm1")
        model.assign({f"encoder.{role}": w for role, w in silent.items()})
        tokens = texts(submission, 2, padded=False)

        logits = model(tokens)

        own = paper.part(model.weights, "encoder")
        x = dropout.layer(tokens, own, 0, ("add_norm1", "add_norm2"), p)
        means = (x[:, 0, :, None] + x[:, 1, None]) / 2  # All possible values of both.
        means = means.reshape(len(tokens), -1, means.shape[-1])
        truth = paper.linear(means, paper.part(model.weights, "linear"))
        place = dropped("in the encoder, and nowhere else")
        expect_one_of(logits, truth, place)


@check
def training_hides_padding_too(submission: Submission) -> None:
    """In train mode, padding has no effect either, an empty text is refused, and the mode stays."""
    model = a_classifier(submission, 1, dropout=0.0)
    model.train()
    tokens = texts(submission)

    got = model(tokens)

    assert model.truth is not None
    expect(got, model.truth(model.weights, tokens))
    expect_mode(got, state(submission, model), trains=True)

    tokens[1] = PAD
    with submission.raises(ValueError):
        model(tokens)


@check
def sizes_are_arguments(submission: Submission) -> None:
    """Every size is an argument: other values work as well, even as many classes as features."""
    for num_class, dim_vector in ((8, 8), (1, 8)):
        model = submission.build(
            "TextClassifier",
            vocab_size=14,
            num_class=num_class,
            dim_vector=dim_vector,
            n_head=4,
            max_len=11,
            dim_hidden=5,
            num_layer=1,
            pad_idx=7,
        )

        def truth(weights: paper.Weights, tokens: Array) -> Array:
            return models.classifier(tokens, weights, 4, 1, 7)

        tokens = submission.tokens(14, 8, 11)
        tokens[tokens == 7] = 6
        model.draw(models.classifier_shapes(14, num_class, dim_vector, 5, 1), truth, tokens)
        tokens[0, -2:] = 7

        for length in (11, 8):
            expect_scores(model, tokens[:, -length:])


@check
def two_classes_have_two_scores(submission: Submission) -> None:
    """There is one score for each class: two for two classes, one for one."""
    for num_class in (2, 1):
        expect_sized(
            submission,
            "TextClassifier",
            models.classifier_shapes(11, num_class, 6, 5, 1),
            lambda weights, tokens: models.classifier(tokens, weights, N_HEAD, 1, PAD),
            texts(submission, padded=False),
            **SIZES | {"num_class": num_class, "dim_hidden": 5},
            num_layer=1,
            pad_idx=PAD,
        )


@check
def each_call_begins_anew(submission: Submission) -> None:
    """Each call uses the padding of its own batch and the current weights."""
    model = a_classifier(submission, 1)
    first = texts(submission)
    for tokens in (first, np.flip(first, axis=0).copy(), first):
        expect_scores(model, tokens)

    learned = {role: w for role, w in model.weights.items() if role != TABLE}
    model.assign({role: model.drawn(role, w.shape) for role, w in learned.items()})

    expect_scores(model, first)


@check
def large_sizes_work_too(submission: Submission) -> None:
    """The classifier works with hundreds of tokens, words and classes, and with 13 layers."""
    for vocab_size, num_class, length, num_layer in ((600, 300, 520, 1), (3, 2, 4, 13)):

        def truth(weights: paper.Weights, tokens: Array, num_layer: int = num_layer) -> Array:
            return models.classifier(tokens, weights, 2, num_layer, 0)

        expect_sized(
            submission,
            "TextClassifier",
            models.classifier_shapes(vocab_size, num_class, 4, 5, num_layer),
            truth,
            submission.tokens(vocab_size, 1, length, low=1),
            vocab_size=vocab_size,
            num_class=num_class,
            dim_vector=4,
            n_head=2,
            max_len=length,
            dim_hidden=5,
            num_layer=num_layer,
        )


@check
def it_has_manners(submission: Submission) -> None:
    """In eval mode two calls give the same result, in train mode other ones; the input is not
    changed; it works on any device.
    """
    expect_manners(a_classifier(submission, 1, dropout=0.5), texts(submission), drops=True)
