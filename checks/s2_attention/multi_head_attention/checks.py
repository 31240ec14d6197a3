"""Checks for s2_attention/multi_head_attention.py."""

import copy
from typing import Any

import numpy as np

from checks.engine.language import (
    Array,
    Fail,
    Module,
    Received,
    State,
    Submission,
    check,
    chosen,
    dropped,
    expect,
    expect_gradients,
    expect_independent,
    expect_manners,
    expect_no_call,
    expect_one_of,
    expect_single,
    expect_sized,
    expect_that,
    state,
    trains,
)
from checks.scenes import dropout
from checks.truth import paper

DIM_VECTOR, N_HEAD, BATCH_SIZE, Q_LEN, K_LEN = 6, 3, 2, 4, 7
PLACE = dropped("to the attention weights")


def a_layer(
    submission: Submission, dtype: str = "float32", n_head: int = N_HEAD, **kwargs: Any
) -> Module:
    layer = submission.build(
        "MultiHeadAttention", dim_vector=DIM_VECTOR, n_head=n_head, dtype=dtype, **kwargs
    )

    def truth(weights: paper.Weights, q: Array, k: Array, v: Array, *mask: Array) -> Array:
        return paper.multi_head_attention(q, k, v, weights, n_head, *mask)

    shapes = paper.multi_head_attention_shapes(DIM_VECTOR)
    layer.draw(shapes, truth, *a_question(submission))
    return layer


def a_question(submission: Submission) -> list[Array]:
    """Random q, k and v, with two different lengths."""
    lengths = (Q_LEN, K_LEN, K_LEN)
    return [submission.normal(BATCH_SIZE, length, DIM_VECTOR) for length in lengths]


@check
def heads_attend_side_by_side(submission: Submission) -> None:
    """Each head attends with its own slice of the projections; `linear` mixes their results."""
    layer = a_layer(submission)
    for batch_size, q_len, k_len in (
        (BATCH_SIZE, Q_LEN, K_LEN),
        (3, 5, 5),
        (3, 1, 5),
        (3, 1, 1),
        (1, 1, 1),
    ):
        q, k, v = (submission.normal(batch_size, n, DIM_VECTOR) for n in (q_len, k_len, k_len))

        out = layer(q, k, v)

        expect(out, paper.multi_head_attention(q, k, v, layer.weights, N_HEAD))
        kept = layer.attribute("attention_weights")
        expect(kept, paper.multi_head_weights(q, k, layer.weights, N_HEAD))

    layer.assign({role: layer.drawn(role, w.shape) for role, w in layer.weights.items()})
    expect(layer(q, k, v), paper.multi_head_attention(q, k, v, layer.weights, N_HEAD))


@check
def the_number_of_heads_counts(submission: Submission) -> None:
    """The same weights give other results with 1, 2 or 6 heads, also if q, k and v are the same."""
    for n_head in (1, 2, 6):
        layer = a_layer(submission, n_head=n_head)
        x, y = (submission.normal(3, 5, DIM_VECTOR) for _ in range(2))
        for q, k, v in ((x, x, x), (x, y, y), (x, x, y)):  # The same tensor in several places.
            out = layer(q, k, v)

            expect(out, paper.multi_head_attention(q, k, v, layer.weights, n_head))


@check
def the_mask_reaches_every_head(submission: Submission) -> None:
    """Masked keys get no weight, with one mask for all heads or with one for each head."""
    layer = a_layer(submission)
    q, k, v = a_question(submission)
    for shape in ((2, 1, 1, K_LEN), (2, 1, Q_LEN, K_LEN), (2, N_HEAD, Q_LEN, K_LEN)):
        mask = submission.mask(*shape)

        out = layer(q, k, v, mask)

        expect(out, paper.multi_head_attention(q, k, v, layer.weights, N_HEAD, mask))

    for shape in ((1, 1, 1, K_LEN), (1, 1, Q_LEN, K_LEN), (2, N_HEAD, 1, K_LEN)):
        mask = submission.mask(*shape)

        out = layer(q, k, v, mask.astype("int64"))

        expect(out, paper.multi_head_attention(q, k, v, layer.weights, N_HEAD, mask))

    one, masks = q[:, :1], [submission.mask(2, 1, 1, K_LEN)]
    for asked, given in ((one, masks), (one, []), (q, [])):  # Masks must leave nothing behind.
        out = layer(asked, k, v, *given)

        expect(out, paper.multi_head_attention(asked, k, v, layer.weights, N_HEAD, *given))

    for whole in (1, 0):  # One sentence has no padding.
        mask = submission.mask(2, 1, 1, K_LEN, whole=whole)

        out = layer(q, k, v, mask)

        expect(out, paper.multi_head_attention(q, k, v, layer.weights, N_HEAD, mask))


@check
def a_sentence_does_not_see_its_batch(submission: Submission) -> None:
    """With as many sentences as heads, each sentence still has its own mask."""
    layer = a_layer(submission)
    x = submission.normal(N_HEAD, 5, DIM_VECTOR)
    for q_len in (1, 5):  # One mask for all queries, and one for each.
        mask = submission.mask(N_HEAD, 1, q_len, 5)

        out = layer(x, x, x, mask)

        expect(out, paper.multi_head_attention(x, x, x, layer.weights, N_HEAD, mask))


