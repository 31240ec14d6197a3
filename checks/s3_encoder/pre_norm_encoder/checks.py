"""Checks for s3_encoder/pre_norm_encoder.py."""

from typing import Any

import numpy as np

from checks.engine.language import (
    SHARES,
    Array,
    Module,
    Submission,
    check,
    dropped,
    expect,
    expect_gradients,
    expect_independent,
    expect_kept,
    expect_manners,
    expect_one_of,
    expect_sized,
    raises,
    trains,
)
from checks.engine.tracing.example import Example
from checks.s3_encoder.encoder.checks import every_word_visible
from checks.scenes import dropout
from checks.scenes.examples import AXES, SOURCE, SOURCE_MASK, heads, leak, stream
from checks.truth import models, paper, pre_norm

HINTS = [
    "Compare norm(x + f(x)) and x + f(norm(x)). In which of them does x reach the end unchanged?",
    "Which x do you add at the end: the normalised one, or the one that came in?",
    "In self-attention the normalised tokens are queries, keys and values. Give them a name of "
    "their own.",
    "Dropout acts on the output of each sublayer, before the sum.",
    "No norm comes after the last sum of a layer. So one closing norm stands behind the whole "
    "stack (nn.ModuleList).",
    "return x + self.dropout(self.feed_forward(____))",
]
EXAMPLE = Example(
    AXES,
    f"""\
encoder = PreNormEncoder(
    vocab_size=13, dim_vector=12, max_len=9,
    n_head=3, dim_hidden=20, num_layer=2,
).eval()
{SOURCE}{SOURCE_MASK}out = encoder(src, src_mask)
""",
)
PICTURES = [
    heads("layer 0, head {0}, in %", "encoder.layers[0].self_attention"),
    heads("layer 1, head {0}, in %", "encoder.layers[1].self_attention"),
    stream("encoder"),
    leak("word", "lambda src: encoder(src, src_mask), src"),
]
VOCAB_SIZE, DIM_VECTOR, N_HEAD, DIM_HIDDEN, MAX_LEN = 13, 6, 3, 11, 9
BATCH_SIZE, SRC_LEN = 2, 5
MANY = 40  # Sentences that show how entries are dropped.
IN_LAYER = dropped("to each sublayer's output and inside the feed-forward network")
IN_STACK = dropped("to the embedding and in every layer")


def a_layer(submission: Submission, dtype: str = "float32", **kwargs: Any) -> Module:
    layer = submission.build(
        "PreNormEncoderLayer",
        dim_vector=DIM_VECTOR,
        n_head=N_HEAD,
        dim_hidden=DIM_HIDDEN,
        dtype=dtype,
        **kwargs,
    )

    def truth(weights: paper.Weights, x: Array, *mask: Array) -> Array:
        return pre_norm.encoder_layer(x, weights, N_HEAD, *mask)

    layer.draw(pre_norm.encoder_layer_shapes(DIM_VECTOR, DIM_HIDDEN), truth, vectors(submission))
    return layer


def a_stack(
    submission: Submission, num_layer: int = 2, dtype: str = "float32", **kwargs: Any
) -> Module:
    encoder = submission.build(
        "PreNormEncoder",
        vocab_size=VOCAB_SIZE,
        dim_vector=DIM_VECTOR,
        max_len=MAX_LEN,
        n_head=N_HEAD,
        dim_hidden=DIM_HIDDEN,
        num_layer=num_layer,
        dtype=dtype,
        **kwargs,
    )

    def truth(weights: paper.Weights, src: Array, *mask: Array) -> Array:
        return pre_norm.encoder(src, weights, N_HEAD, num_layer, *mask)

    shapes = pre_norm.encoder_shapes(VOCAB_SIZE, DIM_VECTOR, DIM_HIDDEN, num_layer)
    words = submission.tokens(VOCAB_SIZE, BATCH_SIZE, SRC_LEN, low=1)  # 0 may be padding.
    encoder.draw(shapes, truth, words)
    return encoder


def vectors(submission: Submission, src_len: int = SRC_LEN, batch_size: int = BATCH_SIZE) -> Array:
    """Vectors larger than normalised ones, which shows where the norms are."""
    return 3 * submission.normal(batch_size, src_len, DIM_VECTOR) + 1


def tokens(submission: Submission) -> Array:
    return submission.tokens(VOCAB_SIZE, BATCH_SIZE, SRC_LEN)


@check
def each_sublayer_reads_a_norm_and_x_is_added(submission: Submission) -> None:
    """Each sublayer reads its own norm of x, and its output is added to the x before the norm."""
    layer = a_layer(submission)
    one_token = vectors(submission, src_len=1)
    for x in (vectors(submission), one_token, one_token[:1]):
        out = layer(x)

        expect(out, pre_norm.encoder_layer(x, layer.weights, N_HEAD))


