"""Parameters are read by role, whatever their names and arrangement."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from causes import cause
from conftest import Run

from checks.engine.asking.layout import Named
from checks.engine.asking.roles import readings, told_by_names
from checks.s6_today.gated_feed_forward.truth import gated_feed_forward_shapes
from checks.truth import models, paper

ATTENTION = tuple(paper.multi_head_attention_shapes(6).items())
NORM = tuple(paper.layer_norm_shapes(6).items())
HEADS = (("n_head", 3),)
GATED = tuple(gated_feed_forward_shapes(6, 11).items())
LAYER = tuple(models.encoder_layer_shapes(6, 11).items())


def places(named: Named, name: str) -> list[int]:
    """Where the numbers of a parameter stand in the one long vector."""
    start = 0
    for other, shape in named:
        size = int(np.prod(shape))
        if other == name:
            return list(range(start, start + size))
        start += size
    raise KeyError(name)


def test_names_that_agree_have_one_reading_in_any_order() -> None:
    shuffled = tuple(reversed(ATTENTION))
    found = list(readings(shuffled, ATTENTION, HEADS))
    assert len(found) == 1
    assert found[0]["w_k.bias"].ravel().tolist() == places(shuffled, "w_k.bias")


def test_names_that_sound_like_their_roles_decide() -> None:
    named = tuple(
        (f"{n}.{k}", s)
        for n in ("out_proj", "value", "key", "query")
        for k, s in (("weight", (6, 6)), ("bias", (6,)))
    )
    first, *others = readings(named, ATTENTION, HEADS)
    assert others == []
    assert first["w_q.weight"].ravel().tolist() == places(named, "query.weight")
    assert first["linear.bias"].ravel().tolist() == places(named, "out_proj.bias")


def test_a_fused_projection_is_cut_in_three() -> None:
    named = (("qkv.weight", (18, 6)), ("qkv.bias", (18,)), ("o.weight", (6, 6)), ("o.bias", (6,)))
    first = next(readings(named, ATTENTION, HEADS))
    rows = np.array(places(named, "qkv.weight")).reshape(3, 6, 6)
    assert (first["w_v.weight"] == rows[2]).all()
    by_head = np.array(places(named, "qkv.weight")).reshape(3, 3, 2, 6)  # (head, q k v, split, in)
    wanted = by_head[:, 1].reshape(6, 6)
    assert any((r["w_k.weight"] == wanted).all() for r in readings(named, ATTENTION, HEADS))


def test_bare_matrices_may_lie_the_other_way_round() -> None:
    named = tuple((f"{k}_{n}", s) for n in "qkvo" for k, s in (("w", (6, 6)), ("b", (6,))))
    matrix = np.array(places(named, "w_q")).reshape(6, 6)
    found = [reading["w_q.weight"] for reading in readings(named, ATTENTION, HEADS)]
    assert any((w == matrix).all() for w in found) and any((w == matrix.T).all() for w in found)


def test_gate_and_up_are_told_apart_by_names_that_say_so_alone() -> None:
    """Other names may mean either: the numbers of a call decide."""
    shapes = ((11, 6), (11, 6), (6, 11))
    for names, decide in ((("up_proj", "gate_proj", "down_proj"), True), (("a", "b", "c"), False)):
        named = tuple((f"{name}.weight", shape) for name, shape in zip(names, shapes))
        found = list(readings(named, GATED))
        assert (len(found) == 1) == decide
        gates = [reading["gate.weight"].ravel().tolist() for reading in found]
        assert places(named, f"{names[1]}.weight") in gates
        assert (places(named, f"{names[0]}.weight") in gates) != decide


@pytest.mark.parametrize("shape", [(22, 6), (6, 22), (2, 11, 6), (2, 6, 11), (22, 6, 1)])
def test_gate_and_up_may_be_one_parameter(shape: tuple[int, ...]) -> None:
    named = (("down", (6, 11)), ("both", shape))
    found = list(readings(named, GATED))
    for reading in found:
        assert sorted(np.concatenate([p.ravel() for p in reading.values()])) == [*range(198)]
    gates = {tuple(reading["gate.weight"].ravel().tolist()) for reading in found}
    assert {tuple(reading["up.weight"].ravel().tolist()) for reading in found} == gates
    assert any(66 in gate for gate in gates) and any(66 not in gate for gate in gates)


def test_one_small_layer_for_each_head() -> None:
    named = tuple(
        (f"{n}.{h}.{k}", s)
        for n in ("queries", "keys", "values")
        for h in range(3)
        for k, s in (("weight", (2, 6)), ("bias", (2,)))
    ) + (("mix.weight", (6, 6)), ("mix.bias", (6,)))
    first = next(readings(named, ATTENTION, HEADS))
    wanted = [place for h in range(3) for place in places(named, f"keys.{h}.weight")]
    assert first["w_k.weight"].ravel().tolist() == wanted


@pytest.mark.parametrize(
    "names", [("scale", "shift"), ("weight", "bias"), ("a", "b"), ("g", "beta")]
)
def test_scale_and_shift(names: tuple[str, str]) -> None:
    for order in itertools.permutations(names):
        named = tuple((name, (6,)) for name in order)
        first = next(readings(named, NORM))
        assert first["gamma"].tolist() == places(named, names[0])


def test_parts_with_names_of_their_own() -> None:
    named = (
        *((f"norm_1.{n}", s) for n, s in NORM),
        *((f"norm_2.{n}", s) for n, s in NORM),
        ("net.0.weight", (11, 6)),
        ("net.0.bias", (11,)),
        ("net.3.weight", (6, 11)),
        ("net.3.bias", (6,)),
        *((f"attn.{n}", s) for n, s in ATTENTION),
    )
    first = next(readings(named, LAYER, HEADS))
    assert first["add_norm2.layer_norm.beta"].tolist() == places(named, "norm_2.beta")
    assert first["feed_forward.linear2.bias"].tolist() == places(named, "net.3.bias")
    assert first["self_attention.w_v.bias"].tolist() == places(named, "attn.w_v.bias")


@pytest.mark.parametrize(
    "named",
    [
        (),
        ATTENTION[:-1],
        (*ATTENTION, ("extra", (1,))),
        (("all", (168,)),),
        tuple((f"p{n}", (1,)) for n in range(168)),
    ],
)
def test_what_cannot_be_read_has_no_reading(named: Named) -> None:
    assert list(readings(named, ATTENTION, HEADS)) == []


def test_every_reading_uses_every_number_once() -> None:
    named = tuple((f"{k}{n}", s) for n in range(4) for k, s in (("m", (6, 6)), ("v", (6,))))
    for reading in itertools.islice(readings(named, ATTENTION, HEADS), 100):
        used = np.concatenate([where.ravel() for where in reading.values()])
        assert sorted(used.tolist()) == list(range(168))


@pytest.mark.room
def test_numbers_are_shown_where_the_names_tell_the_roles(run: Run, submission: Any) -> None:
    """No reading explains a wrong computation, but attn.w_q can only be the attention's w_q."""
    found = cause(
        run,
        submission,
        "3.1",
        ("self.self_attention = ", "self.attn = "),
        ("self.self_attention(x, x, x, src_mask)", "self.attn(x, x, x, src_mask).tanh()"),
        ("self.feed_forward = ", "self.ffn = "),
        ("self.feed_forward(x)", "self.ffn(x)"),
    )
    assert "expected row 0" in found.message
    assert "Either the computation is wrong" not in found.message


