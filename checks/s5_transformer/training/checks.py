"""Checks for s5_transformer/training.py."""

from typing import Any

import numpy as np

from checks.engine.language import (
    Array,
    Fail,
    Function,
    Module,
    Received,
    Submission,
    check,
    differs,
    expect,
    expect_form,
    expect_gradients,
    expect_manners,
    expect_number,
    raises,
    state,
    tries,
)
from checks.engine.tracing.example import Example, Picture
from checks.s5_transformer.transformer.checks import PADDING_ROWS, SRC_PAD, TRG_PAD, padded_tables
from checks.scenes.examples import AXES, MODEL, SOURCE
from checks.scenes.one_step import LARGE, Batch, Training, is_at, train_step
from checks.scenes.stand_ins import Descent
from checks.truth import learning, models, paper

HINTS = [
    "The target is bos, a, b, eos. What may the decoder read at each position, and what must it "
    "predict there?",
    "The rate: ** is the power in Python, and x ** -0.5 is 1 divided by the square root of x. min "
    "chooses the smaller curve.",
    "The loss: F.cross_entropy wants scores (places, vocab_size) and ids (places). flatten or "
    "reshape joins the axes batch_size and length.",
    "Its argument ignore_index leaves out the padding, and label_smoothing is an argument, too.",
    "The step: what is read ends one token earlier; what is wanted begins one token later. Which "
    "padding does the loss meet?",
    "The order of a step: model.train(), scores, loss, zero_grad(), backward(), clip, step(). "
    "nn.utils.clip_grad_norm_ clips; .item() makes a number of the loss.",
    "logits = model(src, trg[:, ____])",
]
EXAMPLE = Example(
    {**AXES, "trg_len": 6, "length": 5},
    f"""\
rate = noam_learning_rate(step=1, dim_vector=12, warmup_steps=8)
{MODEL}optimizer = torch.optim.Adam(model.parameters(), lr=rate)
{SOURCE}trg = torch.tensor([[1, 5, 9, 7, 3, 2], [1, 12, 8, 2, 0, 0]])
loss = train_step(model, optimizer, src, trg)
""",
)
PICTURES = [
    Picture(
        "the learning rate of steps 1 to 24, with warmup_steps 8",
        "[noam_learning_rate(step, 12, 8) for step in range(1, 25)]",
        "step",
        "rate",
        "curve",
    ),
]
VOCAB_SIZE = 7
HUGE = 1e6  # For max_norm: longer than the gradient of a Transformer, so no gradient is clipped.


def rate(submission: Submission) -> Function:
    return submission.function("noam_learning_rate", learning.noam_learning_rate)


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


def sentences(submission: Submission, src_len: int = 4, trg_len: int = 6) -> Batch:
    """src and trg: three sentences of different lengths, with the other's padding as a word."""
    src, trg = submission.tokens(9, 3, src_len), submission.tokens(VOCAB_SIZE, 3, trg_len)
    src[src == SRC_PAD], trg[trg == TRG_PAD] = TRG_PAD, SRC_PAD
    src[0, [0, -1]], src[1, 1] = SRC_PAD, SRC_PAD
    trg[0, -2:], trg[2, -3:] = TRG_PAD, TRG_PAD
    trg[1, -2] = SRC_PAD
    return src, trg


def a_training(submission: Submission, **settings: Any) -> Training:
    return Training(submission, VOCAB_SIZE, SRC_PAD, TRG_PAD, **settings)


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
    """The rate rises linearly up to warmup_steps, then falls with the square root of the step."""
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
        with raises(ValueError, step):
            rate(submission)(step, 6, 5)


@check
def the_loss_is_a_mean_over_real_tokens(submission: Submission) -> None:
    """The loss is the mean cross-entropy of all targets that are not padding, for any pad_idx."""
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
    for pad, smoothing in ((0, 0.1), (3, 0.4)):
        logits, targets = predictions(submission, pad)

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