@check
def the_mask_reaches_the_attention(submission: Submission) -> None:
    """No token attends to a key that src_mask hides."""
    layer = a_layer(submission)
    x = vectors(submission)
    for shape in ((BATCH_SIZE, 1, 1, SRC_LEN), (BATCH_SIZE, 1, SRC_LEN, SRC_LEN)):
        mask = submission.mask(*shape)

        out = layer(x, mask)

        expect(out, pre_norm.encoder_layer(x, layer.weights, N_HEAD, mask))

    out = layer(x)  # Those masks must leave nothing behind.

    expect(out, pre_norm.encoder_layer(x, layer.weights, N_HEAD))


@check
def gradients_flow_through_a_layer(submission: Submission) -> None:
    """The gradient reaches every weight, and x through the residual connections and the norms."""
    mask = submission.mask(BATCH_SIZE, 1, 1, SRC_LEN)
    layer = trains(a_layer(submission, "float64", dropout=0.0))

    expect_gradients(layer, vectors(submission), mask)


@check
def attention_is_dropped_in_training(submission: Submission) -> None:
    """In train mode, dropout (default 0.1) is applied to the attention's output, not to x."""
    for kwargs, p in SHARES:
        layer = a_layer(submission, **kwargs)
        layer.train()
        layer.assign(dropout.silent(layer.weights, but="self_attention."))
        weights, x = layer.weights, vectors(submission, src_len=1, batch_size=MANY)

        out = layer(x)

        source = paper.layer_norm(x, paper.part(weights, "norm1"))
        brought = dropout.attention(source, paper.part(weights, "self_attention"), N_HEAD, p)
        found = expect_one_of(out, x[..., None, :] + brought, IN_LAYER)
        if kwargs:
            drops = dropout.all_drops(DIM_VECTOR, p)
            expect_independent(out, drops[found % len(drops)])


@check
def the_feed_forward_is_dropped_in_training(submission: Submission) -> None:
    """In train mode, dropout is applied inside the feed-forward network and to its output."""
    for kwargs, p in SHARES:
        layer = a_layer(submission, **kwargs)
        layer.train()
        awake = dropout.wide_awake(layer.weights)
        quiet = dropout.silent(awake, but="feed_forward.")
        layer.assign(awake | quiet | {"norm2.gamma": np.zeros(DIM_VECTOR)})
        weights, x = layer.weights, vectors(submission)

        out = layer(x)

        beta = np.broadcast_to(weights["norm2.beta"], x.shape)
        truth = x[..., None, :] + dropout.feed_forward(beta, weights, p)
        found = expect_one_of(out, truth, IN_LAYER)
        if kwargs:
            drops = dropout.all_drops(DIM_VECTOR, p)
            expect_independent(out, drops[found % len(drops)])


@check
def layers_follow_one_another_and_a_norm_closes(submission: Submission) -> None:
    """The embedding, num_layer layers with weights of their own, and one norm after the last."""
    for num_layer in (3, 1):
        encoder = a_stack(submission, num_layer, "float64", dropout=0.5)
        whole = tokens(submission)
        for src in [whole, whole[:, :1], whole[:1, :1]] if num_layer == 3 else [whole]:
            out = encoder(src)

            expect(out, pre_norm.encoder(src, encoder.weights, N_HEAD, num_layer))


@check
def every_layer_gets_the_mask(submission: Submission) -> None:
    """Every layer hides the words that src_mask hides."""
    encoder = a_stack(submission, 3, "float64")
    src, mask = tokens(submission), submission.mask(BATCH_SIZE, 1, 1, SRC_LEN)

    out = encoder(src, mask)

    truth = pre_norm.encoder(src, encoder.weights, N_HEAD, 3, mask)
    expect(out, truth, only=mask[:, 0, 0] != 0)  # The values at padding are open.


