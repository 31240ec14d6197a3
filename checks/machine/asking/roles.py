"""Which parameter plays which role, when a right module names or arranges them its own way.

All parameters of a module, one after the other, are one long vector. A reading says for every
role of the contract which places of that vector hold its numbers. So a fused projection, a
transposed matrix and one small layer for each head are all the same thing: an array of places.

`readings` lists the possible readings, the likeliest first, by names, shapes and order. Which of
them is true is found by asking: see Module.draw.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from checks.machine.asking.arrangements import (
    Named,
    Reading,
    attention,
    linear,
    norm,
    one,
    places_of,
    size_of,
    sounds,
)

Part = tuple[Named, Named]  # The parameters of a part, and its roles.
Shares = list[tuple[int, ...]]  # Which parameters (by number) go to each part of a block.

MOST_STEPS = 200_000  # Of the search for groups, all in all.
MOST = 3000  # Readings that are tried at the most.


def readings(parameters: Named, roles: Named, n_head: int = 1) -> Iterator[Reading]:
    """The ways to read `parameters` as `roles`: one if names and shapes agree, none if impossible.

    Parts of a module that look alike (same names and shapes inside) are read alike.
    """
    if dict(parameters) == dict(roles):
        yield _by_name(parameters, roles)
        return
    if size_of(parameters) != size_of(roles):
        return
    choices: dict[Part, int] = {}
    for _ in range(MOST):
        counts: dict[Part, int] = {}
        reading = _read(parameters, roles, n_head, choices, counts)
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


def _by_name(parameters: Named, roles: Named) -> Reading:
    places = dict(zip((name for name, _ in parameters), places_of(parameters)))
    return {role: places[role] for role, _ in roles}


def _read(
    parameters: Named, roles: Named, n_head: int, choices: dict[Part, int], counts: dict[Part, int]
) -> Reading | None:
    """The reading by these choices; `counts` gets the number of options of every part met."""
    part = (_stripped(parameters), roles)
    options = _options(*part, n_head)
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
        inside = _read(named, inner, n_head, choices, counts)
        if inside is None:
            return None
        there = np.concatenate([places[n].reshape(-1) for n in share])
        reading |= {f"{child}.{role}": there[where] for role, where in inside.items()}
    return reading


@lru_cache(maxsize=4096)
def _options(parameters: Named, roles: Named, n_head: int) -> list[Reading] | list[Shares]:
    """Readings of a part that has no parts itself; else ways to share out its parameters."""
    names = {role for role, _ in roles}
    if size_of(parameters) != size_of(roles):
        return []
    if len(roles) == 1:
        return list(one(parameters, roles))
    if names == {"weight", "bias"}:
        return list(linear(parameters, roles))
    if names == {"gamma", "beta"}:
        return list(norm(parameters))
    if "w_q.weight" in names:
        return list(attention(parameters, n_head))
    return _shares(parameters, _children(roles))


def _children(roles: Named) -> list[tuple[str, Named]]:
    """The parts of a block and the roles in each."""
    children: dict[str, list[tuple[str, tuple[int, ...]]]] = {}
    for role, shape in roles:
        child, _, rest = role.partition(".")
        children.setdefault(child, []).append((rest, shape))
    return [(child, tuple(named)) for child, named in children.items()]


# Parts: share out the parameters among the parts of a block


def _shares(parameters: Named, wanted: list[tuple[str, Named]]) -> list[Shares]:
    """Shares of the parameters (their numbers in the list), one for each wanted part."""
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
            sum(sounds(label[n], child) for n in share) / max(1, len(share))
            for share, child in zip(shares, children)
        ]

    found.sort(key=lambda shares: -sum(scores(shares)))
    decided = [shares for shares in found if min(scores(shares)) >= 1]
    return [
        [tuple(n for g in share for n in groups[g][1]) for share in shares]
        for shares in (decided if len(decided) == 1 else found)
    ]


def _from_one(names: list[str]) -> list[str]:
    """Names whose numbers count from 1: "norms.0" becomes "norms.1" and so on."""
    if not any(re.search(r"\b0\b", name.replace("_", " ")) for name in names):
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
    """The groups with the one at `at` split by the next part of its names."""
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
    """Groups for each wanted part so that the numbers of values agree. Gives up in the end: of many
    small groups there are more sets than anybody can look through.
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
    """Without the leading names that all have in common."""
    split = [name.split(".") for name, _ in named]
    common = 0
    while split and all(len(s) > common + 1 and s[common] == split[0][common] for s in split):
        common += 1
    return tuple((".".join(s[common:]), shape) for s, (_, shape) in zip(split, named))
