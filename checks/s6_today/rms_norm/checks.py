"""Checks for s6_today/rms_norm.py."""

from typing import Any

import numpy as np

from checks.engine.language import (
    Array,
    Fail,
    Module,
    Received,
    Submission,
    check,
    expect,
    expect_form,
    expect_gradients,
    expect_manners,
    expect_no_call,
    expect_sized,
    expect_that,
    rounded,
    state,
    trains,
)
from checks.s2_attention.layer_norm.checks import expect_start
from checks.s6_today.rms_norm.truth import rms_norm, rms_norm_shapes
from checks.truth.paper import EPS, Weights

DIM_VECTOR = 6
HALVES = ("float16", "bfloat16")


def a_layer(submission: Submission, dtype: str = "float32", **kwargs: Any) -> Module:
    """The learner's layer, with weights drawn by the judge."""
    layer = submission.build("RMSNorm", dim_vector=DIM_VECTOR, dtype=dtype, **kwargs)

    def truth(weights: Weights, x: Array) -> Array:
        return rms_norm(x, weights, kwargs.get("eps", EPS))

    layer.draw(rms_norm_shapes(DIM_VECTOR), truth, submission.normal(2, 4, DIM_VECTOR))
    return layer


@check
def each_vector_is_divided_by_its_root_mean_square(submission: Submission) -> None:
    """Each vector is divided by its root mean square, then multiplied by gamma."""
    layer = a_layer(submission)
    x = 3 + 2 * submission.normal(2, 4, DIM_VECTOR)

    out = layer(x)

    expect(out, rms_norm(x, layer.weights))


@check
def it_starts_neutral(submission: Submission) -> None:
    """gamma starts as ones: a new layer only normalises."""
    layer = submission.build("RMSNorm", dim_vector=DIM_VECTOR)
    x = 3 * submission.normal(2, 4, DIM_VECTOR)

    out = layer(x)

    expect(out, rms_norm(x, {"gamma": np.ones(DIM_VECTOR)}))
    expect_that(expect_start, state(submission, layer), {"gamma": np.ones(DIM_VECTOR)})


@check
def any_leading_axes_will_do(submission: Submission) -> None:
    """It works on one vector, on a sentence, on a batch, and if all axes have the same size."""
    layer = a_layer(submission)
    for shape in ((6,), (4, 6), (2, 3, 4, 6), (2, 1, 3, 2, 6), (6, 6, 6), (1, 1, 6)):
        x = submission.normal(*shape)

        out = layer(x)

        expect(out, rms_norm(x, layer.weights))


@check
def eps_stands_under_the_root(submission: Submission) -> None:
    """eps (default 1e-5) is added to the mean of the squares: this shows if entries are small."""
    x = 0.01 * submission.normal(2, 4, DIM_VECTOR)
    given: list[dict[str, float]] = [{}, {"eps": 0.3}, {"eps": 1e-3}, {"eps": 0.0}]
    layers = [a_layer(submission, "float64", **kwargs) for kwargs in given]

    outs = [layer(x) for layer in layers]

    for out, layer, kwargs in zip(outs, layers, given):
        expect(out, rms_norm(x, layer.weights, **kwargs))


@check
def zeros_do_no_harm(submission: Submission) -> None:
    """A vector of zeros gives zeros, not NaN."""
    layer = a_layer(submission)
    x = submission.normal(2, 4, DIM_VECTOR)
    x[0, 1] = 0

    out = layer(x)

    expect(out, rms_norm(x, layer.weights))


def numbers_for_halves(submission: Submission) -> tuple[Array, dict[str, Array]]:
    """Vectors and weights whose result has a few bits only: half precision holds all of it.

    The entries are powers of 2 from 256 on, and so is the root of each mean square.
    """
    rng = submission.rng
    x = rng.permuted(np.tile([1024.0, 512, 256, 256, 256, 256], (2, 4, 1)), axis=-1)
    x *= rng.choice([-1, 1], x.shape)
    return x, {"gamma": rng.choice([-2.0, -0.5, 0.25, 0.5, 2, 4], DIM_VECTOR)}


@check
def half_precision_is_kept(submission: Submission) -> None:
    """In float16 and bfloat16 large entries give the right numbers, in the dtype of x. So the mean
    is taken in float32: in float16 the square of 256 is infinite.
    """
    for dtype in HALVES:
        layer = a_layer(submission, dtype)
        x, weights = numbers_for_halves(submission)
        layer.assign(weights)

        out = layer(x)

        expect(out, rms_norm(x, weights))


@check
def the_mean_is_not_rounded(submission: Submission) -> None:
    """In bfloat16 the mean of the squares keeps all its digits: only the result is rounded."""
    layer = submission.build("RMSNorm", dim_vector=576, dtype="bfloat16")
    x = rounded(submission.normal(2, 4, 576), "bfloat16")
    layer.draw(rms_norm_shapes(576), lambda weights, x: rms_norm(x, weights), x)
    layer.assign({"gamma": np.ones(576)})

    out = layer(x)

    expect_form(out, x.shape, "bfloat16")
    expect_that(_expect_all_digits, out, rounded(rms_norm(x, layer.weights), "bfloat16"))


def _expect_all_digits(out: Received, right: Array) -> None:
    assert out.array is not None
    wrong = np.mean(out.array != right)
    if wrong > 0.05:
        says = f"{wrong:.0%} of the numbers are not the right ones in their last digit."
        raise Fail("values", out.say(f"{says} Take the mean of the squares in float32."))


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches x and gamma, also through the mean of the squares."""
    layer = trains(a_layer(submission, "float64"))

    for leading in ((2, 4), (3,), ()):
        expect_gradients(layer, submission.normal(*leading, DIM_VECTOR))


@check
def it_is_made_of_plain_operations(submission: Submission) -> None:
    """The formula is written out: no ready-made norm of PyTorch is used, under any name."""
    x = submission.normal(2, 4, DIM_VECTOR)

    expect_no_call(a_layer(submission), "norm", "write the formula out", x)


@check
def sizes_are_arguments(submission: Submission) -> None:
    """dim_vector is an argument, small or large: hundreds of features or of tokens work too."""
    for length, dim_vector in ((3, 8), (3, 600), (600, 3)):
        expect_sized(
            submission,
            "RMSNorm",
            rms_norm_shapes(dim_vector),
            lambda weights, x: rms_norm(x, weights),
            submission.normal(2, length, dim_vector),
            dim_vector=dim_vector,
        )


@check
def large_numbers_work_too(submission: Submission) -> None:
    """Nothing is cut off: one entry may be far from the others, and entries may be large."""
    layer = submission.build("RMSNorm", dim_vector=300)
    shapes, x = rms_norm_shapes(300), submission.normal(2, 3, 300)
    layer.draw(shapes, lambda weights, x: rms_norm(x, weights), x)
    peaked = x.copy()
    peaked[..., 5] = 1000

    for numbers in (peaked, 1e5 * x):
        out = layer(numbers)

        expect(out, rms_norm(numbers, layer.weights))


@check
def it_has_manners(submission: Submission) -> None:
    """Two calls give the same result; the input is not changed; it works on any device."""
    expect_manners(a_layer(submission), submission.normal(2, 4, DIM_VECTOR))
