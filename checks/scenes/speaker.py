"""The learner's language model and its layer, with the judge's weights, and what they return."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from checks.engine.language import (
    Array,
    Fail,
    Kept,
    Module,
    Place,
    Received,
    State,
    Submission,
    differs,
    expect_form,
    expect_sized,
    expectation,
)
from checks.s6_today.grouped_attention.truth import Cache
from checks.s6_today.language_model import truth
from checks.s6_today.language_model.truth import Sizes
from checks.scenes.caches import BASE as BASE
from checks.scenes.caches import angles
from checks.truth.paper import Weights

SIZES: dict[str, Any] = {
    **{"vocab_size": 11, "dim_vector": 24, "n_head": 6, "n_kv_head": 2, "dim_hidden": 10},
    "max_len": 17,
}
VOCAB_SIZE, DIM_VECTOR, N_HEAD, N_KV_HEAD, DIM_HIDDEN, MAX_LEN = SIZES.values()
DIM_SPLIT, BATCH_SIZE, LENGTH = 4, 5, 7
FAR = 5.0  # A standard deviation may be so many times smaller or larger: Glorot's is, say.
SURPRISE = 1.0  # The first loss of a new model is at most so far above ln(vocab_size).
LOUD = (
    "A model that has learned nothing should give every token about the same score. Its first loss "
    "should be near ln({vocab}) = {even:.2f}. It is {loss:.2f}."
)


def a_layer(submission: Submission, dtype: str = "float32", eps: float = 1e-5) -> Module:
    """The learner's layer, with weights drawn by the judge."""
    sizes = {name: SIZES[name] for name in ("dim_vector", "n_head", "n_kv_head", "dim_hidden")}
    layer = submission.build("LanguageModelLayer", dtype=dtype, **sizes, eps=eps)
    of_truth = Sizes(N_HEAD, N_KV_HEAD, 1, BASE, eps)

    def right(weights: Weights, x: Array, cos: Array, sin: Array, *given: Any) -> Array:
        return truth.layer(x, weights, of_truth, (cos, sin), *given)[0]

    layer.draw(truth.layer_shapes(**sizes), right, vectors(submission), *the_table())
    return layer


def a_model(
    submission: Submission,
    num_layer: int = 2,
    dtype: str = "float32",
    **given: Any,
) -> Module:
    """The learner's model, with weights drawn by the judge. given: base, eps."""
    model = submission.build("LanguageModel", **SIZES, num_layer=num_layer, dtype=dtype, **given)
    sizes = Sizes(N_HEAD, N_KV_HEAD, num_layer, **given)

    def right(weights: Weights, tokens: Array, *caches: list[Cache]) -> Array:
        return truth.language_model(tokens, weights, sizes, *caches)[0]

    shapes = truth.language_model_shapes(
        VOCAB_SIZE, DIM_VECTOR, N_HEAD, N_KV_HEAD, DIM_HIDDEN, num_layer
    )
    model.draw(shapes, right, tokens_of(submission))
    return model


def the_table(dtype: str = "float32") -> list[Kept]:
    """The judge's own cosines and sines, as arguments."""
    return angles(DIM_SPLIT, MAX_LEN, dtype)


def vectors(submission: Submission, length: int = LENGTH) -> Array:
    """Vectors larger than normalised ones, which shows where the norms are."""
    return 3 * submission.normal(BATCH_SIZE, length, DIM_VECTOR) + 1


def tokens_of(submission: Submission, length: int = LENGTH, batch_size: int = BATCH_SIZE) -> Array:
    return submission.tokens(VOCAB_SIZE, batch_size, length)


def right_for(model: Module, tokens: Array) -> Array:
    """The logits of the formula for a text from its beginning."""
    assert model.truth is not None
    logits: Array = model.truth(model.weights, tokens)
    return logits


def logits_of(got: Place) -> Place:
    logits, _ = got.parts("logits", "caches")
    return logits


def pair_of(cache: Any, shape: tuple[int, ...]) -> Any:
    """A cache that came back, to be passed to the next call. Fails if it has another form."""
    expect_pair(cache, shape)
    return cache


