"""Whether a worker's answer has the form that an honest worker gives it.

Learner code shares a process with what answers for it, and may forge anything. What passes here
can be wrong, but it cannot make the judge stumble, or work for long.
"""

from __future__ import annotations

import math
from typing import Any

from checks.machine.worker import wire

WIDTHS = {"float32": 4, "float64": 8, "int64": 8, "int32": 4, "uint8": 1, "bool": 1}
MOST_ITEMS, DEEPEST = 8, 2  # Of a tuple: more is not looked at.
MOST_AXES = 64
MOST = 10_000  # Parameters, names.
PLAIN = (type(None), bool, int, float, str)
FORM = {"dtype": str, "device": str, "layout": str, "requires_grad": bool}


def well_formed(do: str, arguments: dict[str, Any], ok: Any) -> bool:
    """`ok` is the answer to the request `do` with these arguments."""
    if do == "load":
        return isinstance(ok, dict) and (
            isinstance(ok.get("forbidden"), str) or _list(ok.get("names"), _name)
        )
    if do == "build":
        return isinstance(ok, dict) and isinstance(ok.get("kind"), str) and _module(ok)
    if do == "attribute":
        return _value(ok)
    if do == "state":
        return (
            isinstance(ok, dict)
            and type(ok.get("training")) in (bool, type(None))
            and type(ok.get("recording")) is bool
            and _list(ok.get("parameters"), _named_report)
        )
    if do == "call":
        return isinstance(ok, dict) and _call(arguments, ok)
    if do == "attend":
        return _lesson(arguments["lesson"], arguments["arguments"], ok)
    return True


def _lesson(lesson: str, given: dict[str, Any], ok: Any) -> bool:
    if lesson.startswith("train_"):
        return _list(ok, lambda loss: type(loss) is float) and len(ok) == len(given["batches"])
    if lesson == "translate":
        return _list(ok, _text) and len(ok) == len(given["texts"])
    if lesson in ("teach", "classify"):
        asked = given["trg"].shape if lesson == "teach" else given["tokens"].shape[:1]
        return is_array(ok) and ok.dtype == "int64" and ok.shape == asked
    return True


def _call(arguments: dict[str, Any], ok: dict[str, Any]) -> bool:
    most = len(arguments["args"])
    return (
        _value(ok.get("value"))
        and _list(ok.get("changed"), lambda n: type(n) is int and 0 <= n < most)
        and (not arguments.get("spy") or _watched(ok))
        and (not arguments.get("trace") or _list(ok.get("trace"), _named_report))
        and (not arguments.get("work") or type(ok.get("work")) is int)
        and (arguments.get("weighting") is None or _gradients(ok.get("gradients"), most))
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
        and all(array is None or is_array(array) for array in arrays)
    )


def _module(ok: dict[str, Any]) -> bool:
    if ok["kind"] != "module":
        return True
    odd = ok.get("odd")
    return (
        _list(ok.get("parameters"), _named_report)
        and _list(ok.get("buffers"), _named_report)
        and isinstance(odd, dict)
        and all(_list(odd.get(kind), _text) for kind in ("tensors", "lists"))
        and _list(odd.get("shared"), lambda pair: _list(pair, _text) and len(pair) == 2)
    )


def _value(value: Any, depth: int = 0) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str):
        return False
    if value["kind"] == "tensor":
        return _report(value)
    if type(value.get("plain")) not in PLAIN:
        return False
    items = value.get("items", [])
    few = isinstance(items, list) and len(items) <= MOST_ITEMS and (not items or depth < DEEPEST)
    return few and all(_value(item, depth + 1) for item in items)


def _report(report: Any) -> bool:
    if not isinstance(report, dict) or report.get("kind") != "tensor":
        return False
    shape: Any = report.get("shape")
    array = report.get("array")
    return (
        all(type(report.get(key)) is kind for key, kind in FORM.items())
        and _list(shape, lambda n: type(n) is int and 0 <= n < 1 << 63)
        and len(shape) <= MOST_AXES
        and math.prod(shape) < 1 << 63
        and (array is None or (is_array(array) and array.shape == tuple(shape)))
    )


def is_array(array: Any) -> bool:
    """Whether it has as many bytes as its shape says."""
    return (
        isinstance(array, wire.Array)
        and array.dtype in WIDTHS
        and len(array.shape) <= MOST_AXES
        and len(array.data) == WIDTHS[array.dtype] * math.prod(array.shape)
    )


def _named_report(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and _text(pair[0]) and _value(pair[1])


def _name(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and _text(pair[0]) and type(pair[1]) is bool


def _place(place: Any) -> bool:
    return isinstance(place, list) and len(place) == 2 and _text(place[0]) and type(place[1]) is int


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _list(values: Any, is_one: Any) -> bool:
    return isinstance(values, list) and len(values) <= MOST and all(map(is_one, values))
