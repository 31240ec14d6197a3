"""Checks for s5_transformer/cached_decoding.py."""

from typing import Any

from checks.machine.language import (
    Array,
    Fail,
    Received,
    Submission,
    check,
    expect,
    expect_device,
    expect_form,
    expect_mode,
    state,
)
from checks.writer import (
    BOS,
    DIM_HIDDEN,
    DIM_VECTOR,
    EOS,
    MAX_LEN,
    NEVER,
    ROWS,
    SRC_LEN,
    TRG_VOCAB,
    a_writer,
    ended,
    taught,
)

HINTS = [
    "Of all that greedy_decode computes for a new token, what did it compute for the one before?",
    "A token that is written never changes, and it sees nothing later: nor do its keys and values.",
    "The newest token asks, and all that are written answer. Which of them need a query?",
    "Where does the newest token stand, and which row of the target mask is its own?",
    "written = torch.cat([written[0], keys], dim=____), torch.cat([written[1], values], dim=____)",
]
AMPLE = 3  # Times the multiplications that are needed: room for keys may be laid out in advance.


def decode(submission: Submission, *args: Any, **options: Any) -> tuple[Received, Any]:
    return submission.function("cached_decode", no_truth).called(*args, **options)


def no_truth(*args: Any) -> None:
    """What it returns is compared by the checks themselves."""


@check
def the_tokens_are_those_of_greedy_decode(submission: Submission) -> None:
    """Token by token it writes what greedy_decode writes, up to max_len tokens with bos_idx,
    however short the source is.
    """
    model, src, trg = a_writer(submission, num_layer=3)
    for max_len in (MAX_LEN, 2, 1):
        tokens, _ = decode(submission, model, src, BOS, NEVER, max_len)

        expect(tokens, trg[:, :max_len], dtype="int64")

    model, src, trg = taught(submission, model, 3, given=src[:, 1:4])

    tokens, _ = decode(submission, model, src, BOS, NEVER, MAX_LEN)

    expect(tokens, trg, dtype="int64")


@check
def each_row_ends_with_its_eos(submission: Submission) -> None:
    """After its eos_idx a row holds padding only; when all rows have ended, it stops."""
    model, src, trg = a_writer(submission)
    first = int(trg[1, 1])  # A word that row 1 begins with ends it at once, if it is the end.
    for rows, eos in ((slice(None), EOS), (slice(2, 3), EOS), (slice(None), first)):
        tokens, _ = decode(submission, model, src[rows], BOS, eos, MAX_LEN)

        expect(tokens, ended(trg[rows], eos), dtype="int64")


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
    """A model in train mode decodes as in eval mode, and is in train mode afterwards; it answers
    as before.
    """
    model, src, trg = a_writer(submission, num_layer=1, dropout=0.5)
    for trains in (True, False):
        model.train(trains)

        tokens, answer = decode(submission, model, src, BOS, EOS, MAX_LEN)

        expect(tokens, ended(trg), dtype="int64")
        if answer["changed"]:
            raise Fail("mutation", tokens.say("The source was changed in place."))
        expect_mode(tokens, state(submission, model), trains)

    logits = model(src, trg[:, :-1])
    expect_form(logits, (ROWS, MAX_LEN - 1, TRG_VOCAB))
    assert logits.array is not None
    if (logits.array.argmax(-1) != trg[:, 1:]).any():
        raise Fail("values", logits.say("After the call the model itself answers otherwise."))


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
        cost = f"The third new token takes {early} multiplications, those after it {later} each."
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
