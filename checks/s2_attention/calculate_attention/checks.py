"""Checks for s2_attention/calculate_attention.py."""

import numpy as np

from checks.engine.language import (
    Array,
    Crossed,
    Function,
    Place,
    Received,
    Submission,
    check,
    expect,
    expect_form,
    expect_gradients,
    expect_manners,
    expect_no_call,
    expect_that,
)
from checks.scenes.stand_ins import ToyDropout
from checks.truth import paper

Q, K = (2, 3, 4, 5), (2, 3, 7, 5)  # batch_size, n_head, length, dim_split: all different.


def attend(submission: Submission, dtype: str = "float32") -> Function:
    def truth(weights: object, q: Array, k: Array, v: Array, *mask: Array) -> Array:
        return paper.calculate_attention(q, k, v, *mask)[0]

    return submission.function("calculate_attention", truth, dtype)


def a_question(submission: Submission) -> list[Array]:
    """Random q, k and v, with scores that differ."""
    return [submission.normal(*shape, scale=1.5) for shape in (Q, K, K)]


def expect_both(got: Place, expected: tuple[Array, Array]) -> None:
    out, attention = got.parts("out", "attention")
    expect(attention, expected[1])
    expect(out, expected[0])


@check
def queries_mix_the_values(submission: Submission) -> None:
    """The weights are the softmax of the scaled scores over the keys; they mix the values."""
    q, k, v = a_question(submission)

    got = attend(submission)(q, k, v)

    expect_both(got, paper.calculate_attention(q, k, v))


@check
def the_scale_is_that_of_one_head(submission: Submission) -> None:
    """The scores are divided by the square root of dim_split, for all lengths and n_head."""
    sizes = ((3, 2, 5, 4, 9), (2, 5, 3, 6, 7), (1, 1, 1, 1, 4))
    for batch_size, n_head, q_len, k_len, dim_split in sizes:
        q = submission.normal(batch_size, n_head, q_len, dim_split)
        k, v = (submission.normal(batch_size, n_head, k_len, dim_split) for _ in range(2))

        got = attend(submission)(q, k, v)

        expect_both(got, paper.calculate_attention(q, k, v))


@check
def hidden_keys_get_no_weight(submission: Submission) -> None:
    """Where the mask is False the weight is 0, and the weights of the visible keys sum to 1."""
    q, k, v = a_question(submission)
    four = ((2, 1, 1, 7), (2, 1, 4, 7), (2, 3, 4, 7), (2, 3, 1, 7), (1, 1, 4, 7))
    for shape in (*four, (3, 4, 7), (4, 7), (7,)):
        mask = submission.mask(*shape)

        got = attend(submission)(q, k, v, mask)

        expect_both(got, paper.calculate_attention(q, k, v, mask))

    for whole in (0, 1):  # One sentence has no padding.
        mask = submission.mask(2, 1, 1, 7, whole=whole)

        got = attend(submission)(q, k, v, mask)

        expect_both(got, paper.calculate_attention(q, k, v, mask))


@check
def queries_may_be_as_many_as_keys(submission: Submission) -> None:
    """Each query uses its own row of the mask: with as many queries as keys, or with one. As many
    keys as features, or one key, are no special case. One tensor may be q, k and v at once.
    """
    for q_len, k_len in ((5, 5), (1, 5), (4, 4), (3, 1)):
        q = submission.normal(3, 2, q_len, 4, scale=1.5)
        k, v = (submission.normal(3, 2, k_len, 4, scale=1.5) for _ in range(2))
        masks = [[submission.mask(3, 1, q_len, k_len)]] if k_len > 1 else []
        for mask in ([], *masks):
            got = attend(submission)(q, k, v, *mask)

            expect_both(got, paper.calculate_attention(q, k, v, *mask))
    q, k = (submission.normal(3, 2, 5, 4, scale=1.5) for _ in range(2))
    for same in ((q, q, q), (q, k, k), (q, q, k)):  # The same tensor in several places.
        got = attend(submission)(*same)

        expect_both(got, paper.calculate_attention(*same))


@check
def a_mask_may_be_numbers(submission: Submission) -> None:
    """A mask of zeros and ones, in every dtype, works like a mask of False and True."""
    q, k, v = a_question(submission)
    mask = submission.mask(2, 1, 4, 7)
    for dtype in ("int64", "float32", "uint8"):
        got = attend(submission)(q, k, v, mask.astype(dtype))

        expect_both(got, paper.calculate_attention(q, k, v, mask))


