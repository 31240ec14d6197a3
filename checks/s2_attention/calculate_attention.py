"""Checks for s2_attention/calculate_attention.py."""

import numpy as np

from checks import paper
from checks.machine.language import (
    Array,
    Function,
    Received,
    Square,
    Submission,
    check,
    expect,
    expect_form,
    expect_gradients,
    expect_manners,
    expect_no_call,
)

HINTS = [
    "For one query: which number says how well a key fits it? What turns such numbers into shares?",
    "Scores are dot products, so they grow with dim_split; hidden keys are dealt with before the "
    "softmax, never after.",
    "(…, q_len, dim_split) times (…, dim_split, k_len) gives (…, q_len, k_len): the last two axes "
    "of the keys have to change places.",
    "score = q @ ____ / math.sqrt(q.size(-1))",
]
Q, K = (2, 3, 4, 2), (2, 3, 7, 2)  # batch_size, n_head, length, dim_split: all different.


def attend(submission: Submission, dtype: str = "float32") -> Function:
    def truth(weights: object, q: Array, k: Array, v: Array, *mask: Array) -> Array:
        return paper.calculate_attention(q, k, v, *mask)[0]

    return submission.function("calculate_attention", truth, dtype)


def a_question(submission: Submission) -> list[Array]:
    """Random q, k and v, with scores that differ."""
    return [submission.normal(*shape, scale=1.5) for shape in (Q, K, K)]


def expect_both(got: Received, expected: tuple[Array, Array]) -> None:
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
    """The scores are divided by the root of dim_split, whatever the lengths and number of heads."""
    sizes = ((3, 2, 5, 4, 9), (2, 5, 3, 6, 7), (1, 1, 1, 1, 4))
    for batch_size, n_head, q_len, k_len, dim_split in sizes:
        q = submission.normal(batch_size, n_head, q_len, dim_split)
        k, v = (submission.normal(batch_size, n_head, k_len, dim_split) for _ in range(2))

        got = attend(submission)(q, k, v)

        expect_both(got, paper.calculate_attention(q, k, v))


@check
def hidden_keys_get_no_weight(submission: Submission) -> None:
    """Where the mask is False the weight is 0, and the others share what is left."""
    q, k, v = a_question(submission)
    for shape in ((2, 1, 1, 7), (2, 1, 4, 7), (2, 3, 4, 7), (1, 1, 4, 7), (4, 7)):
        mask = submission.mask(*shape)

        got = attend(submission)(q, k, v, mask)

        expect_both(got, paper.calculate_attention(q, k, v, mask))


@check
def a_mask_may_be_numbers(submission: Submission) -> None:
    """A mask of zeros and ones hides like one of False and True, in every dtype."""
    q, k, v = a_question(submission)
    mask = submission.mask(2, 1, 4, 7)
    for dtype in ("int64", "float32", "uint8"):
        got = attend(submission)(q, k, v, mask.astype(dtype))

        expect_both(got, paper.calculate_attention(q, k, v, mask))


@check
def hidden_keys_stay_hidden(submission: Submission) -> None:
    """A hidden key gets weight 0 whatever the scores: its own 600, or all of them near -2500."""
    q, k, v = a_question(submission)
    mask = submission.mask(2, 1, 1, 7)
    q[..., 0], k[..., 1] = 60, 0
    for hidden, shown in ((14.0, 0.0), (-60.0, -60.0)):  # Scores of 600 against 0; all at -2500.
        k[..., 0] = np.where(mask, shown, hidden)[:, 0] + submission.normal(2, 1, 7, scale=0.01)

        got = attend(submission, "float64")(q, k, v, mask)

        expect_both(got, paper.calculate_attention(q, k, v, mask))


@check
def large_scores_do_no_harm(submission: Submission) -> None:
    """Scores of many hundreds give finite weights that still sum to 1."""
    q, k, v = a_question(submission)

    got = attend(submission, "float64")(20 * q, 30 * k, v)

    expect_both(got, paper.calculate_attention(20 * q, 30 * k, v))


@check
def dropout_acts_on_the_weights(submission: Submission) -> None:
    """The dropout module gets the weights after the softmax, and its result mixes the values."""
    q, k, v = a_question(submission)
    for mask in (submission.mask(2, 1, 4, 7), None):
        got = attend(submission)(q, k, v, mask, Square())  # Squares the weights, for dropping.

        attention = paper.calculate_attention(q, k, v, mask)[1]
        out, returned = got.parts("out", "attention")
        expect(out, attention**2 @ v)
        expect_form(returned, (2, 3, 4, 7))
        assert returned.array is not None
        after = np.abs(returned.array - attention**2).max() < 1e-4  # Before or after: both will do.
        expect(returned, attention**2 if after else attention)


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches queries, keys and values, as the formula says; also with a mask."""
    q, k, v = a_question(submission)

    expect_gradients(attend(submission, "float64"), q, k, v)
    expect_gradients(attend(submission, "float64"), q, k, v, submission.mask(2, 1, 4, 7))


@check
def it_is_made_of_plain_operations(submission: Submission) -> None:
    """The formula is written out: F.scaled_dot_product_attention is not called."""
    why = "write the formula out"
    names = ["scaled_dot_product_attention", "multi_head_attention_forward"]
    names += ["_scaled_dot_product_attention_math"]

    expect_no_call(attend(submission), names, why, *a_question(submission))


@check
def it_has_manners(submission: Submission) -> None:
    """Asked twice it says the same; it leaves its inputs alone and works on any device."""
    mask = submission.mask(2, 1, 4, 7)
    mask[0, ..., -1], mask[0, ..., 0] = False, True  # A key that no query may look at.
    expect_manners(attend(submission), *a_question(submission), mask)
