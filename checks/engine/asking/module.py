"""A module of the learner's, in the worker, with weights that the judge knows."""

from __future__ import annotations

import copy
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from checks.engine.asking import roles
from checks.engine.asking.compare import differs
from checks.engine.asking.conversation import Conversation
from checks.engine.asking.function import Function
from checks.engine.asking.layout import Reading
from checks.engine.asking.received import Received, first_part
from checks.engine.asking.transcript import Event
from checks.engine.asking.values import HALF, Argument, Array, plain, to_wire
from checks.engine.verdicts import Fail, Stopped
from checks.layouts import SIZES, spread

Shapes = dict[str, tuple[int, ...]]
MOST_NAMES = 3  # Parameters that a sentence names.
MOST_NUMBERS = 10_000_000  # Largest total of parameter values that a check may ask for.
ODD = {"lists": "plain-list", "tensors": "plain-tensor", "shared": "one-object-twice"}


class Module(Function, Argument):
    """A module of the learner's, built in the worker, with weights that the judge knows."""

    def __init__(
        self,
        submission: Conversation,
        handle: int,
        call: str,
        dtype: str,
        answer: Any,
        given: dict[str, Any],
    ):
        """call: how it was made. answer: the worker's report of it. given: keyword arguments."""
        super().__init__(submission, handle, call, None, dtype)
        self.built_with = tuple((name, given[name]) for name in SIZES if name in given)
        self.odd = answer.get("odd") or {}
        self.parameters = {str(n): Received(r, n, call, dtype) for n, r in answer["parameters"]}
        self.buffers = {str(n): Received(r, n, call, dtype) for n, r in answer["buffers"]}
        if sum(map(math.prod, self.sizes)) > MOST_NUMBERS:
            sizes = " and ".join(map(str, self.sizes[:3]))
            raise Fail("params", f"{call} has parameters of {sizes}: far too many numbers.")
        self.built = Event("build", dict)
        self._begin()

    def _begin(self) -> None:
        self.weights, self.open_rows = {}, {}
        self.reading: Reading = {}
        self.truth, self.unsure, self.trains = None, None, False

    def anew(self) -> Module:
        """The same module in the worker, ready for other weights."""
        other = copy.copy(self)
        other._begin()
        return other

    def sent(self, dtype: str) -> dict[str, Any]:
        """The module as an argument of another function: the module itself, in its mode."""
        return {"at_hand": self.handle, "train": self.trains}

    @property
    def described(self) -> str:
        return f"your {self.made.partition('(')[0]}"

    def numbers(self, reports: dict[str, Any]) -> dict[str, Array]:
        """The weights by role, from a later report of its parameters."""
        try:
            return self._by_role({name: reports[name]["array"] for name in self.parameters})
        except (KeyError, ValueError, IndexError):  # They have changed since then.
            says = f"The parameters of {self.made} are not those that it was made with."
            raise Fail("params", says) from None

    @property
    def report(self) -> Module:
        """What was made: its parameters and buffers."""
        return self

    def read_weights(self) -> dict[str, Array]:
        """The present weights by role."""
        return self.numbers(dict(self._ask("state")["parameters"]))

    def method(self, name: str, *args: Any) -> Received:
        return self.called(*args, method=name)[0]

    def train(self, train: bool = True) -> None:
        self.trains = train  # The next call sends it.

    def attribute(self, name: str) -> Received:
        answer = self._ask("attribute", name=name)
        received = Received(answer, name, f"{self.made}.{name}", self.dtype)
        received.is_kept = True
        return received

    @property
    def sizes(self) -> list[tuple[int, ...]]:
        """The shape of every parameter."""
        return [report.shape for report in self.parameters.values()]

    @property
    def shares(self) -> bool:
        """Whether the same part stands in several places."""
        return bool(self.odd.get("shared"))

    def _by_role(self, gradients: dict[str, Any]) -> dict[str, Array]:
        long = [
            np.zeros(math.prod(report.shape)) if g is None else plain(g).reshape(-1)
            for g, report in zip(gradients.values(), self.parameters.values())
        ]
        flat = np.concatenate(long) if long else np.zeros(0)
        return {role: flat[places] for role, places in self.reading.items()}

    # Weights

    def draw(self, shapes: Shapes, truth: Callable[..., Any], *args: Any, **given: Array) -> None:
        """Draw every weight, by role. `truth(weights, *args)` is what the module should give.

        If the parameters have other names or another arrangement, the module is called once with
        `args`. The reading that explains the answer is the right one. `given` weights are not
        drawn; double underscores in their names stand for dots.
        """
        self.truth = truth
        self._find_reading(shapes, truth, args)
        chosen = {role.replace("__", "."): np.asarray(w) for role, w in given.items()}
        self.assign({role: chosen.get(role, self.drawn(role, s)) for role, s in shapes.items()})

    def assign(self, weights: dict[str, Array]) -> None:
        """Set weights by role; the others keep theirs."""
        self.weights = {**self.weights, **weights}
        long = np.zeros(sum(math.prod(p.shape) for p in self.parameters.values()))
        for role, places in self.reading.items():
            long[places] = self.weights[role]
        named = {role: self.weights[role] for role in self.reading}

        def again() -> dict[str, Any]:
            """The weights for a known version, whose parameters have the names of their roles."""
            values, start = dict(named), 0
            for name, report in self.parameters.items():
                end = start + math.prod(report.shape)
                values[name] = long[start:end].reshape(report.shape)
                start = end
            return {"handle": self.handle, "values": self._by_name(values)}

        self._ask("assign", again=again, values=self._long(long))

    def _long(self, long: Array) -> Any:
        """All weights in the form they are sent. The worker casts them to the module's dtype."""
        return to_wire(long, "float32" if self.dtype in HALF else self.dtype)

    def _by_name(self, values: dict[str, Array]) -> dict[str, Any]:
        """Weights in the form they are sent: names with shapes, and all numbers as one vector."""
        long = np.concatenate([np.zeros(0), *(np.ravel(array) for array in values.values())])
        shapes = [[name, list(array.shape)] for name, array in values.items()]
        return {"shapes": shapes, "long": self._long(long)}

    def drawn(
        self, role: str, shape: tuple[int, ...], rng: np.random.Generator | None = None
    ) -> Array:
        mean, deviation = spread(role, shape)
        return mean + self.submission.normal(*shape, scale=deviation, rng=rng)

    def _find_reading(self, shapes: Shapes, truth: Callable[..., Any], args: Any) -> None:
        """Set the reading, or say why there is no reading. If there are several, call the module
        once.
        """
        named = tuple((name, report.shape) for name, report in self.parameters.items())
        found = roles.readings(named, tuple(shapes.items()), self.built_with)
        first, second = next(found, None), next(found, None)
        if first is None:
            self._ask_anyway(args)
            raise Fail("params", self._misfit(dict(named), shapes), shows=self._fault(shapes))
        self.reading, self.built.roles = first, shapes
        if second is None:
            return
        readings = self.submission.readings
        key = (self.built_with, named, *shapes.items())
        with readings.lock:
            if key not in readings.found:
                which = self._ask_which([first, second], found, shapes, truth, args)
                readings.found[key] = which
        self.reading = readings.found[key] or first
        is_sure = readings.found[key] or roles.told_by_names(named, first)
        self.unsure = None if is_sure else _unsure(shapes)

    def _ask_which(
        self,
        firsts: list[Reading],
        others: Iterator[Reading],
        shapes: Shapes,
        truth: Callable[..., Any],
        args: Any,
    ) -> Reading | None:
        """Call with random weights, and once more without masks, which may be what is wrong. The
        first reading that explains an answer is the right one.
        """
        rng = self.submission.asides
        self.assign({role: self.drawn(role, shape, rng) for role, shape in shapes.items()})
        bare = tuple(None if _is_mask(arg) else arg for arg in args)
        asked = [args] if all(one is other for one, other in zip(args, bare)) else [args, bare]
        before = len(self.submission.events) - 1
        answers = [(these, first_part(self(*these))) for these in asked]
        del self.submission.events[before:]  # Only some submissions get these questions.
        long = np.zeros(sum(math.prod(p.shape) for p in self.parameters.values()))
        for role, places in self.reading.items():
            long[places] = self.weights[role]
        for reading in itertools.chain(firsts, others):
            weights = {role: long[places] for role, places in reading.items()}
            if any(_agrees(got, truth(weights, *these)) for these, got in answers):
                return reading
        return None

    def _ask_anyway(self, args: Any) -> None:
        """Call the module with parameters that do not fit. The answer is not judged; it only shows
        the difference between mistakes that have the same parameters.
        """
        rng = self.submission.asides
        drawn = {name: self.drawn(name, p.shape, rng) for name, p in self.parameters.items()}
        try:
            self._ask("assign", values=self._by_name(drawn))
            self(*args)
        except Stopped:
            pass

    def _fault(self, shapes: Shapes) -> str | None:
        """The mistake of structure that misfitting parameters prove."""
        odd = next((name for kind, name in ODD.items() if self.odd.get(kind)), None)
        yours = {(name, report.shape) for name, report in self.parameters.items()}
        if odd is not None or yours == shapes.items():
            return odd
        if yours > shapes.items():
            return "extra-parameters"
        return "missing-parameters" if yours < shapes.items() else None

    def _misfit(self, yours: Shapes, shapes: Shapes) -> str:
        missing = [f"{role} {shape}" for role, shape in shapes.items() if yours.get(role) != shape]
        extra = [f"{name} {shape}" for name, shape in yours.items() if shapes.get(name) != shape]
        lines = [f"{self.made} has other parameters than this step needs."]
        for name in self.odd.get("tensors", []):
            lines.append(f"{name} is a plain tensor: as an nn.Parameter it would be trained.")
        for name in self.odd.get("lists", []):
            lines.append(f"{name} is a plain list, tuple or dict: PyTorch does not look into it.")
        for first, again in self.odd.get("shared", []):
            lines.append(f"{again} is the very same object as {first}: each needs its own.")
        lines += [f"  looked for: {_few(missing)}"] if missing else []
        lines += [f"  found: {_few(extra)}"] if extra else []
        if max(len(missing), len(extra)) > MOST_NAMES:
            lines += _by_shape(yours, shapes)
        biases = {role for role in shapes if role.endswith("bias")}
        if len(missing) > 1 and not extra and {m.partition(" ")[0] for m in missing} <= biases:
            lines.append("Every linear layer of this course has a bias.")
        return "\n".join(lines)

    def _ask(self, do: str, **arguments: Any) -> Any:
        return self.submission.ask(do, f"in {self.made}", handle=self.handle, **arguments)


def _is_mask(arg: Any) -> bool:
    return isinstance(arg, np.ndarray) and arg.dtype == bool


def _agrees(got: Received, expected: Array) -> bool:
    return (
        got.array is not None
        and got.shape == expected.shape
        and not differs(got.array, expected).any()
    )


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
