"""Three witnesses: checks/truth/, solutions/ and torch.nn agree in float64."""

from __future__ import annotations

import numpy as np
from in_torch import (
    attention_for_torch,
    layer_for_torch,
    load,
    mask_like,
    rng,
    same,
    silent,
    solutions_are_importable,
    stack_for_torch,
    tensor,
)
from torch import nn

from checks.truth import models, paper, pre_norm

__all__ = ["rng", "solutions_are_importable"]


def test_attention(rng: np.random.Generator) -> None:
    from s2_attention.calculate_attention import calculate_attention

    q = rng.normal(size=(2, 3, 4, 5))
    k, v = rng.normal(size=(2, 2, 3, 7, 5))
    for mask in (None, mask_like(rng, 2, 1, 4, 7), mask_like(rng, 2, 3, 4, 7)):
        out, attention = paper.calculate_attention(q, k, v, mask)
        torch_mask = None if mask is None else tensor(mask)
        theirs = nn.functional.scaled_dot_product_attention(
            tensor(q), tensor(k), tensor(v), torch_mask
        )
        ours = calculate_attention(tensor(q), tensor(k), tensor(v), torch_mask)
        same(theirs, out)
        same(ours[0], out)
        same(ours[1], attention)


def test_multi_head_attention(rng: np.random.Generator) -> None:
    from s2_attention.multi_head_attention import MultiHeadAttention

    layer = MultiHeadAttention(6, 3)
    weights = load(layer, rng)
    theirs = nn.MultiheadAttention(6, 3, batch_first=True).double().eval()
    theirs.load_state_dict(attention_for_torch(weights))
    q, k, v = rng.normal(size=(2, 4, 6)), rng.normal(size=(2, 7, 6)), rng.normal(size=(2, 7, 6))
    mask = mask_like(rng, 2, 1, 1, 7)

    out = paper.multi_head_attention(q, k, v, weights, 3, mask)

    same(layer(tensor(q), tensor(k), tensor(v), tensor(mask)), out)
    same(layer.attention_weights, paper.multi_head_weights(q, k, weights, 3, mask))
    hidden = tensor(~mask[:, 0, 0])  # There True hides.
    torch_out, torch_weights = theirs(
        tensor(q), tensor(k), tensor(v), key_padding_mask=hidden, average_attn_weights=False
    )
    same(torch_out, out)
    same(torch_weights, paper.multi_head_weights(q, k, weights, 3, mask))


def test_layer_norm(rng: np.random.Generator) -> None:
    from s2_attention.layer_norm import LayerNorm

    for eps in (1e-5, 0.3):
        layer = LayerNorm(6, eps)
        weights = load(layer, rng)
        for x in (rng.normal(size=(2, 4, 6)), 1 + 0.01 * rng.normal(size=(5, 6)), np.ones((1, 6))):
            out = paper.layer_norm(x, weights, eps)
            same(layer(tensor(x)), out)
            gamma, beta = tensor(weights["gamma"]), tensor(weights["beta"])
            same(nn.functional.layer_norm(tensor(x), (6,), gamma, beta, eps), out)


def test_encoder_layer(rng: np.random.Generator) -> None:
    from s3_encoder.encoder_layer import EncoderLayer

    layer = EncoderLayer(6, 3, 11)
    weights = load(layer, rng)
    assert {n: w.shape for n, w in weights.items()} == models.encoder_layer_shapes(6, 11)
    theirs = nn.TransformerEncoderLayer(6, 3, 11, batch_first=True).double().eval()
    theirs.load_state_dict(layer_for_torch(weights))
    x, mask = rng.normal(size=(2, 5, 6)), mask_like(rng, 2, 1, 1, 5)

    out = models.encoder_layer(x, weights, 3, mask)

    same(layer(tensor(x), tensor(mask)), out)
    same(silent(theirs)(tensor(x), src_key_padding_mask=tensor(~mask[:, 0, 0])), out)


