"""Checks for s6_today/speak.py."""

from __future__ import annotations

from checks.engine.language import (
    Array,
    Fail,
    Module,
    Received,
    Submission,
    check,
    expect,
    expect_whole_numbers,
    raises,
)
from checks.engine.tracing.example import Example, Picture
from checks.s6_today.language_model.truth import Sizes, language_model, language_model_shapes
from checks.s6_today.speak.truth import in_the_file, text_loss
from checks.scenes.stand_ins import Generator, Speaker, Weights
from checks.truth import paper

HINTS = [
    "The file has a gate and a way up, both of the same shape. What happens if you exchange them?",
    "load_weights: a dictionary from the names of the file to the parameters. For each layer the "
    "names begin with blk. and its number: enumerate counts the layers.",
    "load_weights: the keys of two dictionaries are sets. one.keys() - other.keys() are the names "
    "that the other lacks.",
    "load_weights: parameter.data is the tensor inside a parameter. Assign to it.",
    "text_loss: the scores of token n are about token n + 1. So the last scores have no token to "
    "compare with, and the first token has no scores.",
    "text_loss: F.cross_entropy takes (count, vocab_size) and (count,). flatten(0, 1) joins two "
    "axes. In bfloat16 a sum has three digits only: call float() first.",
    "write, beginning: torch.tensor([tokens]) is a batch of one text. The caches are None.",
    "write, each round: call the model with what is new. The scores of the last token are "
    "logits[:, -1]. Filter them, and sample a token, as in step 6.6.",
    "write, the end of a round: return ends the writing. yield gives one token to the caller and "
    "waits. item() makes a number of a tensor of one token.",
    "new = token[:, ____]",
]
EXAMPLE = Example(
    {"vocab_size": 11, "dim_vector": 24, "dim_hidden": 10, "kv_features": 8},
    """\
model = LanguageModel(11, 24, n_head=6, n_kv_head=2, dim_hidden=10, num_layer=2, max_len=20)
square, kv, wide = (24, 24), (8, 24), (10, 24)
shapes = {
    "attn_norm": (24,), "attn_q": square, "attn_k": kv, "attn_v": kv, "attn_output": square,
    "ffn_norm": (24,), "ffn_gate": wide, "ffn_up": wide, "ffn_down": (24, 10),
}
file = {f"blk.{n}.{name}.weight": torch.randn(shapes[name]) for n in range(2) for name in shapes}
file |= {"token_embd.weight": torch.randn(11, 24) / 4, "output_norm.weight": torch.ones(24)}
load_weights(model, file)
text = [7, 2, 5]
text += write(model, text, 5, end=0, generator=torch.Generator().manual_seed(1))
loss = text_loss(model, torch.tensor([text]))
logits, _ = model(torch.tensor([text]))
""",
)
GATES = "[model.layers[0].feed_forward.gate.weight[0, :8], file['blk.0.ffn_gate.weight'][0, :8]]"
PICTURES = [
    Picture("after each token: the next", "logits[0].softmax(-1)", "after", "token", "share"),
    Picture(
        "the first entries of a gate",
        f"torch.stack({GATES})",
        "row",
        "feature",
        row_names="model file",
    ),
]
VOCAB, DIM_VECTOR, HEADS, DIM_HIDDEN = 13, 24, (6, 2), 10
MOST, SMALL, LARGE = 6, 1e-4, 100.0
TOY = 9  # Tokens of the toy model.


def load(submission: Submission, model: Module, weights: Weights) -> Received:
    return submission.function("load_weights", lambda *args: None)(model, weights)


