"""Questions about s5_transformer/masks.py."""

from __future__ import annotations

import numpy as np

from checks.questions.kinds import Array, Case, Draw, question
from checks.truth.models import src_mask, trg_mask

BOTH = "trg_mask[b, 0, i, j] = (trg[b, j] is not padding)  and  (j <= i)"
SQUARE = "answer = get_trg_mask(trg, pad)[0, 0]"
ROWS = "A row for each query, a column for each key, 1 is visible. Which mask is it?"


def _ids(draw: Draw, length: int, *padding: int, pad: int = 0) -> Array:
    """One sentence with padding in these places."""
    ids = draw.random.integers(pad + 1, 10, (1, length))
    ids[0, list(padding)] = pad
    return ids


def _list(ids: Array) -> str:
    return "[" + ", ".join(map(str, ids[0])) + "]"


@question(SQUARE, lesson="So a query may attend to itself and to everything on its left.")
def the_future(draw: Draw) -> Case:
    """Each query may attend to itself and to everything on its left."""
    length = draw.one(3, 4)
    trg, past = _ids(draw, length), np.tri(length, dtype=bool)
    return Case(
        f"The target is {_list(trg)}, and there is no padding. {ROWS}",
        {"trg": trg, "pad": 0},
        trg_mask(trg, 0)[0, 0],
        {
            "upper-triangle": past.T,
            "diagonal-too-high": np.tri(length, k=1, dtype=bool),
            "diagonal-too-low": np.tri(length, k=-1, dtype=bool),
            "target-padding-only": past | True,
            "only-the-diagonal": np.eye(length, dtype=bool),
            "upper-triangle-above": ~past,
        },
    )


@question(SQUARE, lesson="Padding is a whole *column*, because no query may attend to it.")
def padding_in_the_middle(draw: Draw) -> Case:
    """A key is visible if it is real and not later than the query: padding is a column of zeros."""
    place = draw.one(1, 2)
    trg, past = _ids(draw, 4, place), np.tri(4, dtype=bool)
    real = trg[0] != 0
    return Case(
        f"The target is {_list(trg)}, and 0 is padding. {ROWS}",
        {"trg": trg, "pad": 0},
        trg_mask(trg, 0)[0, 0],
        {
            "target-causal-only": past,
            "target-padding-only": real | (past & False),
            "target-on-query-axis": past & real[:, None],
            "or-for-and": past | real,
            "target-on-both-axes": past & real & real[:, None],
            "upper-triangle": past.T & real,
            "target-padding-sees-itself": past & real | np.eye(4, dtype=bool),
        },
    )


@question(
    "answer = get_src_mask(src, pad)[0, 0, 0]",
    lesson="True means yes: the key is visible.",
)
def the_source(draw: Draw) -> Case:
    """Every real token is visible, and the padding may stand anywhere and have any id."""
    place = draw.one(1, 2, 3)
    src = _ids(draw, 5, place, 4, pad=2)
    first = draw.one(0, 1)
    src[0, 0] = first
    real = src[0] != 2
    return Case(
        f"src_pad_idx is 2, and the source is {_list(src)}. Which is its row of the mask? 1 is "
        "visible.",
        {"src": src, "pad": 2},
        src_mask(src, 2)[0, 0, 0],
        {
            "source-inverted": ~real,
            "source-pad-fixed-0": src[0] != 0,
            "source-above-padding": src[0] > 2,
            "source-cut-at-first-padding": np.cumprod(real).astype(bool),
            "source-sees-everything": real | True,
            "source-last-token": np.roll(real, 1),
        },
    )


@question(
    "answer = tuple(get_src_mask(src, 0).shape)",
    lesson="The mask is the same for all heads and all queries. "
    "An axis of size 1 says exactly this: "
    "PyTorch repeats it (broadcasting).",
    typed=True,
)
def shape_of_the_source_mask(draw: Draw) -> Case:
    """The two axes of size 1 stand for the heads and the queries."""
    batch_size, src_len = draw.sizes(2)
    src = np.ones((batch_size, src_len), int)
    return Case(
        f"{batch_size} sentences of {src_len} tokens. Which shape does the source mask have?",
        {"src": src},
        src_mask(src, 0).shape,
        {
            "source-two-axes": (batch_size, src_len),
            "source-three-axes": (batch_size, 1, src_len),
            "source-five-axes": (batch_size, 1, 1, 1, src_len),
            "source-on-query-axis": (batch_size, 1, src_len, 1),
            "source-repeated": (batch_size, 1, src_len, src_len),
            "source-axes-in-front": (1, 1, batch_size, src_len),
        },
    )
