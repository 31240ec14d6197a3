"""Checks for greedy_decode, in s5_transformer/decoding.py."""

from collections.abc import Callable

from checks.engine.language import (
    Function,
    Submission,
    check,
    expect,
)
from checks.scenes import writer
from checks.scenes.searches import (
    BOS,
    EOS,
    MARKED,
    end,
    expect_tokens,
    greedily,
    lengths,
    scripted,
)
from checks.scenes.writer import a_writer, ended

LONG, MANY_ROWS, MANY = 520, 300, 130  # Tokens, sentences, and hypotheses of one sentence.
MANY_WORDS = 1_100  # In Python 3.15, each whole number up to 1,024 is one object.


def greedy_decode(submission: Submission) -> Function:
    return submission.function("greedy_decode")


@check
def the_best_next_token_is_written(submission: Submission) -> None:
    """Greedy decoding begins with bos and always appends the token with the highest score."""
    model, src, rows = scripted(submission, greedily(6), lambda r: lengths(r) == {6}, ending=-9)

    tokens = greedy_decode(submission)(model, src, BOS, EOS, 6)

    expect_tokens(tokens, rows)


@check
def rows_end_by_themselves(submission: Submission) -> None:
    """A row ends with eos; after it there is only padding, while the other rows go on."""
    for batch_size in (4, 1):
        model, src, rows = scripted(
            submission,
            greedily(12),
            lambda rows: all(end(rows)) and len(lengths(rows)) >= min(3, len(rows)),
            batch_size,
        )

        tokens = greedy_decode(submission)(model, src, BOS, EOS, 12)

        expect_tokens(tokens, rows)


@check
def max_len_is_the_most(submission: Submission) -> None:
    """There are at most max_len tokens, bos included, whether the rows have ended or not."""
    for max_len in (1, 2, 5):
        model, src, rows = scripted(
            submission, greedily(max_len), lambda rows: any(end(rows)) or len(rows[0]) == 1
        )

        tokens = greedy_decode(submission)(model, src, BOS, EOS, max_len)

        expect_tokens(tokens, rows)


@check
def it_may_end_at_once(submission: Submission) -> None:
    """If eos is the best first token, nothing else is written, even if all rows end like that."""
    wanted: tuple[Callable[[list[list[int]]], bool], ...] = (
        lambda rows: 2 in lengths(rows) and max(lengths(rows)) > 3 and all(end(rows)),
        lambda rows: lengths(rows) == {2} and all(end(rows)),
    )
    for want, ending in zip(wanted, (0.0, 9.0)):
        model, src, rows = scripted(submission, greedily(9), want, ending=ending)

        tokens = greedy_decode(submission)(model, src, BOS, EOS, 9)

        expect_tokens(tokens, rows)


@check
def long_texts_are_written(submission: Submission) -> None:
    """Decoding works for hundreds of tokens, of words and of sentences."""
    model, src, rows = scripted(
        submission, greedily(LONG), lambda rows: lengths(rows) == {LONG}, 1, ending=-90
    )

    tokens = greedy_decode(submission)(model, src, BOS, EOS, LONG)

    expect_tokens(tokens, rows)

    model, src, rows = scripted(
        submission,
        greedily(5),
        lambda rows: max(max(row) for row in rows) > 1_024,
        ending=-90,
        vocab_size=MANY_WORDS,
    )
    again = [row % len(src) for row in range(MANY_ROWS)]

    tokens = greedy_decode(submission)(model, src[again], BOS, EOS, 5)

    expect_tokens(tokens, [rows[row] for row in again])


@check
def your_transformer_writes(submission: Submission) -> None:
    """With your own Transformer, greedy decoding writes what the formula gives."""
    model, src, trg = a_writer(submission, marks=False, dropout=0.5)
    for eos, expected in ((writer.NEVER, trg), (writer.EOS, ended(trg))):
        tokens = greedy_decode(submission)(model, src, writer.BOS, eos, writer.MAX_LEN)

        expect(tokens, expected, dtype="int64")


@check
def padding_may_be_the_best_word(submission: Submission) -> None:
    """If padding or bos has the highest score, it is written like any other token, and the row goes
    on.
    """
    for wanted, settings in MARKED:
        model, src, rows = scripted(submission, greedily(7), wanted, **settings)

        tokens = greedy_decode(submission)(model, src, BOS, EOS, 7)

        expect_tokens(tokens, rows)
