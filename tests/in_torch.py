"""What second witnesses share: the solutions in float64, drawn weights, and torch's own layers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from checks.contents import SOLUTIONS, STAGES
from checks.truth import paper

SEEDS = range(5)
TOLERANCE = 1e-9


@pytest.fixture(scope="module", autouse=True)
def solutions_are_importable() -> Iterator[None]:
    before = set(sys.modules)
    sys.path.insert(0, str(SOLUTIONS))
    sys.dont_write_bytecode = True
    torch.set_default_dtype(torch.float64)  # So that the table of positions is as exact.
    yield
    torch.set_default_dtype(torch.float32)
    sys.path.remove(str(SOLUTIONS))
    for name in set(sys.modules) - before:
        if name.split(".")[0] in STAGES:
            del sys.modules[name]


@pytest.fixture(params=SEEDS)
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    return np.random.default_rng(request.param)


def tensor(array: Any) -> torch.Tensor:
    return torch.from_numpy(np.array(array))


def load(module: nn.Module, rng: np.random.Generator) -> dict[str, Any]:
    """Random weights in every parameter of a float64 module; the weights."""
    module.double().eval()
    weights = {}
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            weights[name] = rng.normal(size=tuple(parameter.shape))
            parameter.copy_(tensor(weights[name]))
    return weights


def same(got: torch.Tensor, expected: Any, tolerance: float = TOLERANCE) -> None:
    np.testing.assert_allclose(got.detach().numpy(), expected, rtol=tolerance, atol=tolerance)


def mask_like(rng: np.random.Generator, *shape: int) -> Any:
    mask = rng.random(shape) < 0.6
    mask[..., 0] = True
    return mask


def attention_for_torch(weights: Any, prefix: str = "") -> dict[str, torch.Tensor]:
    """Our four projections as nn.MultiheadAttention stores them."""
    w = {name.removeprefix(prefix): tensor(value) for name, value in weights.items()}
    return {
        "in_proj_weight": torch.cat([w[f"w_{n}.weight"] for n in "qkv"]),
        "in_proj_bias": torch.cat([w[f"w_{n}.bias"] for n in "qkv"]),
        "out_proj.weight": w["linear.weight"],
        "out_proj.bias": w["linear.bias"],
    }


def layer_for_torch(weights: Any) -> dict[str, torch.Tensor]:
    """Our encoder or decoder layer as torch.nn's."""
    state: dict[str, torch.Tensor] = {}
    names = (("self_attention.", "self_attn."), ("cross_attention.", "multihead_attn."))
    for ours, theirs in names:
        own = {name: w for name, w in weights.items() if name.startswith(ours)}
        if own:
            state |= {theirs + n: w for n, w in attention_for_torch(own, ours).items()}
    for name, w in weights.items():
        part, *_, kind = name.split(".")
        if "norm" in part:
            torch_kind = {"gamma": "weight", "beta": "bias"}[kind]
            state[f"norm{part[-1]}.{torch_kind}"] = tensor(w)
        if part == "feed_forward":
            state[name.removeprefix("feed_forward.")] = tensor(w)
    return state


def stack_for_torch(weights: Any) -> dict[str, torch.Tensor]:
    """Our pre-norm stack, without embedding and scores, as torch.nn's with a closing norm."""
    gamma, beta = tensor(weights["norm.gamma"]), tensor(weights["norm.beta"])
    layers = {
        f"layers.{n}.{name}": w
        for n in (0, 1)
        for name, w in layer_for_torch(paper.part(weights, f"layers.{n}")).items()
    }
    return {**layers, "norm.weight": gamma, "norm.bias": beta}


def silent(layer: nn.TransformerEncoderLayer) -> nn.TransformerEncoderLayer:
    """In train mode without dropout: the fast path of eval mode fills hidden rows otherwise."""
    layer.double().train()
    for module in layer.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    layer.self_attn.dropout = 0.0
    return layer
