"""Checks for s5_transformer/training.py."""

import numpy as np

from checks.engine.language import (
    Array,
    Received,
    Submission,
    check,
    expect,
    expect_certain,
    expect_number,
    expectation,
    tries,
)
from checks.s5_transformer.training import rate_and_loss
from checks.s5_transformer.training.rate_and_loss import (
    VOCAB_SIZE,
    expect_smoothed,
    loss_of,
    smoothings,
)
from checks.s5_transformer.training.setting import (
    a_training,
    a_transformer,
    expect_clipped,
    expect_descent,
    expect_other_loss,
    loss_at,
    sentences,
)
from checks.s5_transformer.transformer.setting import SRC_PAD, TRG_PAD
from checks.scenes.one_step import LARGE, Training, is_at, train_step
from checks.scenes.stand_ins import Descent
from checks.truth import learning

PARTS = [rate_and_loss]
HUGE = 1e6  # For max_norm: longer than the gradient of a Transformer, so no gradient is clipped.


@check
def a_step_goes_down_the_gradient(submission: Submission) -> None:
    """The decoder reads all but the last token and predicts all but the first. The weights move,
    and the loss is returned.
    """
    src, trg = sentences(submission)
    training = a_training(submission)

    loss, after = training.on(src, trg, 0.0, LARGE)

    expect_number(loss, training.foretell(src, trg))
    training.expect(after)


@check
def targets_may_have_any_length(submission: Submission) -> None:
    """A step works with targets of two tokens, and with a batch of one sentence."""
    for rows, trg_len in ((3, 2), (1, 6)):
        src, trg = sentences(submission, 3, 6)
        src, trg = src[:rows], trg[:rows, :trg_len]
        training = a_training(submission)

        loss, after = training.on(src, trg, 0.0, LARGE)

        expect_number(loss, training.foretell(src, trg))
        training.expect(after)


@check
def old_gradients_count_for_nothing(submission: Submission) -> None:
    """Old gradients do not move the weights; what the optimizer keeps from step to step does."""
    training = a_training(submission, left=0.7)
    batches = [sentences(submission) for _ in range(3)]

    steps = [training.on(src, trg, 0.0, LARGE) for src, trg in batches]

    training.expect_steps(batches, steps)


@check
def large_gradients_are_clipped(submission: Submission) -> None:
    """The norm of all gradients together is at most max_norm (default 1); shorter ones stay."""
    for more in ((0.0, 0.05), (0.0, 0.3), (), (0.0, 3.0), (0.0, LARGE), None):
        for _ in tries():
            training, (src, trg) = a_training(submission), sentences(submission, 4, 4)
            norm = training.norm(src[:2], trg[:2, :2])
            if norm > 1.2 if more == () else more or abs(np.log(norm)) > 0.2:
                break
        more = (0.0, norm**1.5) if more is None else more  # Between the norm and its square.

        loss, after = training.on(src[:2], trg[:2, :2], *more)

        max_norm = more[1] if more else 1.0
        expect_number(loss, training.foretell(src[:2], trg[:2, :2], max_norm=max_norm))
        training.expect(after)


@check
def what_is_frozen_has_no_gradient(submission: Submission) -> None:
    """Frozen weights (requires_grad False) stay as they are; the others learn, with clipping."""
    training = a_training(submission, frozen=True)
    src, trg = sentences(submission)

    loss, after = training.on(src, trg, 0.0, 0.05)

    expect_number(loss, training.foretell(src, trg, max_norm=0.05))
    training.expect(after)


@check
def large_sizes_work_too(submission: Submission) -> None:
    """Loss and steps work for hundreds of tokens and words, the loss for as many sentences."""
    for batch_size, length, vocab_size in ((300, 2, 7), (2, 520, 7), (2, 5, 600)):
        logits = submission.normal(batch_size, length, vocab_size)
        targets = submission.tokens(vocab_size, batch_size, length, low=1)

        got = loss_of(submission)(logits, targets, 0)

        expect(got, learning.sequence_loss(logits, targets, 0))

    many = [submission.tokens(300, 3, length, low=10) for length in (4, 6)]
    for (src, trg), vocab_size in ((sentences(submission, 520, 520), VOCAB_SIZE), (many, 300)):
        training = Training(submission, vocab_size, SRC_PAD, TRG_PAD)
        loss, after = training.on(src, trg, 0.0, LARGE)

        expect_number(loss, training.foretell(src, trg))
        training.expect(after)


