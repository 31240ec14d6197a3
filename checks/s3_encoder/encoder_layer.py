"""Checks for s3_encoder/encoder_layer.py."""

import re

import numpy as np

from checks import paper
from checks.machine.language import (
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
P = 0.2
PLACE = (
    "In train mode each sublayer's output, and the middle of the feed-forward network, should\n"
    "be dropped with probability dropout, or else divided by 1 - dropout. Something else came."
)


def a_layer(submission: Submission, dtype: str = "float32", dropout: float = 0.5) -> Module:
    layer = submission.build(
        "EncoderLayer",
        dim_vector=DIM_VECTOR,
        n_head=N_HEAD,
        dim_hidden=DIM_HIDDEN,
        dropout=dropout,
        dtype=dtype,
    )

    def truth(weights: paper.Weights, x: Array, *mask: Array) -> Array:
        return paper.encoder_layer(x, weights, N_HEAD, *mask)

    layer.draw(paper.encoder_layer_shapes(DIM_VECTOR, DIM_HIDDEN), truth, an_input(submission))
    return layer


def an_input(submission: Submission) -> Array:
    return submission.normal(BATCH_SIZE, SRC_LEN, DIM_VECTOR)


def silent(weights: dict[str, Array], but: str = "") -> dict[str, Array]:
    """The last weights and biases of all sublayers as zeros, so that each brings nothing.

    `but` names a sublayer that brings the same vector for every token: its bias.
    """
    last = {role: w for role, w in weights.items() if re.search(SUBLAYER_END, role)}
    return {
        role: w if role.startswith(but) and but and role.endswith("bias") else np.zeros_like(w)
        for role, w in last.items()
    }


SUBLAYER_END = r"(_attention\.linear|feed_forward\.linear2)\.(weight|bias)$"


def flat(name: str) -> dict[str, Array]:
    """The norm of an AddNorm that forgets its input: only its beta comes out."""
    return {f"{name}.layer_norm.gamma": np.zeros(DIM_VECTOR)}


@check
def two_sublayers_with_their_norms(submission: Submission) -> None:
    """Self-attention, add and norm, feed-forward, add and norm: each with its own weights."""
    layer = a_layer(submission)
    x = an_input(submission)

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
def sublayers_are_dropped_in_training(submission: Submission) -> None:
    """In training, the dropout that was asked for falls on the output of both sublayers."""
    layer = a_layer(submission, dropout=P)
    layer.train()
    drawn, x = layer.weights, an_input(submission)
    drops = all_drops(DIM_VECTOR, P)
    norm1, norm2 = paper.part(drawn, "add_norm1"), paper.part(drawn, "add_norm2")

    layer.assign(silent(drawn, but="self_attention"))
    after_attention = layer(x)
    layer.assign({**silent(drawn, but="feed_forward"), **flat("add_norm1")})
    after_feed_forward = layer(x)

    attended = drawn["self_attention.linear.bias"] * drops
    sums = paper.add_norm(x[..., None, :], attended, norm1)
    expect_one_of(after_attention, paper.add_norm(sums, np.zeros_like(sums), norm2), PLACE)
    widened = drawn["feed_forward.linear2.bias"] * drops
    beta = norm1["layer_norm.beta"] + np.zeros((BATCH_SIZE, SRC_LEN, 1, DIM_VECTOR))
    expect_one_of(after_feed_forward, paper.add_norm(beta, widened, norm2), PLACE)


@check
def the_feed_forward_is_dropped_in_training(submission: Submission) -> None:
    """In training, the dropout that was asked for also falls inside the feed-forward network."""
    layer = a_layer(submission, dropout=P)
    layer.train()
    drawn = layer.weights
    bias = np.where(np.arange(DIM_HIDDEN) < 4, 1 + np.abs(drawn["feed_forward.linear1.bias"]), -1)
    layer.assign(
        {
            "feed_forward.linear1.weight": np.zeros((DIM_HIDDEN, DIM_VECTOR)),
            "feed_forward.linear1.bias": bias,
            **flat("add_norm1"),
        }
    )

    out = layer(an_input(submission))

    hidden = np.zeros((2**4, DIM_HIDDEN))
    hidden[:, :4] = bias[:4] * all_drops(4, P)
    widened = paper.linear(hidden, paper.part(layer.weights, "feed_forward.linear2"))
    dropped = (widened[:, None] * all_drops(DIM_VECTOR, P)).reshape(-1, DIM_VECTOR)
    beta = drawn["add_norm1.layer_norm.beta"] + np.zeros((BATCH_SIZE, SRC_LEN, 1, DIM_VECTOR))
    truth = paper.add_norm(beta, dropped, paper.part(layer.weights, "add_norm2"))
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
    expect_manners(a_layer(submission), an_input(submission), mask)
