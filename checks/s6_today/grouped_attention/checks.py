"""Checks for s6_today/grouped_attention.py."""

from collections.abc import Callable
from typing import Any

import numpy as np

from checks.engine.language import (
    Array,
    Kept,
    Module,
    Place,
    Received,
    Submission,
    check,
    differs,
    expect,
    expect_form,
    expect_gradients,
    expect_manners,
    expect_sized,
    expect_that,
    trains,
)
from checks.s6_today.grouped_attention.truth import grouped_attention, grouped_attention_shapes
from checks.scenes.caches import Cache, angles, cached, parts_of
from checks.truth.paper import Weights

NAME = "GroupedQueryAttention"
DIM_VECTOR, N_HEAD, N_KV_HEAD, BATCH_SIZE, LENGTH = 24, 6, 2, 5, 7  # dim_split 4, groups of 3.
ROWS = 19  # Of the table.


def the_table(dim_split: int = 4, dtype: str = "float32") -> list[Kept]:
    return angles(dim_split, ROWS, dtype)


def truth_of(n_head: int, n_kv_head: int) -> Callable[..., Array]:
    """What a layer with so many heads should give as its output."""

    def truth(weights: Weights, x: Array, cos: Array, sin: Array, *given: Any) -> Array:
        return grouped_attention(x, weights, (n_head, n_kv_head), cos, sin, *given)[0]

    return truth


