"""A model and a file of weights for load_weights, and texts for write (6.8)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from checks.engine.language import (
    Array,
    Fail,
    Module,
    Received,
    State,
    Submission,
    expect,
    expect_unchanged,
    expect_whole_numbers,
    expectation,
    state,
)
from checks.s6_today.language_model.truth import Sizes, language_model, language_model_shapes
from checks.s6_today.speak.truth import in_the_file, text_loss
from checks.scenes.stand_ins import Generator, Speaker, Weights
from checks.truth import paper

VOCAB, DIM_VECTOR, HEADS, DIM_HIDDEN = 13, 24, (6, 2), 10
TOY = 9  # Tokens of the toy model.
MOST = 6  # Tokens that it writes.
MANY = 16.2  # Where so many are expected, none comes once in ten million times.


def load(submission: Submission, model: Module, weights: Weights) -> Any:
    return submission.function("load_weights")(model, weights)


def a_model(submission: Submission, num_layer: int = 2) -> Module:
    """A new model of the learner's, as step 6.5 makes it."""
    return submission.build(
        "LanguageModel",
        home="s6_today.language_model",
        vocab_size=VOCAB,
        dim_vector=DIM_VECTOR,
        n_head=HEADS[0],
        n_kv_head=HEADS[1],
        dim_hidden=DIM_HIDDEN,
        num_layer=num_layer,
        max_len=20,
    )


def a_file(submission: Submission, num_layer: int = 2) -> tuple[dict[str, Array], paper.Weights]:
    """Tensors under the names of a file, and the same by role."""
    shapes = language_model_shapes(VOCAB, DIM_VECTOR, *HEADS, DIM_HIDDEN, num_layer)
    by_role = {role: submission.normal(*shape, scale=0.3) for role, shape in shapes.items()}
    return in_the_file(by_role, num_layer), by_role


def misfits(file: dict[str, Array]) -> Iterator[tuple[dict[str, Array], str]]:
    """Files that do not fit a model of two layers, each with the name of the tensor at fault."""
    table, last = "token_embd.weight", "output_norm.weight"
    layer, gate = "blk.1.ffn_down.weight", "blk.0.ffn_gate.weight"
    for name in (last, layer):
        yield {other: array for other, array in file.items() if other != name}, name
    for name, array in (
        *((left_over, file[layer]) for left_over in ("blk.2.attn_q.weight", "output.weight")),
        ("blk.0.attn_q.bias", file[last]),
        (layer, file[layer].T),
        *((last, odd) for odd in (file[last][:-1], np.append(file[last], 1.0), file[last][None])),
        (gate, file[gate][:, :-1]),
        (table, file[table][:-2]),
    ):
        yield {**file, name: array}, name


def expect_loss(
    submission: Submission, model: Speaker, tokens: Array, records: bool = True
) -> None:
    """Fail unless text_loss gives the loss of this text and leaves the tokens as they are."""
    function = submission.function("text_loss")
    loss = function.called(model, tokens, records=records)
    expect(loss, text_loss(model.logits(tokens), tokens))


def expect_loaded(
    submission: Submission,
    model: Module,
    by_role: paper.Weights,
    num_layer: int,
    after: str = "after load_weights",
) -> None:
    """Fail unless the model computes with these weights."""
    tokens = submission.tokens(VOCAB, 2, 5)
    truth, _ = language_model(tokens, by_role, Sizes(*HEADS, num_layer))

    got = model(tokens)

    expect_logits(got, truth, model.dtype, after)
    expect_learns(got, state(submission, model))


@expectation
def expect_logits(got: Received, truth: Array, dtype: str, after: str) -> None:
    if not got.items:
        raise Fail("values", "LanguageModel gives no pair of logits and caches: see step 6.5.")
    got.items[0].name = f"the logits {after}"
    expect(got.items[0], truth, dtype=dtype)


@expectation
def expect_learns(got: Received, now: State) -> None:
    for name, report in now.parameters.items():
        if not report["requires_grad"]:
            says = f"After load_weights {name} learns no more: its requires_grad is False."
            raise Fail("mode", got.items[0].say(says))


def written(
    submission: Submission,
    model: Speaker,
    tokens: list[int],
    num_new: int,
    end: int,
    *how: object,
    seed: int = 7,
) -> Any:
    generator = Generator(submission, seed)
    function = submission.function("write")
    got = function(model, tokens, num_new, end, generator, *how)
    expect_unchanged(got)
    return got


def a_text(submission: Submission, length: int = 4) -> list[int]:
    return [int(token) for token in submission.tokens(TOY, length)]