@check
def a_step_goes_down_the_gradient(submission: Submission) -> None:
    """The decoder reads all but the last token and predicts all but the first; the weights move."""
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
        training.expected = next((end for end in ends if is_at(after, end)), ends[0])
        training.expect(after)


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

    if first.plain is not None and first.plain == second.plain:
        loss = str(first.plain)[:8]
        sentence = f"With dropout 0.5 and a rate of 0 two steps gave the same loss, {loss}."
        raise Fail("mode", second.say(sentence))


@check
def your_transformer_learns(submission: Submission) -> None:
    """A step on your own Transformer moves every weight down the gradient of the loss."""
    model, src, trg = a_transformer(submission)
    before, lr = dict(model.weights), 1.0
    step = train_step(submission, "float64")

    loss = step(model, Descent(submission, model, lr), src, trg, 0.0, HUGE)

    after = model.numbers(state(submission, model).parameters)
    expect_number(loss, loss_at(model, before, src, trg))
    moved = {role: (before[role] - w) / lr for role, w in after.items()}
    rng = submission.rng
    directions = {role: np.asarray(rng.normal(size=w.shape)) for role, w in before.items()}
    for role, row in model.open_rows.items():
        directions[role][row] = 0

    def slope(roles: list[str], way: float) -> float:
        def loss_there(share: float) -> float:
            moved = {role: before[role] + share * directions[role] for role in roles}
            return loss_at(model, {**before, **moved}, src, trg)

        return (loss_there(way) - loss_there(-way)) / (2 * way)

    def differs_along(roles: list[str], tolerance: float) -> bool:
        got = sum(float((moved[role] * directions[role]).sum()) for role in roles)
        truths = [slope(roles, way) for way in (1e-6, 1e-8)]  # A kink (relu) may spoil one.
        return not any(abs(got - truth) <= tolerance * (1 + abs(truth)) for truth in truths)

    if differs_along(list(moved), 1e-5):
        for role in [role for role in moved if differs_along([role], 1e-4)][:1]:
            sentence = f"The step did not move {role} along the gradient of the loss."
            still = not (moved[role] * (directions[role] != 0)).any()
            sentence += " It did not move at all." if still else ""
            raise Fail("gradient", loss.say(sentence), shows="no-gradient" if still else None)


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

        after = model.numbers(state(submission, model).parameters)
        expect_number(loss, loss_at(model, before, src, trg))
        norm = float(np.sqrt(sum(((before[role] - w) ** 2).sum() for role, w in after.items())))
        if not abs(norm - max_norm) <= 1e-3 * max_norm:
            sentence = f"The step moved all weights together by {norm:.6f}, expected {max_norm}."
            raise Fail("gradient", loss.say(f"max_norm was {max_norm}. {sentence}"))


def a_transformer(submission: Submission, dropout: float = 0.0) -> tuple[Module, Array, Array]:
    """The learner's Transformer, one layer deep, and a batch as long as it can read."""
    max_len, dim_vector, n_head, dim_hidden = 6, 6, 3, 10
    model = submission.build(
        "Transformer",
        dtype="float64",
        home="s5_transformer.transformer",
        src_pad_idx=SRC_PAD,
        trg_pad_idx=TRG_PAD,
        encoder_vocab_size=9,
        decoder_vocab_size=VOCAB_SIZE,
        dim_vector=dim_vector,
        n_head=n_head,
        max_len=max_len,
        dim_hidden=dim_hidden,
        num_layer=1,
        dropout=dropout,
    )

    def truth(weights: paper.Weights, src: Array, trg: Array) -> Array:
        return models.transformer(src, trg, weights, n_head, 1, SRC_PAD, TRG_PAD)

    shapes = models.transformer_shapes(9, VOCAB_SIZE, dim_vector, dim_hidden, 1)
    model.open_rows |= PADDING_ROWS
    tables = padded_tables(submission, shapes)
    src, trg = sentences(submission, max_len, max_len)
    model.draw(shapes, truth, src[1:2, :-1], trg[1:2, :4], **tables)
    return model, src, trg


def loss_at(model: Module, weights: dict[str, Array], src: Array, trg: Array) -> float:
    assert model.truth is not None
    logits = model.truth(weights, src, trg[:, :-1])
    return float(learning.sequence_loss(logits, trg[:, 1:], TRG_PAD))
