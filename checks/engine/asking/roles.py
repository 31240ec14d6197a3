"""Which parameter plays which role, when a right module names or arranges them its own way.

All parameters of a module, one after the other, are one long vector. For every role of the
contract, a reading says which places of that vector hold its numbers. So a fused projection, a
transposed matrix and one small layer for each head are all the same thing: an array of places.

`readings` lists the possible readings by names, shapes and order, the likeliest first. A call of
the module decides which one is true: see Module.draw.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from checks.engine.asking.layout import (
    Named,
    Reading,
    Sizes,
    places_of,
    size_of,
    sounds,
    turned,
)
from checks.extensions.layouts import LAYOUTS, SYNONYMS

Part = tuple[Named, Named]  # The parameters of a part, and its roles.
Shares = list[tuple[int, ...]]  # Which parameters (by number) go to each part of a block.

MOST_STEPS = 200_000  # Steps that the search for groups may take in all.
MOST = 3000  # Readings that are tried.


def readings(parameters: Named, roles: Named, sizes: Sizes = ()) -> Iterator[Reading]:
    """The ways to read `parameters` as `roles`. There is one if names and shapes agree, and none if
    no reading is possible. Parts of a module that look alike (same names and shapes inside) are
    read alike.
    """
    if dict(parameters) == dict(roles):
        yield _by_name(parameters, roles)
        return
    if size_of(parameters) != size_of(roles):
        return
    choices: dict[Part, int] = {}
    for _ in range(MOST):
        counts: dict[Part, int] = {}
        reading = _read(parameters, roles, sizes, choices, counts)
        if reading is not None:
            yield reading
        choices = {part: choices.get(part, 0) for part in counts}
        while choices:  # The next combination of choices, like the next number of a counter.
            part, n = choices.popitem()
            if n + 1 < counts[part]:
                choices[part] = n + 1
                break
        else:
            return


def told_by_names(parameters: Named, reading: Reading) -> bool:
    """Whether each role is one parameter that is called like it, or like the part it belongs to.

    PyTorch calls many parameters "weight" or "bias": for these the name before counts, too.
    """
    whole = {
        int(places.min()): (name, places.size)
        for (name, _), places in zip(parameters, places_of(parameters))
        if places.size
    }
    for role, places in reading.items():
        name, size = whole.get(int(places.min()), ("", 0))
        part, _, own = role.rpartition(".")
        ending = f"{part.rpartition('.')[2]}.{own}" if own in ("weight", "bias") else own
        is_called_so = f".{name}".endswith(f".{ending}")
        if size != places.size or not (is_called_so or sounds(name, part or own, SYNONYMS)):
            return False
    return True


def _by_name(parameters: Named, roles: Named) -> Reading:
    places = dict(zip((name for name, _ in parameters), places_of(parameters)))
    return {role: places[role] for role, _ in roles}


def _read(
    parameters: Named, roles: Named, sizes: Sizes, choices: dict[Part, int], counts: dict[Part, int]
) -> Reading | None:
    """The reading for these choices. `counts` gets the number of options of every part."""
    part = (_stripped(parameters), roles)
    options = _options(*part, sizes)
    counts.setdefault(part, len(options))
    if not options:
        return None
    option = options[min(choices.get(part, 0), len(options) - 1)]
    if isinstance(option, dict):
        return option
    places = places_of(parameters)
    reading: Reading = {}
    for share, (child, inner) in zip(option, _children(roles)):
        named = tuple(parameters[n] for n in share)
        inside = _read(named, inner, sizes, choices, counts)
        if inside is None:
            return None
        there = np.concatenate([places[n].reshape(-1) for n in share])
        reading |= {f"{child}.{role}": there[where] for role, where in inside.items()}
    return reading


@lru_cache(maxsize=4096)
def _options(parameters: Named, roles: Named, sizes: Sizes) -> list[Reading] | list[Shares]:
    """The readings of a part that has no parts itself; otherwise the ways to share out its
    parameters.
    """
    names = {role for role, _ in roles}
    if size_of(parameters) != size_of(roles):
        return []
    if len(roles) == 1:
        return list(_one(parameters, roles))
    for layout in LAYOUTS:
        if layout.fits(names):
            return list(layout.read(parameters, roles, sizes))
    return _shares(parameters, _children(roles))


def _one(parameters: Named, roles: Named) -> Iterator[Reading]:
    """One parameter as one role."""
    ((role, shape),) = roles
    for places in turned(parameters[0][0], places_of(parameters)[0], shape):
        yield {role: places}


def _children(roles: Named) -> list[tuple[str, Named]]:
    """The parts of a block and the roles in each."""
    children: dict[str, list[tuple[str, tuple[int, ...]]]] = {}
    for role, shape in roles:
        child, _, rest = role.partition(".")
        children.setdefault(child, []).append((rest, shape))
    return [(child, tuple(named)) for child, named in children.items()]


# Parts: share out the parameters among the parts of a block


def _shares(parameters: Named, wanted: list[tuple[str, Named]]) -> list[Shares]:
    """The ways to share out the parameters (by number in the list) among the wanted parts."""
    groups = _groups(parameters)
    fitting = {size_of(named) for _, named in wanted}
    steps = itertools.count()
    while True:
        sizes = [sum(math.prod(parameters[n][1]) for n in group) for _, group in groups]
        found = list(itertools.islice(_pick(groups, sizes, wanted, steps), 300))
        if found or all(len(group) == 1 for _, group in groups):
            break
        groups = _opened(
            parameters,
            groups,
            max(range(len(groups)), key=lambda n: (sizes[n] not in fitting, sizes[n])),
        )
    label = _from_one([name for name, _ in groups])
    children = _from_one([child for child, _ in wanted])

    def scores(shares: list[tuple[int, ...]]) -> list[float]:
        return [
            sum(sounds(label[n], child, SYNONYMS) for n in share) / max(1, len(share))
            for share, child in zip(shares, children)
        ]

    found.sort(key=lambda shares: -sum(scores(shares)))
    decided = [shares for shares in found if min(scores(shares)) >= 1]
    return [
        [tuple(n for g in share for n in groups[g][1]) for share in shares]
        for shares in (decided if len(decided) == 1 else found)
    ]


def _from_one(names: list[str]) -> list[str]:
    """Names that count from 1 instead of 0: "norms.0" becomes "norms.1" and so on."""
    if not any(re.search(r"(?<!\d)0(?!\d)", name) for name in names):
        return names
    return [re.sub(r"\d+", lambda number: str(int(number[0]) + 1), name) for name in names]


def _groups(parameters: Named) -> list[tuple[str, list[int]]]:
    groups: dict[str, list[int]] = {}
    for n, (name, _) in enumerate(parameters):
        groups.setdefault(name.partition(".")[0], []).append(n)
    return list(groups.items())


def _opened(
    parameters: Named, groups: list[tuple[str, list[int]]], at: int
) -> list[tuple[str, list[int]]]:
    """The groups, with the group at `at` split by the next part of its names."""
    if len(groups[at][1]) == 1:
        at = max(range(len(groups)), key=lambda n: len(groups[n][1]))
    prefix, members = groups[at]
    inner: dict[str, list[int]] = {}
    for n in members:
        rest = parameters[n][0][len(prefix) :].lstrip(".")
        inner.setdefault(f"{prefix}.{rest.partition('.')[0]}", []).append(n)
    if len(inner) == 1 and len(members) > 1 and list(inner) == [prefix + "."]:
        inner = {f"{prefix}.{n}": [n] for n in members}
    return groups[:at] + list(inner.items()) + groups[at + 1 :]


def _pick(
    groups: list[tuple[str, list[int]]],
    sizes: list[int],
    wanted: list[tuple[str, Named]],
    steps: Iterator[int],
) -> Iterator[list[tuple[int, ...]]]:
    """Groups for each wanted part such that the numbers of values agree.

    The search stops after some steps: many small groups have too many combinations.
    """

    def fill(free: tuple[int, ...], part: int) -> Iterator[list[tuple[int, ...]]]:
        if part == len(wanted):
            if not free:
                yield []
            return
        for share in subsets(free, size_of(wanted[part][1])):
            rest = tuple(n for n in free if n not in share)
            for others in fill(rest, part + 1):
                yield [share, *others]

    def subsets(free: tuple[int, ...], size: int) -> Iterator[tuple[int, ...]]:
        if size == 0:
            yield ()
            return
        for at, n in enumerate(free):
            if next(steps) > MOST_STEPS:
                return
            if sizes[n] <= size:
                for rest in subsets(free[at + 1 :], size - sizes[n]):
                    yield (n, *rest)

    yield from fill(tuple(range(len(groups))), 0)


def _stripped(named: Named) -> Named:
    """The parameters without the leading names that they all share."""
    split = [name.split(".") for name, _ in named]
    common = 0
    while split and all(len(s) > common + 1 and s[common] == split[0][common] for s in split):
        common += 1
    return tuple((".".join(s[common:]), shape) for s, (_, shape) in zip(split, named))
