"""Second witnesses of stage 6: the truth of each step, its solution, and PyTorch's own agree."""

from __future__ import annotations

import importlib

import in_torch
import numpy as np
import pytest
import torch
from in_torch import load, rng, solutions_are_importable, tensor
from torch import nn

from checks.s6_today.gated_feed_forward.truth import (
    gated_feed_forward,
    gated_feed_forward_shapes,
)
from checks.s6_today.grouped_attention import truth as grouped
from checks.s6_today.language_model import truth as speaker
from checks.s6_today.rms_norm.truth import rms_norm
from checks.s6_today.rotary import truth as rotary
from checks.truth.paper import Weights

__all__ = ["rng", "solutions_are_importable"]
FLOAT32 = 1e-6  # The mean of 6.1 is taken in float32.
SUMMED = 1e-4  # Five such norms, and a table of angles in float32.


def same(got: torch.Tensor, expected: object, tolerance: float = FLOAT32) -> None:
    in_torch.same(got, expected, tolerance)


# 6.1 RMS norm


def test_rms_norm(rng: np.random.Generator) -> None:
    from s6_today.rms_norm import RMSNorm

    for eps in (1e-5, 0.3):
        layer = RMSNorm(6, eps)
        weights = load(layer, rng)
        for x in (rng.normal(size=(2, 4, 6)), 0.01 * rng.normal(size=(5, 6)), np.zeros((1, 6))):
            out = rms_norm(x, weights, eps)
            same(layer(tensor(x)), out)
            theirs = nn.functional.rms_norm(tensor(x), (6,), tensor(weights["gamma"]), eps)
            same(theirs, out, 1e-12)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_rms_norm_in_half_precision(rng: np.random.Generator, dtype: torch.dtype) -> None:
    from s6_today.rms_norm import RMSNorm

    x = tensor(500 * rng.normal(size=(2, 4, 6))).to(dtype)
    layer, theirs = RMSNorm(6).to(dtype), nn.RMSNorm(6, eps=1e-5, dtype=dtype)

    out = layer(x)

    assert out.dtype == dtype
    assert torch.isfinite(out).all()
    torch.testing.assert_close(out, theirs(x))


# 6.2 rotary


def turned_by_loops(x: torch.Tensor, base: float, start: int) -> torch.Tensor:
    """Each pair of neighbours as a complex number times e^(i angle), one after the other."""
    out = torch.empty_like(x)
    for place in np.ndindex(*x.shape[:3]):
        for first in range(0, x.size(3), 2):
            speed = base ** (-first / x.size(3))
            angle = torch.tensor((start + place[2]) * speed, dtype=torch.float64)
            pair = torch.complex(x[place][first], x[place][first + 1])
            product = pair * torch.polar(torch.ones_like(angle), angle)
            out[place][first], out[place][first + 1] = product.real, product.imag
    return out


def test_rotary_is_a_product_of_complex_numbers(rng: np.random.Generator) -> None:
    step = importlib.import_module("s6_today.rotary")
    x, base, start = rng.normal(size=(2, 3, 4, 6)), float(rng.uniform(5, 100)), 3
    cos, sin = rotary.rotary_table(6, 9, base)
    expected = turned_by_loops(tensor(x), base, start)

    same(tensor(rotary.rotate(x, cos, sin, start)), expected, 1e-9)
    tables = tensor(cos), tensor(sin)
    same(step.rotate(tensor(x), *tables, start), expected, 1e-9)
    for made, right in zip(step.rotary_table(6, 9, base), (cos, sin)):
        same(made, right)


def test_what_the_lesson_says_of_rotary_is_true(rng: np.random.Generator) -> None:
    """It keeps norms, leaves position 0 alone, and makes scores depend on the distance alone."""
    cos, sin = rotary.rotary_table(6, 60)
    q, k = rng.normal(size=(2, 1, 1, 1, 6))

    def score(of_q: int, of_k: int) -> float:
        return float((rotary.rotate(q, cos, sin, of_q) * rotary.rotate(k, cos, sin, of_k)).sum())

    far = rotary.rotate(q, cos, sin, 50)
    assert np.isclose(np.linalg.norm(far), np.linalg.norm(q)) and not np.allclose(far, q)
    assert (rotary.rotate(q, cos, sin, 0) == q).all()
    assert np.isclose(score(7, 5), score(59, 57)) and not np.isclose(score(7, 5), score(7, 6))


# 6.3 gated feed-forward network


def test_gated_feed_forward(rng: np.random.Generator) -> None:
    from s6_today.gated_feed_forward import GatedFeedForward

    layer = GatedFeedForward(6, 11)
    weights = load(layer, rng)
    assert {n: w.shape for n, w in weights.items()} == gated_feed_forward_shapes(6, 11)
    gate, up, down = (tensor(weights[f"{name}.weight"]) for name in ("gate", "up", "down"))
    for scale in (1, 1000):
        x = scale * rng.normal(size=(2, 4, 6))
        out = gated_feed_forward(x, weights)
        same(layer(tensor(x)), out, 1e-9)
        wide = torch.cat([up, gate]) @ tensor(x).mT  # F.glu has the gate in the second half.
        theirs = nn.functional.glu(wide, dim=-2) * (gate @ tensor(x).mT)
        same((down @ theirs).mT, out, 1e-9)


