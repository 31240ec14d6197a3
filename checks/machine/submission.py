"""What a check talks to: the learner's step in a worker, and the modules built from it."""

from __future__ import annotations

import difflib
import itertools
import math
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from checks.machine import roles, wire
from checks.machine.compare import Received, differs
from checks.machine.host import Died, Worker
from checks.machine.verdicts import Fail, Place, Stopped

Array = NDArray[Any]
Shapes = dict[str, tuple[int, ...]]
DESCRIBED = {"float64": "", "float32": "", "int64": " int64", "bool": " bool"}


class LearnerError(Stopped):
    """An exception from the learner's code."""

    def __init__(self, info: Any, files: Files, doing: str):
        self.type = str(info.get("type"))
        self.bases = [str(base) for base in info.get("bases") or []]
        self.text = str(info.get("message"))
        frames = [(str(f), n, str(where)) for f, n, where in info.get("frames") or []]
        place = files.place(*frames[-1][:2]) if frames else None
        lines = [f"{self.type} {doing}: {self.text}"]
        for filename, number, where in frames[-4:]:
            at = files.place(filename, number)
            if at is not None:
                lines.append(f"  {at.file}:{at.line}, in {where}")
        if place is not None:
            lines.append(f"    {files.line(place)}")
        lines += [f"    {name}: {shape}" for name, shape in (info.get("shapes") or {}).items()]
        if "MemoryError" in self.bases or "can't allocate memory" in self.text:
            super().__init__("memory", "\n".join(lines), place)
        elif self.type == "NotImplementedError" and re.fullmatch(r"[\w.]+", self.text):
            super().__init__("untouched", f"{self.text} is not written yet.", place)
        else:
            super().__init__("error", "\n".join(lines), place)


class Files:
    """The submission's stage files as they were read: what is checked is what is shown."""

    def __init__(self, root: str, contents: dict[str, tuple[str, str, bytes]]):
        """contents: module name -> (file name relative to root, absolute, bytes)."""
        self.root, self.contents = root, contents
        self.by_path = {path: (file, data) for file, path, data in contents.values()}

    def frames(self) -> dict[str, Any]:
        return {
            module: [path, wire.Array("bytes", (len(data),), data)]
            for module, (_, path, data) in self.contents.items()
        }

    def place(self, path: str, line: Any) -> Place | None:
        known = self.by_path.get(path)
        return Place(known[0], line) if known and isinstance(line, int) else None

    def line(self, place: Place) -> str:
        """The source line at a place, without its indentation."""
        for file, data in self.by_path.values():
            if file == place.file:
                lines = data.decode("utf-8", "replace").splitlines()
                if 0 < place.line <= len(lines):
                    return lines[place.line - 1].strip()[:100]
        return ""


