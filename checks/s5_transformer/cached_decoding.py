"""Checks for s5_transformer/cached_decoding.py."""

from typing import Any

import numpy as np

from checks import paper
from checks.machine.language import (
    Array,
    Fail,
    Module,
    Received,
    Submission,
    check,
    expect,
    expect_device,
    expect_mode,
    state,
)

HINTS = [
    "Of all that greedy_decode computes for a new token, what did it compute for the one before?",
    "A token that is written never changes, and it sees nothing later: nor do its keys and values.",
    "The newest token asks, and all that are written answer. Which of them need a query?",
    "Where does the newest token stand, and which row of the target mask is its own?",
    "written = torch.cat([written[0], keys], dim=____), torch.cat([written[1], values], dim=____)",
]
SRC_PAD, TRG_PAD, BOS, EOS, NEVER = 4, 5, 1, 2, 3
SRC_VOCAB, TRG_VOCAB, DIM_VECTOR, N_HEAD, DIM_HIDDEN = 11, 13, 36, 3, 10
ROWS, SRC_LEN, MAX_LEN = 3, 8, 9
AMPLE = 3  # Times the multiplications that are needed: room for keys may be laid out in advance.
LARGE = 1000.0  # Weights from which on rounding in single precision may decide what is written.


def a_writer(
    submission: Submission, num_layer: int = 2, **kwargs: Any
) -> tuple[Module, Array, Array]:
    """The learner's Transformer, sources, and what it writes for them, where nothing ends it."""
    model = submission.build(
        "Transformer",
        home="s5_transformer.transformer",
        src_pad_idx=SRC_PAD,
        trg_pad_idx=TRG_PAD,
        encoder_vocab_size=SRC_VOCAB,
        decoder_vocab_size=TRG_VOCAB,
        dim_vector=DIM_VECTOR,
        n_head=N_HEAD,
        max_len=MAX_LEN,
        dim_hidden=DIM_HIDDEN,
        num_layer=num_layer,
        **kwargs,
    )
    return taught(submission, model, num_layer)


def taught(
    submission: Submission, model: Module, num_layer: int, given: Array | None = None
) -> tuple[Module, Array, Array]:
    """A Transformer with new weights, sources (`given` or drawn), and what it writes for them.

    Its last layer is solved for, so that it writes tokens that we have drawn. What leads to them
    is random: whoever computes anything else on the way writes others.
    """

    def truth(weights: paper.Weights, src: Array, trg: Array) -> Array:
        return paper.transformer(src, trg, weights, N_HEAD, num_layer, SRC_PAD, TRG_PAD)

    shapes = paper.transformer_shapes(SRC_VOCAB, TRG_VOCAB, DIM_VECTOR, DIM_HIDDEN, num_layer)
    model.draw(shapes, truth, *(submission.tokens(4, 2, length) for length in (5, 7)))
    weights = {role: np.array(w) for role, w in model.weights.items()}
    for side, pad in (("encoder", SRC_PAD), ("decoder", TRG_PAD)):
        weights[f"{side}.embedding.token_embedding.embedding.weight"][pad] = 0

    for _ in range(100):
        src = sources(submission) if given is None else given
        trg = submission.tokens(TRG_VOCAB, ROWS, MAX_LEN, low=6)
        trg[:, 0], trg[0, 2], trg[1, 4] = BOS, TRG_PAD, TRG_PAD  # Padding, written as a word is.
        trg[2, 1], trg[0, 1] = SRC_PAD, 0  # Words here.
        trg[0, 4], trg[1, 6], trg[2, 3] = EOS, EOS, EOS

        weights["decoder.linear.weight"] = np.eye(DIM_VECTOR)
        weights["decoder.linear.bias"] = np.zeros(DIM_VECTOR)
        x = truth(weights, src, trg[:, :-1]).reshape(-1, DIM_VECTOR)
        wanted = np.eye(TRG_VOCAB)[trg[:, 1:].ravel()]
        solved = np.linalg.lstsq(np.c_[x, np.ones(len(x))], wanted, rcond=None)[0]
        weights["decoder.linear.weight"], weights["decoder.linear.bias"] = solved[:-1].T, solved[-1]
        if np.abs(solved).max() < LARGE:
            break
    model.assign(weights)
    return model, src, trg


def sources(submission: Submission) -> Array:
    src = submission.tokens(SRC_VOCAB, ROWS, SRC_LEN)
    src[src == SRC_PAD] = TRG_PAD  # The other's padding is a word.
    src[0, -3:], src[1, 1] = SRC_PAD, SRC_PAD
    return src