def a_model(submission: Submission, num_layer: int = 2) -> Module:
    """A new model of the learner's, as step 6.5 makes it."""
    return submission.build(
        "LanguageModel",
        home="s6_today.language_model",
        fresh=True,
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
    by_role = {role: submission.normal(*shape, scale=0.7) for role, shape in shapes.items()}
    return in_the_file(by_role, num_layer), by_role


def expect_loaded(
    submission: Submission, model: Module, by_role: paper.Weights, num_layer: int
) -> None:
    """Fail unless the model computes with these weights."""
    tokens = submission.tokens(VOCAB, 2, 5)
    truth, _ = language_model(tokens, by_role, Sizes(*HEADS, num_layer))

    got = model.called(tokens)[0].items

    if not got:
        raise Fail("values", "LanguageModel gives no pair of logits and caches: see step 6.5.")
    got[0].name = "the logits after load_weights"
    expect(got[0], truth, dtype=model.dtype)


@check
def every_tensor_finds_its_parameter(submission: Submission) -> None:
    """After load_weights, the model computes with the tensors of the file, in every layer."""
    for num_layer in (2, 1, 12):
        model = a_model(submission, num_layer)
        file, by_role = a_file(submission, num_layer)

        load(submission, model, Weights(submission, file))

        expect_loaded(submission, model, by_role, num_layer)


@check
def the_file_may_have_any_order(submission: Submission) -> None:
    """The names decide, not the order in which the tensors stand in the file."""
    model = a_model(submission)
    file, by_role = a_file(submission)
    mixed = [list(file)[n] for n in submission.rng.permutation(len(file))]

    load(submission, model, Weights(submission, {name: file[name] for name in mixed}))

    expect_loaded(submission, model, by_role, 2)


@check
def the_model_takes_over_the_dtype(submission: Submission) -> None:
    """A model that is given tensors in float64 computes in float64."""
    model = a_model(submission)
    file, by_role = a_file(submission)

    load(submission, model, Weights(submission, file, "float64"))

    model.dtype = "float64"
    expect_loaded(submission, model, by_role, 2)


@check
def what_does_not_fit_is_refused(submission: Submission) -> None:
    """A tensor that is missing, left over or of another shape is refused by name, with a
    ValueError. Nothing is loaded then.
    """
    model = a_model(submission)
    file, by_role = a_file(submission)
    load(submission, model, Weights(submission, file))
    other, _ = a_file(submission)
    last, layer = "output_norm.weight", "blk.1.ffn_down.weight"
    for change, named in (
        ({last: None}, last),
        ({layer: None}, layer),
        ({"blk.2.attn_q.weight": other[layer]}, "blk.2.attn_q.weight"),
        ({layer: other[layer].T}, layer),
        ({last: other[last][:-1]}, last),
        ({"token_embd.weight": other["token_embd.weight"][:-2]}, "token_embd.weight"),
    ):
        given = {name: array for name, array in {**other, **change}.items() if array is not None}
        with raises(ValueError, named):
            load(submission, model, Weights(submission, given))

        expect_loaded(submission, model, by_role, 2)


# The loss of a text


@check
def the_loss_is_that_of_the_next_tokens(submission: Submission) -> None:
    """Each token but the first counts with -ln of the probability that it has after all before."""
    for shape in ((1, 5), (3, 7), (2, 2), (1, 300)):
        model = Speaker(submission, TOY)
        tokens = submission.tokens(TOY, *shape)

        loss = submission.function("text_loss", lambda *args: None)(model, tokens)

        expect(loss, text_loss(model.logits(tokens), tokens))


@check
def the_loss_is_computed_in_float32(submission: Submission) -> None:
    """The loss of a model in bfloat16 comes in float32, with all its digits."""
    model = Speaker(submission, TOY, rounded=True)
    tokens = submission.tokens(TOY, 2, 40)

    loss = submission.function("text_loss", lambda *args: None)(model, tokens)

    expect(loss, text_loss(model.logits(tokens), tokens))


# Writing


def written(
    submission: Submission,
    model: Speaker,
    tokens: list[int],
    num_new: int,
    end: int,
    *how: object,
) -> Received:
    generator = Generator(submission, 7)
    function = submission.function("write", lambda *args: None)
    return function(model, tokens, num_new, end, generator, *how)


def a_text(submission: Submission, length: int = 4) -> list[int]:
    return [int(token) for token in submission.tokens(TOY, length)]


def a_text_with_0(submission: Submission) -> tuple[Speaker, list[int], list[int]]:
    """A model, a text, and the best tokens that follow. Token 0 is among them."""
    while True:
        model, tokens = Speaker(submission, TOY), a_text(submission)
        best = model.goes_on(tokens, MOST)
        if 0 in best:
            return model, tokens, best


def unused(tokens: list[int]) -> int:
    """A token that does not stand there, or one that no text has."""
    return next((token for token in range(TOY) if token not in tokens), TOY)


@check
def at_temperature_0_the_best_tokens_follow(submission: Submission) -> None:
    """With temperature 0, write yields the best next tokens one by one, num_new in all."""
    for length, num_new in ((4, MOST), (1, 3), (5, 1), (3, 0), (2, 200)):
        model, tokens = Speaker(submission, TOY), a_text(submission, length)

        got = written(submission, model, tokens, num_new, TOY, 0.0)

        expect_whole_numbers(got, model.goes_on(tokens, num_new), "iterator")


@check
def the_end_token_ends_it(submission: Submission) -> None:
    """The token `end` ends the text and is not yielded, even if it is token 0."""
    model, tokens, best = a_text_with_0(submission)
    for end in (*best[:3], 0, unused(best)):
        got = written(submission, model, tokens, MOST, end, 0.0)

        expect_whole_numbers(got, best[: best.index(end)] if end in best else best, "iterator")


@check
def the_filters_are_those_of_the_call(submission: Submission) -> None:
    """temperature, top_k, top_p and min_p reach `filtered`: each can leave the best token alone."""
    for how in ((SMALL,), (1.0, 1), (1.0, 0, SMALL), (1.0, 0, 1.0, 1.0), (LARGE, 1)):
        model, tokens = Speaker(submission, TOY), a_text(submission)

        got = written(submission, model, tokens, MOST, TOY, *how)

        expect_whole_numbers(got, model.goes_on(tokens, MOST), "iterator")


@check
def tokens_are_drawn(submission: Submission) -> None:
    """Without filters the tokens are drawn. The same generator gives the same text again."""
    model, tokens = Speaker(submission, TOY), a_text(submission)
    best = model.goes_on(tokens, 60)

    one, two = (written(submission, model, tokens, 60, TOY, LARGE) for _ in range(2))

    for got in (one, two):
        if got.plain is None:
            expect_whole_numbers(got, best, "iterator")
    if one.plain != two.plain:
        says = "A generator with the same seed gives another text. Does `sample` get it?"
        raise Fail("values", two.say(says))
    if str(one.plain) == str(best):
        raise Fail("values", one.say("All 60 tokens are the best ones: nothing was drawn."))


@check
def each_token_is_read_once(submission: Submission) -> None:
    """The text is read once. Then each new token is read alone, with the caches."""
    model, tokens = Speaker(submission, TOY), a_text(submission, 5)

    got = written(submission, model, tokens, MOST, TOY, 0.0)

    expect_whole_numbers(got, model.goes_on(tokens, MOST), "iterator")
    read = model.kept("read")
    counts = [int(n) for n in str(read.plain).strip("[]").split(",") if n.strip().isdecimal()]
    if sum(counts) > len(tokens) + MOST:
        says = (
            f"For {len(tokens)} tokens and {MOST} new ones, the model reads {sum(counts)} tokens."
        )
        raise Fail("rule", got.say(f"{says}\nIts calls read {read.plain} tokens."))


@check
def nothing_is_recorded(submission: Submission) -> None:
    """No gradients are recorded while it writes: a long text would fill the memory."""
    model, tokens = Speaker(submission, TOY), a_text(submission)

    got = written(submission, model, tokens, MOST, TOY, 0.0)

    if model.kept("recorded").plain is not False:
        raise Fail("rule", got.say("PyTorch records every operation for gradients."))
