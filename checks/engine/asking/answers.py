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
WORD, NAME, ERROR, PATH, TEXT = 100, 300, 2_000, 5_000, 10_000  # Characters.
FEW = 20  # Frames and bases of an exception, shapes on its line, suggested names.
WORDS = re.compile(r"[\w.]+")
PLAIN = {"NoneType": type(None), "bool": bool, "int": int, "float": float, "str": str}
SEVERAL = ("tuple", "list", "iterator")
PLAIN |= {"list": str, "iterator": str}  # Of whole numbers, as text.
FORM = {"dtype": str, "device": str, "layout": str, "requires_grad": bool}
REPORTED = {"kind", "shape", "array", *FORM}


def well_formed(do: str, arguments: dict[str, Any], ok: Any) -> bool:
    """`ok` is the answer to the request `do` with these arguments."""
    if do == "load":
        return isinstance(ok, dict) and (
            is_text(ok["forbidden"]) if "forbidden" in ok else is_list(ok.get("names"), _name)
        )
    if do == "build":
        return isinstance(ok, dict) and is_text(ok.get("kind")) and _module(ok)
    if do == "attribute":
        return _value(ok)
    if do == "state":
        return (
            isinstance(ok, dict)
            and type(ok.get("training")) in (bool, type(None))
            and type(ok.get("recording")) is bool
            and is_list(ok.get("parameters"), _named_report)
            and is_list(ok.get("saved"), is_text)
        )
    if do == "call":
        return isinstance(ok, dict) and _call(arguments, ok)
    return True


def error_of(answer: Any) -> dict[str, Any] | None:
    """The exception in an answer, checked and cut to size; None if the answer has none."""
    error = answer.get("error") if isinstance(answer, dict) else None
    if not isinstance(error, dict):
        return None
    parts = ("bases", "frames", "shapes", "kinds", "near", "operands")
    bases, frames, shapes, kinds, near, operands = (error.get(part) for part in parts)
    return {
        "type": str(error.get("type"))[:WORD],
        "bases": [str(base)[:WORD] for base in _few(bases, list)],
        "message": str(error.get("message"))[:ERROR],
        "own": error.get("own") is True,
        "frames": [frame for frame in _few(frames, list) if _frame(frame)],
        "shapes": {name[:WORD]: str(shape)[:WORD] for name, shape in _few(shapes, dict)},
        "kinds": {name[:WORD]: str(kind)[:WORD] for name, kind in _few(kinds, dict)},
        "near": [
            name for name in _few(near, list) if is_text(name, WORD) and WORDS.fullmatch(name)
        ],
        "operands": [sums for sums in _few(operands, list) if _three_fractions(sums)],
    }


def _few(found: Any, kind: type) -> list[Any]:
    """The first entries of what should be a list, or the first pairs of a dictionary."""
    several: Any = found if isinstance(found, kind) else []
    return list(several.items() if isinstance(several, dict) else several)[:FEW]


def _frame(frame: Any) -> bool:
    return isinstance(frame, list) and len(frame) == 3 and _place(frame[:2]) and is_text(frame[2])


def _call(arguments: dict[str, Any], ok: dict[str, Any]) -> bool:
    most = len(arguments["args"])
    return (
        _value(ok.get("value"))
        and is_list(ok.get("inputs"), lambda given: given is None or _is_given(given))
        and len(ok["inputs"]) == most
        and ok.get("shares") in ("", *SHARED)
        and ok.get("switched") in ("", *SWITCHED)
        and (not arguments.get("spy") or _watched(ok))
        and (not arguments.get("trace") or is_list(ok.get("trace"), _named_report))
        and (not arguments.get("work") or type(ok.get("work")) in (int, type(None)))
        and (arguments.get("weighting") is None or _gradients(ok.get("gradients"), most))
    )


def _is_given(given: Any) -> bool:
    """Whether these are the numbers of an argument: an array, a whole number, or some, in lists."""
    is_whole = type(given) is int and given.bit_length() <= 64
    return (
        is_whole or is_array(given) or is_list(given, lambda item: item is None or _is_given(item))
    )


