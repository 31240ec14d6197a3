"""Checks for load_weights and text_loss, in s6_today/speak.py."""

from __future__ import annotations

from checks.engine.language import Submission, check
from checks.scenes.held_weights import (
    TOY,
    a_file,
    a_model,
    expect_loaded,
    expect_loss,
    load,
    misfits,
)
from checks.scenes.stand_ins import Speaker, Weights


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
def the_file_stays_as_it_was(submission: Submission) -> None:
    """The dictionary of the caller keeps all its tensors: a second model can be loaded from it."""
    file, by_role = a_file(submission)
    weights = Weights(submission, file)
    load(submission, a_model(submission), weights)
    second = a_model(submission)

    load(submission, second, weights)

    expect_loaded(submission, second, by_role, 2)


@check
def what_does_not_fit_is_refused(submission: Submission) -> None:
    """A tensor that is missing, left over or of another shape is refused by name, with a
    ValueError. Nothing is loaded then.
    """
    model = a_model(submission)
    file, by_role = a_file(submission)
    load(submission, model, Weights(submission, file))
    other, _ = a_file(submission)
    for given, named in misfits(other):
        with submission.raises(ValueError, named):
            load(submission, model, Weights(submission, given))

        expect_loaded(submission, model, by_role, 2, "after a load that was refused")


# The loss of a text


@check
def the_loss_is_that_of_the_next_tokens(submission: Submission) -> None:
    """Each token but the first counts with -ln of the probability that it has after all before."""
    for shape in ((1, 5), (3, 7), (2, 2), (300, 2), (1, 450)):
        expect_loss(submission, Speaker(submission, TOY), submission.tokens(TOY, *shape))


@check
def each_text_has_its_own_loss(submission: Submission) -> None:
    """No loss is kept from another text, and no token changes, inside torch.no_grad() too."""
    model = Speaker(submission, TOY)
    for _ in range(2):
        expect_loss(submission, model, submission.tokens(TOY, 3, 7), records=False)


@check
def the_loss_is_computed_in_float32(submission: Submission) -> None:
    """The loss of a model in bfloat16 comes in float32, with all its digits."""
    model = Speaker(submission, TOY, rounded=True)
    expect_loss(submission, model, submission.tokens(TOY, 2, 40))


@check
def unlikely_tokens_have_a_loss_too(submission: Submission) -> None:
    """A token whose probability is far below 1e-38 has a large loss, not an infinite one."""
    model = Speaker(submission, TOY, gap=200.0)
    expect_loss(submission, model, submission.tokens(TOY, 2, 10))