@pytest.mark.parametrize(
    ("rename", "told"),
    [({"self_attention": "attn", "feed_forward": "ffn"}, True), ({"w_q": "a", "w_k": "b"}, False)],
)
def test_names_tell_the_roles_or_do_not(rename: dict[str, str], told: bool) -> None:
    roles = models.encoder_layer_shapes(6, 11)
    named = []
    for role, shape in roles.items():
        name = role
        for own, other in rename.items():
            name = name.replace(own, other)
        named.append((name, shape))
    first = next(readings(tuple(named), tuple(roles.items()), (("dim_vector", 6), ("n_head", 3))))
    assert told_by_names(tuple(named), first) == told


@pytest.mark.room
def test_a_gated_network_may_have_the_names_of_llama(run: Run, submission: Any) -> None:
    gate, up, down = (f"self.{name}" for name in ("gate", "up", "down"))
    names = ((f"{gate} =", "self.w1 ="), (f"{up} =", "self.w3 ="), (f"{down} =", "self.w2 ="))
    found = cause(
        run,
        submission,
        "6.3",
        *names,
        (f"{down}(F.silu({gate}(x)) * {up}(x))", "x + self.w2(F.silu(self.w1(x)) * self.w3(x))"),
    )
    assert found.mistake.name == "residual-inside"


@pytest.mark.room
def test_of_many_parameters_their_shapes_are_counted(run: Run, submission: Any) -> None:
    found = cause(
        run,
        submission,
        "3.3",
        ("self.embedding = ", "self.words = "),
        ("self.embedding(src)", "self.words(src)"),
        ("self.layers = ", "self.stack = "),
        ("in self.layers", "in self.stack"),
        ("self.norm = LayerNorm(dim_vector)", "self.norm = LayerNorm(dim_hidden)"),
    )
    assert "By their shapes, it lacks 2 × (6,) and has 2 × (11,) too many." in found.message
