"""Mistakes of structure: a check that fails in this way has seen the mistake itself.

They are named where no known mistake of the step is, by `Fail(..., shows=name)`.
"""

from __future__ import annotations

from checks.machine.verdicts import CheckResult, Named

PROPERTIES = {
    "argument-changed": "One of the tensors handed over is overwritten, and so spoilt for whoever "
    "uses it later.",
    "random-in-evaluation": "In evaluation mode two equal calls give different numbers: something "
    "is still drawn at random, by a dropout that ignores the mode or by a layer made anew.",
    "not-random-in-training": "In training two equal calls give the same numbers: nothing is "
    "dropped, or always the same.",
    "random-in-training": "Something random, such as a dropout, acts in training. In this step "
    "nothing is to be dropped.",
    "fixed-device": "A tensor stays on one fixed device, so the code breaks wherever else its "
    "input is.",
    "nothing-returned": "Nothing is handed back: a function that ends without a return gives None.",
    "tensor-for-number": "A tensor is handed back where a plain number was asked for. It holds on "
    "to everything that it was computed from.",
    "no-gradient": "No gradient reaches one of the inputs or weights: it is cut off, told not to "
    "learn, or has no part in the answer. So nothing can be learned there.",
    "plain-tensor": "A tensor hangs on the module without being registered, so PyTorch does not "
    "train it, save it or move it.",
    "extra-parameters": "There are parameters that this step does not need: a layer or a bias "
    "too many, a number that should not be learned, or one that is made and never used.",
    "missing-parameters": "Parameters that this step needs are not there: a layer is missing, has "
    "no bias, is used in two places, or is not kept on the module.",
    "plain-list": "Layers are kept in a plain list or dictionary. PyTorch does not look into it, "
    "so they are never trained, saved or moved.",
    "one-object-twice": "One and the same layer stands in several places, where each needs its "
    "own: they can never differ.",
    "not-refused": "What should be refused is accepted, and the fault shows only much later, or "
    "never.",
    "refused-otherwise": "What should be refused with a ValueError ends in an error of another "
    "type: whoever is prepared for a ValueError does not catch it.",
    "error-without-numbers": "The error does not name the numbers that do not fit, so its reader "
    "has to search for them.",
    "weights-not-detached": "The kept weights still hang on the gradient, which holds everything "
    "behind them in memory.",
    "table-learns": "The table is a Parameter, so training would change what a formula has fixed.",
    "leak-of-the-future": "A leak of the future: in training the decoder sees the very word that "
    "it is to predict, and learns to copy it. When it translates there is no future to copy.",
}


def name_properties(results: list[CheckResult]) -> None:
    """Name the mistake of structure that the first failing check has seen, if it has; or a later
    one has, where the first only saw a consequence (numbers were right, gradients were not).
    """
    failing = [result for result in results if result.verdict != "pass"]
    if failing[0].shows is None and failing[0].kind not in ("gradient", "mode"):
        return
    for result in failing:
        if result.shows is not None:
            result.mistake = Named(result.shows, PROPERTIES[result.shows])
            return