@check
def gradients_are_clipped_at_every_step(submission: Submission) -> None:
    """At every step the gradients are clipped, not the update and not the learning rate."""
    training = a_training(submission, lr=3.0)
    batches = [sentences(submission) for _ in range(5)]

    steps = [training.on(src, trg, 0.0, 0.1) for src, trg in batches]

    training.expect_steps(batches, steps, max_norm=0.1)


@check
def no_loss_is_too_small_for_a_step(submission: Submission) -> None:
    """A step learns from every batch, even if its loss is almost 0."""
    src, trg = (tokens[:1, :2] for tokens in sentences(submission))
    training = a_training(submission, lr=3.0)
    batches = [(src, trg)] * 3

    steps = [training.on(src, trg, 0.0, LARGE) for src, trg in batches]

    training.expect_steps(batches, steps)


@check
def a_step_smooths_its_labels(submission: Submission) -> None:
    """train_step passes label_smoothing to the loss; by default nothing is smoothed."""
    for smoothing in (0.3, 0.0):
        src, trg = sentences(submission)
        training = a_training(submission)

        loss, after = training.on(src, trg, smoothing, LARGE)

        start, truths, ends = (training.expected, training.velocity), [], []
        for how in smoothings():
            training.expected, training.velocity = start
            truths.append(training.foretell(src, trg, smoothing, **how))
            ends.append(training.expected)
        expect_smoothed(loss, truths)
        expect_one_end(ends, *after.values())


@expectation
def expect_one_end(ends: list[dict[str, Array]], *after: Received) -> None:
    """Fail unless the parameters are at one of these ends, or tell how far from the first."""
    by_name = dict(zip(ends[0], after))
    right = next((end for end in ends if is_at(by_name, end)), ends[0])
    for name, got in by_name.items():
        expect(got, right[name])


@check
def it_learns_in_train_mode(submission: Submission) -> None:
    """A model that comes in eval mode, for example after decoding, learns in train mode."""
    for mode in (False, True):
        training = a_training(submission)
        batches = [sentences(submission) for _ in range(3)]
        steps = []
        for (src, trg), put_into in zip(batches, (mode, None, mode)):
            training.model.trains = put_into
            steps.append(training.on(src, trg, 0.0, LARGE))

        training.expect_steps(batches, steps)


@check
def every_step_drops_anew(submission: Submission) -> None:
    """In every step dropout drops other entries: its random numbers do not repeat."""
    model, src, trg = a_transformer(submission, dropout=0.5)
    step = train_step(submission, "float64")
    optimizer = Descent(submission, model, 0.0)

    first, second = (step(model, optimizer, src, trg, 0.0, HUGE) for _ in range(2))

    expect_other_loss(first, second)


@check
def your_transformer_learns(submission: Submission) -> None:
    """A step on your own Transformer moves every weight down the gradient of the loss."""
    model, src, trg = a_transformer(submission)
    before, lr = dict(model.weights), 1.0
    step = train_step(submission, "float64")

    loss = step(model, Descent(submission, model, lr), src, trg, 0.0, HUGE)

    after = model.read_weights()
    expect_number(loss, loss_at(model, before, src, trg))
    expect_certain(model, src, trg[:, :-1])
    rng = submission.rng
    directions = {role: np.asarray(rng.normal(size=w.shape)) for role, w in before.items()}
    for role, row in model.open_rows.items():
        directions[role][row] = 0
    expect_descent(model, loss, after, before, directions, (src, trg, lr))


@check
def your_whole_transformer_is_clipped(submission: Submission) -> None:
    """The clipped norm is that of all gradients together, in encoder and decoder, however large."""
    step, max_norm = train_step(submission, "float64"), 0.01
    for larger in (1, 300):
        model, src, trg = a_transformer(submission)
        last = model.weights["decoder.linear.weight"]
        model.assign({"decoder.linear.weight": larger * last})
        before = dict(model.weights)

        loss = step(model, Descent(submission, model, 1.0), src, trg, 0.0, max_norm)

        after = model.read_weights()
        expect_number(loss, loss_at(model, before, src, trg))
        expect_clipped(loss, before, after, max_norm)
