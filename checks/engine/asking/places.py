"""Where the numbers of parameters stand: the terms in which layouts are described.

All parameters of a module, one after the other, are one long vector. A place is a position in it.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]
Reading = dict[str, Places]  # The places of every role's numbers, in the role's shape.
Named = tuple[tuple[str, tuple[int, ...]], ...]  # Names and shapes, in order of registration.
Sizes = tuple[tuple[str, int], ...]  # Arguments of the constructor: (("width", 6), ...).


class Layout(NamedTuple):
    """A kind of block, and the ways to read its parameters, the likeliest first.

    `fits` says whether a block with these roles is of this kind.
    """

    fits: Callable[[set[str]], bool]
    read: Callable[[Named, Named, Sizes], Iterator[Reading]]


def places_of(named: Named) -> list[Places]:
    """The places of each parameter's numbers in the one long vector, in the parameter's shape."""
    ends = list(itertools.accumulate(math.prod(shape) for _, shape in named))
    return [
        np.arange(end - math.prod(shape), end).reshape(shape)
        for end, (_, shape) in zip(ends, named)
    ]


def size_of(named: Named) -> int:
    """How many numbers these parameters have together."""
    return sum(math.prod(shape) for _, shape in named)


def turned(name: str, places: Places, shape: tuple[int, ...]) -> Iterator[Places]:
    """`places` in the shape of its role. A matrix may be stored transposed, and so may a square one
    if it is bare.
    """
    if places.ndim == 3 and places.shape[-1] == 1:  # The kernel of a Conv1d of width 1.
        places = places[..., 0]
    places = places.reshape(shape) if len(shape) == 1 and places.size == shape[0] else places
    if places.shape == shape:
        yield places
    may_turn = not name.endswith("weight") or places.shape != shape
    if may_turn and places.ndim == 2 and places.T.shape == shape:
        yield places.T


def sounds(name: str, role: str, synonyms: dict[str, str]) -> int:
    """How much a name resembles a role: 3 for the role itself, 1 for a synonym, else 0."""
    if name.rpartition(".")[2] == role or name == role:
        return 3
    words = set(re.findall(r"[a-z]+|\d+", name.replace("_", " ").lower()))
    return int(bool(words & set(synonyms.get(role, role).split())))
