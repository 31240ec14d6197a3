"""Checks for s2_attention/layer_norm.py."""

from typing import Any

import numpy as np

from checks.engine.language import (
    Array,
    Module,
    State,
    Submission,
    check,
    expect,
    expect_finite,
    expect_gradients,
    expect_manners,
    expect_no_call,
    expect_sized,
    expect_that,
    state,
    trains,
)
from checks.truth import paper

DIM_VECTOR = 6


def a_layer(submission: Submission, dtype: str = "float32", **kwargs: Any) -> Module:
    layer = submission.build("LayerNorm", dim_vector=DIM_VECTOR, dtype=dtype, **kwargs)

    def truth(weights: paper.Weights, x: Array) -> Array:
        return paper.layer_norm(x, weights, kwargs.get("eps", paper.EPS))

    layer.draw(paper.layer_norm_shapes(DIM_VECTOR), truth, submission.normal(2, 4, DIM_VECTOR))
    return layer


@check
def each_vector_is_normalised_on_its_own(submission: Submission) -> None:
    """Mean 0 and variance 1 over the last axis (divided by n), then gamma and beta."""
    layer = a_layer(submission)
    x = 3 + 2 * submission.normal(2, 4, DIM_VECTOR)

    out = layer(x)

    expect(out, paper.layer_norm(x, layer.weights))


@check
def it_starts_neutral(submission: Submission) -> None:
    """gamma starts as ones and beta as zeros: a new layer only normalises."""
    layer = submission.build("LayerNorm", dim_vector=DIM_VECTOR)
    neutral = {"gamma": np.ones(DIM_VECTOR), "beta": np.zeros(DIM_VECTOR)}
    x = 3 * submission.normal(2, 4, DIM_VECTOR)

    out = layer(x)

    expect(out, paper.layer_norm(x, neutral))
    expect_that(expect_start, state(submission, layer), neutral)


def expect_start(now: State, neutral: dict[str, Array]) -> None:
    """Fail unless the parameters with these names start with these values."""
    for name, start in neutral.items():
        if name in now.parameters:
            expect(now.parameter(name), start)


@check
def any_leading_axes_will_do(submission: Submission) -> None:
    """It works on one vector, on a sentence, on a batch, and if all axes have the same size."""
    layer = a_layer(submission)
    for shape in ((6,), (4, 6), (2, 3, 4, 6), (2, 1, 3, 2, 6), (6, 6, 6), (1, 1, 6)):
        x = submission.normal(*shape)

        out = layer(x)

        expect(out, paper.layer_norm(x, layer.weights))


@check
def eps_stands_under_the_root(submission: Submission) -> None:
    """eps (default 1e-5) is added to the variance: this shows if the entries are nearly equal."""
    x = 1 + 0.01 * submission.normal(2, 4, DIM_VECTOR)
    given: list[dict[str, float]] = [{}, {"eps": 0.3}, {"eps": 1e-3}, {"eps": 0.0}]
    layers = [a_layer(submission, "float64", **kwargs) for kwargs in given]

    outs = [layer(x) for layer in layers]

    for out, layer, kwargs in zip(outs, layers, given):
        expect(out, paper.layer_norm(x, layer.weights, **kwargs))


@check
def equal_numbers_do_no_harm(submission: Submission) -> None:
    """A vector of equal entries has variance 0 and gives beta, not NaN."""
    layer = a_layer(submission, "float64")
    x = np.broadcast_to(submission.normal(2, 4, 1), (2, 4, DIM_VECTOR))

    out = layer(np.round(x))

    expect(out, np.broadcast_to(layer.weights["beta"], x.shape))


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches x, gamma and beta, also through mean and variance."""
    layer = trains(a_layer(submission, "float64"))

    for leading in ((2, 4), (3,), ()):
        expect_gradients(layer, submission.normal(*leading, DIM_VECTOR))
    x = submission.normal(3, DIM_VECTOR)
    x[1] = x[1, 0]  # The variance is 0.
    expect_gradients(layer, x)


@check
def it_is_made_of_plain_operations(submission: Submission) -> None:
    """The formula is written out: no ready-made norm of PyTorch is used, under any name."""
    x = submission.normal(2, 4, DIM_VECTOR)

    expect_no_call(a_layer(submission), "norm", "write the formula out", x)


@check
def sizes_are_arguments(submission: Submission) -> None:
    """dim_vector is an argument: other values work too."""
    x = submission.normal(2, 3, 8)
    shapes = paper.layer_norm_shapes(8)
    expect_sized(
        submission,
        "LayerNorm",
        shapes,
        lambda weights, x: paper.layer_norm(x, weights),
        x,
        dim_vector=8,
    )


@check
def large_sizes_work_too(submission: Submission) -> None:
    """Large sizes work too: hundreds of features or of tokens."""
    for length, dim_vector in ((3, 600), (600, 3)):
        expect_sized(
            submission,
            "LayerNorm",
            paper.layer_norm_shapes(dim_vector),
            lambda weights, x: paper.layer_norm(x, weights),
            submission.normal(2, length, dim_vector),
            dim_vector=dim_vector,
        )


@check
def large_numbers_work_too(submission: Submission) -> None:
    """Nothing is cut off: one entry may be far from the others, and entries may be large."""
    layer = submission.build("LayerNorm", dim_vector=300, dtype="float64")
    shapes, x = paper.layer_norm_shapes(300), submission.normal(2, 3, 300)
    layer.draw(shapes, lambda weights, x: paper.layer_norm(x, weights), x)
    peaked = x.copy()
    peaked[..., 5] = 1000

    for numbers in (peaked, 1e5 * x):
        out = layer(numbers)

        expect(out, paper.layer_norm(numbers, layer.weights))


@check
def a_large_mean_does_no_harm(submission: Submission) -> None:
    """Numbers near 1000 that differ by 0.1 give finite results: no variance is negative."""
    out = a_layer(submission)(1000 + 0.1 * submission.normal(8, 4, DIM_VECTOR))

    expect_finite(out, (8, 4, DIM_VECTOR))


@check
def it_has_manners(submission: Submission) -> None:
    """Two calls give the same result; the input is not changed; it works on any device."""
    expect_manners(a_layer(submission), submission.normal(2, 4, DIM_VECTOR))
