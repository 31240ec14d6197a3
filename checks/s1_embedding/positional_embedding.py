"""Checks for s1_embedding/positional_embedding.py."""

from checks import paper
from checks.machine.language import Fail, Submission, check, expect, expect_manners, raises

HINTS = [
    "What should row 0 be? sin(0) and cos(0), six columns: write it down before you run anything.",
    "Columns 2i and 2i + 1 share one wavelength, 10000^(2i / dim_vector): for six columns, three.",
    "A (max_len, 1) column divided by a row of wavelengths is the whole table of angles.",
    "With five columns there are three sines and two cosines. The last sine stays alone.",
    "wavelength = 10000.0 ** (torch.arange(0, ____, 2) / dim_vector)",
]


@check
def the_table_holds_the_waves_of_the_paper(submission: Submission) -> None:
    """Even columns are sines and odd columns cosines, each pair slower than the last."""
    for max_len, seq_length in ((11, 8), (300, 300)):  # Far out, a base of 9999 shows as well.
        layer = submission.build("PositionalEmbedding", dim_vector=6, max_len=max_len)

        rows = layer(submission.tokens(13, 3, seq_length))

        expect(rows, paper.positional_embedding(seq_length, dim_vector=6))


@check
def other_widths_work_too(submission: Submission) -> None:
    """The width may be odd (the last sine has no cosine), or larger than the table is long."""
    for dim_vector in (5, 1, 2, 16):
        layer = submission.build("PositionalEmbedding", dim_vector=dim_vector, max_len=9)

        rows = layer(submission.tokens(13, 2, 9))

        expect(rows, paper.positional_embedding(max_len=9, dim_vector=dim_vector))


@check
def each_sentence_gets_the_first_rows(submission: Submission) -> None:
    """The answer has one row for each position of the sentence, whatever tokens and batch."""
    layer = submission.build("PositionalEmbedding", dim_vector=6, max_len=11)
    for batch_size, seq_length in ((5, 3), (1, 11), (4, 1)):
        rows = layer(submission.tokens(13, batch_size, seq_length))

        expect(rows, paper.positional_embedding(seq_length, dim_vector=6))


@check
def too_long_a_sentence_is_refused(submission: Submission) -> None:
    """A sentence longer than max_len raises a ValueError that names both lengths."""
    layer = submission.build("PositionalEmbedding", dim_vector=6, max_len=11)

    for seq_length in (13, 12):
        with raises(ValueError, seq_length, 11):
            layer(submission.tokens(5, 2, seq_length))


@check
def the_table_is_a_buffer(submission: Submission) -> None:
    """The table never learns, and follows the module to another dtype: it is a buffer."""
    layer = submission.build("PositionalEmbedding", dim_vector=6, max_len=11, dtype="float64")
    truth = paper.positional_embedding(max_len=11, dim_vector=6)
    if layer.parameters:
        name = next(iter(layer.parameters))
        raise Fail(
            "params", f"{name} is a Parameter, so training would change it.", shows="table-learns"
        )

    rows = layer(submission.tokens(13, 2, 11))

    if not any(buffer.shape == truth.shape for buffer in layer.buffers.values()):
        raise Fail("params", f"{layer.made} has no buffer of shape {truth.shape}; looked for `pe`.")
    if "pe" in layer.buffers:
        expect(layer.buffers["pe"], truth, dtype="float64")
    expect(rows, truth)


@check
def it_is_made_in_the_default_dtype(submission: Submission) -> None:
    """Where torch's default dtype is float64, so is the table."""
    layer = submission.build(
        "PositionalEmbedding", dim_vector=6, max_len=11, default_dtype="float64"
    )

    rows = layer(submission.tokens(13, 2, 7))

    expect(rows, paper.positional_embedding(max_len=7, dim_vector=6), dtype="float64")


@check
def it_has_manners(submission: Submission) -> None:
    """Asked twice it says the same; it leaves its input alone and works on any device."""
    layer = submission.build("PositionalEmbedding", dim_vector=6, max_len=11)
    expect_manners(layer, submission.tokens(13, 3, 4))
