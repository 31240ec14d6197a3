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
from numpy.typing import NDArray

Places = NDArray[np.int64]
Reading = dict[str, Places]
Named = tuple[tuple[str, tuple[int, ...]], ...]  # Names and shapes, in order of registration.
Part = tuple[Named, Named]  # The parameters of a part, and its roles.
Shares = list[tuple[int, ...]]  # Which parameters (by number) go to each part of a block.

MOST = 3000  # Readings that are tried at the most.
SYNONYMS = {
    "w_q": "q query queries wq qs",
    "w_k": "k key keys wk ks",
    "w_v": "v value values wv vs",
    "linear": "o out output wo fc proj projection linear dense mix merge final generator logits",
    "gamma": "gamma weight scale gain g a alpha",
    "beta": "beta bias shift offset b",
    "self_attention": "self slf masked attention attn mha",
    "cross_attention": "cross source src encoder enc memory context multihead",
    "add_norm1": "1 first self attention attn",
    "add_norm2": "2 second cross ffn ff feed forward",
    "add_norm3": "3 third ffn ff feed forward",
    "linear1": "1 in up first expand wide hidden inner",
    "linear2": "2 out down second shrink",
    "embedding": "embedding embed emb token tok",
    "encoder": "encoder enc src source",
    "decoder": "decoder dec trg tgt target",
}


def readings(parameters: Named, roles: Named, n_head: int = 1) -> Iterator[Reading]:
    """The ways to read `parameters` as `roles`: one if names and shapes agree, none if impossible.

    Parts of a module that look alike (same names and shapes inside) are read alike.
    """
    if dict(parameters) == dict(roles):
        yield _by_name(parameters, roles)
        return
    if _size(parameters) != _size(roles):
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
    places = dict(zip((name for name, _ in parameters), _places(parameters)))
    return {role: places[role] for role, _ in roles}


def _places(named: Named) -> list[Places]:
    """For each name the places of its numbers in the one long vector, in its own shape."""
    ends = list(itertools.accumulate(math.prod(shape) for _, shape in named))
    return [
        np.arange(end - math.prod(shape), end).reshape(shape)
        for end, (_, shape) in zip(ends, named)
    ]


def _size(named: Named) -> int:
    return sum(math.prod(shape) for _, shape in named)


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
    places = _places(parameters)
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
    if _size(parameters) != _size(roles):
        return []
    if len(roles) == 1:
        return list(_one(parameters, roles))
    if names == {"weight", "bias"}:
        return list(_linear(parameters, roles))
    if names == {"gamma", "beta"}:
        return list(_norm(parameters))
    if "w_q.weight" in names:
        return list(_attention(parameters, n_head))
    return _shares(parameters, _children(roles))


def _children(roles: Named) -> list[tuple[str, Named]]:
    """The parts of a block and the roles in each."""
    children: dict[str, list[tuple[str, tuple[int, ...]]]] = {}
    for role, shape in roles:
        child, _, rest = role.partition(".")
        children.setdefault(child, []).append((rest, shape))
    return [(child, tuple(named)) for child, named in children.items()]


def _one(parameters: Named, roles: Named) -> Iterator[Reading]:
    ((role, shape),) = roles
    for places in _turned(parameters[0][0], _places(parameters)[0], shape):
        yield {role: places}


def _turned(name: str, places: Places, shape: tuple[int, ...]) -> Iterator[Places]:
    """`places` in the shape of its role; a bare matrix may be stored the other way round."""
    if places.ndim == 3 and places.shape[-1] == 1:  # The kernel of a Conv1d of width 1.
        places = places[..., 0]
    places = places.squeeze() if places.size == math.prod(shape) and len(shape) == 1 else places
    if places.shape == shape:
        yield places
    bare = not name.endswith("weight")
    if bare and places.ndim == 2 and places.T.shape == shape:
        yield places.T


def _linear(parameters: Named, roles: Named) -> Iterator[Reading]:
    shapes = dict(roles)
    if len(parameters) != 2:
        return
    for first, second in itertools.permutations(zip(parameters, _places(parameters))):
        for weight in _turned(first[0][0], first[1], shapes["weight"]):
            for bias in _turned(second[0][0], second[1], shapes["bias"]):
                yield {"weight": weight, "bias": bias}


def _norm(parameters: Named) -> Iterator[Reading]:
    if len(parameters) != 2:
        return
    places = [p.reshape(-1) for p in _places(parameters)]
    for gamma, beta in _orders([name for name, _ in parameters], ["gamma", "beta"]):
        yield {"gamma": places[gamma], "beta": places[beta]}


def _orders(names: list[str], roles: list[str]) -> list[tuple[int, ...]]:
    """Ways to give each role one of the names: those that sound most like the roles."""
    orders = list(itertools.permutations(range(len(names))))
    orders.sort(key=lambda order: -_likeness([names[n] for n in order], roles))
    best = _likeness([names[n] for n in orders[0]], roles)
    return [order for order in orders if _likeness([names[n] for n in order], roles) == best]


# Attention: four square matrices and four biases, in many arrangements

ROLES = ["w_q", "w_k", "w_v", "linear"]