def _watched(ok: dict[str, Any]) -> bool:
    calls = ok.get("calls")
    return isinstance(calls, dict) and all(
        place is None or _place(place) for place in calls.values()
    )


def _gradients(found: Any, inputs: int) -> bool:
    if not isinstance(found, dict) or not isinstance(found.get("parameters"), dict):
        return False
    given = found.get("inputs")
    arrays = [*found["parameters"].values(), *(given if isinstance(given, list) else [])]
    return (
        isinstance(given, list)
        and len(given) == inputs
        and type(found.get("sparse")) is bool
        and all(array is None or is_array(array) for array in arrays)
    )


def _module(ok: dict[str, Any]) -> bool:
    if ok["kind"] != "module":
        return True
    odd = ok.get("odd")
    return (
        is_list(ok.get("parameters"), _named_report)
        and is_list(ok.get("buffers"), _named_report)
        and ok.get("switched") in ("", *SWITCHED)
        and isinstance(odd, dict)
        and all(is_list(odd.get(kind), is_text) for kind in ("tensors", "lists"))
        and is_list(odd.get("shared"), lambda pair: is_list(pair, is_text) and len(pair) == 2)
    )


def _value(value: Any, depth: int = 0) -> bool:
    if not isinstance(value, dict) or not is_text(value.get("kind")):
        return False
    if value["kind"] == "tensor":
        return _report(value)
    if "items" in value:
        items: Any = value["items"]
        several = value["kind"] in SEVERAL and value.keys() == {"kind", "items"}
        few = isinstance(items, list) and len(items) <= wire.MOST_ITEMS and depth < DEEPEST
        return several and few and all(_value(item, depth + 1) for item in items)
    return value.keys() <= {"kind", "plain", "bits"} and _plain(value)


def _plain(value: dict[str, Any]) -> bool:
    plain, bits = value.get("plain"), value.get("bits")
    if bits is not None:
        return (
            value["kind"] == "int" and plain is None and type(bits) is int and 0 < bits <= 1 << 40
        )
    known = plain is None or type(plain) is PLAIN.get(value["kind"])
    return known and (not isinstance(plain, str) or is_text(plain, TEXT))


def _report(report: Any) -> bool:
    if not isinstance(report, dict) or report.keys() != REPORTED or report["kind"] != "tensor":
        return False
    shape: Any = report.get("shape")
    array = report.get("array")
    return (
        all(type(report[key]) is kind for key, kind in FORM.items())
        and all(is_text(report[key], WORD) for key, kind in FORM.items() if kind is str)
        and is_list(shape, lambda n: type(n) is int and 0 <= n < 1 << 63)
        and len(shape) <= MOST_AXES
        and math.prod(shape) < 1 << 63
        and (array is None or (is_array(array) and array.shape == tuple(shape)))
    )


def is_array(array: Any) -> TypeGuard[wire.Array]:
    """Whether the array has as many bytes as its shape says."""
    return (
        isinstance(array, wire.Array)
        and array.dtype in WIDTHS
        and len(array.shape) <= MOST_AXES
        and len(array.data) == WIDTHS[array.dtype] * math.prod(array.shape)
    )


def _named_report(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and is_text(pair[0]) and _report(pair[1])


def _name(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and is_text(pair[0]) and type(pair[1]) is bool


def _place(place: Any) -> bool:
    if not isinstance(place, list) or len(place) != 2:
        return False
    return is_text(place[0], PATH) and type(place[1]) is int


def is_text(value: Any, most: int = NAME) -> bool:
    """Whether the value is a text that is not too long."""
    return isinstance(value, str) and len(value) <= most


def _three_fractions(values: Any) -> bool:
    return is_list(values, lambda value: type(value) is float) and len(values) == 3


def is_list(values: Any, is_one: Callable[[Any], bool]) -> bool:
    """Whether the value is a list of such entries, and not too long."""
    return isinstance(values, list) and len(values) <= MOST and all(map(is_one, values))
