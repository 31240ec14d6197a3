"""Checks for s3_encoder/encoder_layer.py."""

import re

from typing import Any

import numpy as np

from checks import paper
from checks.machine.language import (
    SHARES,
    Array,
    Module,
    Submission,
    all_drops,
    check,
    expect,
    expect_gradients,
    expect_manners,
    expect_one_of,
)

HINTS = [
    "Draw the left half of figure 1: which two sublayers are there, and what follows each?",
    "In self-attention one tensor plays three parts. Which one, and where does the mask go?",
    "What does the second shortcut carry: the input of the layer, or what came out of add_norm1?",
    "x = self.add_norm1(x, self.self_attention(____, src_mask))",
]
DIM_VECTOR, N_HEAD, DIM_HIDDEN = 6, 3, 11
BATCH_SIZE, SRC_LEN = 2, 5
PLACE = (
    "In train mode each sublayer's output, and the middle of the feed-forward network, should\n"
    "be dropped with probability dropout, or else divided by 1 - dropout. Something else came."
)


def a_layer(submission: Submission, dtype: str = "float32", **kwargs: Any) -> Module:
    layer = submission.build(
        "EncoderLayer",
        dim_vector=DIM_VECTOR,
        n_head=N_HEAD,
        dim_hidden=DIM_HIDDEN,
        dtype=dtype,
        **kwargs,
    )

    def truth(weights: paper.Weights, x: Array, *mask: Array) -> Array:
        return paper.encoder_layer(x, weights, N_HEAD, *mask)

    layer.draw(paper.encoder_layer_shapes(DIM_VECTOR, DIM_HIDDEN), truth, an_input(submission))
    return layer


def an_input(submission: Submission, src_len: int = SRC_LEN) -> Array:
    return submission.normal(BATCH_SIZE, src_len, DIM_VECTOR)


def silent(weights: dict[str, Array], but: str = "") -> dict[str, Array]:
    """The last weights and biases of all sublayers as zeros, so that each brings nothing.

    `but` is where the roles of those begin that go on as they are.
    """
    last = {role: w for role, w in weights.items() if re.search(SUBLAYER_END, role)}
    return {r: w if but and r.startswith(but) else np.zeros_like(w) for r, w in last.items()}


SUBLAYER_END = r"(_attention\.linear|feed_forward\.linear2)\.(weight|bias)$"


def flat(name: str) -> dict[str, Array]:
    """The norm of an AddNorm that forgets its input: only its beta comes out."""
    return {f"{name}.layer_norm.gamma": np.zeros(DIM_VECTOR)}


def dropped_attention(source: Array, weights: paper.Weights, n_head: int, p: float) -> Array:
    """What attention and its dropout may bring where there is but one key, (…, many, dim_vector).

    The one weight of each head is 1, dropped or not: whether a layer drops weights is open.
    """
    values = paper.linear(source, paper.part(weights, "w_v"))
    factors = np.concatenate([np.ones((1, n_head)), all_drops(n_head, p)])
    by_feature = factors.repeat(values.shape[-1] // n_head, axis=-1)
    attended = paper.linear(values[..., None, :] * by_feature, paper.part(weights, "linear"))
    return every_product(attended, all_drops(values.shape[-1], p))


def every_product(vectors: Array, drops: Array) -> Array:
    """(…, n, d) vectors times (m, d) factors -> (…, n * m, d)."""
    products = vectors[..., :, None, :] * drops
    return products.reshape(*vectors.shape[:-2], -1, vectors.shape[-1])


def wide_awake(weights: dict[str, Array]) -> dict[str, Array]:
    """A feed-forward network with four hidden features: the input's first four, lifted above 0."""
    first, bias = np.zeros((DIM_HIDDEN, DIM_VECTOR)), np.full(DIM_HIDDEN, -1.0)
    first[:4, :4], bias[:4] = np.eye(4), 9
    return {**weights, "feed_forward.linear1.weight": first, "feed_forward.linear1.bias": bias}


def dropped_feed_forward(x: Array, weights: paper.Weights, p: float) -> Array:
    """What such a network and both dropouts may bring, (…, many, dim_vector)."""
    hidden = np.zeros((*x.shape[:-1], 2**4, DIM_HIDDEN))
    hidden[..., :4] = (x[..., None, :4] + 9) * all_drops(4, p)
    widened = paper.linear(hidden, paper.part(weights, "feed_forward.linear2"))
    return every_product(widened, all_drops(DIM_VECTOR, p))


@check
def two_sublayers_with_their_norms(submission: Submission) -> None:
    """Self-attention, add and norm, feed-forward, add and norm: each with its own weights."""
    layer = a_layer(submission)
    for x in (an_input(submission), an_input(submission, src_len=1)[:1]):
        out = layer(x)

        expect(out, paper.encoder_layer(x, layer.weights, N_HEAD))


@check
def the_mask_reaches_the_attention(submission: Submission) -> None:
    """What src_mask hides, no token looks at."""
    layer = a_layer(submission)
    x = an_input(submission)
    for shape in ((BATCH_SIZE, 1, 1, SRC_LEN), (BATCH_SIZE, 1, SRC_LEN, SRC_LEN)):
        mask = submission.mask(*shape)

        out = layer(x, mask)

        expect(out, paper.encoder_layer(x, layer.weights, N_HEAD, mask))


@check
def attention_is_dropped_in_training(submission: Submission) -> None:
    """In training, dropout (0.1 unless asked) falls on what the attention brings, not on x."""
    for kwargs, p in SHARES:
        layer = a_layer(submission, **kwargs)
        layer.train()
        layer.assign(silent(layer.weights, but="self_attention."))
        weights, x = layer.weights, an_input(submission, src_len=1)

        out = layer(x)

        brought = dropped_attention(x, paper.part(weights, "self_attention"), N_HEAD, p)
        sums = paper.add_norm(x[..., None, :], brought, paper.part(weights, "add_norm1"))
        truth = paper.add_norm(sums, np.zeros_like(sums), paper.part(weights, "add_norm2"))
        expect_one_of(out, truth, PLACE)


@check
def the_feed_forward_is_dropped_in_training(submission: Submission) -> None:
    """In training, dropout falls inside the feed-forward network and on what it brings."""
    for kwargs, p in SHARES:
        layer = a_layer(submission, **kwargs)
        layer.train()
        layer.assign({**wide_awake(layer.weights), **flat("add_norm1")})
        weights, x = layer.weights, an_input(submission)

        out = layer(x)

        beta = np.zeros_like(x) + weights["add_norm1.layer_norm.beta"]
        brought = dropped_feed_forward(beta, weights, p)
        truth = paper.add_norm(beta[..., None, :], brought, paper.part(weights, "add_norm2"))
        expect_one_of(out, truth, PLACE)


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches x and every weight of both sublayers and both norms."""
    mask = submission.mask(BATCH_SIZE, 1, 1, SRC_LEN)
    expect_gradients(a_layer(submission, "float64"), an_input(submission), mask)


@check
def it_has_manners(submission: Submission) -> None:
    """Asked twice in eval mode it says the same; its inputs stay; any device will do."""
    mask = submission.mask(BATCH_SIZE, 1, 1, SRC_LEN)
    expect_manners(a_layer(submission, dropout=0.5), an_input(submission), mask, drops=True)
