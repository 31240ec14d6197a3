"""Checks for noam_learning_rate and sequence_loss, in s5_transformer/training.py."""

from typing import Any

import numpy as np

from checks.engine.language import (
    Array,
    Function,
    Received,
    Submission,
    check,
    differs,
    expect,
    expect_form,
    expect_gradients,
    expect_manners,
    expect_number,
    expectation,
)
from checks.truth import learning, paper

VOCAB_SIZE = 7


def rate(submission: Submission) -> Function:
    return submission.function("noam_learning_rate")


def loss_of(submission: Submission) -> Function:
    def truth(weights: paper.Weights, logits: Array, targets: Array, pad_idx: int) -> Array:
        return learning.sequence_loss(logits, targets, pad_idx)

    return submission.function("sequence_loss", truth)


def predictions(
    submission: Submission, pad: int, batch_size: int = 3, length: int = 5
) -> tuple[Array, Array]:
    """logits and targets, in which the sentences have different numbers of real tokens."""
    logits = submission.normal(batch_size, length, VOCAB_SIZE, scale=2.0)
    targets = submission.tokens(VOCAB_SIZE, batch_size, length)
    targets[targets == pad] = pad - 1 if pad else 1
    targets[0, length // 2 :] = pad
    if batch_size > 1:
        targets[1, -1] = pad
    return logits, targets


@expectation
def expect_smoothed(got: Received, truths: list[float]) -> None:
    """Fail unless `got` is one of these losses: the paper does not say how smoothing is spread."""
    if got.kind == "tensor":
        expect_form(got, ())
    value = got.array if got.array is not None else got.plain
    if isinstance(value, (float, np.ndarray)):
        if any(not differs(np.asarray(value), np.asarray(truth)).any() for truth in truths):
            return
    if got.kind == "tensor":
        expect(got, np.asarray(truths[0]))
    expect_number(got, truths[0])


def smoothings() -> list[dict[str, Any]]:
    """Every way to smooth; the first is PyTorch's."""
    return [{"spread": s, "divergence": d} for d in (False, True) for s in learning.SPREADS]


@check
def the_rate_rises_and_falls(submission: Submission) -> None:
    """The rate rises linearly up to warmup_steps. Then it falls as 1 / sqrt(step)."""
    asked = [
        (step, dim_vector, warmup_steps)
        for dim_vector, warmup_steps in ((6, 5), (512, 4000), (16, 1), (2048, 40000))
        for step in (1, 2, warmup_steps, warmup_steps + 1, 4 * warmup_steps + 3)
    ]

    rates = [rate(submission)(*numbers) for numbers in asked]

    for numbers, got in zip(asked, rates):
        expect_number(got, learning.noam_learning_rate(*numbers))


@check
def steps_count_from_one(submission: Submission) -> None:
    """Step 0 and steps below it raise a ValueError that names the step."""
    for step in (0, -3):
        with submission.raises(ValueError, step):
            rate(submission)(step, 6, 5)


@check
def the_loss_is_a_mean_over_real_tokens(submission: Submission) -> None:
    """sequence_loss is the mean cross-entropy of the targets that are not padding, for any
    pad_idx.
    """
    for pad in (0, 3):
        for batch_size, length in ((3, 5), (1, 4), (2, VOCAB_SIZE), (2, 1)):
            logits, targets = predictions(submission, pad, batch_size, length)
            if length == 1:
                targets[0] = 6

            got = loss_of(submission)(logits, targets, pad)

            expect(got, learning.sequence_loss(logits, targets, pad))


@check
def smoothing_spreads_a_share(submission: Submission) -> None:
    """With label_smoothing, that part of each target is spread over the vocabulary."""
    for pad, smoothing, has_padding in ((0, 0.1, True), (3, 0.4, True), (3, 0.3, False)):
        logits, targets = predictions(submission, pad)
        if not has_padding:
            targets[targets == pad] = 5

        got = loss_of(submission)(logits, targets, pad, smoothing)

        truths = [
            learning.sequence_loss(logits, targets, pad, smoothing, **s) for s in smoothings()
        ]
        expect_smoothed(got, [float(truth) for truth in truths])


@check
def scores_may_lie_far_apart(submission: Submission) -> None:
    """Only differences between one token's logits matter, and large differences work too."""
    for far in (60, 120):  # In float32, exp(-60) is tiny and exp(-120) is 0.
        logits, targets = predictions(submission, 3)
        logits[0], logits[1] = logits[0] + far, logits[1] - far
        np.put_along_axis(logits[2], targets[2][:, None], -far, 1)

        got = loss_of(submission)(logits, targets, 3)

        expect(got, learning.sequence_loss(logits, targets, 3))


@check
def scores_at_padding_do_not_count(submission: Submission) -> None:
    """Logits at padding targets change neither the loss nor its gradient."""
    logits, targets = predictions(submission, 3)
    for smoothing in (0.0, 0.1):
        first = loss_of(submission)(logits, targets, 3, smoothing)
        expect_form(first, ())
        other = np.where((targets == 3)[..., None], -logits + 2, logits)

        second = loss_of(submission)(other, targets, 3, smoothing)

        expect_same_loss(first, second)


@expectation
def expect_same_loss(first: Received, second: Received) -> None:
    assert first.array is not None
    expect(second, first.array)


@check
def the_loss_can_be_learned_from(submission: Submission) -> None:
    """The gradient of the loss reaches every logit of a real target, with the right sign."""
    logits, targets = predictions(submission, 3)
    expect_gradients(loss_of(submission), logits, targets, 3)


@check
def the_loss_has_manners(submission: Submission) -> None:
    """Two calls give the same loss; logits and targets are not changed; it works on any device."""
    logits, targets = predictions(submission, 3)
    expect_manners(loss_of(submission), logits, targets, 3)