class Submission:
    """One step of a submission, loaded in a worker. `rng` draws this run's random questions."""

    def __init__(
        self,
        worker: Worker,
        files: Files,
        rng: np.random.Generator,
        known: Known,
    ):
        self.worker, self.files, self.rng = worker, files, rng
        self.known = known
        self.names: list[list[Any]] = []
        self.handles = 0

    def load(self, module: str, seed: int) -> None:
        """Import the step. Raises Stopped if that gives no module."""
        answer = self.ask(
            "load",
            "while the file was being imported",
            root=self.files.root,
            files=self.files.frames(),
            module=module,
            banned=["solutions", "checks"],
            seed=seed,
        )
        if "forbidden" in answer:
            raise Fail("rule", f"This step imports {answer['forbidden']}/: write it yourself.")
        self.names = answer["names"]

    # Random questions

    def normal(self, *shape: int, scale: float = 1.0) -> Array:
        """Normal numbers that float32 holds exactly."""
        return _exact(self.rng.normal(0, scale, shape))

    def tokens(self, vocab_size: int, *shape: int, low: int = 0) -> Array:
        """Token ids from low to vocab_size - 1."""
        return self.rng.integers(low, vocab_size, shape)

    def mask(self, *shape: int) -> Array:
        """A bool mask in which every row (last axis) shows something and hides something."""
        mask = self.rng.random(shape) < 0.6
        shown = self.rng.integers(0, shape[-1], shape[:-1])
        hidden = (shown + self.rng.integers(1, shape[-1], shape[:-1])) % shape[-1]
        np.put_along_axis(mask, shown[..., None], True, -1)
        np.put_along_axis(mask, hidden[..., None], False, -1)
        return mask

    # Questions to the learner's code

    def build(
        self,
        name: str,
        *args: Any,
        dtype: str = "float32",
        default_dtype: str = "float32",
        **kwargs: Any,
    ) -> Module:
        """Make `name(**kwargs)` under a default dtype, move it to `dtype`, in eval mode."""
        self.require(name)
        self.handles += 1
        shown = ", ".join([*map(repr, args), *(f"{k}={v!r}" for k, v in kwargs.items())])
        call = f"{name}({shown})"
        answer = self.ask(
            "build",
            f"while {call} was being made",
            handle=self.handles,
            name=name,
            args=list(args),
            kwargs=kwargs,
            dtype=dtype,
            default_dtype=default_dtype,
        )
        if answer.get("kind") != "module":
            raise Fail("values", f"{call} makes a {answer.get('kind')}, expected an nn.Module.")
        module = Module(self, self.handles, call, dtype, answer, kwargs.get("n_head", 1))
        module.eval()
        return module

    def function(self, name: str, truth: Callable[..., Any], dtype: str = "float32") -> Function:
        """The function `name` of the step. `truth(weights, *args)` is what it should give."""
        self.require(name)
        return Function(self, name, truth, dtype)

    def called(
        self,
        target: Any,
        method: str | None,
        shown: str,
        args: tuple[Any, ...],
        dtype: str,
        *,
        kwargs: dict[str, Any] | None = None,
        weighting: list[Array | None] | None = None,
        spy: bool = False,
        device: str = "cpu",
        unsure: str | None = None,
    ) -> tuple[Received, Any]:
        """One call: its value, and what else the worker saw (changed inputs, gradients, calls)."""
        tried = f"{shown} with {', '.join(_describe(arg) for arg in args)}"
        answer = self.ask(
            "call",
            f"in {tried}",
            target=target,
            method=method,
            args=[to_wire(arg, dtype) for arg in args],
            kwargs={k: to_wire(v, dtype) for k, v in (kwargs or {}).items()},
            weighting=weighting and [w if w is None else to_wire(w, dtype) for w in weighting],
            spy=spy,
            device=device,
        )
        return Received(answer.get("value"), "the output", tried, dtype, unsure), answer

    def require(self, name: str) -> None:
        """Raises Stopped if the step has nothing of that name."""
        names = [str(entry[0]) for entry in self.names]
        if name in names:
            return
        own = [str(entry[0]) for entry in self.names if entry[1]]
        near = difflib.get_close_matches(name, own, 1, 0.5)
        hint = f" Did you mean {near[0]} -> {name}?" if near else ""
        raise Stopped("missing", f"There is no {name} in this file.{hint}")

    def ask(self, do: str, doing: str, **arguments: Any) -> Any:
        """One question to the worker. Raises Stopped for anything but an answer."""
        try:
            answer = self.worker.ask(do, **arguments)
        except Died as death:
            raise self._death(death, doing) from None
        if isinstance(answer, dict) and isinstance(answer.get("error"), dict):
            raise LearnerError(answer["error"], self.files, doing)
        if not isinstance(answer, dict) or "ok" not in answer:
            raise Stopped("no_result", f"No valid answer came back {doing}.")
        return answer["ok"]

    def _death(self, death: Died, doing: str) -> Stopped:
        place = None
        for path, line in re.findall(r'File "(.+?)", line (\d+)', death.trace):
            place = place or self.files.place(path, int(line))
        seconds = f"{self.worker.seconds:g} s"
        sentence = {
            "timeout": f"Your code did not finish within {seconds} {doing}.",
            "output_limit": f"Your code printed without end {doing} ({seconds}).",
            "memory": f"Your code was stopped {doing}: {death.detail}.",
            "crash": f"Your code crashed the Python process {doing} ({death.detail}).",
            "no_result": f"Your code ended the Python process {doing} ({death.detail or 'exit'}).",
        }[death.how]
        if place is not None:
            sentence += f"\n  it was at {place.file}:{place.line}\n    {self.files.line(place)}"
        return Stopped(death.how, sentence, place)


