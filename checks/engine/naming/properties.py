"""Mistakes of structure: a check that fails in this way has seen the mistake itself.

They are named if no known mistake of the step is, by `Fail(..., shows=name)`.
"""

from __future__ import annotations

from checks import course
from checks.engine.verdicts import CheckResult, Named

PROPERTIES = {
    **course.PROPERTIES,
    "argument-changed": "You change a tensor or a list of the caller. Code that uses it later gets "
    "wrong values. Make a new one: x = x + y, not x += y.",
    "random-in-evaluation": "In eval mode two equal calls give different numbers. Something "
    "is still random, such as a dropout that ignores the mode or a layer made in each call.",
    "not-random-in-training": "In train mode two equal calls give the same numbers. Nothing is "
    "dropped, or always the same entries.",
    "random-in-training": "Something random, such as a dropout, acts in train mode. This step "
    "should drop nothing.",
    "other-in-training": "In train mode it computes something else than in eval mode. This "
    "step does the same in both.",
    "fixed-device": "A tensor is not on the device of the input: its device is fixed, or it was "
    "kept from an earlier call. On any other device the code stops with an error.",
    "nothing-returned": "Nothing is returned: a function without a return gives None.",
    "tensor-for-number": "You return a tensor instead of a plain number. Everything that it was "
    "computed from then stays in memory.",
    "no-gradient": "No gradient reaches one of the inputs or weights, so it cannot learn. It is "
    "detached, is set not to learn, or has no effect on the result.",
    "sparse-gradient": "The gradient of a table is sparse. Adam and the clipping of gradients stop "
    "at a sparse gradient with an error.",
    "plain-tensor": "A tensor is kept on the module without being registered, so PyTorch does not "
    "train it, save it or move it.",
    "extra-parameters": "There are parameters that this step does not need: an extra layer or "
    "bias, a value that should not learn, or an unused layer.",
    "missing-parameters": "Parameters that this step needs are missing. A layer is missing, has "
    "no bias, is used in two places, or is not kept on the module.",
    "plain-list": "Layers are kept in a plain list or dictionary. PyTorch does not find them "
    "there, so they are never trained, saved or moved.",
    "one-object-twice": "The same layer is used in several places. Each place needs its own "
    "layer, or they can never differ.",
    "recording-switched": "The recording of gradients is switched for the whole program. So code "
    "after this call may not learn any more.",
    "program-switched": "Something is changed for the whole program: a setting of PyTorch, or a "
    "class. So code that has nothing to do with this step computes otherwise.",
    "not-a-new-one": "What is returned is not new: somebody else has the same object. A change of "
    "one is then a change of the other.",
    "not-refused": "A wrong argument is accepted instead of refused. The mistake then shows much "
    "later, or never.",
    "refused-otherwise": "A wrong argument ends in an error of another type instead of a "
    "ValueError. Code that catches a ValueError does not catch it.",
    "ready-made": "A ready-made function of PyTorch does the work of this step. Write the formula "
    "out yourself.",
    "error-without-numbers": "The error does not name the numbers that do not fit. Its reader has "
    "to search for them.",
    "shared-weights": "Two modules share their weights. Each needs its own, or they can never "
    "differ.",
    # A place: locating/places.py proves it, and makes the sentence.
    "one-place": "{0}",
    # Slips of Python and PyTorch: slips.py proves them, and fills in the names.
    "number-called": "{0} is the plain value that was passed in, not a layer, so it cannot be "
    "called.",
    "no-self": "{0} is only a local name in __init__: without self. it is gone when __init__ ends.",
    "self-forgotten": "{0} belongs to the object: a method reaches it only through self.",
    "self-not-a-parameter": "{0} does not have self as its first parameter. Python passes the "
    "object first, so every argument moves one place too far.",
    "self-twice": "{0} gets self a second time: the dot already passes it.",
    "super-init-late": "super().__init__() has not run yet. Until then an nn.Module cannot keep "
    "layers or parameters. Make it the first line of __init__.",
    "class-not-called": "{0} is the class {1} itself: without parentheses no layer is made.",
    "layer-made-not-applied": "{0} gets the tensor while the layer is being made. First make the "
    "layer with its options, then apply it to the tensor.",
    "layer-not-called": "{0} is a layer. Call it: {0}(…).",
    "layer-returned": "You return the layer {0}. Call it: {0}(…).",
    "layer-only-made": "{0} only makes a layer. Apply it to a tensor: {0}(…).",
    "layer-made-again": "{0} is already a layer. Call it: {0}(…), without {1}.",
    "layer-for-weight": "{0} is a layer, not a tensor. Call it, or take {0}.weight.",
    "class-for-object": "{0}(…) makes a new layer. Call the one that __init__ made: {1}.",
    "square-brackets": "{0} is called with round brackets, not with square ones.",
    "tensor-called": "{0} is a tensor, so it cannot be called. Square brackets take entries from "
    "it.",
    "pair-used": "{0} gives values and indices. Take .values or .indices.",
    "text-for-number": "{0} is a text, not a number. Write float({0}).",
    "generator-kept": "{0} is a generator: PyTorch sees no layers in it, and it is empty after "
    "the first run.",
    "comma-makes-tuple": "{0} is a tuple: there is a comma at the end of line {1}. Remove it.",
    "layer-subscripted": "{0} is a layer. It is called with round brackets, not with square ones.",
    "weight-untransposed": "{0} is stored as (out, in), so the shapes do not fit. Call the layer, "
    "{1}(x), or multiply by {0}.T.",
    "layer-unused": "You make {0}, but no line uses {1}.",
    "argument-unread": "No line of {1} uses {0}.",
    "tuple-kept": "{0} returns a tuple, and line {2} puts all of it into {1}. Take it apart there.",
    "super-not-called": "super has no brackets here: the line is super().__init__().",
    "super-arguments": "super().__init__ takes no arguments here: the line is super().__init__().",
    "parameter-of-number": "nn.Parameter takes a tensor, but {0} is {1}. Make a tensor of the "
    "right shape first.",
    "list-called": "{0} is a list of layers. A list cannot be called, only the layers in it can.",
    "keyword-misspelt": "{0} has no argument {1}. Did you mean {2}?",
    "method-overwritten": "{0} is a method, but you set it with =. Call it: {0}(…).",
    "misspelt": "There is no {0} there. Did you mean {1}?",
    "definition-misspelt": "You define {0}. Did you mean {1}?",
    "method-inside": "{0} is defined inside {1}, so the class does not have it. Move it four "
    "blanks to the left.",
    "module-called": "{0} is a module of PyTorch, not a class. Did you mean {1}?",
    "method-outside": "{0} is defined outside the class {1}. Move it four blanks to the right.",
    "not-imported": "{0} is used, but not imported. Write at the top: {1}",
    "only-described": "{0} is named in the docstring, but no variable here has this name. Give it "
    "a value first.",
    "never-kept": "self.{0} is read, but __init__ never sets it. Keep the argument there: "
    "self.{0} = {0}.",
    "returned-error": "{0} is returned, but not raised. Write raise instead of return.",
    "f-missing": "The text in line {0} has {1} in braces, but no f in front of it.",
    "not-raised": "{0} is made, but not raised. Write raise in front of it.",
    "no-return": "{0} has no return, so it gives None.",
    "return-inside-if": "The return in line {0} stands inside the if of line {1}. If its condition "
    "is false, nothing is returned.",
    "set-inside-if": "{0} gets its first value inside the if of line {1}. Here it has none.",
    "append-kept": "{0} changes the list and gives None. Write the line without {1} =.",
    "none-used": "{0} may be None, and here it is. Use it only where it is not None, "
    "or pass it on as it is.",
    "and-or-not": "Python's and, or and not take a whole tensor as one truth value. Use the "
    "operators that work element by element.",
    "if-tensor": "The condition is a whole tensor, but it should be one True or False. Compute "
    "with the whole tensor, or use .any() or .all().",
    "python-max": "Python's own {0} compares whole tensors. You need one answer for each element.",
    "method-not-called": "{0} is a method: without parentheses it is not called.",
    "value-called": "{0} is a value, not a method: read it without parentheses.",
    "power-sign": "The sign ^ is not a power in Python: it combines the bits of whole numbers. "
    "A power is written **.",
    "math-of-tensor": "{0} takes one plain number, but here it gets a whole tensor. For a tensor "
    "use {1}.",
    "torch-of-number": "{0} takes a tensor, but here it gets a plain number. For a number use {1}.",
    "float-for-int": "{0} gives a float, as / always does. Where a whole number is needed, use //.",
    "dim-missing": "{0} works along an axis, but the call does not say which. Pass {1}.",
    "two-vectors": "{0} has {1} entries and {2} has {3}, so they do not fit. If each should meet "
    "each, make the one that counts the rows a column: [:, None].",
    "tuple-used": "{0} is {1}, but a single value is needed. Take it apart first.",
    "other-arguments": "Your file has {0}. It is called as {1}, as the skeleton says.",
    "call-does-not-fit": "The arguments of the call do not fit: it is {0}.",
    "wrong-place": "{0} is passed in the place of {1}.",
    "leaf-changed": "A tensor that should learn is overwritten in place. PyTorch does not allow "
    "that, because its gradient would be lost.",
}


def in_words(name: str, *words: str) -> Named:
    """A mistake of structure or a slip, with the words for the gaps in its sentence."""
    return Named(name, PROPERTIES[name].format(*words))


def name_properties(results: list[CheckResult]) -> bool:
    """Name the mistake of structure that the first failing check has seen.

    If that check only saw a consequence (wrong gradients but right numbers), a later one counts
    too. A changed argument explains all failures: other checks may have had the same tensor twice.
    """
    failing = [result for result in results if result.verdict != "pass"]
    seen = [result for result in failing if result.shows is not None]
    changed = [result for result in seen if result.shows == "argument-changed"]
    if not changed and failing[0].shows is None and failing[0].kind not in ("gradient", "mode"):
        return False
    for result in (changed or seen)[:1]:
        result.mistake = in_words(str(result.shows))
    return bool(seen)