@check
def padding_idx_changes_no_real_token(submission: Submission) -> None:
    """With padding_idx, real tokens get the formula's values, with and without a padding mask."""
    encoder = a_stack(submission, dtype="float64", padding_idx=0)
    table = np.array(encoder.weights["embedding.token_embedding.embedding.weight"])
    table[0] = 0
    encoder.assign({"embedding.token_embedding.embedding.weight": table})
    words = submission.rng.permutation(np.arange(1, VOCAB_SIZE))  # Every real token.
    src = np.insert(words, [3, 7], 0).reshape(BATCH_SIZE, 7)
    for mask in ([models.src_mask(src, 0)], []):
        out = encoder(src, *mask)

        expect(out, pre_norm.encoder(src, encoder.weights, N_HEAD, 2, *mask), only=src != 0)


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches every row of the table, every layer and the closing norm."""
    encoder = a_stack(submission, 3, "float64", dropout=0.0)
    src, mask = every_word_visible(submission)
    expect_gradients(trains(encoder), src, mask, only=mask[:, 0, 0])


@check
def dropout_reaches_the_embedding_and_every_layer(submission: Submission) -> None:
    """In train mode, every part applies dropout with the given probability (default 0.1)."""
    for kwargs, p in SHARES:
        encoder = a_stack(submission, **kwargs)
        encoder.train()
        drawn = encoder.weights
        closing = paper.part(drawn, "norm")
        for simple, outcomes in (
            (dropout.few_words(drawn), dropout.embedding),
            (dropout.last_network(drawn), dropout.unclosed),
        ):
            encoder.assign(drawn | simple)
            src = tokens(submission)[:, :2]

            out = encoder(src)

            expect_one_of(
                out, paper.layer_norm(outcomes(src, drawn | simple, p), closing), IN_STACK
            )


@check
def the_closing_norm_reads_the_sums(submission: Submission) -> None:
    """In train mode, nothing more is dropped between the last layer and the closing norm."""
    encoder = a_stack(submission, dropout=0.5)
    encoder.train()
    encoder.assign(encoder.weights | dropout.big_words(encoder.weights))

    out = encoder(submission.tokens(VOCAB_SIZE, MANY, MAX_LEN))

    expect_kept(out, (MANY, MAX_LEN, DIM_VECTOR))


@check
def max_len_is_the_limit(submission: Submission) -> None:
    """A source of max_len tokens works; one more token raises the ValueError of step 1.2."""
    encoder = a_stack(submission, 1, dropout=0.5)
    src = submission.tokens(VOCAB_SIZE, 2, MAX_LEN + 1)

    out = encoder(src[:, :MAX_LEN])

    expect(out, pre_norm.encoder(src[:, :MAX_LEN], encoder.weights, N_HEAD, 1))
    with raises(ValueError, MAX_LEN + 1, MAX_LEN):
        encoder(src)


@check
def sizes_are_arguments(submission: Submission) -> None:
    """Every size of the layer and of the stack is an argument: other values work too."""
    expect_sized(
        submission,
        "PreNormEncoderLayer",
        pre_norm.encoder_layer_shapes(8, 5),
        lambda weights, x: pre_norm.encoder_layer(x, weights, 4),
        submission.normal(2, 3, 8),
        dim_vector=8,
        n_head=4,
        dim_hidden=5,
    )
    expect_sized(
        submission,
        "PreNormEncoder",
        pre_norm.encoder_shapes(17, 8, 5, 1),
        lambda weights, src: pre_norm.encoder(src, weights, 4, 1),
        submission.tokens(17, 2, 12),
        vocab_size=17,
        dim_vector=8,
        max_len=12,
        n_head=4,
        dim_hidden=5,
        num_layer=1,
    )


@check
def a_layer_works_at_large_sizes(submission: Submission) -> None:
    """Large sizes work too: hundreds of tokens, or of features inside the feed-forward network."""
    for src_len, dim_vector, dim_hidden in ((600, 4, 5), (3, 4, 600)):
        expect_sized(
            submission,
            "PreNormEncoderLayer",
            pre_norm.encoder_layer_shapes(dim_vector, dim_hidden),
            lambda weights, x, mask: pre_norm.encoder_layer(x, weights, 2, mask),
            submission.normal(1, src_len, dim_vector),
            submission.mask(1, 1, 1, src_len),
            dim_vector=dim_vector,
            n_head=2,
            dim_hidden=dim_hidden,
        )


@check
def a_stack_works_at_large_sizes(submission: Submission) -> None:
    """Large sizes work too: hundreds of tokens and words, 13 layers, fewer words than features."""
    for vocab_size, max_len, num_layer in ((600, 600, 1), (3, 4, 13)):
        mask = submission.mask(1, 1, 1, max_len)

        def truth(weights: paper.Weights, *args: Array, num_layer: int = num_layer) -> Array:
            return pre_norm.encoder(args[0], weights, 2, num_layer, args[1])

        expect_sized(
            submission,
            "PreNormEncoder",
            pre_norm.encoder_shapes(vocab_size, 4, 5, num_layer),
            truth,
            submission.tokens(vocab_size, 1, max_len),
            mask,
            only=mask[:, 0, 0],
            vocab_size=vocab_size,
            dim_vector=4,
            max_len=max_len,
            n_head=2,
            dim_hidden=5,
            num_layer=num_layer,
        )


@check
def it_has_manners(submission: Submission) -> None:
    """In eval mode two calls give the same result; the inputs are not changed; it works on any
    device.
    """
    mask = submission.mask(BATCH_SIZE, 1, 1, SRC_LEN)
    expect_manners(a_layer(submission, dropout=0.5), vectors(submission), mask, drops=True)
    expect_manners(a_stack(submission, 1, dropout=0.5), tokens(submission), mask, drops=True)