def _attention(parameters: Named, n_head: int) -> Iterator[Reading]:
    dim = math.isqrt(_size(parameters) // 4)
    if 4 * dim * (dim + 1) != _size(parameters) or dim % n_head:
        return
    units = _units(parameters, dim)
    matrices = [(name, places) for name, places, is_matrix in units if is_matrix]
    vectors = [(name, places) for name, places, is_matrix in units if not is_matrix]
    if sum(places.size for _, places in matrices) != 4 * dim**2:
        return
    if any(p.size % dim**2 for _, p in matrices) or any(p.size % dim for _, p in vectors):
        return
    paired = [_stem(name) for name, _ in matrices] == [_stem(name) for name, _ in vectors]
    for way, names, weights in _cut(matrices, dim, n_head, (dim, dim)):
        for bias_way, bias_names, biases in _cut(vectors, dim, n_head, (dim,)):
            for order in _orders(names, ROLES):
                for bias_order in [order] if paired else _orders(bias_names, ROLES):
                    if not paired or way == bias_way:
                        reading = {}
                        for role, w, b in zip(ROLES, order, bias_order):
                            reading[f"{role}.weight"] = weights[w]
                            reading[f"{role}.bias"] = biases[b]
                        yield reading


def _stem(name: str) -> str:
    return name.removesuffix(".weight").removesuffix(".bias")


def _units(parameters: Named, dim: int) -> list[tuple[str, Places, bool]]:
    """Names, places and whether a matrix. Small ones, for one head, that differ in name by a
    number alone are one unit.
    """
    groups: dict[str, list[tuple[str, Places]]] = {}
    kinds: dict[str, bool] = {}
    for (name, _), places in zip(parameters, _places(parameters)):
        is_bias = not name.endswith("weight") and places.size in (dim, 2 * dim, 3 * dim)
        is_matrix = places.ndim > 1 and not is_bias
        small = places.size < (dim**2 if is_matrix else dim)
        key = re.sub(r"\d+", "", name) + " by head" if small else name
        groups.setdefault(key, []).append((name, places))
        kinds[key] = is_matrix
    return [
        (
            members[0][0],
            np.stack([p for _, p in members]) if key.endswith(" by head") else members[0][1],
            kinds[key],
        )
        for key, members in groups.items()
    ]


def _cut(
    units: list[tuple[str, Places]], dim: int, n_head: int, shape: tuple[int, ...]
) -> Iterator[tuple[tuple[int, ...], list[str], list[Places]]]:
    """Units -> four arrays of `shape` and the names they come from, in every plausible way."""
    options = [list(_cut_one(name, places, dim, n_head, shape)) for name, places in units]
    ways = list(itertools.product(*(range(len(some)) for some in options)))
    ways.sort(key=lambda way: len(set(way)))  # First all units cut in the same way.
    for way in ways:
        chosen = [some[n] for some, n in zip(options, way)]
        names = [name for (name, _), pieces in zip(units, chosen) for _ in pieces]
        pieces = [piece for several in chosen for piece in several]
        if len(pieces) == 4:
            yield way, names, pieces


def _cut_one(
    name: str, places: Places, dim: int, n_head: int, shape: tuple[int, ...]
) -> Iterator[list[Places]]:
    """One unit that holds the numbers of one or several roles -> the places of each role."""
    count = places.size // math.prod(shape)
    split = dim // n_head
    if len(shape) == 1:
        flat = places.reshape(-1)
        yield list(flat.reshape(count, dim))
        if count > 1:
            yield list(flat.reshape(n_head, count, split).swapaxes(0, 1).reshape(count, dim))
        return
    for rows in _as_rows(name, places, dim):
        yield list(rows.reshape(count, dim, dim))
        if count > 1:
            by_head = rows.reshape(n_head, count, split, dim).swapaxes(0, 1)
            yield list(by_head.reshape(count, dim, dim))


def _as_rows(name: str, places: Places, dim: int) -> Iterator[Places]:
    """The ways to see a unit as rows of `dim` inputs, one row for each output feature."""
    if places.shape[-1] == dim:
        yield places.reshape(-1, dim)
    if name.endswith("weight"):
        return
    if places.shape[0] == dim:
        yield places.reshape(dim, -1).T
    if places.ndim == 3 and places.shape[1] == dim:
        yield places.swapaxes(1, 2).reshape(-1, dim)
        if places.shape[-1] == dim:
            return
    if places.ndim == 3 and places.size == dim**2:
        yield places.reshape(dim, dim).T


# Parts: share out the parameters among the parts of a block


def _shares(parameters: Named, wanted: list[tuple[str, Named]]) -> list[Shares]:
    """Shares of the parameters (their numbers in the list), one for each wanted part."""
    groups = _groups(parameters)
    fitting = {_size(named) for _, named in wanted}
    while True:
        sizes = [sum(math.prod(parameters[n][1]) for n in group) for _, group in groups]
        found = list(itertools.islice(_pick(groups, sizes, wanted), 300))
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
            sum(_sounds(label[n], child) for n in share) / max(1, len(share))
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
    groups: list[tuple[str, list[int]]], sizes: list[int], wanted: list[tuple[str, Named]]
) -> Iterator[list[tuple[int, ...]]]:
    """Groups for each wanted part so that the numbers of values agree."""

    def fill(free: tuple[int, ...], part: int) -> Iterator[list[tuple[int, ...]]]:
        if part == len(wanted):
            if not free:
                yield []
            return
        for share in subsets(free, _size(wanted[part][1])):
            rest = tuple(n for n in free if n not in share)
            for others in fill(rest, part + 1):
                yield [share, *others]

    def subsets(free: tuple[int, ...], size: int) -> Iterator[tuple[int, ...]]:
        if size == 0:
            yield ()
            return
        for at, n in enumerate(free):
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


def _likeness(names: list[str], roles: list[str]) -> int:
    """How many names sound like their role."""
    return sum(_sounds(name, role) for name, role in zip(names, roles))


def _sounds(name: str, role: str) -> int:
    if name.rpartition(".")[2] == role or name == role:
        return 3
    words = set(re.findall(r"[a-z]+|\d+", name.replace("_", " ").lower()))
    return int(bool(words & set(SYNONYMS.get(role, role).split())))
