"""Checks for s5_transformer/masks.py."""

from checks import paper
from checks.machine.language import Array, Function, Submission, check, expect, expect_manners

HINTS = [
    "Take the target 5, 0, 7 with padding 0. Write down, as a square of zeros and ones, who may "
    "look at whom.",
    "Padding is hidden as something to look at: on the axis of the keys, the last one.",
    "(batch_size, 1, 1, len) and (len, len) broadcast to (batch_size, 1, len, len); a key must "
    "pass both conditions.",
    "return real & ____",
]


def source_mask(submission: Submission) -> Function:
    return submission.function("get_src_mask", lambda weights, *args: paper.src_mask(*args))


def target_mask(submission: Submission) -> Function:
    return submission.function("get_trg_mask", lambda weights, *args: paper.trg_mask(*args))


def sentences(submission: Submission, pad: int, batch_size: int = 3, length: int = 5) -> Array:
    """Random tokens with padding at the end of one, inside another, and none in the rest."""
    tokens = submission.tokens(9, batch_size, length)
    tokens[tokens == pad] = 7 if pad != 7 else 6
    tokens[0, length - 2 :] = pad
    tokens[1, length // 2] = pad
    return tokens


@check
def source_padding_is_hidden(submission: Submission) -> None:
    """The source mask is False at padding, True elsewhere, on the axis of the keys."""
    for pad in (0, 3):
        src = sentences(submission, pad)
        src[2, 0] = pad

        mask = source_mask(submission)(src, pad)

        expect(mask, paper.src_mask(src, pad), dtype="bool")


@check
def the_future_is_hidden(submission: Submission) -> None:
    """Without padding the target mask is the lower triangle, its diagonal included."""
    for length in (5, 1, 4):
        trg = submission.tokens(9, 3, length, low=1)

        mask = target_mask(submission)(trg, 0)

        expect(mask, paper.trg_mask(trg, 0), dtype="bool")


@check
def target_padding_is_hidden_too(submission: Submission) -> None:
    """The target mask also hides padding as a key, wherever it stands in the sentence."""
    for pad in (0, 3):
        trg = sentences(submission, pad)
        trg[2, 0] = pad  # Where a row shows nothing, what it holds is open.

        mask = target_mask(submission)(trg, pad)

        truth = paper.trg_mask(trg, pad)
        expect(mask, truth, dtype="bool", only=truth.any(-1))


@check
def masks_fit_every_size(submission: Submission) -> None:
    """One sentence, one token, as many sentences as tokens: the masks keep their four axes."""
    for batch_size, length in ((1, 4), (4, 4), (2, 1)):
        tokens = submission.tokens(9, batch_size, length)
        tokens[:, 0] = 5

        src_mask = source_mask(submission)(tokens, 2)
        trg_mask = target_mask(submission)(tokens, 2)

        expect(src_mask, paper.src_mask(tokens, 2), dtype="bool")
        expect(trg_mask, paper.trg_mask(tokens, 2), dtype="bool")


@check
def masks_have_manners(submission: Submission) -> None:
    """Asked twice they say the same; they leave their input alone and are made on its device."""
    tokens = sentences(submission, 3)
    expect_manners(source_mask(submission), tokens, 3)
    expect_manners(target_mask(submission), tokens, 3)
