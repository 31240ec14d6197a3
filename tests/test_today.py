"""Second witnesses of stage 6: the truth of each step, its solution, and PyTorch's own agree."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from checks.s6_today.rms_norm.truth import rms_norm
from tests.test_paper import load, rng, solutions_are_importable, tensor

__all__ = ["rng", "solutions_are_importable"]
FLOAT32 = 1e-6  # The mean of 6.1 is taken in float32.


def same(got: torch.Tensor, expected: object, tolerance: float = FLOAT32) -> None:
    np.testing.assert_allclose(got.detach(), expected, rtol=tolerance, atol=tolerance)


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
