"""Slips of Python and PyTorch, proven by an exception and the learner's own lines.

A finder looks at the scene of an exception and returns the words for its sentence in `PROPERTIES`,
or None. It never guesses: the type, the message and the source must prove the slip.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from checks.engine.asking.learner import Files, LearnerError
from checks.engine.files.skeleton import functions
from checks.engine.files.syntax import parsed, tree_of
from checks.engine.naming import slips_of_arguments as arguments
from checks.engine.naming import slips_of_flow as flow
from checks.engine.naming import slips_of_layers as layers
from checks.engine.naming import slips_of_names as names
from checks.engine.naming import slips_of_numbers as numbers
from checks.engine.naming import slips_of_spelling as spelling
from checks.engine.naming import slips_of_uses as uses
from checks.engine.naming import slips_of_values as values
from checks.engine.naming.properties import in_words
from checks.engine.naming.scene import (
    Found,
    Scene,
    assigned,
    class_itself,
    given_to,
    of_self,
    parameters,
    spans,
)
from checks.engine.verdicts import CheckResult, Named, Place

# Slips that are proven by the words of the error, or by these and an expression on the line.
BY_WORDS = {
    "super-not-called": r"^descriptor '__init__'.*\bsuper\.__init__",
    "super-init-late": r"before Module\.__init__\(\) call|object has no attribute '_modules'",
    "power-sign": r"operand type\(s\) for \^=?: '(int|float|Tensor)' and '(?!None)|"
    r'"bitwise_xor_\w+" not implemented.*\^',
    "leaf-changed": r"leaf Variable that requires grad.*in-place",
}
STRUCTURE = ("missing-parameters", "plain-list", "not-refused", "nothing-returned")
IN_INIT = ("super-init-late", "never-kept", "no-self")
OF_A_FUNCTION = ("definition-misspelt", "method-outside", "self-not-a-parameter")
SAID = 60  # Characters of an expression in a sentence.
NOT_FROM_INIT = "__init__() should return None, not "  # Python's words, if an error is returned.


def name_slip(files: Files, results: list[CheckResult]) -> bool:
    """Name the slip that a failing check shows, if one does."""
    for result in results:
        try:
            found = _slip(files, result)
        except SyntaxError:
            return False
        if found is not None:
            result.mistake = in_words(*found)
            tree, stopped = tree_of(files.text(files.step)), result.where and result.where.line
            if line := _line_of(tree, result.mistake, [*found[1:]], stopped or 0):
                result.where = Place(files.step, line)
            return True
    return False


def _line_of(tree: ast.Module, slip: Named, words: list[str], stopped: int) -> int | None:
    """The line that a slip is in; None if it is the one where the step stopped. `words` fill the
    slip's sentence.
    """
    if says := re.search(r"\bline (\d+)", slip.says):
        return int(says[1])
    defined = dict(functions(tree))
    if slip.name in IN_INIT:
        classes = [n for n in tree.body if isinstance(n, ast.ClassDef)]
        around = [c for c in classes if spans(c, stopped)] or classes
        inits = [defined[name] for c in around if (name := f"{c.name}.__init__") in defined]
        sets = [to.lineno for init in inits for to, _ in assigned(init) if ast.unparse(to) in words]
        return next(iter([*sets, *(init.lineno for init in inits)]), None)
    for name, function in defined.items():
        if words and name.split(".")[-1] == words[0].split(".")[-1]:
            if slip.name == "no-return":
                return function.body[-1].lineno
            if slip.name in OF_A_FUNCTION:
                return function.lineno
    return None


def name_certain(files: Files, first: CheckResult) -> bool:
    """Name what the source alone shows: a line that does nothing, or a text without its f."""
    tree = tree_of(files.text(files.step))
    found = names.not_raised(tree) if first.shows == "not-refused" else None
    found = found or names.not_called(tree) or names.f_missing(tree) or values.append_kept(tree)
    return _named(first, found)


def name_unused(files: Files, results: list[CheckResult]) -> bool:
    """Name layers that are made and never used, or an argument that no line uses, if a check fails
    with wrong numbers.
    """
    wrong = (r for r in results if r.verdict == "fail" and r.kind in ("values", "gradient"))
    tree = tree_of(files.text(files.step))
    found: Found = None
    if unused := layers.unused(tree):
        found = "layer-unused", ", ".join(unused), "it" if len(unused) == 1 else "them"
    elif unread := arguments.unread(tree):
        found = "argument-unread", *unread[0]
    return _named(next(wrong, None), found)


def name_ready_made(results: list[CheckResult]) -> bool:
    """Name a ready-made function that is not allowed: it explains other failures."""
    ready = (result for result in results if result.shows == "ready-made")
    return _named(next(ready, None), ("ready-made",))


def _named(result: CheckResult | None, found: Found) -> bool:
    """Name what was found as the mistake of this result. False: one of them is missing."""
    if result is None or found is None:
        return False
    result.mistake = in_words(*found)
    return True


def _slip(files: Files, result: CheckResult) -> Found:
    if result.shows in STRUCTURE:
        return _of_structure(files, result)
    if result.verdict == "fail" and result.kind == "values":
        return flow.of_another_kind(parsed(files.text(files.step)), result.message)
    error: BaseException | None = result.stopped
    if error is not None and result.shows == "refused-otherwise":
        error = error.__cause__  # The error that came instead of the expected one.
    if not isinstance(error, LearnerError) or error.verdict != "error":
        return None
    if NOT_FROM_INIT in error.text:
        return names.not_raised(parsed(files.text(files.step)))
    if (found := arguments.of_definition(error, files)) is not None or not error.calls:
        return found
    if (found := uses.class_for_object(error, files)) is not None:
        return found
    scene = Scene(error, files, error.calls[-1][0])
    finders = (_handed_on, *(FINDERS if scene.place.file == files.step else ()))
    return next((found for finder in finders if (found := finder(scene))), None)


def _by_words(scene: Scene) -> Found:
    said = "\n".join([scene.text, *map(ast.unparse, scene.expressions)])
    return next(((name,) for name, w in BY_WORDS.items() if re.search(w, said, re.DOTALL)), None)


def _of_structure(files: Files, result: CheckResult) -> Found:
    """What the source shows of parameters that are missing, or of an error that did not come."""
    source = files.text(files.step)
    tree = parsed(source)
    if result.shows == "not-refused":
        return names.not_raised(tree)
    if result.shows == "nothing-returned":
        return flow.return_inside_if(tree)
    if result.shows == "plain-list":
        plain = re.findall(r"(?<![\w.])(\w+) is a plain", result.message)
        return layers.comma(source, tree, lambda name: name.removeprefix("self.") in plain)
    return names.layer_not_kept(tree)


def _handed_on(scene: Scene) -> Found:
    """A value that the step passes to an earlier step's function or layer, which cannot use it."""
    files = [place.file for place, _ in scene.error.calls]
    if len(files) < 2 or files[-2] != scene.files.step or scene.function is None:
        return None
    caller = Scene(scene.error, scene.files, scene.error.calls[-2][0])
    calls = [call for call in caller.calls if _goes_to(scene, caller, call)]
    if len(calls) != 1:
        return None
    found = {}
    for name, given in given_to(calls[0], scene.function).items():
        if slip := _no_use(scene, name, caller, given):
            found[name] = slip
    return next(iter(found.values())) if len(found) == 1 else None