# 6.4 grouped attention


@pytest.mark.parametrize("n_kv_head", [1, 2, 6])
def test_grouped_attention(rng: np.random.Generator, n_kv_head: int) -> None:
    """PyTorch shares the heads itself. Old tokens come from a cache, and new ones have a mask."""
    step = importlib.import_module("s6_today.grouped_attention")
    layer, table = step.GroupedQueryAttention(24, 6, n_kv_head), rotary.rotary_table(4, 9)
    weights, x, sizes = load(layer, rng), rng.normal(size=(5, 7, 24)), (6, n_kv_head)
    mask = np.tri(7, dtype=bool)[None, None] & (rng.random((5, 1, 7, 7)) < 0.8) | np.eye(
        7, dtype=bool
    )

    def heads(role: str, count: int) -> torch.Tensor:
        return tensor(x @ weights[f"{role}.weight"].T).unflatten(-1, (count, 4)).transpose(1, 2)

    turned = [
        tensor(rotary.rotate(heads(role, count).numpy(), *table))
        for role, count in (("w_q", 6), ("w_k", n_kv_head))
    ]
    theirs = nn.functional.scaled_dot_product_attention(
        *turned, heads("w_v", n_kv_head), tensor(mask), enable_gqa=True
    )
    theirs = theirs.transpose(1, 2).flatten(2) @ tensor(weights["linear.weight"]).T

    same(theirs, grouped.grouped_attention(x, weights, sizes, *table, 0, mask)[0], 1e-9)
    tables = [tensor(part) for part in table]
    same(layer(tensor(x), *tables, 0, tensor(mask))[0], theirs.detach(), 1e-9)
    _, cache = layer(tensor(x[:, :4]), *tables)
    out, cache = layer(tensor(x[:, 4:]), *tables, 4, tensor(mask[:, :, 4:]), cache)
    same(out, theirs[:, 4:].detach(), 1e-9)
    _, old = grouped.grouped_attention(x[:, :4], weights, sizes, *table)
    _, right = grouped.grouped_attention(x[:, 4:], weights, sizes, *table, 4, None, old)
    for part, expected in zip(cache, right):
        same(part, expected, 1e-9)


# 6.5 language model


def by_plain_torch(tokens: torch.Tensor, weights: Weights, base: float) -> torch.Tensor:
    """The logits of a model of two layers, 24 wide with 6 and 2 heads, made of PyTorch's parts.

    A pair of features is a complex number, and its rotation a product with another one.
    """
    own = {role: tensor(w) for role, w in weights.items()}
    angle = torch.outer(torch.arange(tokens.size(1)).double(), base ** tensor([0.0, -0.5]))
    turn = torch.polar(torch.ones_like(angle), angle)

    def normed(x: torch.Tensor, name: str) -> torch.Tensor:
        return nn.functional.rms_norm(x, (24,), own[f"{name}.gamma"], 0.01)

    def heads(x: torch.Tensor, name: str, turns: bool) -> torch.Tensor:
        split = (x @ own[f"{name}.weight"].T).unflatten(-1, (-1, 4)).transpose(1, 2)
        pairs = torch.view_as_complex(split.unflatten(-1, (2, 2)).contiguous())
        return torch.view_as_real(pairs * turn).flatten(-2) if turns else split

    x = own["embedding.weight"][tokens]
    for n in (0, 1):
        part, y = f"layers.{n}.attention.", normed(x, f"layers.{n}.norm1")
        given = [heads(y, part + w, w != "w_v") for w in ("w_q", "w_k", "w_v")]
        out = nn.functional.scaled_dot_product_attention(*given, is_causal=True, enable_gqa=True)
        x = x + out.transpose(1, 2).flatten(2) @ own[part + "linear.weight"].T
        part, y = f"layers.{n}.feed_forward.", normed(x, f"layers.{n}.norm2")
        gate = nn.functional.silu(y @ own[part + "gate.weight"].T)
        x = x + (gate * (y @ own[part + "up.weight"].T)) @ own[part + "down.weight"].T
    return normed(x, "norm") @ own["embedding.weight"].T


def test_language_model(rng: np.random.Generator) -> None:
    step = importlib.import_module("s6_today.language_model")
    model = step.LanguageModel(11, 24, 6, 2, 10, 2, 12, base=20.0, eps=0.01)
    weights, tokens = load(model, rng), rng.integers(11, size=(5, 9))
    sizes = speaker.Sizes(6, 2, 2, 20.0, 0.01)

    right, caches = speaker.language_model(tokens, weights, sizes)

    same(by_plain_torch(torch.from_numpy(tokens), weights, 20.0), right, 1e-9)
    got, own = model(torch.from_numpy(tokens))
    same(got, right, SUMMED)
    for pair, expected in zip(own, caches):
        for one, other in zip(pair, expected):
            same(one, other, SUMMED)
    old = speaker.language_model(tokens[:, :4], weights, sizes)[1]
    same(tensor(speaker.language_model(tokens[:, 4:], weights, sizes, old)[0]), right[:, 4:], 1e-9)
    _, old = model(torch.from_numpy(tokens[:, :4]))
    same(model(torch.from_numpy(tokens[:, 4:]), old)[0], right[:, 4:], SUMMED)