class Function:
    """A function of the learner's, to be called with the judge's numbers."""

    made: str
    dtype: str
    unsure: str | None = None  # What to say if parameters cannot be told apart.

    def __init__(self, submission: Submission, name: str, truth: Callable[..., Any], dtype: str):
        self.submission, self.handle, self.made, self.dtype = submission, name, name, dtype
        self.truth: Callable[..., Any] | None = truth
        self.weights: dict[str, Array] = {}
        self.loose = False  # A tensor hangs on it that does not move with it.
        self.open_rows: dict[str, int] = {}  # Rows of a table whose gradient is not asked for.

    handle: Any

    def __call__(self, *args: Any) -> Received:
        return self.called(*args)[0]

    def called(self, *args: Any, method: str | None = None, **options: Any) -> tuple[Received, Any]:
        """One call: its value, and what else the worker saw (changed inputs, gradients, calls)."""
        shown = self.made.partition("(")[0] + (f".{method}" if method else "")
        return self.submission.called(
            self.handle, method, shown, args, self.dtype, unsure=self.unsure, **options
        )

    def gradients(self, weighting: list[Array | None], *args: Any) -> Any:
        """Of sum(output * weighting): {"inputs": [...], "parameters": {role: ...}}, 0 for none."""
        found = self.called(*args, weighting=weighting)[1]["gradients"]
        inputs = [
            np.zeros(np.shape(arg)) if g is None else _plain(g)
            for arg, g in zip(args, found["inputs"])
        ]
        return {"inputs": inputs, "parameters": self._by_role(found["parameters"])}

    def train(self, train: bool = True) -> None:
        """Train or eval mode: a function has none."""

    def to_meta(self) -> None:
        """Move what it owns to the meta device: a function owns nothing."""

    def _by_role(self, gradients: dict[str, Any]) -> dict[str, Array]:
        return {}


class Module(Function):
    """A module of the learner's, built in the worker, with weights that the judge knows."""

    def __init__(
        self, submission: Submission, handle: int, call: str, dtype: str, answer: Any, n_head: int
    ):
        self.submission, self.handle, self.made, self.dtype = submission, handle, call, dtype
        self.n_head, self.loose = n_head, bool(answer.get("loose"))
        self.parameters = {str(n): Received(r, n, call, dtype) for n, r in answer["parameters"]}
        self.buffers = {str(n): Received(r, n, call, dtype) for n, r in answer["buffers"]}
        self.weights: dict[str, Array] = {}
        self.reading: roles.Reading = {}
        self.truth: Callable[..., Any] | None = None
        self.open_rows = {}

    def method(self, name: str, *args: Any) -> Received:
        return self.called(*args, method=name)[0]

    def train(self, train: bool = True) -> None:
        self._ask("mode", train=train)

    def eval(self) -> None:
        self.train(False)

    def attribute(self, name: str) -> Received:
        answer = self._ask("attribute", name=name)
        return Received(answer, name, f"{self.made}.{name}", self.dtype)

    def to_meta(self) -> None:
        self._ask("meta")

    def _by_role(self, gradients: dict[str, Any]) -> dict[str, Array]:
        long = [
            np.zeros(math.prod(report.shape)) if g is None else _plain(g).reshape(-1)
            for g, report in zip(gradients.values(), self.parameters.values())
        ]
        flat = np.concatenate(long) if long else np.zeros(0)
        return {role: flat[places] for role, places in self.reading.items()}

    # Weights

    def draw(self, shapes: Shapes, truth: Callable[..., Any], *args: Any, **given: Array) -> None:
        """Draw every weight, by role. `truth(weights, *args)` is what the module should give.

        If the parameters have other names or another arrangement, `args` are asked once, and
        the reading under which the answer is right is the one. `given` weights are not drawn;
        double underscores in their names stand for dots.
        """
        self.truth = truth
        self._find_reading(shapes, truth, args)
        chosen = {role.replace("__", "."): np.asarray(w) for role, w in given.items()}
        self.assign({role: chosen.get(role, self._drawn(role, s)) for role, s in shapes.items()})

    def assign(self, weights: dict[str, Array]) -> None:
        """Set weights by role; the others keep theirs."""
        self.weights = {**self.weights, **weights}
        long = np.zeros(sum(math.prod(p.shape) for p in self.parameters.values()))
        for role, places in self.reading.items():
            long[places] = self.weights[role]
        values, start = {}, 0
        for name, report in self.parameters.items():
            end = start + math.prod(report.shape)
            values[name] = to_wire(long[start:end].reshape(report.shape), self.dtype)
            start = end
        self._ask("assign", values=values)

    def _drawn(self, role: str, shape: tuple[int, ...]) -> Array:
        normal = self.submission.normal
        if role.endswith("gamma"):
            return 1 + normal(*shape, scale=0.5)
        if len(shape) == 1:
            return normal(*shape, scale=0.7)
        return normal(*shape, scale=1.0 if "embedding" in role else 1.3 / math.sqrt(shape[-1]))

    def _find_reading(self, shapes: Shapes, truth: Callable[..., Any], args: Any) -> None:
        """Set the reading, or say why there is none; ask once if there are several."""
        named = tuple((name, report.shape) for name, report in self.parameters.items())
        found = roles.readings(named, tuple(shapes.items()), self.n_head)
        first, second = next(found, None), next(found, None)
        if first is None:
            raise Fail("params", self._misfit(dict(named), shapes))
        self.reading = first
        if second is None:
            return
        with self.submission.known.lock:
            known, key = self.submission.known.readings, (named, *shapes.items())
            if key not in known:
                known[key] = self._ask_which([first, second], found, shapes, truth, args)
        self.reading = known[key] or first
        self.unsure = None if known[key] else _unsure(shapes)

    def _ask_which(
        self,
        firsts: list[roles.Reading],
        others: Iterator[roles.Reading],
        shapes: Shapes,
        truth: Callable[..., Any],
        args: Any,
    ) -> roles.Reading | None:
        """Ask once with random weights: the first reading that explains the answer is the one."""
        self.assign({role: self._drawn(role, shape) for role, shape in shapes.items()})
        got = self(*args)
        long = np.zeros(sum(math.prod(p.shape) for p in self.parameters.values()))
        for role, places in self.reading.items():
            long[places] = self.weights[role]
        for reading in itertools.chain(firsts, others):
            expected = truth({role: long[places] for role, places in reading.items()}, *args)
            if got.array is not None and got.shape == expected.shape:
                if not differs(got.array, expected).any():
                    return reading
        return None

    def _misfit(self, yours: Shapes, shapes: Shapes) -> str:
        missing = [f"{role} {shape}" for role, shape in shapes.items() if yours.get(role) != shape]
        extra = [f"{name} {shape}" for name, shape in yours.items() if shapes.get(name) != shape]
        lines = [f"{self.made} has other parameters than this step asks for."]
        lines += [f"  looked for: {_few(missing)}"] if missing else []
        lines += [f"  found: {_few(extra)}" if extra else "  found none in their place"]
        if sum(map(math.prod, yours.values())) < sum(map(math.prod, shapes.values())):
            lines.append("Layers and parameters must be attributes of the module itself, or stand")
            lines.append("in an nn.ModuleList: PyTorch does not look into a plain list.")
        return "\n".join(lines)

    def _ask(self, do: str, **arguments: Any) -> Any:
        return self.submission.ask(do, f"in {self.made}", handle=self.handle, **arguments)