def _goes_to(scene: Scene, caller: Scene, call: ast.Call) -> bool:
    """Whether a call of the caller's calls the function of this scene."""
    assert scene.function is not None
    goes_to = ast.unparse(call.func).split(".")[-1]
    if goes_to == scene.function.name:
        return True
    if scene.cls is not None and scene.function.name == "__init__":
        return goes_to == scene.cls.name
    if scene.cls is None or scene.function.name != "forward":
        return False
    layer = caller.kept.get(of_self(call.func))
    made = ast.unparse(layer.func) if isinstance(layer, ast.Call) else ""
    return made == scene.cls.name


def _no_use(scene: Scene, name: str, caller: Scene, given: ast.expr) -> Found:
    """A number, class, tuple or layer in a parameter of an earlier step, if it cannot work."""
    said, kind = ast.unparse(given)[:SAID], scene.kinds.get(name)
    kept = caller.kept.get(of_self(given))
    around = caller.cls or caller.tree
    if kind == "tuple" and (found := layers.comma(caller.source, around, lambda n: n == said)):
        return found
    if any(ast.unparse(call.func) == name for call in scene.calls):
        if "object is not callable" in scene.text and layers.is_plain(caller, kept):
            return "number-called", said
        if class_itself(kept):
            return "class-not-called", said, class_itself(kept)
    elif kind == "float" and re.search(r"\bfloat\b", scene.text):
        quotient = numbers.quotient_of(caller, given)
        if not _takes(scene, name, "float"):
            return ("float-for-int", quotient) if quotient else ("wrong-place", said, name)
    elif scene.type in ("TypeError", "AttributeError"):
        if kind == "tuple" and re.search(values.A_TUPLE, scene.text):
            return values.tuple_kept(caller, given) or (
                "tuple-used",
                said,
                scene.shapes.get(name, ""),
            )
        if kind == "module":
            return "wrong-place", said, name
        if kind == "NoneType" and said in parameters(caller.function):
            return None if _takes(scene, name, "None") else ("wrong-place", said, name)
    return None


def _takes(scene: Scene, name: str, kind: str) -> bool:
    """Whether a parameter may be of this kind: its annotation says so, or there is none."""
    given = scene.function.args if scene.function else None
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs] if given else []
    notes = [ast.unparse(a.annotation) for a in every if a.arg == name and a.annotation]
    return not notes or kind in notes[0] or "Any" in notes[0]


FINDERS: tuple[Callable[[Scene], Found], ...] = (
    *(arguments.of_function_around, _by_words, layers.comma_on_line, layers.number_called),
    *(layers.class_called, uses.class_given_tensor, layers.parameter_of_number, layers.list_called),
    *(layers.weight_untransposed, layers.super_arguments, names.self_twice),
    *(names.missing_name, flow.set_inside_if, spelling.keyword_misspelt),
    *(names.missing_attribute, spelling.missing_import, spelling.module_called),
    *(uses.layer_not_called, uses.class_in_list, uses.tensor_called, values.pair_used),
    *(values.none_used, flow.no_return, values.truth_of_tensor, values.method),
    *(uses.square_brackets, numbers.text_for_number, values.tuple_used, numbers.math_of_tensor),
    *(numbers.torch_of_number, numbers.not_whole, numbers.no_dim, numbers.two_vectors),
    *(layers.any_comma, arguments.call_does_not_fit),
)
