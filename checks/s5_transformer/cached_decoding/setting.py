"""What the checks of s5_transformer/cached_decoding.py build and ask."""

from __future__ import annotations

from checks.engine.language import (
    Array,
    Fail,
    Module,
    Received,
    Submission,
    expect_form,
    expectation,
)
from checks.scenes.writer import DIM_HIDDEN, DIM_VECTOR, MAX_LEN, ROWS, SRC_LEN, TRG_VOCAB
from checks.truth import paper

SMALL = 6  # Features of a token, in the checks of the parts.
UNCOUNTED = "While it ran, PyTorch's profiler was switched off, which counts for this check."
AMPLE = 3  # Times the necessary multiplications: keys may be stored in a larger table.


def an_attention(submission: Submission) -> Module:
    """A multi-head attention of the learner's, for vectors of 6 numbers and 3 heads."""
    attention = submission.build(
        "MultiHeadAttention", home="s2_attention.multi_head_attention", dim_vector=SMALL, n_head=3
    )

    def truth(weights: paper.Weights, q: Array, k: Array, v: Array) -> Array:
        return paper.multi_head_attention(q, k, v, weights, 3)

    shapes = paper.multi_head_attention_shapes(SMALL)
    attention.draw(shapes, truth, *(submission.normal(2, 4, SMALL) for _ in range(3)))
    return attention


def cache_of(x: Array, weights: paper.Weights) -> tuple[Array, Array]:
    """The keys and values of x, (batch_size, n_head, length, dim_split) each."""
    heads = (*x.shape[:2], 3, SMALL // 3)
    keys, values = (paper.linear(x, paper.part(weights, name)) for name in ("w_k", "w_v"))
    return keys.reshape(heads).swapaxes(1, 2), values.reshape(heads).swapaxes(1, 2)


@expectation
def expect_cheap(tokens: Received, rows: int, *work: int | None) -> None:
    """Fail unless a new token costs little. work: multiplications for 3, 4 and all tokens, and for
    3 and 4 with half of the source.
    """
    if None in work:
        raise Fail("rule", tokens.say(UNCOUNTED))
    two, three, all_of_them, brief_two, brief_three = (count or 0 for count in work)
    more = MAX_LEN - 4
    early, later = three - two, (all_of_them - three) // more

    a_key = 2 * rows * DIM_VECTOR  # Its part in a score, and in the mixed values.
    if later - early > a_key * (more + 1):  # Twice the average work of the keys since then.
        cost = f"The third new token takes {early} multiplications, those after it {later} each."
        why = "What was computed for earlier tokens is computed again."
        raise Fail("rule", tokens.say(f"{cost}\n{why}"))
    less = brief_three - brief_two
    if early - less > 2 * a_key * (SRC_LEN - SRC_LEN // 2):
        cost = f"A new token takes {early} multiplications, {less} if the source is half as long."
        why = "Keys and values of the source are the same for every token."
        raise Fail("rule", tokens.say(f"{cost}\n{why}"))
    in_a_layer = 6 * DIM_VECTOR**2 + 2 * DIM_VECTOR * DIM_HIDDEN
    needed = rows * (in_a_layer + DIM_VECTOR * TRG_VOCAB) + a_key * (3 + SRC_LEN)
    if early > AMPLE * needed:
        cost = f"A new token takes {early} multiplications; {needed} are enough."
        raise Fail("rule", tokens.say(f"{cost}\nWhat is computed for other tokens is in it."))


@expectation
def expect_same_words(logits: Received, trg: Array) -> None:
    expect_form(logits, (ROWS, MAX_LEN - 1, TRG_VOCAB))
    assert logits.array is not None
    if (logits.array.argmax(-1) != trg[:, 1:]).any():
        raise Fail("values", logits.say("After the call the model itself answers otherwise."))