class Square:
    """A stand-in for a dropout module that squares what it gets, whatever its shape."""


def _unsure(shapes: Shapes) -> str:
    parts = list(dict.fromkeys(role.rpartition(".")[0] or role for role in shapes))
    return (
        "Either the computation is wrong, or the checker cannot tell which of your parameters\n"
        "plays which role: under no reading of them are these the right numbers. With the names\n"
        f"of the TODOs it can tell: {_few(parts)}."
    )


def _few(names: list[str]) -> str:
    more = f" and {len(names) - 6} more" if len(names) > 6 else ""
    return ", ".join(names[:6]) + more


class Known:
    """How the parameters of a source are to be read: found once, kept for all its checks."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.readings: dict[Any, roles.Reading | None] = {}


def to_wire(value: Any, dtype: str) -> Any:
    """An argument as the worker takes it; numbers with a fraction in the given dtype."""
    if isinstance(value, Square):
        return {"stand_in": "square"}
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype.kind == "f":
        value = value.astype(dtype)
    return wire.Array(str(value.dtype), value.shape, np.ascontiguousarray(value).tobytes())


def _plain(array: Any) -> Array:
    return np.frombuffer(array.data, array.dtype).reshape(array.shape).astype(np.float64)


def _exact(values: Array) -> Array:
    return values.astype(np.float32).astype(np.float64)


def _describe(arg: Any) -> str:
    if isinstance(arg, np.ndarray):
        return f"{arg.shape}{DESCRIBED.get(str(arg.dtype), '')}"
    return "a dropout" if isinstance(arg, Square) else repr(arg)
