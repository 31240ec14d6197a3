"""A module of the learner's, with weights that the judge knows by their roles."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from checks.engine.asking.answers import Answers
from checks.engine.asking.received import Received
from checks.engine.asking.values import HALF, Argument, Array, plain, to_wire
from checks.engine.planning.function import Function, Watched
from checks.engine.planning.place import Place
from checks.engine.planning.questions import Questions
from checks.engine.verdicts import Fail
from checks.extensions.layouts import SIZES, spread

Shapes = dict[str, tuple[int, ...]]
MOST_NAMES = 3  # Parameters that a sentence names.
MOST_NUMBERS = 10_000_000  # Largest total of parameter values that a check may ask for.
ODD = {"lists": "plain-list", "tensors": "plain-tensor", "shared": "one-object-twice"}


class Made:
    """A module that was made, as the worker reports it: parameters and buffers by their names."""

    def __init__(self, report: dict[str, Any], call: str, dtype: str):
        self.made, self.odd = call, report["odd"]
        self.parameters = {str(n): Received(r, n, call, dtype) for n, r in report["parameters"]}
        self.buffers = {str(n): Received(r, n, call, dtype) for n, r in report["buffers"]}
        if sum(map(math.prod, self.sizes)) > MOST_NUMBERS:
            sizes = " and ".join(map(str, self.sizes[:3]))
            raise Fail("params", f"{call} has parameters of {sizes}: far too many numbers.")

    @property
    def sizes(self) -> list[tuple[int, ...]]:
        """The shape of every parameter."""
        return [report.shape for report in self.parameters.values()]

    @property
    def shares(self) -> bool:
        """Whether the same part stands in several places."""
        return bool(self.odd.get("shared"))


@dataclass
class Probe:
    """A call whose answer can tell how parameters are arranged."""

    weighed: int  # The question that set the weights.
    asked: int
    truth: Callable[..., Any]
    weights: dict[str, Array]
    args: tuple[Any, ...]


class Module(Function, Argument):
    """A module of the learner's, built in the worker, with weights that the judge knows."""

    def __init__(
        self,
        submission: Questions,
        handle: int,
        call: str,
        dtype: str,
        report: Place,
        given: dict[str, Any],
    ):
        """call: how it was made. report: the place of Made. given: keyword arguments."""
        super().__init__(submission, handle, call, None, dtype)
        self.report, self.trains = report, False
        self.built_with = tuple((name, given[name]) for name in SIZES if name in given)
        self.shapes: Shapes = {}
        self.example: tuple[Any, ...] = ()  # Arguments of a call.
        self.weighed: int | None = None  # The question that set the weights.
        self.is_pending = self.was_called = False

    @property
    def described(self) -> str:
        return f"your {self._name}"

    def train(self, train: bool = True) -> None:
        self.trains = train  # The next call sends it.

    def sent(self, dtype: str) -> dict[str, Any]:
        """The module as an argument of another function: the module itself, in its mode."""
        self.flush()
        if self.weighed is not None and not self.was_called:
            self._probe()
        return {"at_hand": self.handle, "train": self.trains}

    def attribute(self, name: str) -> Place:
        self.flush()
        number = self.submission.ask("attribute", f"in {self.made}", handle=self.handle, name=name)

        def read(answers: Answers) -> Received:
            received = Received(answers.ok(number), name, f"{self.made}.{name}", self.dtype)
            received.is_kept = True
            return received

        return Place(self.submission.planned, number, read)

    def method(self, name: str, *args: Any) -> Place:
        return self.called(*args, method=name)

    def called(self, *args: Any, **how: Any) -> Place:
        place = super().called(*args, **how)
        if self.weighed is not None and self.truth is not None and not (self.trains or how):
            self.was_called = True
            self._may_tell(place.number, args)
        return place

    # Weights

    def draw(self, shapes: Shapes, truth: Callable[..., Any], *args: Any, **given: Array) -> None:
        """Draw every weight, by role. `truth(weights, *args)` is what the module should give.

        `given` weights are not drawn; double underscores in their names stand for dots.
        """
        self.truth, self.shapes, self.example = truth, shapes, args
        chosen = {role.replace("__", "."): np.asarray(w) for role, w in given.items()}
        self.assign({role: chosen.get(role, self.drawn(role, s)) for role, s in shapes.items()})

    def drawn(self, role: str, shape: tuple[int, ...]) -> Array:
        mean, deviation = spread(role, shape)
        return mean + self.submission.normal(*shape, scale=deviation)

    def assign(self, weights: dict[str, Array]) -> None:
        """Set weights by role; the others keep theirs. The next question sends them."""
        self.weights, self.is_pending = {**self.weights, **weights}, True

    def flush(self) -> None:
        if not self.is_pending:
            return
        self.is_pending = False
        long = np.concatenate([np.zeros(0), *(np.ravel(self.weights[r]) for r in self.shapes)])
        number = self.weighed = self.submission.ask(
            "weigh",
            f"in {self.made}",
            handle=self.handle,
            roles=[[role, list(shape)] for role, shape in self.shapes.items()],
            sizes=[[name, size] for name, size in self.built_with],
            long=to_wire(long, "float32" if self.dtype in HALF else self.dtype),
        )
        report, shapes = self.report, self.shapes
        self.submission.planned.questions[report.number].roles = shapes
        self.submission.planned.note(
            lambda answers: _expect_fits(report.of(answers), answers.ok(number)["ways"], shapes)
        )
        if self.trains and not self.was_called:  # What it gives in train mode may be random.
            self._probe()

    def read_weights(self) -> Place:
        """The place of its weights, by role, as they are then."""
        doing = "when its parameters were read afterwards"
        number = self.submission.ask("weights", doing, handle=self.handle)
        shapes = self.shapes

        def read(answers: Answers) -> dict[str, Array]:
            found = {role: plain(array) for role, array in answers.ok(number).items()}
            if {role: array.shape for role, array in found.items()} != shapes:
                says = f"The parameters of {self.made} are not those that it was made with."
                raise Fail("params", says)
            return found

        return Place(self.submission.planned, number, read)

    def unsure(self) -> Callable[[Answers], str | None]:
        number, shapes = self.weighed, self.shapes

        def says(answers: Answers) -> str | None:
            if number is None or answers.ok(number)["sure"]:
                return None
            return _unsure(shapes)

        return says

    def _probe(self) -> None:
        """A call in eval mode that the worker answers only if several readings fit."""
        self.was_called = True
        asked = self.asked(self.example, None, None, Watched(), 0) | {"train": False}
        number = self.submission.ask("probe", f"in {self.made}", may_fail=True, **asked)
        self._may_tell(number, self.example)

    def _may_tell(self, asked: int, args: tuple[Any, ...]) -> None:
        """Note that this answer may tell how the parameters are arranged."""
        assert self.weighed is not None and self.truth is not None
        probe = Probe(self.weighed, asked, self.truth, dict(self.weights), args)
        self.submission.planned.probes.append(probe)