def a_text_with(
    submission: Submission, ends: range, vocab_size: int = TOY
) -> tuple[Speaker, list[int], list[int]]:
    """A model, a text, and the best tokens that follow. One of them is among `ends`."""
    while True:
        model, tokens = Speaker(submission, vocab_size), a_text(submission)
        best = model.goes_on(tokens, MOST)
        if any(token in ends for token in best):
            return model, tokens, best


def unused(tokens: list[int]) -> int:
    """A token that does not stand there, or one that no text has."""
    return next((token for token in range(TOY) if token not in tokens), TOY)


@expectation
def expect_drawn(one: Received, two: Received, other: Received, best: list[int]) -> None:
    """Fail unless these texts are drawn: `one` and `two` with the same seed, `other` with another.

    All tokens are nearly as probable as `best`, the most probable ones.
    """
    for got in (one, two, other):
        if got.plain is None:
            expect_whole_numbers(got, best, "iterator")
    if one.plain != two.plain:
        says = "A generator with the same seed gives another text. Does `sample` get it?"
        raise Fail("values", two.say(says))
    if str(one.plain) == str(best):
        raise Fail("values", one.say("All tokens are the best ones: nothing was drawn."))
    if other.plain == one.plain:
        says = "Generators with two seeds give the same text. Does `sample` get the generator?"
        raise Fail("values", other.say(says))
    if len(set(str(one.plain).strip("[]").split(", "))) < 2 * TOY // 3:
        says = "Nearly all tokens are equally probable, but always the same ones are drawn."
        raise Fail("values", one.say(f"{says}\nThe output: {one.plain}"))


@expectation
def expect_share_of(got: Received, tokens: list[int]) -> None:
    """Fail unless about as many of the drawn tokens are among these as chance says.

    All tokens are nearly equally probable. Chance is further away once in ten million times.
    """
    if got.plain is None:
        expect_whole_numbers(got, [], "iterator")
    drawn = [int(token) for token in re.findall(r"\d+", str(got.plain))]
    share = sum(token in tokens for token in drawn) / max(1, len(drawn))
    even = len(tokens) / TOY
    if abs(share - even) > 5.3 * math.sqrt(even * (1 - even) / max(1, len(drawn))):
        says = (
            f"The text has {len(tokens)} of {TOY} tokens, all about equally probable. Of those "
            f"drawn {share:.0%} are among them, expected about {even:.0%}."
        )
        raise Fail("values", got.say(says))


@expectation
def expect_lower_half(got: Received, model: Speaker, tokens: list[int], temperature: float) -> None:
    """Fail unless the less probable half of all tokens is drawn as often as the model says.

    Chance is further away once in ten million times.
    """
    drawn, all_scores = drawn_in(got, model, tokens)
    seen, chances = 0, []
    for token, scores in zip(drawn, all_scores):
        weights = np.exp((scores - scores.max()) / temperature)
        lower = np.argsort(scores)[: len(weights) // 2]
        seen += token in lower
        chances.append(float(weights[lower].sum() / weights.sum()))
    expected = sum(chances)
    if abs(seen - expected) > 5.3 * math.sqrt(sum(p * (1 - p) for p in chances)):
        says = (
            f"Of {len(drawn)} tokens drawn, {seen} are of the less probable half. Expected about "
            f"{expected:.0f}: nothing is filtered here."
        )
        raise Fail("values", got.say(says))


@expectation
def expect_the_least(
    model: Speaker, tokens: list[int], temperature: float, *texts: Received
) -> None:
    """Fail if the least probable token is never drawn, though chance alone leaves it out less than
    once in ten million times.
    """
    seen, expected = 0, 0.0
    for got in texts:
        for token, scores in zip(*drawn_in(got, model, tokens)):
            weights = np.exp((scores - scores.max()) / temperature)
            seen += token == scores.argmin()
            expected += float(weights.min() / weights.sum())
    if not seen and expected > MANY:
        says = (
            f"The least probable token is never drawn. In {len(texts)} long texts it is expected "
            f"about {expected:.0f} times: nothing is filtered here."
        )
        raise Fail("values", texts[0].say(says))


def drawn_in(got: Received, model: Speaker, tokens: list[int]) -> tuple[list[int], Array]:
    """The tokens drawn after these, and the scores that each of them was drawn with."""
    if got.plain is None:
        expect_whole_numbers(got, [], "iterator")
    drawn = [int(token) for token in re.findall(r"\d+", str(got.plain))]
    states = model.states([*tokens, *drawn])[len(tokens) - 1 : -1]
    return drawn, model.scores[states]
