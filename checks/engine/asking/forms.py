"""Whether a worker's answer has the form that an honest worker gives it.

Learner code shares a process with the code that answers for it, and may forge anything. An answer
that passes here can be wrong, but it cannot make the judge stumble, or keep it busy for long.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, TypeGuard

from checks.engine.asking.settings import SHARED, SWITCHED
from checks.engine.shared import wire

WIDTHS = {"float32": 4, "float64": 8, "int64": 8, "int32": 4, "uint8": 1, "bool": 1}
DEEPEST = 3  # Levels of tuples in tuples; deeper ones are ignored.
MOST_AXES = 64
MOST = 10_000  # Parameters, names.
FEW = 20  # Frames and bases of an exception, shapes on its line, suggested names.
WORDS = re.compile(r"[\w.]+")
MISSING = object()  # What a dictionary lacks.


def fits(value: Any, form: Any) -> bool:
    """Whether a value has this form.

    A form is one of these:

        a type              exactly of this type
        a text, or None     just this value
        [form]              a list of such entries, not too long
        (form, form, …)     a list with just these entries
        {key: form, …}      a dictionary with these keys and no others
        {str: form}         a dictionary with any keys, not too many
        a function          what it says is true
    """
    if isinstance(form, type):
        return type(value) is form
    if isinstance(form, list):
        return type(value) is list and len(value) <= MOST and all(fits(v, form[0]) for v in value)
    if isinstance(form, tuple):
        return type(value) is list and len(value) == len(form) and all(map(fits, value, form))
    if isinstance(form, dict) and type(value) is not dict:
        return False
    if isinstance(form, dict) and str in form:
        return fits([*value.values()], [form[str]])
    if isinstance(form, dict):
        known = value.keys() <= form.keys()
        return known and all(fits(value.get(key, MISSING), form[key]) for key in form)
    return bool(form(value)) if callable(form) else bool(value == form)


def either(*forms: Any) -> Callable[[Any], bool]:
    """The form of what has one of these forms."""
    return lambda value: any(fits(value, form) for form in forms)


def at_most(most: int, form: Any) -> Callable[[Any], bool]:
    """The form of a text or list that has this form and is not longer."""
    return lambda value: isinstance(value, (str, list)) and len(value) <= most and fits(value, form)


def is_array(array: Any) -> TypeGuard[wire.Array]:
    """Whether the array has as many bytes as its shape says."""
    return (
        isinstance(array, wire.Array)
        and array.dtype in WIDTHS
        and len(array.shape) <= MOST_AXES
        and len(array.data) == WIDTHS[array.dtype] * math.prod(array.shape)
    )


def _is_report(report: Any) -> bool:
    """Whether this is what a worker reports of a tensor. Its array has the shape that is named."""
    return (
        fits(report, TENSOR)
        and math.prod(report["shape"]) < 1 << 63
        and (report["array"] is None or report["array"].shape == tuple(report["shape"]))
    )


WORD, NAME, PATH, TEXT = (at_most(most, str) for most in (100, 300, 5_000, 10_000))  # Characters.
SHAPE = at_most(MOST_AXES, [lambda size: type(size) is int and 0 <= size < 1 << 63])
NUMBERS = either(None, is_array)
PLACE = (PATH, int)
TENSOR = {"kind": "tensor", "dtype": WORD, "device": WORD, "layout": WORD}
TENSOR |= {"shape": SHAPE, "requires_grad": bool, "array": NUMBERS}
NAMED = [(NAME, _is_report)]
SINGLE = either(
    _is_report,
    {"kind": "NoneType", "plain": None},
    {"kind": "bool", "plain": bool},
    {"kind": "int", "plain": int},
    {"kind": "int", "plain": None, "bits": lambda bits: type(bits) is int and 0 < bits <= 1 << 40},
    {"kind": "float", "plain": either(float, None)},  # None: it is no number.
    {"kind": either("str", "list", "iterator"), "plain": TEXT},  # Lists of whole numbers, as text.
    {"kind": lambda kind: fits(kind, NAME) and kind != "tensor"},  # Any other, and what is deeper.
)
GIVEN = ARGUMENT = either(None, int, is_array)
VALUE = SINGLE
for _ in range(DEEPEST):
    ITEMS = at_most(wire.MOST_ITEMS, [VALUE])
    VALUE = either(SINGLE, {"kind": either("tuple", "list", "iterator"), "items": ITEMS})
    GIVEN = either(ARGUMENT, [GIVEN])
SWITCH, SHARES = either("", *SWITCHED), either("", *SHARED)
ODD = {"tensors": [NAME], "lists": [NAME], "shared": [(NAME, NAME)]}
MODULE = {"kind": "module", "parameters": NAMED, "buffers": NAMED, "odd": ODD, "switched": SWITCH}
STATE = {"training": either(bool, None), "recording": bool, "parameters": NAMED, "saved": [NAME]}
WATCHED = [  # What is asked for, and what then comes, too.
    ("spy", "calls", {str: either(None, PLACE)}),
    ("trace", "trace", NAMED),
    ("work", "work", either(None, int)),
]
FORMS = {
    "load": either({"forbidden": NAME}, {"names": [(NAME, bool)]}),
    "build": either(MODULE, {"kind": lambda kind: fits(kind, NAME) and kind != "module"}),
    "attribute": VALUE,
    "state": STATE,
    "assign": None,
    "extension": None,
    "weigh": {"ways": lambda ways: ways in (0, 1, 2), "sure": bool},
    "weights": {str: is_array},
}


def form_of(do: str, arguments: dict[str, Any]) -> Any:
    """The form of an answer to the request `do` with these arguments."""
    if do == "probe":
        return either({}, form_of("call", arguments))
    if do != "call":
        return FORMS.get(do, lambda answer: True)
    number = len(arguments["args"])
    form = {"value": VALUE, "inputs": (GIVEN,) * number, "switched": SWITCH, "shares": SHARES}
    form |= {key: more for asked, key, more in WATCHED if arguments.get(asked)}
    if arguments.get("weighting") is not None:
        inputs = (NUMBERS,) * number
        form["gradients"] = {"inputs": inputs, "parameters": {str: NUMBERS}, "sparse": bool}
    return form


def error_of(answer: Any) -> dict[str, Any] | None:
    """The exception in an answer, checked and cut to size; None if the answer has none."""
    error = answer.get("error") if isinstance(answer, dict) else None
    if not isinstance(error, dict):
        return None
    parts = ("bases", "frames", "shapes", "kinds", "near", "operands")
    bases, frames, shapes, kinds, near, operands = (error.get(part) for part in parts)
    return {
        "type": _word(error.get("type")),
        "bases": [*map(_word, _few(bases, list))],
        "message": str(error.get("message"))[:2_000],
        "own": error.get("own") is True,
        "ours": error.get("ours") is True,
        "frames": [frame for frame in _few(frames, list) if fits(frame, (*PLACE, NAME))],
        "shapes": {_word(name): _word(shape) for name, shape in _few(shapes, dict)},
        "kinds": {_word(name): _word(kind) for name, kind in _few(kinds, dict)},
        "near": [name for name in _few(near, list) if fits(name, WORD) and WORDS.fullmatch(name)],
        "operands": [sums for sums in _few(operands, list) if fits(sums, (float, float, float))],
    }


def _word(value: Any) -> str:
    return str(value)[:100]


def _few(found: Any, kind: type) -> list[Any]:
    """The first entries of what should be a list, or the first pairs of a dictionary."""
    several: Any = found if isinstance(found, kind) else []
    return list(several.items() if isinstance(several, dict) else several)[:FEW]
