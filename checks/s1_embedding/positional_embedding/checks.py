"""Checks for s1_embedding/positional_embedding.py."""

from checks.engine.language import (
    Array,
    Fail,
    Made,
    Submission,
    check,
    expect,
    expect_manners,
    expect_that,
)
from checks.truth import paper


@check
def the_table_holds_the_waves_of_the_paper(submission: Submission) -> None:
    """Row 0 is position 0. Even columns are sines, odd ones cosines, each pair slower than the one
    before.
    """
    for max_len, seq_length in ((11, 8), (2100, 2100)):  # High positions show a base of 9999.
        layer = submission.build("PositionalEmbedding", dim_vector=6, max_len=max_len)

        rows = layer(submission.tokens(13, 3, seq_length))

        expect(rows, paper.positional_embedding(seq_length, dim_vector=6))


@check
def other_widths_work_too(submission: Submission) -> None:
    """The width may be odd (the last sine has no cosine), and it may be larger than max_len."""
    for dim_vector in (5, 1, 2, 16, 600):
        layer = submission.build("PositionalEmbedding", dim_vector=dim_vector, max_len=9)

        rows = layer(submission.tokens(13, 2, 9))

        expect(rows, paper.positional_embedding(max_len=9, dim_vector=dim_vector))


@check
def each_sentence_gets_the_first_rows(submission: Submission) -> None:
    """The result has one row for each position, independent of the tokens and the batch size."""
    layer = submission.build("PositionalEmbedding", dim_vector=6, max_len=11)
    for batch_size, seq_length in ((5, 3), (2, 8), (1, 11), (4, 1), (3, 1), (300, 2)):
        layer.train(batch_size in (2, 4))
        rows = layer(submission.tokens(13, batch_size, seq_length))

        expect(rows, paper.positional_embedding(seq_length, dim_vector=6))


@check
def too_long_a_sentence_is_refused(submission: Submission) -> None:
    """A sentence longer than max_len raises a ValueError that names both lengths."""
    layer = submission.build("PositionalEmbedding", dim_vector=6, max_len=11)

    for train in (False, True):
        layer.train(train)
        for batch_size, seq_length in ((2, 13), (1, 12)):
            with submission.raises(ValueError, seq_length, 11):
                layer(submission.tokens(5, batch_size, seq_length))


@check
def the_table_is_a_buffer(submission: Submission) -> None:
    """The table is a buffer: it never learns, and it follows the module to another dtype."""
    layer = submission.build("PositionalEmbedding", dim_vector=6, max_len=11, dtype="float64")
    truth = paper.positional_embedding(max_len=11, dim_vector=6)
    expect_that(_expect_nothing_learned, layer.report)

    rows = layer(submission.tokens(13, 2, 11))

    expect_that(_expect_buffer, layer.report, truth)
    expect(rows, truth)


def _expect_nothing_learned(made: Made) -> None:
    for name in made.parameters:
        says = f"{name} is a Parameter. register_buffer keeps what is not learned."
        raise Fail("params", says, shows="table-learns")


def _expect_buffer(made: Made, truth: Array) -> None:
    shapes = [buffer.shape for buffer in made.buffers.values()]
    if not any((1,) * (len(s) - truth.ndim) + truth.shape == s for s in shapes):  # (1, 11, 6), too.
        raise Fail("params", f"{made.made} has no buffer of shape {truth.shape}; looked for `pe`.")
    if "pe" in made.buffers and made.buffers["pe"].shape == truth.shape:
        expect(made.buffers["pe"], truth, dtype="float64")


@check
def it_has_manners(submission: Submission) -> None:
    """Two calls give the same result; the input is not changed; it works on any device."""
    layer = submission.build("PositionalEmbedding", dim_vector=6, max_len=11)
    expect_manners(layer, submission.tokens(13, 3, 4))