@check
def the_last_weights_are_kept(submission: Submission) -> None:
    """`attention_weights` starts as None, then holds the weights of the last call, detached."""
    layer, other = a_layer(submission), a_layer(submission)
    fresh = submission.build("MultiHeadAttention", dim_vector=DIM_VECTOR, n_head=N_HEAD)
    expect_that(_expect_none, fresh.attribute("attention_weights"))
    for train, records in ((False, False), (False, True), (True, True)):
        layer.train(train)
        q, k, v = a_question(submission)
        mask = submission.mask(2, 1, Q_LEN, K_LEN)
        layer.called(q, k, v, mask, records=records)
        other(*a_question(submission))

        kept = layer.attribute("attention_weights")

        expect(kept, paper.multi_head_weights(q, k, layer.weights, N_HEAD, mask))
        expect_that(_expect_apart, kept, state(submission, layer))


def _expect_none(before: Received) -> None:
    if before.kind != "NoneType":
        raise Fail("values", before.say(f"is {before.describe()} before any call, expected None."))


def _expect_apart(kept: Received, now: State) -> None:
    """Fail unless the weights are detached, and not saved."""
    if kept.requires_grad:
        sentence = kept.say("is still connected to the gradient: it should be detached.")
        raise Fail("gradient", sentence, shows="weights-not-detached")
    if "attention_weights" in now.saved:
        sentence = kept.say("is saved with the parameters: a plain attribute is enough.")
        raise Fail("rule", sentence)


@check
def heads_must_share_evenly(submission: Submission) -> None:
    """A dim_vector that n_head does not divide raises a ValueError that names both."""
    for dim_vector, n_head in ((10, 4), (7, 2), (8, 16)):
        with submission.raises(ValueError, dim_vector, n_head):
            submission.build("MultiHeadAttention", dim_vector=dim_vector, n_head=n_head)


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches q, k, v and every weight and bias."""
    layer = a_layer(submission, dtype="float64")

    expect_gradients(trains(layer), *a_question(submission), submission.mask(2, 1, Q_LEN, K_LEN))
    expect_gradients(layer, *a_question(submission))


@check
def weights_are_dropped_in_training(submission: Submission) -> None:
    """In train mode, dropout (default 0.0) is applied to the attention weights."""
    q, k, v = a_question(submission)
    plain = a_layer(submission)
    plain.train()
    expect(plain(q, k, v), paper.multi_head_attention(q, k, v, plain.weights, N_HEAD))

    layer = a_layer(submission, dropout=0.6)
    layer.assign({"linear.weight": np.eye(DIM_VECTOR), "linear.bias": np.zeros(DIM_VECTOR)})
    layer.train()
    out = layer(q, k, v)

    attention = paper.multi_head_weights(q, k, layer.weights, N_HEAD)
    values = paper.linear(v, paper.part(layer.weights, "w_v"))
    values = values.reshape(BATCH_SIZE, K_LEN, N_HEAD, -1)
    drops = dropout.all_drops(K_LEN, 0.6)
    by_head = np.einsum("bhqmk,bkhd->bqhmd", attention[..., None, :] * drops, values)
    split = chosen(_by_head, out)
    drawn = expect_one_of(split, by_head, PLACE, drops)
    expect_single(split, by_head)
    expect_independent(split, drawn, ("sentence of the batch", "query", "head"))


def _by_head(out: Received) -> Received:
    """The same numbers, (batch_size, q_len, n_head, dim_split), if there are as many."""
    split = copy.copy(out)
    if out.array is not None and out.array.size == BATCH_SIZE * Q_LEN * DIM_VECTOR:
        split.array = out.array.reshape(BATCH_SIZE, Q_LEN, N_HEAD, -1)
        split.shape = split.array.shape
    return split


@check
def it_is_your_own_attention(submission: Submission) -> None:
    """The heads are written out: nn.MultiheadAttention is not used."""
    why = "write the heads out"

    expect_no_call(a_layer(submission), "heads", why, *a_question(submission))


@check
def large_sizes_work_too(submission: Submission) -> None:
    """Large sizes work too: hundreds of tokens or sentences, and more than a hundred heads."""
    sizes = ((1, 3, 600, 4, 6), (1, 3, 4, 600, 6), (300, 3, 3, 5, 6), (1, 130, 3, 4, 130))
    for batch_size, n_head, q_len, k_len, dim_vector in sizes:
        lengths = (q_len, k_len, k_len)

        def truth(weights: paper.Weights, *args: Array, n_head: int = n_head) -> Array:
            return paper.multi_head_attention(*args[:3], weights, n_head, *args[3:])

        expect_sized(
            submission,
            "MultiHeadAttention",
            paper.multi_head_attention_shapes(dim_vector),
            truth,
            *(submission.normal(batch_size, length, dim_vector) for length in lengths),
            submission.mask(batch_size, 1, 1, k_len),
            dim_vector=dim_vector,
            n_head=n_head,
        )


@check
def it_has_manners(submission: Submission) -> None:
    """In eval mode two calls give the same result, in train mode different ones; the inputs are not
    changed; it works on any device.
    """
    layer = a_layer(submission, dropout=0.5)
    expect_manners(layer, *a_question(submission), submission.mask(2, 1, 1, K_LEN), drops=True)
