"""The questions to a submission and its answers: the evidence for a diagnosis.

Two versions of a step that answer alike to the same questions behave alike: `alike` says whether
they do, event by event. It compares answers, wrong ones with wrong ones, never with the truth.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from checks.engine.asking.compare import TOLERANCE, differs
from checks.engine.asking.values import Array, changed, plain
from checks.engine.shared import wire

Refusal = tuple[str, tuple[int | str, ...]]
# While a check expects an error: its type, and the numbers or names it should name.
refusal: ContextVar[Refusal | None] = ContextVar("refusal", default=None)
# The question that was answered last, in words, and the kind of the answer, if an error should have
# come.
answered: ContextVar[tuple[str, str]] = ContextVar("answered", default=("", ""))
ROUNDING = 2e-6  # Relative, in float32: two ways to compute the same.
MUCH = 0.1  # Relative: the work of two ways to compute the same differs by less.
SAME_SUMS = 1e-3  # Relative: sums of the same numbers.
SHARE = 0.02  # Part of the distance from the right numbers: closer than this is the same mistake.


@dataclass
class Event:
    """One question and its answer. `arguments` gives those for a known version of the step."""

    do: str
    arguments: Callable[[], dict[str, Any]]
    refusal: Refusal | None = None
    answer: Any = None
    roles: dict[str, tuple[int, ...]] | None = None  # If the parameters all fit.
    by_role: dict[str, Array] | None = field(default=None, repr=False)

    def request(self) -> dict[str, Any]:
        return {"do": self.do, "with": self.arguments()}


def alike(event: Event, theirs: Any, right: Any, finite: bool = False) -> bool:
    """Whether another version gave the answer of this event. `right` is the solution's answer.

    `finite`: only the other version's finite numbers count.
    """
    mine = event.answer
    if event.refusal is not None and ("error" in mine or "error" in theirs):
        return _refused(mine, event.refusal) == _refused(theirs, event.refusal)
    if "error" in mine or "error" in theirs:
        return (
            _error(mine) == _error(theirs)
            and _given_alike(mine, theirs)
            and _names_alike(mine, theirs)
        )
    if event.do == "build":
        return _same_module(event, mine["ok"], theirs["ok"], right.get("ok") or {})
    if event.do == "attribute":
        return _same_value(mine["ok"], theirs["ok"], right.get("ok"), finite)
    if event.do == "state":
        return _same_state(mine["ok"], theirs["ok"], right.get("ok") or {}, finite)
    if event.do == "call":
        return _same_call(event, mine["ok"], theirs["ok"], right.get("ok") or {}, finite)
    return True


def _error(answer: Any) -> Any:
    error = answer.get("error")
    if error is None:
        return None
    return error["type"], None if error["own"] else error["message"], _reached(error)


def _names_alike(mine: Any, theirs: Any) -> bool:
    """Whether two errors that the learner's own lines raise speak of the same tensors or numbers.

    Their words differ. Of several tensors one may name the first only.
    """
    one, two = (str(answer["error"]["message"]) for answer in (mine, theirs))
    names, others = (set(re.findall(r"[A-Za-z]\w*(?:\.\w+)+", text)) for text in (one, two))
    if names or others:
        return names <= others or others <= names
    numbers, other_numbers = (set(re.findall(r"(?<!\w)\d+(?!\w)", text)) for text in (one, two))
    return not (numbers and other_numbers) or numbers == other_numbers


def _given_alike(mine: Any, theirs: Any) -> bool:
    """Whether PyTorch's function that failed was given the same numbers, as far as both say: other
    wrong shapes may end in the same words. One may take more at once: x @ w, or a layer with bias.
    """
    few, many = sorted((a["error"].get("operands", []) for a in (mine, theirs)), key=len)
    return all(any(np.allclose(one, two, SAME_SUMS, 0, True) for two in many) for one in few)


def _reached(error: Any) -> Any:
    """The place of an error in an earlier step and the shapes on that line; None if there is none.

    Earlier steps are the same for both versions. The outermost frame is in the step's own file,
    where lines and names differ.
    """
    frames = error["frames"]
    if not frames or frames[-1][0] == frames[0][0]:
        return None
    return frames[-1][:2], error["shapes"]


def _refused(answer: Any, refusal: Refusal) -> Any:
    """How an expected error came; None if nothing was raised."""
    error, (kind, numbers) = answer.get("error"), refusal
    if error is None:
        return None
    if kind not in error["bases"]:
        return error["type"], error["message"]
    return kind, [n for n in numbers if not named(n, error["message"])]


def named(value: int | str, text: str) -> bool:
    """Whether a text has this name, or this number by itself."""
    if isinstance(value, str):
        return value in text
    return re.search(rf"(?<!\w){value}(?!\w)", text) is not None


def _same_module(event: Event, mine: Any, theirs: Any, right: Any) -> bool:
    """Whether two modules have the same parameters, or parameters that play the same roles."""
    if mine["kind"] != "module" or theirs["kind"] != "module":
        return bool(mine["kind"] == theirs["kind"])
    if mine["switched"] != theirs["switched"]:
        return False
    if event.roles is not None:
        found = {name: tuple(report["shape"]) for name, report in theirs["parameters"]}
        fits = found == event.roles and _trained(mine) == _trained(theirs)
        return fits or _forms(mine, "parameters", True) == _forms(theirs, "parameters", True)
    named = {name for name, _ in right.get("parameters", [])}
    return (
        _alike_parameters(mine["parameters"], theirs["parameters"], named)
        and _forms(mine, "buffers", False) == _forms(theirs, "buffers", False)
        and all(len(mine["odd"][kind]) == len(theirs["odd"][kind]) for kind in ("tensors", "lists"))
        and bool(mine["odd"]["shared"]) <= bool(theirs["odd"]["shared"])
    )


def _alike_parameters(mine: Any, theirs: Any, right: set[str]) -> bool:
    """Whether parameters named in the TODOs are the same, and the others have the same shapes."""
    one, two = ({name: _form(report) for name, report in several} for several in (mine, theirs))
    named = {name for name in one if name in right}
    if any(two.get(name) != one[name] for name in named):
        return False
    rest = [
        Counter(f for name, f in several.items() if name not in named) for several in (one, two)
    ]
    return rest[0] == rest[1]


def _form(report: Any) -> tuple[Any, ...]:
    return tuple(report["shape"]), report["dtype"], report["requires_grad"]


def _trained(module: Any) -> Any:
    return all(report["requires_grad"] for _, report in module["parameters"])


def _forms(module: Any, part: str, named: bool) -> Counter[Any]:
    return Counter((named and name, *_form(report)) for name, report in module[part])


def _same_state(mine: Any, theirs: Any, right: Any, finite: bool) -> bool:
    one, two, truth = (dict(found.get("parameters", [])) for found in (mine, theirs, right))
    if any(mine[mode] != theirs[mode] for mode in ("training", "recording")):
        return False
    if bool(mine["saved"]) != bool(theirs["saved"]):
        return False
    return one.keys() == two.keys() and all(
        _same_value(report, two[name], truth.get(name), finite) for name, report in one.items()
    )


def _same_call(event: Event, mine: Any, theirs: Any, right: Any, finite: bool) -> bool:
    if not _same_value(mine["value"], theirs["value"], right.get("value"), finite):
        return False
    if mine["switched"] != theirs["switched"]:
        return False
    arguments = event.arguments()
    if changed(arguments["args"], mine["inputs"]) != changed(arguments["args"], theirs["inputs"]):
        return False
    watched = set(arguments.get("spy") or []) - {"cpu", "cuda", "to"}
    if watched and set(mine["calls"]) & watched != set(theirs["calls"]) & watched:
        return False
    cost, other_cost = (answer.get("work") or 0 for answer in (mine, theirs))
    if abs(cost - other_cost) > MUCH * cost:
        return False
    return "gradients" not in mine or _same_gradients(event, mine, theirs, right)


def _same_gradients(event: Event, mine: Any, theirs: Any, right: Any) -> bool:
    one, two = mine["gradients"], theirs["gradients"]
    if len(one["inputs"]) != len(two["inputs"]) or one["sparse"] != two["sparse"]:
        return False
    truth = right.get("gradients") or {}
    named = one["parameters"]
    if event.by_role is not None and named.keys() != two["parameters"].keys():
        named = event.by_role
    pairs = list(zip(one["inputs"], two["inputs"], truth.get("inputs") or one["inputs"]))
    pairs += [
        (g, two["parameters"].get(role), (truth.get("parameters") or {}).get(role))
        for role, g in named.items()
    ]
    return all(close(_zeros(a), _zeros(b), _zeros(c)) for a, b, c in pairs)


def _zeros(gradient: Any) -> Array:
    """A gradient as numbers; a missing one is zero."""
    if gradient is None:
        return np.zeros(())
    return plain(gradient) if isinstance(gradient, wire.Array) else np.asarray(gradient)


def _same_value(mine: Any, theirs: Any, right: Any, finite: bool) -> bool:
    for key in ("kind", "dtype", "device", "layout", "shape", "requires_grad", "bits"):
        if mine.get(key) != theirs.get(key):
            return False
    if not _same_plain(mine.get("plain"), theirs.get("plain"), (right or {}).get("plain")):
        return False
    right = right or {}
    ours, others = mine.get("items") or [], theirs.get("items") or []
    truths = right.get("items") or [None] * len(ours)
    if len(ours) != len(others) or len(truths) < len(ours):
        return len(ours) == len(others) and all(
            _same_value(a, b, None, finite) for a, b in zip(ours, others)
        )
    if not all(_same_value(a, b, c, finite) for a, b, c in zip(ours, others, truths)):
        return False
    if mine.get("array") is None or theirs.get("array") is None:
        return mine.get("array") is None and theirs.get("array") is None
    truth = right.get("array")
    one, two = plain(mine["array"]), plain(theirs["array"])
    return close(
        np.where(np.isfinite(two), one, two) if finite else one, two, truth and plain(truth)
    )


def _same_plain(mine: Any, theirs: Any, right: Any) -> bool:
    """Whether two plain values are the same; fractions up to a relative rounding error."""
    if type(mine) is not float or type(theirs) is not float:
        return bool(mine == theirs)
    scale = abs(right) if type(right) is float and right else abs(mine) or 1.0
    truth = np.asarray(1.0) if type(right) is float and right else None
    return close(np.asarray(mine / scale), np.asarray(theirs / scale), truth)


def close(mine: Array, theirs: Array, right: Array | None) -> bool:
    """Whether numbers agree up to rounding, which is small beside their distance from the right
    ones.
    """
    if mine.shape != theirs.shape:
        return bool(mine.size == theirs.size == 0 or not (mine.any() or theirs.any()))
    if mine.size == 0:
        return True
    with np.errstate(invalid="ignore", over="ignore"):
        tolerance = TOLERANCE * (1 + np.abs(mine))
        if right is not None and right.shape == mine.shape and differs(mine, right).any():
            wrong = np.abs(mine - right)
            effect = np.max(wrong, initial=0, where=np.isfinite(wrong))
            tolerance = np.minimum(tolerance, SHARE * effect + ROUNDING * (1 + np.abs(mine)))
        finite = np.isfinite(mine) & np.isfinite(theirs)
        same = (finite & (np.abs(mine - theirs) <= tolerance)) | (mine == theirs)
    return bool((same | (np.isnan(mine) & np.isnan(theirs))).all())
