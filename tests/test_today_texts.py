"""Second witnesses of 6.6 to 6.8: sampling, byte pairs, and what speaks."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
import torch
from in_torch import rng, same, solutions_are_importable, tensor
from torch import nn

from checks.s6_today.byte_pairs import truth as byte_pairs
from checks.s6_today.sampling import truth as sampling
from checks.s6_today.speak import truth as speak
from checks.truth.paper import softmax

__all__ = ["rng", "solutions_are_importable"]

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

    same(torch.exp(-4 * tensor(speak.text_loss(logits, tokens))), of_the_text, 1e-6)
    loss = step.text_loss(lambda _: (tensor(logits), None), torch.tensor(tokens))
    same(torch.exp(-4 * loss), of_the_text, 1e-5)


def test_write_is_the_same_without_caches() -> None:
    step, model, text = importlib.import_module("s6_today.speak"), a_model(), [7, 2, 5]

    for token in step.write(model, [7, 2, 5], 8, end=-1, temperature=0):
        assert token == model(torch.tensor([text]))[0][0, -1].argmax()
        text.append(token)

    assert len(text) == 11