def test_decoder_layer(rng: np.random.Generator) -> None:
    from s4_decoder.decoder_layer import DecoderLayer

    layer = DecoderLayer(6, 3, 11)
    weights = load(layer, rng)
    assert {n: w.shape for n, w in weights.items()} == models.decoder_layer_shapes(6, 11)
    theirs = nn.TransformerDecoderLayer(6, 3, 11, batch_first=True).double().eval()
    theirs.load_state_dict(layer_for_torch(weights))
    x, source = rng.normal(size=(2, 4, 6)), rng.normal(size=(2, 7, 6))
    trg_mask, src_mask = np.tril(np.ones((4, 4), bool)), mask_like(rng, 2, 1, 1, 7)

    out = models.decoder_layer(x, source, weights, 3, trg_mask, src_mask)

    same(layer(tensor(x), tensor(source), tensor(trg_mask), tensor(src_mask)), out)
    torch_out = theirs(
        tensor(x),
        tensor(source),
        tgt_mask=tensor(~trg_mask),
        memory_key_padding_mask=tensor(~src_mask[:, 0, 0]),
    )
    same(torch_out, out)


def test_pre_norm_encoder(rng: np.random.Generator) -> None:
    from s3_encoder.pre_norm_encoder import PreNormEncoder, PreNormEncoderLayer

    layer, encoder = PreNormEncoderLayer(6, 3, 11), PreNormEncoder(13, 6, 9, 3, 11, 2)
    weights = load(layer, rng)
    assert {n: w.shape for n, w in weights.items()} == pre_norm.encoder_layer_shapes(6, 11)
    theirs = nn.TransformerEncoderLayer(6, 3, 11, 0.0, batch_first=True, norm_first=True).double()
    theirs.load_state_dict(layer_for_torch(weights))
    x, mask = rng.normal(size=(2, 5, 6)), mask_like(rng, 2, 1, 1, 5)
    hidden = tensor(~mask[:, 0, 0])
    out = pre_norm.encoder_layer(x, weights, 3, mask)
    same(layer(tensor(x), tensor(mask)), out)
    same(theirs(tensor(x), src_key_padding_mask=hidden), out)

    weights, src = load(encoder, rng), rng.integers(0, 13, (2, 5))
    assert {n: w.shape for n, w in weights.items()} == pre_norm.encoder_shapes(13, 6, 11, 2)
    stack = nn.TransformerEncoder(theirs, 2, nn.LayerNorm(6).double(), enable_nested_tensor=False)
    stack.load_state_dict(stack_for_torch(weights))
    embedded = tensor(paper.transformer_embedding(src, paper.part(weights, "embedding")))
    out = pre_norm.encoder(src, weights, 3, 2, mask)
    same(encoder(tensor(src), tensor(mask)), out)
    same(stack(embedded, src_key_padding_mask=hidden), out)


def test_pre_norm_decoder(rng: np.random.Generator) -> None:
    from s4_decoder.pre_norm_decoder import PreNormDecoder, PreNormDecoderLayer

    layer, decoder = PreNormDecoderLayer(6, 3, 11), PreNormDecoder(13, 6, 9, 3, 11, 2)
    weights = load(layer, rng)
    assert {n: w.shape for n, w in weights.items()} == pre_norm.decoder_layer_shapes(6, 11)
    theirs = nn.TransformerDecoderLayer(6, 3, 11, 0.0, batch_first=True, norm_first=True).double()
    theirs.load_state_dict(layer_for_torch(weights))
    x, source = rng.normal(size=(2, 4, 6)), rng.normal(size=(2, 7, 6))
    trg_mask, src_mask = np.tril(np.ones((4, 4), bool)), mask_like(rng, 2, 1, 1, 7)
    masks = {
        "tgt_mask": tensor(~trg_mask),
        "memory_key_padding_mask": tensor(~src_mask[:, 0, 0]),
    }
    out = pre_norm.decoder_layer(x, source, weights, 3, trg_mask, src_mask)
    same(layer(tensor(x), tensor(source), tensor(trg_mask), tensor(src_mask)), out)
    same(theirs(tensor(x), tensor(source), **masks), out)

    weights, trg = load(decoder, rng), rng.integers(0, 13, (2, 4))
    assert {n: w.shape for n, w in weights.items()} == pre_norm.decoder_shapes(13, 6, 11, 2)
    stack = nn.TransformerDecoder(theirs, 2, nn.LayerNorm(6).double())
    stack.load_state_dict(stack_for_torch(weights))
    embedded = tensor(paper.transformer_embedding(trg, paper.part(weights, "embedding")))
    out = pre_norm.decoder(trg, source, weights, 3, 2, trg_mask, src_mask)
    same(decoder(tensor(trg), tensor(source), tensor(trg_mask), tensor(src_mask)), out)
    score = tensor(weights["linear.weight"]), tensor(weights["linear.bias"])
    same(nn.functional.linear(stack(embedded, tensor(source), **masks), *score), out)


