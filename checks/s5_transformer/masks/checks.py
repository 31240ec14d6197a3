"""Checks for s5_transformer/masks.py."""

import numpy as np

from checks.engine.language import (
    Array,
    Crossed,
    Function,
    Submission,
    check,
    expect,
    expect_manners,
)
from checks.truth import models


def source_mask(submission: Submission) -> Function:
    return submission.function("get_src_mask", lambda weights, *args: models.src_mask(*args))


def target_mask(submission: Submission) -> Function:
    return submission.function("get_trg_mask", lambda weights, *args: models.trg_mask(*args))


def sentences(submission: Submission, pad: int, batch_size: int = 3, length: int = 5) -> Array:
    """Random tokens with padding at the end of one, inside another, and none in the rest."""
    tokens = submission.tokens(9, batch_size, length)
    tokens[tokens == pad] = 7 if pad != 7 else 6
    tokens[0, length - 2 :] = pad
    tokens[1, length // 2] = pad
    return tokens


@check
def source_padding_is_hidden(submission: Submission) -> None:
    """The source mask is False at padding and True elsewhere, on the axis of the keys."""
    for pad in (0, 3):
        src = sentences(submission, pad)
        src[2, 0] = pad

        mask = source_mask(submission)(src, pad)

        expect(mask, models.src_mask(src, pad), dtype="bool")


@check
def the_future_is_hidden(submission: Submission) -> None:
    """Without padding, the target mask is the lower triangle, diagonal included."""
    for length in (5, 1, 4):
        trg = submission.tokens(9, 3, length, low=1)

        mask = target_mask(submission)(trg, 0)

        expect(mask, models.trg_mask(trg, 0), dtype="bool")


@check
def target_padding_is_hidden_too(submission: Submission) -> None:
    """The target mask also masks padding as a key, wherever it stands in the sentence."""
    for pad in (0, 3):
        trg = sentences(submission, pad)
        trg[2, 0] = pad  # A row without visible keys has open values.

        mask = target_mask(submission)(trg, pad)

        truth = models.trg_mask(trg, pad)
        expect(mask, truth, dtype="bool", only=truth.any(-1))


@check
def masks_fit_every_size(submission: Submission) -> None:
    """The masks keep their four axes for one sentence, for one token, and for equal sizes."""
    for batch_size, length in ((1, 4), (4, 4), (2, 1)):
        tokens = submission.tokens(9, batch_size, length)
        tokens[:, 0] = 5

        src_mask = source_mask(submission)(tokens, 2)
        trg_mask = target_mask(submission)(tokens, 2)

        expect(src_mask, models.src_mask(tokens, 2), dtype="bool")
        expect(trg_mask, models.trg_mask(tokens, 2), dtype="bool")
    padding = np.array([[5], [2]])  # Sentence 1 has one token, which is padding.
    expect(source_mask(submission)(padding, 2), models.src_mask(padding, 2), dtype="bool")
    expect(target_mask(submission)(padding, 2), models.trg_mask(padding, 2), dtype="bool")


@check
def tokens_may_be_a_view(submission: Submission) -> None:
    """The tokens need not be contiguous: step 5.3 leaves out the last token of each target."""
    tokens = sentences(submission, 3).view(Crossed)

    src_mask = source_mask(submission)(tokens, 3)
    trg_mask = target_mask(submission)(tokens, 3)

    expect(src_mask, models.src_mask(np.asarray(tokens), 3), dtype="bool")
    expect(trg_mask, models.trg_mask(np.asarray(tokens), 3), dtype="bool")


@check
def large_sizes_work_too(submission: Submission) -> None:
    """The masks work for hundreds of tokens, of sentences and of words."""
    for batch_size, length, pad in ((1, 520, 300), (300, 2, 44), (1, 130, 2)):
        tokens = submission.tokens(900, batch_size, length)
        tokens[tokens == pad] = pad + 256  # The same in 8 bits, but not padding.
        tokens[:, 1:] = np.where(submission.mask(batch_size, length)[:, 1:], tokens[:, 1:], pad)

        src_mask = source_mask(submission)(tokens, pad)
        trg_mask = target_mask(submission)(tokens, pad)

        expect(src_mask, models.src_mask(tokens, pad), dtype="bool")
        expect(trg_mask, models.trg_mask(tokens, pad), dtype="bool")

    pad = 40_001  # In a vocabulary of many languages: each digit of an id counts.
    tokens = np.array([[pad - 1, pad + 1, pad, pad + 256, pad + 65_536, pad]])
    expect(source_mask(submission)(tokens, pad), models.src_mask(tokens, pad), dtype="bool")
    expect(target_mask(submission)(tokens, pad), models.trg_mask(tokens, pad), dtype="bool")


@check
def masks_have_manners(submission: Submission) -> None:
    """Two calls give the same mask; the tokens are not changed; the mask is on their device."""
    tokens = sentences(submission, 3)
    expect_manners(source_mask(submission), tokens, 3)
    expect_manners(target_mask(submission), tokens, 3)
