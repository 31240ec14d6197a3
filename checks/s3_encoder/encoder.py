"""Checks for s3_encoder/encoder.py."""

import numpy as np

from checks import paper
from checks.machine.language import (
    Array,
    Module,
    Submission,
    all_drops,
    check,
    expect,
    expect_gradients,
    expect_manners,
    expect_one_of,
    raises,
)
from checks.s3_encoder.encoder_layer import flat, silent

HINTS = [
    "What goes in: token ids, or vectors? Which of your layers turns one into the other?",
    "How does PyTorch learn that a list of layers belongs to your module?",
    "Each layer reads what the one before it wrote, with the same mask.",
    "self.layers = nn.ModuleList(____ for _ in range(num_layer))",
]
VOCAB_SIZE, DIM_VECTOR, N_HEAD, DIM_HIDDEN, MAX_LEN = 13, 6, 3, 11, 9
BATCH_SIZE, SRC_LEN = 2, 5
P = 0.2
PLACE = (
    "In train mode the dropout that was asked for should reach the embedding and every layer:\n"
    "each number dropped with probability dropout, or else divided by 1 - dropout."
)


def a_stack(
    submission: Submission, num_layer: int = 2, dtype: str = "float32", **kwargs: float
) -> Module:
    encoder = submission.build(
        "Encoder",
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
        return paper.encoder(src, weights, N_HEAD, num_layer, *mask)

    shapes = paper.encoder_shapes(VOCAB_SIZE, DIM_VECTOR, DIM_HIDDEN, num_layer)
    encoder.draw(shapes, truth, tokens(submission))
    return encoder


def tokens(submission: Submission) -> Array:
    return submission.tokens(VOCAB_SIZE, BATCH_SIZE, SRC_LEN, low=1)


@check
def layers_follow_one_another(submission: Submission) -> None:
    """The embedding, then num_layer layers, each with its own weights, and nothing after them."""
    for num_layer in (2, 1, 3):
        encoder = a_stack(submission, num_layer, dropout=0.5)
        src = tokens(submission)

        out = encoder(src)

        expect(out, paper.encoder(src, encoder.weights, N_HEAD, num_layer))


@check
def every_layer_gets_the_mask(submission: Submission) -> None:
    """What src_mask hides is hidden in every layer."""
    encoder = a_stack(submission)
    src, mask = tokens(submission), submission.mask(BATCH_SIZE, 1, 1, SRC_LEN)

    out = encoder(src, mask)

    expect(out, paper.encoder(src, encoder.weights, N_HEAD, 2, mask))


@check
def padding_idx_changes_no_real_token(submission: Submission) -> None:
    """With padding_idx and the mask that hides it, real tokens come out as the formula says."""
    encoder = a_stack(submission, padding_idx=0)
    table = np.array(encoder.weights["embedding.token_embedding.embedding.weight"])
    table[0] = 0
    encoder.assign({"embedding.token_embedding.embedding.weight": table})
    src = tokens(submission)
    src[0, 3:], src[1, 2] = 0, 0
    mask = paper.src_mask(src, 0)

    out = encoder(src, mask)

    expect(out, paper.encoder(src, encoder.weights, N_HEAD, 2, mask), only=src != 0)


@check
def dropout_reaches_embedding_and_layers(submission: Submission) -> None:
    """In training, the dropout that was asked for acts on the embedding and in every layer."""
    encoder = a_stack(submission, dropout=P)
    encoder.train()
    drawn, src = encoder.weights, tokens(submission)
    drops = all_drops(DIM_VECTOR, P)
    embedded = paper.transformer_embedding(src, paper.part(drawn, "embedding"))
    quiet = silent(drawn)

    encoder.assign(quiet)
    out = encoder(src)

    dropped = embedded[..., None, :] * drops
    expect_one_of(out, through_norms(dropped, drawn, ("layers.0", "layers.1")), PLACE)
    for n in (0, 1):
        brings = silent(drawn, but=f"layers.{n}.feed_forward")
        encoder.assign({**drawn, **brings, **flat(f"layers.{n}.add_norm1")})

        out = encoder(src)

        beta = drawn[f"layers.{n}.add_norm1.layer_norm.beta"] + np.zeros((BATCH_SIZE, SRC_LEN, 1, 1))
        widened = drawn[f"layers.{n}.feed_forward.linear2.bias"] * drops
        x = paper.add_norm(beta, widened, paper.part(drawn, f"layers.{n}.add_norm2"))
        later = [f"layers.{m}" for m in range(n + 1, 2)]
        expect_one_of(out, through_norms(x, drawn, tuple(later)), PLACE)


def through_norms(x: Array, weights: dict[str, Array], layers: tuple[str, ...]) -> Array:
    """What layers give whose sublayers bring nothing."""
    for layer in layers:
        for norm in ("add_norm1", "add_norm2", "add_norm3"):
            own = paper.part(weights, f"{layer}.{norm}")
            x = paper.add_norm(x, np.zeros_like(x), own) if own else x
    return x


@check
def too_long_a_source_is_refused(submission: Submission) -> None:
    """A source longer than max_len raises the ValueError of the positional embedding."""
    encoder = a_stack(submission, 1)

    with raises(ValueError, 12, MAX_LEN):
        encoder(submission.tokens(VOCAB_SIZE, 2, 12))


@check
def gradients_flow(submission: Submission) -> None:
    """The gradient reaches the table and every weight of every layer."""
    encoder = a_stack(submission, dtype="float64")
    expect_gradients(encoder, tokens(submission), submission.mask(BATCH_SIZE, 1, 1, SRC_LEN))


@check
def it_has_manners(submission: Submission) -> None:
    """Asked twice in eval mode it says the same; its inputs stay; any device will do."""
    mask = submission.mask(BATCH_SIZE, 1, 1, SRC_LEN)
    expect_manners(a_stack(submission, dropout=0.5), tokens(submission), mask)