def _expect_fits(built: Made, ways: int, shapes: Shapes) -> None:
    """Fail unless the parameters can be read as these roles."""
    if not ways:
        yours = {name: report.shape for name, report in built.parameters.items()}
        raise Fail("params", _misfit(built, yours, shapes), shows=_fault(built, yours, shapes))


def _fault(built: Made, yours: Shapes, shapes: Shapes) -> str | None:
    """The mistake of structure that misfitting parameters prove."""
    odd = next((name for kind, name in ODD.items() if built.odd.get(kind)), None)
    if odd is not None or yours == shapes:
        return odd
    if yours.items() > shapes.items():
        return "extra-parameters"
    return "missing-parameters" if yours.items() < shapes.items() else None


def _misfit(built: Made, yours: Shapes, shapes: Shapes) -> str:
    missing = [f"{role} {shape}" for role, shape in shapes.items() if yours.get(role) != shape]
    extra = [f"{name} {shape}" for name, shape in yours.items() if shapes.get(name) != shape]
    lines = [f"{built.made} has other parameters than this step needs."]
    for name in built.odd.get("tensors", []):
        lines.append(f"{name} is a plain tensor: as an nn.Parameter it would be trained.")
    for name in built.odd.get("lists", []):
        lines.append(f"{name} is a plain list, tuple or dict: PyTorch does not look into it.")
    for first, again in built.odd.get("shared", []):
        lines.append(f"{again} is the very same object as {first}: each needs its own.")
    lines += [f"  looked for: {_few(missing)}"] if missing else []
    lines += [f"  found: {_few(extra)}"] if extra else []
    if max(len(missing), len(extra)) > MOST_NAMES:
        lines += _by_shape(yours, shapes)
    biases = {role for role in shapes if role.endswith("bias")}
    if len(missing) > 1 and not extra and {m.partition(" ")[0] for m in missing} <= biases:
        lines.append("Every linear layer of this course has a bias.")
    return "\n".join(lines)


def _unsure(shapes: Shapes) -> str:
    parts = list(dict.fromkeys(role.rpartition(".")[0] or role for role in shapes))
    return (
        "Either the computation is wrong, or the checker does not know which of your parameters "
        "plays which role. It has tried all that fit by size, and none gives these numbers.\n"
        f"It knows the names of the TODOs: {_few(parts)}."
    )


def _by_shape(yours: Shapes, shapes: Shapes) -> list[str]:
    """A line about the shapes of which there are too few or too many, if there are some."""
    have, need = Counter(yours.values()), Counter(shapes.values())
    few = [f"{count} × {shape}" for shape, count in (need - have).items()]
    many = [f"{count} × {shape}" for shape, count in (have - need).items()]
    lacks = [f"lacks {_few(few)}"] if few else []
    has = [f"has {_few(many)} too many"] if many else []
    return [f"By their shapes, it {' and '.join([*lacks, *has])}."] if few or many else []


def _few(names: list[str]) -> str:
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more
