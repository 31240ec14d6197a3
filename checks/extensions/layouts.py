"""How right modules of this course may name and arrange their parameters; how weights are drawn.

The judge and the worker import this file.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator

import numpy as np

from checks.engine.asking.layout import (
    Layout,
    Named,
    Places,
    Reading,
    Sizes,
    places_of,
    size_of,
    sounds,
    turned,
)

SIZES = ("dim_vector", "n_head")  # Arguments of a module that its layout may depend on.
Unit = tuple[str, Places, bool]  # A name, its places in one vector, is it a matrix.

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
    "norm1": "1 first self attention attn",
    "norm2": "2 second cross ffn ff feed forward",
    "norm3": "3 third ffn ff feed forward",
    "norm": "norm final last closing",
    "linear1": "1 in up first expand wide hidden inner",
    "linear2": "2 out down second shrink",
    "gate": "gate w1",
    "up": "up w3",
    "down": "down w2",
    "embedding": "embedding embed emb token tok",
    "encoder": "encoder enc src source",
    "decoder": "decoder dec trg tgt target",
}


def linear(parameters: Named, roles: Named, sizes: Sizes) -> Iterator[Reading]:
    shapes = dict(roles)
    if len(parameters) != 2:
        return
    for first, second in itertools.permutations(zip(parameters, places_of(parameters))):
        for weight in turned(first[0][0], first[1], shapes["weight"]):
            for bias in turned(second[0][0], second[1], shapes["bias"]):
                yield {"weight": weight, "bias": bias}


def norm(parameters: Named, roles: Named, sizes: Sizes) -> Iterator[Reading]:
    if len(parameters) != 2:
        return
    places = [p.reshape(-1) for p in places_of(parameters)]
    for gamma, beta in _orders([name for name, _ in parameters], ["gamma", "beta"]):
        yield {"gamma": places[gamma], "beta": places[beta]}


def _orders(names: list[str], roles: list[str]) -> list[tuple[int, ...]]:
    """Ways to give each role one of the names: those that sound most like the roles."""
    orders = list(itertools.permutations(range(len(names))))
    orders.sort(key=lambda order: -likeness([names[n] for n in order], roles))
    best = likeness([names[n] for n in orders[0]], roles)
    return [order for order in orders if likeness([names[n] for n in order], roles) == best]


def gated(parameters: Named, roles: Named, sizes: Sizes) -> Iterator[Reading]:
    """Gate, up and down: three matrices, or gate and up in one, stacked or in turn."""
    units = [(name, places) for (name, _), places in zip(parameters, places_of(parameters))]
    names = [role.partition(".")[0] for role, _ in roles]
    orders = _orders([name for name, _ in units], names) if len(units) == len(names) else []
    ways = [[units[n] for n in order] for order in orders]
    for (name, places), down in [units, units[::-1]] if len(units) == 2 else []:
        for rows in (places, places.swapaxes(0, -1)):
            half = len(rows) // 2
            for pair in ((rows[:half], rows[half:]), (rows[::2], rows[1::2])):
                gate, up = ((name, np.squeeze(one)) for one in pair)
                ways += [[gate, up, down], [up, gate, down]]
    for way in ways:
        fitting = (turned(*unit, shape) for unit, (_, shape) in zip(way, roles))
        yield from (dict(zip(dict(roles), found)) for found in itertools.product(*fitting))


# Attention: four square matrices and four biases, in many arrangements

ROLES = ["w_q", "w_k", "w_v", "linear"]


def attention(parameters: Named, roles: Named, sizes: Sizes) -> Iterator[Reading]:
    n_head = dict(sizes).get("n_head", 1)
    dim = math.isqrt(size_of(parameters) // 4)
    if 4 * dim * (dim + 1) != size_of(parameters) or dim % n_head:
        return
    known = []
    for guess in itertools.product((False, True), repeat=2):
        units = _units(parameters, dim, n_head, *guess)
        told_apart = [(name, places.tolist(), is_matrix) for name, places, is_matrix in units]
        if told_apart not in known:
            known.append(told_apart)
            yield from _attention(units, dim, n_head)


def _attention(units: list[Unit], dim: int, n_head: int) -> Iterator[Reading]:
    """The readings of an attention that consists of these units. First come those in which weights
    and biases have the same order.
    """
    matrices = [(name, places) for name, places, is_matrix in units if is_matrix]
    vectors = [(name, places) for name, places, is_matrix in units if not is_matrix]
    if sum(places.size for _, places in matrices) != 4 * dim**2:
        return
    if any(p.size % dim**2 for _, p in matrices) or any(p.size % dim for _, p in vectors):
        return
    paired = [_stem(name) for name, _ in matrices] == [_stem(name) for name, _ in vectors]
    cuts = itertools.product(
        [True] if paired else [True, False],
        _cut(matrices, dim, n_head, (dim, dim)),
        list(_cut(vectors, dim, n_head, (dim,))),
    )
    for alike, (way, names, weights), (bias_way, bias_names, biases) in cuts:
        if paired and way != bias_way:
            continue
        bias_orders = _orders(names if paired else bias_names, ROLES)
        for order, bias_order in itertools.product(_orders(names, ROLES), bias_orders):
            if (order == bias_order) == alike:
                reading = {}
                for role, w, b in zip(ROLES, order, bias_order):
                    reading[f"{role}.weight"] = weights[w]
                    reading[f"{role}.bias"] = biases[b]
                yield reading


def _stem(name: str) -> str:
    return name.removesuffix(".weight").removesuffix(".bias")


def _units(parameters: Named, dim: int, n_head: int, grouped: bool, flat: bool) -> list[Unit]:
    """Units: names, places and whether each is a matrix.

    Small ones, for one head, whose names differ only by a number are one unit. Two flags say what
    is guessed. With `grouped`, n_head of them are one unit even if they are not small; with `flat`,
    biases have one axis (otherwise they may have several). If the shape of one weight shows that it
    is stored transposed, all weights are.
    """
    weights = [shape for name, shape in parameters if name.endswith("weight")]
    turned = any(len(shape) == 2 and shape[-1] != dim for shape in weights)
    without_numbers = [re.sub(r"\d+", "", name) for name, _ in parameters]
    groups: dict[str, list[tuple[str, Places]]] = {}
    kinds: dict[str, bool] = {}
    for (name, _), places in zip(parameters, places_of(parameters)):
        is_weight = name.endswith("weight")
        if is_weight and places.ndim == 3 and places.shape[-1] == 1:  # A Conv1d of width 1.
            places = places[..., 0]
        places = places.T if is_weight and turned else places
        is_bias = not (is_weight or flat) and places.size in (dim, 2 * dim, 3 * dim, 4 * dim)
        is_matrix = places.ndim > 1 and not is_bias
        stem = re.sub(r"\d+", "", name)
        of_a_head = grouped and 1 < n_head == without_numbers.count(stem)
        small = places.size < (dim**2 if is_matrix else dim) or of_a_head
        key = stem + " by head" if small else name
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
    ways.sort(key=lambda way: len(set(way)))  # The same cut for all units comes first.
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


# Grouped attention: keys and values narrower than queries, no biases


def grouped_attention(parameters: Named, roles: Named, sizes: Sizes) -> Iterator[Reading]:
    shapes = dict(roles)
    wide, dim = shapes["w_q.weight"]
    narrow, split = shapes["w_k.weight"][0], wide // dict(sizes).get("n_head", 1)
    split = narrow if narrow % split else split  # The number of heads is not known.
    units, options = _units(parameters, dim, 1, False, True), []
    for name, places, _ in units:
        alone = places[0] if len(places) == 1 else places
        seen = _as_rows(name, alone, dim)
        options.append([cut for rows in seen for cut in _cut_group(rows, wide, narrow, split)])
    for cuts in itertools.product(*options):
        pieces = [piece for cut in cuts for piece in cut]
        owners = [name for (name, _, _), cut in zip(units, cuts) for _ in cut]
        if len(pieces) == len(ROLES):
            for order in _orders(owners, ROLES):
                reading = {f"{role}.weight": pieces[n] for role, n in zip(ROLES, order)}
                if all(places.shape == shapes[role] for role, places in reading.items()):
                    yield reading


def _cut_group(rows: Places, wide: int, narrow: int, split: int) -> Iterator[list[Places]]:
    """One unit -> the matrices in it: queries, keys, values, in that order, one after the other or
    head by head.
    """
    dim = rows.shape[-1]
    if len(rows) in (wide, narrow):
        yield [rows]
    if len(rows) == 2 * narrow:
        yield [rows[:narrow], rows[narrow:]]
        yield list(rows.reshape(-1, 2, split, dim).swapaxes(0, 1).reshape(2, narrow, dim))
    if len(rows) == wide + 2 * narrow:
        yield [rows[:wide], rows[wide : wide + narrow], rows[wide + narrow :]]
        groups = rows.reshape(narrow // split, -1, split, dim)
        cuts = groups[:, :-2], groups[:, -2], groups[:, -1]
        yield [cut.reshape(-1, dim) for cut in cuts]


def likeness(names: list[str], roles: list[str]) -> int:
    """How many names sound like their role."""
    return sum(sounds(name, role, SYNONYMS) for name, role in zip(names, roles))


LAYOUTS = [
    Layout(lambda roles: roles == {"weight", "bias"}, linear),
    Layout(lambda roles: roles == {"gamma", "beta"}, norm),
    Layout(lambda roles: "gate.weight" in roles, gated),
    Layout(lambda roles: "w_q.bias" in roles, attention),
    Layout(lambda roles: roles == {f"{role}.weight" for role in ROLES}, grouped_attention),
]


def spread(role: str, shape: tuple[int, ...]) -> tuple[float, float]:
    """The mean and the standard deviation with which weights of a role are drawn. They are large
    enough for every mistake to show.
    """
    if role.endswith("gamma"):
        return 1.0, 0.5
    if len(shape) <= 1:
        return 0.0, 0.7
    return 0.0, 1.0 if "embedding" in role else 1.3 / math.sqrt(max(1, shape[-1]))
