"""The questions to a submission and its answers: the evidence for a diagnosis.

Two versions of a step that answer alike to the same questions behave alike: `alike` says whether
they do, event by event. It compares answers, wrong ones with wrong ones, never with the truth.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from checks.engine.asking.compare import TOLERANCE, differs
from checks.engine.asking.values import Array, changed, plain
from checks.engine.shared import wire

if TYPE_CHECKING:
    from checks.engine.asking.answers import Question, Refusal

ROUNDING = 2e-6  # Relative, in float32: two ways to compute the same.
MUCH = 0.1  # Relative: the work of two ways to compute the same differs by less.
SAME_SUMS = 1e-3  # Relative: sums of the same numbers.
SHARE = 0.02  # Part of the distance from the right numbers: closer than this is the same mistake.
ARRAY = (wire.Array, np.ndarray)


@dataclass
class Event:
    """One question of a plan and its answer. `roles`: of a module whose parameters fit."""

    number: int
    question: Question
    answer: Any
    roles: dict[str, tuple[int, ...]] | None

    @property
    def do(self) -> str:
        return self.question.do

    @property
    def refusal(self) -> Refusal | None:
        return self.question.refusal

    def request(self) -> dict[str, Any]:
        """The same question to a known version."""
        return {"number": self.number, "do": self.do, "with": self.question.arguments}


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
    mine, theirs, right = mine["ok"], theirs["ok"], right.get("ok") or {}
    if event.do == "build":
        return _same_module(event, mine, theirs, right)
    if event.do in ("attribute", "state", "weights", "call"):
        one, two, truth = (_seen(event, answer) for answer in (mine, theirs, right))
        cost, other_cost = (answer.get("work") or 0 for answer in (mine, theirs))
        return (
            same(one, two, truth, finite)
            and abs(cost - other_cost) <= MUCH * cost
            and ("gradients" not in mine or _same_gradients(event, mine, theirs, right))
        )
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


def _seen(event: Event, answer: Any) -> Any:
    """What `same` compares of an answer: not the numbers of all inputs, for example, but which of
    them have changed.
    """
    if event.do == "state" and answer:
        parameters = dict(answer["parameters"])
        return {**answer, "parameters": parameters, "saved": bool(answer["saved"])}
    if event.do == "call" and answer:
        arguments = event.question.arguments
        watched = set(arguments.get("spy") or []) - {"cpu", "cuda", "to"}
        return {
            "value": answer["value"],
            "switched": answer["switched"],
            "changed": changed(arguments["args"], answer["inputs"]),
            "calls": watched & answer.get("calls", {}).keys(),
        }
    return answer


def _same_gradients(event: Event, mine: Any, theirs: Any, right: Any) -> bool:
    one, two, truth = (answer.get("gradients") for answer in (mine, theirs, right))

    def numbers(found: Any) -> list[Array]:
        """The gradients by argument, then by parameter; a missing one is zero."""
        named = [found["parameters"].get(role) for role in one["parameters"]]
        return [np.zeros(()) if g is None else _array(g) for g in [*found["inputs"], *named]]

    are_same = same(numbers(one), numbers(two), truth and numbers(truth))
    return are_same and bool(one["sparse"] == two["sparse"])


def same(mine: Any, theirs: Any, right: Any = None, finite: bool = False) -> bool:
    """Whether two answers, or parts of them, are the same. Numbers with a fraction are, up to
    rounding; all else to the letter. `right` is the right answer, if it is known.

    `finite`: only their finite numbers in arrays count.
    """
    if isinstance(mine, dict) and isinstance(theirs, dict):
        truths = right if isinstance(right, dict) else {}
        return mine.keys() == theirs.keys() and all(
            same(mine[key], theirs[key], truths.get(key), finite) for key in mine
        )
    if isinstance(mine, list) and isinstance(theirs, list):
        known = isinstance(right, list) and len(right) >= len(mine)
        several = zip(mine, theirs, right if known else [None] * len(mine))
        return len(mine) == len(theirs) and all(same(a, b, c, finite) for a, b, c in several)
    if type(mine) is float and type(theirs) is float:
        truth = right if type(right) is float and right else None
        scale = abs(truth or mine) or 1.0
        one, two = np.asarray(mine / scale), np.asarray(theirs / scale)
        return close(one, two, truth and np.asarray(truth / scale))
    if isinstance(mine, ARRAY) and isinstance(theirs, ARRAY):
        one, two = _array(mine), _array(theirs)
        if finite and one.shape == two.shape:
            one = np.where(np.isfinite(two), one, two)
        return close(one, two, _array(right) if isinstance(right, ARRAY) else None)
    return bool(mine == theirs)


def _array(numbers: Any) -> Array:
    return plain(numbers) if isinstance(numbers, wire.Array) else np.asarray(numbers)


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
