"""Second witnesses of stage 6: the truth of each step, its solution, and PyTorch's own agree."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
import torch
from torch import nn

from checks.s6_today.byte_pairs import truth as byte_pairs
from checks.s6_today.gated_feed_forward.truth import (
    gated_feed_forward,
    gated_feed_forward_shapes,
)
from checks.s6_today.grouped_attention import truth as grouped
from checks.s6_today.language_model import truth as speaker
from checks.s6_today.rms_norm.truth import rms_norm
from checks.s6_today.rotary import truth as rotary
from checks.s6_today.sampling import truth as sampling
from checks.s6_today.speak import truth as speak
from checks.truth.paper import Weights, softmax
from tests.test_paper import load, rng, solutions_are_importable, tensor

__all__ = ["rng", "solutions_are_importable"]
FLOAT32 = 1e-6  # The mean of 6.1 is taken in float32.
SUMMED = 1e-4  # Five such norms, and a table of angles in float32.


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


# 6.6 sampling


def stays_one_by_one(row: torch.Tensor, top_k: int, top_p: float, min_p: float) -> list[bool]:
    """Whether each token stays, from what the others of its row are. Temperature 1."""
    p, of_k = row.exp() / row.exp().sum(), []
    for one in p:
        of_k.append(top_k == 0 or int((p > one).sum()) < top_k)
    p = torch.where(torch.tensor(of_k), p, 0)
    p = p / p.sum()
    better = [p[p > one].sum() for one in p]
    return [
        bool(one > 0 and (sum_of_better < top_p or one == p.max()) and one >= min_p * p.max())
        for one, sum_of_better in zip(p, better)
    ]


def test_filtered(rng: np.random.Generator) -> None:
    step = importlib.import_module("s6_today.sampling")
    for how in ((0, 1.0, 0.0), (3, 1.0, 0.0), (0, 0.6, 0.0), (0, 1.0, 0.3), (5, 0.8, 0.1)):
        logits = 1.5 * rng.normal(size=(4, 9))
        expected = sampling.filtered(logits, 1.0, *how)
        rows = [stays_one_by_one(row, *how) for row in tensor(logits)]

        assert (np.isfinite(expected) == rows).all(), how
        same(step.filtered(tensor(logits), 1.0, *how), expected, 1e-12)
        cooler = sampling.filtered(logits, 0.5, *how)
        same(step.filtered(tensor(logits), 0.5, *how), cooler, 1e-12)
        same(tensor(sampling.filtered(2 * logits, 1.0, *how)), cooler, 1e-12)


def test_the_judge_knows_when_rounding_may_decide() -> None:
    logits = np.log([[0.5, 0.3, 0.2]])

    assert sampling.is_clear(logits, 1.0, 0, 0.7) and sampling.is_clear(logits, 1.0, 0, 1.0, 0.5)
    assert not sampling.is_clear(logits, 1.0, 0, 0.8)  # 0.5 + 0.3
    assert not sampling.is_clear(logits, 1.0, 0, 1.0, 0.6)  # 0.3 / 0.5


def test_a_half_as_temperature_squares(rng: np.random.Generator) -> None:
    p = rng.dirichlet(np.ones(5))

    halved = softmax(sampling.filtered(np.log(p)[None], 0.5))[0]

    np.testing.assert_allclose(halved, p**2 / (p**2).sum())


# 6.7 byte pairs

TEXTS = (
    "",
    "the cat  and the hat\n\n sat\tthere, 2026 cats aaaa aaaaa aaa",
    "Öl für Ärzte, naïve \N{GRINNING FACE}\N{GRINNING FACE} 日本語 e\N{COMBINING ACUTE ACCENT}",
    "__init__ don't (we'll)...",
)


def a_text(rng: np.random.Generator) -> str:
    letters = [*"aaabbcü1  \n.'"]
    return "".join(rng.choice(letters, 300))


def test_byte_pairs(rng: np.random.Generator) -> None:
    step = importlib.import_module("s6_today.byte_pairs")
    learned = a_text(rng)
    merges = byte_pairs.learn(learned, 40)

    assert step.learn(learned, 40) == merges
    for text in (*TEXTS, learned, a_text(rng)):
        ids = byte_pairs.encode(text, merges)
        assert step.encode(text, merges) == ids
        assert step.decode(ids, merges) == byte_pairs.decode(ids, merges) == text
    ids = rng.integers(0, 256 + len(merges), 30).tolist()
    assert step.decode(ids, merges) == byte_pairs.decode(ids, merges)


def byte_signs() -> list[str]:
    """The sign that GPT-2 writes for each byte: its own if it can be seen, else one from 256 on."""
    seen = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(byte if byte in seen else next(others)) for byte in range(256)]


def test_byte_pairs_as_a_library_encodes(rng: np.random.Generator) -> None:
    """Another program cuts the text with the same pattern, and merges in the same order."""
    tokenizers = pytest.importorskip("tokenizers")
    step, before = importlib.import_module("s6_today.byte_pairs"), tokenizers.pre_tokenizers
    learned = a_text(rng) + TEXTS[1]
    merges, names = byte_pairs.learn(learned, 60), byte_signs()
    pairs = []
    for left, right in merges:
        pairs.append((names[left], names[right]))
        names.append(names[left] + names[right])
    vocabulary = {name: id for id, name in enumerate(names)}
    assert len(vocabulary) == 256 + len(merges)  # No two tokens stand for the same bytes.
    library = tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, pairs))
    split = before.Split(tokenizers.Regex(step.PIECE.pattern), "isolated")
    level = before.ByteLevel(add_prefix_space=False, use_regex=False)
    library.pre_tokenizer = before.Sequence([split, level])

    for text in (*TEXTS, learned, a_text(rng)):
        assert library.encode(text).ids == step.encode(text, merges), text


# 6.8 speak


def a_model() -> nn.Module:
    """A language model with random numbers, that is sure of its next tokens."""
    made: nn.Module = importlib.import_module("s6_today.language_model").LanguageModel(
        13, 24, 6, 2, 10, num_layer=2, max_len=20
    )
    with torch.no_grad():
        for parameter in made.parameters():
            nn.init.normal_(parameter)
    return made


def name_in_the_file(name: str) -> str:
    """The name of a parameter, written as in the file: piece by piece."""
    for ours, theirs in {
        "layers.": "blk.",
        **{"attention.linear": "attn_output", "attention.w_": "attn_", "feed_forward.": "ffn_"},
        **{"norm1.gamma": "attn_norm.weight", "norm2.gamma": "ffn_norm.weight"},
        **{"norm.gamma": "output_norm.weight", "embedding": "token_embd"},
    }.items():
        name = name.replace(ours, theirs)
    return name


def test_load_weights_is_load_state_dict_with_other_names() -> None:
    step, given = importlib.import_module("s6_today.speak"), a_model().state_dict()
    file = {name_in_the_file(name): tensor for name, tensor in given.items()}
    model = a_model()

    step.load_weights(model, file)

    assert all(torch.equal(tensor, given[name]) for name, tensor in model.state_dict().items())
    assert len(file) == len(given) == len(model.state_dict())
    by_role = {name: tensor.numpy() for name, tensor in given.items()}
    truth = speak.in_the_file(by_role, 2)
    assert {name: id(by_role[role]) for role, name in zip(given, map(name_in_the_file, given))} == {
        name: id(array) for name, array in truth.items()
    }


def test_text_loss_is_a_product_of_probabilities(rng: np.random.Generator) -> None:
    """e to the power of minus the sum of the losses is the probability of the whole text."""
    step, logits = importlib.import_module("s6_today.speak"), rng.normal(size=(1, 5, 7))
    tokens = rng.integers(0, 7, (1, 5))
    p = [torch.distributions.Categorical(logits=row) for row in tensor(logits[0, :-1])]
    of_the_text = (
        torch.stack(
            [one.log_prob(torch.tensor(token)) for one, token in zip(p, tokens[0, 1:].tolist())]
        )
        .exp()
        .prod()
    )

    same(torch.exp(-4 * tensor(speak.text_loss(logits, tokens))), of_the_text)
    loss = step.text_loss(lambda _: (tensor(logits), None), torch.tensor(tokens))
    same(torch.exp(-4 * loss), of_the_text, 1e-5)


def test_write_is_the_same_without_caches() -> None:
    step, model, text = importlib.import_module("s6_today.speak"), a_model(), [7, 2, 5]

    for token in step.write(model, [7, 2, 5], 8, end=-1, temperature=0):
        assert token == model(torch.tensor([text]))[0][0, -1].argmax()
        text.append(token)

    assert len(text) == 11