def a_layer(
    submission: Submission, dtype: str = "float32", n_head: int = N_HEAD, n_kv_head: int = N_KV_HEAD
) -> Module:
    """The learner's layer, with weights drawn by the judge."""
    sizes, table = sized(DIM_VECTOR, n_head, n_kv_head), the_table(DIM_VECTOR // n_head)
    layer = submission.build(NAME, dtype=dtype, **sizes)
    truth = truth_of(n_head, n_kv_head)
    layer.draw(grouped_attention_shapes(**sizes), truth, tokens(submission, 3), *table)
    return layer


def sized(dim_vector: int, n_head: int, n_kv_head: int) -> dict[str, Any]:
    return {"dim_vector": dim_vector, "n_head": n_head, "n_kv_head": n_kv_head}


def tokens(submission: Submission, length: int = LENGTH, batch_size: int = BATCH_SIZE) -> Array:
    return submission.normal(batch_size, length, DIM_VECTOR)


def right_for(layer: Module, x: Array, *given: Any, rows: int = ROWS) -> tuple[Array, Cache]:
    """What the small layer should give."""
    return grouped_attention(x, layer.weights, (N_HEAD, N_KV_HEAD), *angles(4, rows), *given)


def expect_cache(got: Place, layer: Module, x: Array, start: int = 0) -> None:
    """Fail unless these are the turned keys and the values of x, all tokens so far.

    Keys may also be turned one position further, all of them: attention is then the same.
    """
    _, keys, values = parts_of(got)
    right, right_values = right_for(layer, x, start)[1]
    further = right_for(layer, x, start + 1)[1][0]
    expect_form(keys, right.shape)
    expect_that(_expect_turned, keys, right, further)
    expect(values, right_values)


def _expect_turned(keys: Received, right: Array, further: Array) -> None:
    assert keys.array is not None
    expect(keys, right if differs(keys.array, further).any() else further)


@check
def the_parameters_are_narrow(submission: Submission) -> None:
    """w_q and linear are dim_vector wide, w_k and w_v only n_kv_head * dim_split. There are no
    biases.
    """
    for n_kv_head in (N_KV_HEAD, 1, N_HEAD):
        a_layer(submission, n_kv_head=n_kv_head)


@check
def a_group_of_heads_shares_keys_and_values(submission: Submission) -> None:
    """Query head h uses the keys and values of head h // (n_head // n_kv_head)."""
    layer = a_layer(submission)
    for batch_size, length in ((BATCH_SIZE, LENGTH), (3, 1), (1, 3), (6, 6), (2, 2)):
        x = tokens(submission, length, batch_size)

        out, _, _ = parts_of(layer(x, *the_table()))

        expect(out, right_for(layer, x)[0])


@check
def the_number_of_kv_heads_counts(submission: Submission) -> None:
    """n_kv_head may be 1, 2, 3 or n_head: one head of keys for all, or one for each."""
    for n_head, n_kv_head in ((6, 3), (6, 1), (6, 6), (3, 1), (2, 2), (1, 1)):
        layer = a_layer(submission, n_head=n_head, n_kv_head=n_kv_head)
        x, table = tokens(submission, 3), the_table(DIM_VECTOR // n_head)

        out, keys, _ = parts_of(layer(x, *table))

        expect(out, grouped_attention(x, layer.weights, (n_head, n_kv_head), *table)[0])
        expect_form(keys, (BATCH_SIZE, n_kv_head, 3, DIM_VECTOR // n_head))


@check
def the_mask_reaches_every_head(submission: Submission) -> None:
    """Masked keys get no weight, with one mask for all heads or with one for each head."""
    layer = a_layer(submission)
    x = tokens(submission)
    four = ((BATCH_SIZE, 1, 1, LENGTH), (BATCH_SIZE, 1, LENGTH, LENGTH), (1, 1, LENGTH, LENGTH))
    for shape in (*four, (LENGTH, LENGTH), (BATCH_SIZE, N_HEAD, LENGTH, LENGTH)):
        mask = submission.mask(*shape)

        out, _, _ = parts_of(layer(x, *the_table(), 0, mask))

        expect(out, right_for(layer, x, 0, mask)[0])


@check
def the_cache_holds_turned_keys_and_values(submission: Submission) -> None:
    """The cache has keys, turned to their positions, and values, not turned. It has n_kv_head heads
    of them.
    """
    layer = a_layer(submission)
    for start, length in ((0, LENGTH), (3, LENGTH), (9, 1)):
        x = tokens(submission, length)

        got = layer(x, *the_table(), start)

        expect_cache(got, layer, x, start)
        expect(parts_of(got)[0], right_for(layer, x, start)[0])


@check
def new_tokens_read_the_cache(submission: Submission) -> None:
    """With a cache, the new tokens attend to the cached tokens and to themselves. The new cache has
    all of them, the old ones first.
    """
    layer = a_layer(submission)
    for old, new in ((LENGTH, 1), (3, 4), (1, 2)):
        x, more = tokens(submission, old), tokens(submission, new)
        cache, right = cached(layer(x, *the_table())), right_for(layer, x)[1]

        got = layer(more, *the_table(), old, None, cache)
        at_0, _, _ = parts_of(layer(more, *the_table(), 0, None, cache))
        later, _, _ = parts_of(layer(more, *the_table(), old + 2, None, cache))

        expect(parts_of(got)[0], right_for(layer, more, old, None, right)[0])
        expect(at_0, right_for(layer, more, 0, None, right)[0])  # start says where they stand.
        expect(later, right_for(layer, more, old + 2, None, right)[0])  # Two tokens were dropped.
        expect_cache(got, layer, np.concatenate([x, more], axis=1))


@check
def a_mask_covers_the_cache(submission: Submission) -> None:
    """With a cache, the mask has a column for each cached token and for each new one."""
    layer = a_layer(submission)
    for old, new in ((LENGTH, 1), (4, 3)):
        x, more = tokens(submission, old), tokens(submission, new)
        cache, right = cached(layer(x, *the_table())), right_for(layer, x)[1]
        for shape in ((BATCH_SIZE, 1, new, old + new), (BATCH_SIZE, N_HEAD, 1, old + new)):
            mask = submission.mask(*shape)

            out, _, _ = parts_of(layer(more, *the_table(), old, mask, cache))

            expect(out, right_for(layer, more, old, mask, right)[0])


@check
def token_by_token_is_the_same(submission: Submission) -> None:
    """Tokens one by one, each with the cache of those before it, get what the whole gets with a
    causal mask.
    """
    layer = a_layer(submission)
    x, cache = tokens(submission), None
    whole, _ = right_for(layer, x, 0, np.tri(LENGTH, dtype=bool))
    for n in range(LENGTH):
        got = layer(x[:, n : n + 1], *the_table(), n, None, cache)
        cache = cached(got)

        expect(parts_of(got)[0], whole[:, n : n + 1])

    again = layer(x, *the_table(), 0, np.tri(LENGTH, dtype=bool))  # Nothing is left of the others.
    expect(parts_of(again)[0], whole)


@check
def the_cache_has_the_dtype_of_the_layer(submission: Submission) -> None:
    """In bfloat16 and float64 the output and the cache have the layer's dtype, also with a float32
    table.
    """
    for dtype in ("bfloat16", "float64"):
        layer = a_layer(submission, dtype)

        out, keys, values = parts_of(layer(tokens(submission), *the_table()))

        expect_form(out, (BATCH_SIZE, LENGTH, DIM_VECTOR), dtype)
        for part in (keys, values):
            expect_form(part, (BATCH_SIZE, N_KV_HEAD, LENGTH, DIM_VECTOR // N_HEAD), dtype)


@check
def heads_must_share_evenly(submission: Submission) -> None:
    """A ValueError names dim_vector and n_head, or n_head and n_kv_head, if the second does not
    divide the first.
    """
    of_groups = [((48, N_HEAD, n_kv_head), (N_HEAD, n_kv_head)) for n_kv_head in (4, 12, 5)]
    of_heads = [(sizes, sizes[:2]) for sizes in ((10, 4, 2), (15, 6, 3), (8, 16, 8))]
    for sizes, named in (*of_groups, *of_heads):
        with submission.raises(ValueError, *named):
            submission.build(NAME, **sized(*sizes))


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches x and every weight, with and without a mask."""
    layer, table = a_layer(submission, "float64"), the_table(dtype="float64")
    mask = submission.mask(BATCH_SIZE, 1, LENGTH, LENGTH)

    expect_gradients(trains(layer), tokens(submission), *table, 3, mask)
    expect_gradients(layer, tokens(submission), *table)


@check
def large_sizes_work_too(submission: Submission) -> None:
    """Large sizes work too: hundreds of tokens, sentences or heads, and a cache of 600 tokens."""
    for batch_size, length, n_head, n_kv_head in ((1, 600, 3, 1), (300, 2, 4, 2), (1, 2, 130, 65)):
        expect_sized(
            submission,
            NAME,
            grouped_attention_shapes(2 * n_head, n_head, n_kv_head),
            truth_of(n_head, n_kv_head),
            submission.normal(batch_size, length, 2 * n_head),
            *angles(2, length + 1),
            **sized(2 * n_head, n_head, n_kv_head),
        )
    layer, table = a_layer(submission, "float64"), angles(4, 610, "float64")
    x, more = tokens(submission, 600, 1), tokens(submission, 2, 1)

    got = layer(more, *table, 600, None, cached(layer(x, *table)))

    _, cache = right_for(layer, x, rows=610)
    right, (_, values) = right_for(layer, more, 600, None, cache, rows=610)
    expect(parts_of(got)[2], values)
    expect(parts_of(got)[0], right)


@check
def it_has_manners(submission: Submission) -> None:
    """In eval mode two calls give the same result; x and the cache are not changed; it works on any
    device.
    """
    layer = a_layer(submission)
    expect_manners(layer, tokens(submission), *the_table())
    mask, cache = submission.mask(BATCH_SIZE, 1, 3, 7), submission.normal(2, BATCH_SIZE, 2, 4, 4)
    expect_manners(layer, tokens(submission, 3), *the_table(), 4, mask, (cache[0], cache[1]))
