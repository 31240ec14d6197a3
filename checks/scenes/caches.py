"""What checks of stage 6 pass to attention: a table of angles, and the cache of an earlier call."""

from __future__ import annotations

from typing import Any

from checks.engine.language import Fail, Kept, Place, Received, expect_that
from checks.s6_today.grouped_attention.truth import Cache as Cache
from checks.s6_today.rotary.truth import rotary_table

BASE = 20.0  # A small one: the last pair is turned far enough to be seen.


def angles(dim_split: int, rows: int, dtype: str = "float32", base: float = BASE) -> list[Kept]:
    """The judge's own cosines and sines, as arguments."""
    both = rotary_table(dim_split, rows, base)
    return [Kept(name, numbers, dtype) for name, numbers in zip(("cos", "sin"), both)]


def parts_of(got: Place) -> tuple[Place, Place, Place]:
    """The output, the keys and the values that a call has returned."""
    out, cache = got.parts("out", "cache")
    keys, values = cache.parts("cache_keys", "cache_values")
    return out, keys, values


def cached(got: Place) -> Any:
    """The cache that a call has returned, to be passed to the next one."""
    _, cache = got.parts("out", "cache")
    for part in cache.parts("cache_keys", "cache_values"):
        expect_that(expect_tensor, part)
    return cache


def expect_tensor(part: Received) -> None:
    if part.array is None:
        raise Fail("values", part.say(f"{part.name} is {part.describe()}, expected a tensor."))