def test_small_steps(rng: np.random.Generator) -> None:
    from s1_embedding.scaled_embedding import ScaledEmbedding
    from s1_embedding.transformer_embedding import TransformerEmbedding
    from s2_attention.add_norm import AddNorm
    from s2_attention.feed_forward import FeedForward
    from s5_transformer.masks import get_src_mask, get_trg_mask

    tokens = rng.integers(0, 13, (3, 5))
    embedding = TransformerEmbedding(13, 7, 11)
    weights = load(embedding, rng)
    same(embedding(tensor(tokens)), paper.transformer_embedding(tokens, weights))
    scaled = ScaledEmbedding(13, 7, 11)
    weights = load(scaled, rng)
    same(scaled(tensor(tokens)), paper.scaled_embedding(tokens, weights))
    table = tensor(weights["token_embedding.embedding.weight"])  # Of torch: it scales by a norm.
    theirs = nn.functional.embedding(tensor(tokens), table) * tensor(np.ones(7)).norm()
    same(theirs + scaled.positional_embedding(tensor(tokens)), scaled(tensor(tokens)).detach())
    x, y = rng.normal(size=(2, 2, 4, 6))
    norm, network = AddNorm(6), FeedForward(6, 11)
    weights = load(norm, rng)
    same(norm(tensor(x), tensor(y)), paper.add_norm(x, y, weights))
    weights = load(network, rng)
    same(network(tensor(x)), paper.feed_forward(x, weights))
    assert (get_src_mask(tensor(tokens), 3).numpy() == models.src_mask(tokens, 3)).all()
    assert (get_trg_mask(tensor(tokens), 3).numpy() == models.trg_mask(tokens, 3)).all()


def test_the_whole_transformer(rng: np.random.Generator) -> None:
    from s5_transformer.transformer import Transformer

    model = Transformer(2, 1, 11, 13, 6, 3, 9, 10, 2)
    weights = load(model, rng)
    assert {n: w.shape for n, w in weights.items()} == models.transformer_shapes(11, 13, 6, 10, 2)
    for src_len, trg_len in ((5, 7), (7, 4), (1, 1)):
        src, trg = rng.integers(3, 11, (3, src_len)), rng.integers(3, 13, (3, trg_len))
        src[0, 1:], trg[1, -1] = 2, 1 if trg_len > 1 else 5

        logits = models.transformer(src, trg, weights, 3, 2, 2, 1)

        same(model(tensor(src), tensor(trg)), logits)


def test_the_classifier(rng: np.random.Generator) -> None:
    from s5_transformer.classifier import TextClassifier

    model = TextClassifier(11, 4, 6, 3, 9, 10, 2, 5)
    weights = load(model, rng)
    assert {n: w.shape for n, w in weights.items()} == models.classifier_shapes(11, 4, 6, 10, 2)
    layers = [silent(nn.TransformerEncoderLayer(6, 3, 10, batch_first=True)) for _ in range(2)]
    for n, layer in enumerate(layers):
        layer.load_state_dict(layer_for_torch(paper.part(weights, f"encoder.layers.{n}")))
    for seq_length in (7, 9, 1):
        tokens = rng.integers(6, 11, (3, seq_length))
        if seq_length > 1:
            tokens[0, 4:], tokens[1, :2], tokens[2, 1] = 5, 5, 5

        logits = models.classifier(tokens, weights, 3, 2, 5)

        same(model(tensor(tokens)), logits)
        embedding = paper.part(weights, "encoder.embedding")
        for row, expected in zip(tokens, logits):  # Text by text, what is padding taken out.
            x = tensor(paper.transformer_embedding(row[None], embedding)[:, row != 5])
            for layer in layers:
                x = layer(x)
            weight, bias = tensor(weights["linear.weight"]), tensor(weights["linear.bias"])
            same(nn.functional.linear(x[0].mean(dim=0), weight, bias), expected)