def ended(trg: Array) -> Array:
    """The same with padding after the first EOS of every row, as long as the longest row."""
    ends = [row.tolist().index(EOS) + 1 for row in trg]
    cut = np.where(np.arange(MAX_LEN) < np.array(ends)[:, None], trg, TRG_PAD)
    return cut[:, : max(ends)]


def decode(submission: Submission, *args: Any, **options: Any) -> tuple[Received, Any]:
    return submission.function("cached_decode", no_truth).called(*args, **options)


def no_truth(*args: Any) -> None:
    """What it returns is compared by the checks themselves."""


@check
def the_tokens_are_those_of_greedy_decode(submission: Submission) -> None:
    """Token by token it writes what greedy_decode writes, up to max_len tokens with bos_idx."""
    model, src, trg = a_writer(submission)
    for max_len in (MAX_LEN, 2, 1):
        tokens, _ = decode(submission, model, src, BOS, NEVER, max_len)

        expect(tokens, trg[:, :max_len], dtype="int64")


@check
def each_row_ends_with_its_eos(submission: Submission) -> None:
    """After its eos_idx a row holds padding only; when all rows have ended, it stops."""
    model, src, trg = a_writer(submission)
    for rows in (slice(None), slice(2, 3)):
        tokens, _ = decode(submission, model, src[rows], BOS, EOS, MAX_LEN)

        expect(tokens, ended(trg[rows]), dtype="int64")


@check
def nothing_is_left_from_another_call(submission: Submission) -> None:
    """One call after the other, with other sources, another model, and when the first has learned:
    each begins anew.
    """
    one, two = a_writer(submission, num_layer=1), a_writer(submission, num_layer=1)
    for writer in (one, two, None):
        model, src, trg = writer or taught(submission, one[0], 1, given=one[1])

        tokens, _ = decode(submission, model, src, BOS, EOS, MAX_LEN)

        expect(tokens, ended(trg), dtype="int64")


@check
def it_decodes_in_eval_mode_and_leaves_the_mode(submission: Submission) -> None:
    """A model in train mode decodes as in eval mode, and is in train mode afterwards."""
    model, src, trg = a_writer(submission, num_layer=1, dropout=0.5)
    for trains in (True, False):
        model.train(trains)

        tokens, answer = decode(submission, model, src, BOS, EOS, MAX_LEN)

        expect(tokens, ended(trg), dtype="int64")
        if answer["changed"]:
            raise Fail("mutation", tokens.say("The source was changed in place."))
        expect_mode(tokens, state(submission, model), trains)


@check
def it_works_where_the_source_is(submission: Submission) -> None:
    """What is made on the way is on the device of the source (here meta stands for one)."""
    model, src, _ = a_writer(submission, num_layer=1)

    expect_device(submission.function("cached_decode", no_truth), model, src, BOS, EOS, 3)


@check
def nothing_is_computed_twice(submission: Submission) -> None:
    """One more token costs one more token, not all that is written; the multiplications are
    counted.
    """
    model, src, _ = a_writer(submission, num_layer=1)

    def spent(src: Array, max_len: int) -> tuple[Received, int]:
        tokens, answer = decode(submission, model, src, BOS, NEVER, max_len, work=True)
        return tokens, answer["work"]

    (_, two), (tokens, three), (_, all_of_them) = (spent(src, n) for n in (3, 4, MAX_LEN))
    more = MAX_LEN - 4
    early, later = three - two, (all_of_them - three) // more

    a_key = 2 * ROWS * DIM_VECTOR  # Its part in a score, and in the mixed values.
    if later - early > a_key * (more + 1):  # Twice what the keys written since take, on average.
        cost = f"The third new token takes {early} multiplications, one after it {later}."
        why = "What was computed for earlier tokens is computed again."
        raise Fail("rule", tokens.say(f"{cost}\n{why}"))
    brief = src[:, : SRC_LEN // 2]
    less = spent(brief, 4)[1] - spent(brief, 3)[1]
    if early - less > 2 * a_key * (SRC_LEN - SRC_LEN // 2):
        cost = f"A new token takes {early} multiplications, {less} if the source is half as long."
        why = "Keys and values of the source are the same for every token."
        raise Fail("rule", tokens.say(f"{cost}\n{why}"))
    in_a_layer = 6 * DIM_VECTOR**2 + 2 * DIM_VECTOR * DIM_HIDDEN
    needed = ROWS * (in_a_layer + DIM_VECTOR * TRG_VOCAB) + a_key * (3 + SRC_LEN)
    if early > AMPLE * needed:
        cost = f"A new token takes {early} multiplications; {needed} are enough."
        raise Fail("rule", tokens.say(f"{cost}\nWhat is computed for other tokens is in it."))