@check
def hidden_keys_stay_hidden(submission: Submission) -> None:
    """A masked key gets weight 0 for all scores: its own may be 800, or all may be near -1600."""
    q, k, v = a_question(submission)
    mask = submission.mask(2, 1, 1, 7)
    q[..., 0], k[..., 1] = 60, 0
    for hidden, shown in ((30.0, 0.0), (-60.0, -60.0)):  # Scores of 805 beside 0; all near -1610.
        k[..., 0] = np.where(mask, shown, hidden)[:, 0] + submission.normal(2, 1, 7, scale=0.01)

        got = attend(submission, "float64")(q, k, v, mask)

        expect_both(got, paper.calculate_attention(q, k, v, mask))


@check
def heads_may_be_views(submission: Submission) -> None:
    """Queries, keys and values need not be contiguous: step 2.2 makes them with transpose."""
    q, k, v = (array.view(Crossed) for array in a_question(submission))

    got = attend(submission)(q, k, v)

    expect_both(got, paper.calculate_attention(*map(np.asarray, (q, k, v))))


@check
def large_scores_do_no_harm(submission: Submission) -> None:
    """Very large scores give finite weights that still sum to 1."""
    q, k, v = a_question(submission)

    got = attend(submission, "float64")(20 * q, 30 * k, 1000 * v)

    expect_both(got, paper.calculate_attention(20 * q, 30 * k, 1000 * v))


@check
def dropout_acts_on_the_weights(submission: Submission) -> None:
    """The dropout module gets the weights after the softmax, and its result mixes the values. Its
    mode is left as it is.
    """
    q, k, v = a_question(submission)
    drawn = submission.mask(2, 1, 4, 7)
    for mask, trains in ((drawn, True), (None, True), (drawn, False)):
        toy = ToyDropout(trains)  # In the place of a dropout.

        got = attend(submission)(q, k, v, mask, toy)

        attention = paper.calculate_attention(q, k, v, mask)[1]
        dropped = toy.truth(attention)
        out, returned = got.parts("out", "attention")
        expect(out, dropped @ v)
        expect_form(returned, (2, 3, 4, 7))
        expect_that(_expect_before_or_after, returned, attention, dropped)


def _expect_before_or_after(got: Received, attention: Array, dropped: Array) -> None:
    """Fail unless these are the weights before dropout or after it: both are right."""
    assert got.array is not None
    after = np.abs(got.array - dropped).max() < 1e-4
    expect(got, dropped if after else attention)


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches queries, keys and values, with and without a mask or a dropout."""
    q, k, v = a_question(submission)
    mask = submission.mask(2, 1, 4, 7)

    def dropped(weights: object, q: Array, k: Array, v: Array, mask: Array, _: ToyDropout) -> Array:
        return paper.calculate_attention(q, k, v, mask)[1] ** 2 @ v

    expect_gradients(attend(submission, "float64"), q, k, v)
    expect_gradients(attend(submission, "float64"), q, k, v, mask)
    function = submission.function("calculate_attention", dropped, "float64")
    expect_gradients(function, q, k, v, mask, ToyDropout())


@check
def it_is_made_of_plain_operations(submission: Submission) -> None:
    """The formula is written out: F.scaled_dot_product_attention is not called."""
    why = "write the formula out"

    expect_no_call(attend(submission), "attention", why, *a_question(submission))


@check
def large_sizes_work_too(submission: Submission) -> None:
    """Large sizes work too: hundreds of queries, keys, heads or features, with or without mask."""
    sizes = (
        (1, 1, 600, 3, 2),
        (1, 1, 130, 130, 2),
        (1, 1, 3, 600, 2),
        (1, 300, 2, 3, 2),
        (300, 1, 2, 3, 2),
    )
    for batch_size, n_head, q_len, k_len, dim_split in (*sizes, (1, 1, 2, 3, 600)):
        q = submission.normal(batch_size, n_head, q_len, dim_split)
        k, v = (submission.normal(batch_size, n_head, k_len, dim_split) for _ in range(2))
        for mask in ([], [submission.mask(batch_size, 1, 1, k_len)]):
            got = attend(submission)(q, k, v, *mask)

            expect_both(got, paper.calculate_attention(q, k, v, *mask))


@check
def it_has_manners(submission: Submission) -> None:
    """Two calls give the same result; the inputs are not changed; it works on any device."""
    mask = submission.mask(2, 1, 4, 7)
    mask[0, ..., -1], mask[0, ..., 0] = False, True  # A key that no query may attend to.
    for dtype in ("bool", "float32"):
        expect_manners(attend(submission), *a_question(submission), mask.astype(dtype))
