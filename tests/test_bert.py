"""Second witnesses of step 3.4: its truth, its solution and PyTorch's own layers agree."""

from __future__ import annotations

import numpy as np
import torch
from in_torch import (
    layer_for_torch,
    load,
    mask_like,
    rng,
    same,
    solutions_are_importable,
    tensor,
)
from torch import nn

from checks.s3_encoder.bert_encoder import truth as bert

__all__ = ["rng", "solutions_are_importable"]
EPS = 0.01  # Large enough to be seen.


def test_gelu(rng: np.random.Generator) -> None:
    x = 4 * rng.normal(size=100)
    same(nn.functional.gelu(tensor(x)), bert.gelu(x))


def test_the_layers_are_those_of_torch(rng: np.random.Generator) -> None:
    from s3_encoder.bert_encoder import BertEncoder

    encoder = BertEncoder(13, 6, 3, 11, 2, 9, num_segment=3, eps=EPS)
    weights = load(encoder, rng)
    assert {n: w.shape for n, w in weights.items()} == bert.bert_encoder_shapes(13, 6, 11, 2, 9, 3)
    tokens, segments = rng.integers(0, 13, (2, 5)), rng.integers(0, 3, (2, 5))
    mask = mask_like(rng, 2, 1, 1, 5)[:, 0, 0]

    out = bert.bert_encoder(tokens, weights, 3, 2, segments, mask, EPS)

    same(encoder(tensor(tokens), tensor(segments), tensor(mask)), out)
    tables = ("token_embedding", "position_embedding", "segment_embedding")
    rows = zip(tables, (tokens, np.arange(5), segments))
    x = sum(nn.functional.embedding(tensor(r), tensor(weights[f"{t}.weight"])) for t, r in rows)
    gamma, beta = tensor(weights["norm.gamma"]), tensor(weights["norm.beta"])
    x = nn.functional.layer_norm(x, (6,), gamma, beta, EPS)
    for n in range(2):
        layer = nn.TransformerEncoderLayer(6, 3, 11, 0.0, "gelu", EPS, batch_first=True)
        own = {
            role.removeprefix(f"layers.{n}."): w
            for role, w in weights.items()
            if role.startswith(f"layers.{n}.")
        }
        layer.load_state_dict(layer_for_torch(own))
        x = layer.double().eval()(x, src_key_padding_mask=tensor(~mask))
    same(x, out)


def test_sentence_vectors(rng: np.random.Generator) -> None:
    from s3_encoder.bert_encoder import sentence_vectors

    out, mask = rng.normal(size=(3, 5, 6)), mask_like(rng, 3, 5)

    vectors = bert.sentence_vectors(out, mask)

    same(sentence_vectors(tensor(out), tensor(mask)), vectors)
    mean = torch.stack([tensor(x[real]).mean(0) for x, real in zip(out, mask)])
    same(nn.functional.normalize(mean), vectors)