@expectation
def expect_pair(cache: Received, shape: tuple[int, ...]) -> None:
    for part in cache.parts(f"the keys of {cache.name}", f"the values of {cache.name}"):
        expect_form(part, shape)


def cached(got: Any, num_layer: int, shape: tuple[int, ...]) -> Any:
    """The caches that came back, to be passed to the next call. Fails if they have another form."""
    _, caches = got.parts("logits", "caches")
    expect_caches(caches, num_layer, shape)
    return caches


@expectation
def expect_caches(caches: Received, num_layer: int, shape: tuple[int, ...]) -> None:
    if caches.kind not in ("list", "tuple") or len(caches.items) != num_layer:
        says = f"caches is {caches.describe()}, expected a list of {num_layer}: one for each layer."
        raise Fail("values", caches.say(says))
    for n, cache in enumerate(caches.items):
        cache.name = f"caches[{n}]"
        expect_pair(cache, shape)


def shape_of(length: int, batch_size: int = BATCH_SIZE) -> tuple[int, ...]:
    return batch_size, N_KV_HEAD, length, DIM_SPLIT


@expectation
def expect_even(logits: Received, tokens: Array, vocab_size: int) -> None:
    """Fail unless these scores of a new model give the loss of a guess, and differ a little."""
    expect_form(logits, (*tokens.shape, vocab_size))
    assert logits.array is not None
    scores, even = logits.array[:, :-1].astype(float), math.log(vocab_size)
    highest = scores.max(axis=-1, keepdims=True)
    sums = np.log(np.exp(scores - highest).sum(axis=-1, keepdims=True)) + highest
    loss = float((sums - np.take_along_axis(scores, tokens[:, 1:, None], -1)).mean())
    if not loss - even <= SURPRISE:
        raise Fail("values", logits.say(LOUD.format(vocab=vocab_size, even=even, loss=loss)))
    if not np.ptp(scores, axis=-1).min() > 1e-4:
        says = "All tokens of a new model have the same score. The rows of its table must differ."
        raise Fail("values", logits.say(says))


@expectation
def expect_spread(table: Received, std: float) -> None:
    """Fail unless the numbers of this table have about this standard deviation."""
    assert table.array is not None
    found = float(table.array.std())
    if not std / FAR < found < std * FAR:
        says = f"Its numbers have standard deviation {found:.2g} at first, expected {std:.2g}."
        raise Fail("values", table.say(says))


def expect_large(
    submission: Submission,
    vocab_size: int,
    dim_vector: int,
    n_head: int,
    n_kv_head: int,
    dim_hidden: int,
    num_layer: int,
    max_len: int,
) -> None:
    """Fail unless a model of these sizes gives the logits of the formula."""
    sizes = Sizes(n_head, n_kv_head, num_layer)
    expect_sized(
        submission,
        "LanguageModel",
        truth.language_model_shapes(
            vocab_size, dim_vector, n_head, n_kv_head, dim_hidden, num_layer
        ),
        lambda weights, tokens: truth.language_model(tokens, weights, sizes)[0],
        submission.tokens(vocab_size, 2, max_len),
        vocab_size=vocab_size,
        dim_vector=dim_vector,
        n_head=n_head,
        n_kv_head=n_kv_head,
        dim_hidden=dim_hidden,
        num_layer=num_layer,
        max_len=max_len,
    )


@expectation
def expect_no_leak(one: Received, two: Received) -> None:
    """Fail if the scores of tokens 0 to 2 are others in the second text."""
    expect_form(two, one.shape)
    assert one.array is not None and two.array is not None
    if differs(two.array[:, :3], one.array[:, :3]).any():
        says = "Tokens 3 to 6 were exchanged, and the scores of tokens 0 to 2 changed."
        raise Fail("values", two.say(says), shows="next-token-seen")


@expectation
def expect_nothing_saved(now: State, made: str) -> None:
    if now.saved:
        names = " and ".join(now.saved)
        says = f"{made} saves {names} with its weights. register_buffer can leave them out."
        raise Fail("rule", says)
