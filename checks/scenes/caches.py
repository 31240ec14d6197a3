"""What checks of stage 6 pass to attention: a table of angles, and the cache of an earlier call."""

from __future__ import annotations

import numpy as np

from checks.engine.language import Fail, Kept, Received
from checks.s6_today.grouped_attention.truth import Cache as Cache
from checks.s6_today.rotary.truth import rotary_table

BASE = 20.0  # A small one: the last pair is turned far enough to be seen.


def angles(dim_split: int, rows: int, dtype: str = "float32", base: float = BASE) -> list[Kept]:
    """The judge's own cosines and sines, as arguments."""
    both = rotary_table(dim_split, rows, base)
    return [Kept(name, numbers, dtype) for name, numbers in zip(("cos", "sin"), both)]


def parts_of(got: Received) -> tuple[Received, Received, Received]:
    """The output, the keys and the values that a call has returned."""
    out, cache = got.parts("out", "cache")
    keys, values = cache.parts("cache_keys", "cache_values")
    return out, keys, values


def cached(got: Received) -> Cache:
    """The cache that a call has returned, to be passed to the next one."""
    _, *both = parts_of(got)
    for part in both:
        if part.array is None:
            raise Fail("values", got.say(f"{part.name} is {part.describe()}, expected a tensor."))
    keys, values = (np.asarray(part.array, dtype=float) for part in both)
    return keys, values
