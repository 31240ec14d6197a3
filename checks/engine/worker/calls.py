"""One call of learner code: its arguments, what watches over it, and what is reported of it.

PyTorch's functions are bound to private names before learner code runs, as in laboratory.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import reduce
from operator import getitem
from typing import Any

import arranged
import torch
import wire
from differentiate import gradients
from elsewhere import Elsewhere, There
from parts import move_tensors, owned, set_mode
from readout import FLOATS, Yielded, crossed, report, tensor_of, value_of, yielded
from torch import nn
from watchers import Ban, Operands, Recorder, Tracer, multiplications
from whole_program import settings, switched_since

STAND_INS: dict[str, Callable[..., Any]] = {}  # The course's own stand-ins for arguments, by name.
_Tensor, _Module = torch.Tensor, nn.Module
_clone, _shape_of = torch.Tensor.clone, torch.Tensor.size
_seed = torch.default_generator.manual_seed
_to, _requires_grad_ = torch.Tensor.to, torch.Tensor.requires_grad_
_sum, _mul, _grad = torch.sum, torch.mul, torch.autograd.grad
_no_grad, _enable_grad = torch.no_grad, torch.enable_grad
_set_grad = torch.set_grad_enabled
SMALL = 16_000  # Bytes of a result that is read again.
REMEMBERED = 20  # Results of functions that are known again.


class Calls:
    """Calls of the functions and modules of one submission's step."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}  # The learner's source by file name.
        self.modules: dict[Any, Any] = {}  # Modules and stand-ins by handle.
        self.module: Any = None  # The step's module.
        self.number = 0  # Of the question that is being answered.
        self.kept: dict[int, Any] = {}  # What calls returned, by the number of their question.
        self.arrangements = arranged.Arrangements({})
        self.arranged: dict[
            Any, arranged.Arrangement
        ] = {}  # By handle: how its parameters are read.
        self.there = There()  # What calls put on the other device.
        self.modes: dict[Any, bool] = {}  # Train or eval mode of modules, as last set.
        self.leaves: list[torch.Tensor | None] = []  # Arguments that get a gradient, in order.
        self.earlier: list[tuple[Any, torch.Tensor]] = []  # Unchanged arguments of the last call.
        self.returned: list[Any] = []  # What functions have returned lately: tensors and lists.
        self.before: list[torch.Tensor] = []  # What the last call returned.
        self.ours = False  # Whether an exception now is the checker's own.
        self.operands: list[list[float]] = []  # Of the function of PyTorch that failed, if asked.

    def do_call(
        self,
        target: Any,
        method: str | None,
        args: list[Any],
        weighting: list[wire.Array | None] | None,
        seed: int,
        train: bool | None,
        same: list[int | None] | None = None,
        **watched: Any,
    ) -> dict[str, Any]:
        """The value of a call and the inputs after it. `watched` says what else is reported.

        same: for each argument the first one that is the same tensor, or None.
        """
        function = self._function(target, method, train)
        inputs = self._inputs(args, weighting is not None, same, watched["away"])
        _seed(seed)
        module = self.modules.get(target)
        with_gradients = weighting is not None
        watcher = self._watcher([module, *inputs], with_gradients=with_gradients, **watched)
        earlier = list(map(_numbers_of, self.before))
        out, switched = self._run(function, inputs, watcher)
        self.kept[self.number] = out
        has = self.there.has if watched["away"] else None
        result: dict[str, Any] = {"value": value_of(out, has)}
        result |= _seen_by(watcher)
        result["inputs"] = list(map(_numbers_of, inputs))
        result["shares"] = "" if module is not None else self._shares(out, inputs)
        if list(map(_numbers_of, self.before)) != earlier:
            result["shares"] = "overwritten"
        self.before = list(_small_tensors(out))
        result["switched"] = switched
        if not watched["away"]:
            self.earlier = _unchanged(args, inputs, result["inputs"])
        if weighting is not None:
            named = {} if module is None else owned(module, "_parameters")
            inside, how = self.leaves[: len(args)], self.arranged.get(target)
            result["gradients"] = gradients(out, weighting, inside, named, how)
        return result

    def _run(
        self, function: Callable[..., Any], inputs: list[Any], watcher: AbstractContextManager[Any]
    ) -> tuple[Any, str]:
        """The value of a call, and what it left switched for the whole program, or ""."""
        self.ours = True  # If the watcher cannot begin, nobody else is to blame.
        try:
            with watcher:
                self.ours = False
                before = settings()
                out = yielded(function(*inputs))
                switched = switched_since(before)
                _set_grad(before["recording"])
                return out, switched
        except Exception:
            if isinstance(watcher, Operands):
                self.operands = watcher.sums()
            if not (isinstance(watcher, Ban) and watcher.calls):
                raise
            return None, ""  # The ban has stopped it.

    def _shares(self, out: Any, inputs: list[Any]) -> str:
        """What a function's caller shares with others: a list of its own ("given"), an object that
        an earlier call returned ("again"), or nothing ("").
        """
        made = [v for v in (out if type(out) is tuple else [out]) if isinstance(v, (_Tensor, list))]
        made = [value for value in made if not isinstance(value, Yielded)]
        given = [value for value in made if any(value is own for own in inputs)]
        new = [value for value in made if not any(value is own for own in given)]
        again = any(value is old for value in new for old in self.returned)
        self.returned = [*self.returned, *new][-REMEMBERED:]
        if any(isinstance(value, list) for value in given):
            return "given"
        return "again" if again else ""

    def _function(self, target: Any, method: str | None, train: bool | None) -> Any:
        """What is called, after its mode is set, if it is to be."""
        function = self.modules[target] if target in self.modules else getattr(self.module, target)
        if train is not None and self.modes.get(target) != train:
            set_mode(function, train)
            self.modes[target] = train
        return function if method is None else getattr(function, method)

    def _watcher(
        self,
        used: list[Any],
        with_gradients: bool,
        spy: list[str] | None,
        away: bool,
        trace: bool,
        work: bool = False,
        records: bool = True,
        operands: bool = False,
    ) -> AbstractContextManager[Any]:
        """The context of the call. `used`: its module, or None, and its inputs."""
        if spy:
            return Ban(self.files, spy)
        if with_gradients and not operands:
            return _enable_grad()
        if away:
            return Elsewhere(self.there, self._owned(used))
        if work:
            return Recorder()
        if trace:
            return Tracer(self.files, self.module, used[0])
        if operands:
            return Operands()
        return nullcontext() if records else _no_grad()

    def _owned(self, values: Iterable[Any]) -> Iterator[torch.Tensor]:
        """All tensors among these values, or that move with them, in the memory they move to."""
        for value in values:
            if isinstance(value, _Module):
                move_tensors(value)
                yield from owned(value, "_parameters").values()
                yield from owned(value, "_buffers").values()
            elif isinstance(value, (tuple, list)):
                yield from self._owned(value)
            elif isinstance(value, _Tensor):
                yield value

    def _inputs(
        self, args: list[Any], needs_gradient: bool, same: list[int | None] | None, away: bool
    ) -> list[Any]:
        """The arguments of a call. The numbers of the last call come in the same tensor again, as
        they may in a training. So code that keeps a result for a tensor shows itself.
        """
        self.leaves = []
        if away:
            self.earlier = []
        with _enable_grad():  # The learner's code may have switched it off.
            given = [self._argument(value, needs_gradient) for value in args]
        self.earlier = []
        return [own if n is None else given[n] for own, n in zip(given, same or [None] * len(args))]

    def _argument(self, value: Any, needs_gradient: bool) -> Any:
        same = (tensor for sent, tensor in self.earlier if sent == value)
        given = next(same, None)
        given = self._given(value) if given is None else given
        is_leaf = needs_gradient and isinstance(value, wire.Array) and given.is_floating_point()
        self.leaves.append(_requires_grad_(given) if is_leaf else None)
        return _clone(given) if is_leaf else given  # A leaf must not be changed in place.

    def _stand_in(self, value: dict[str, Any]) -> Any:
        """An earlier object, by its handle, or a new stand-in, kept under its handle."""
        if "at_hand" in value:
            made = self.modules[value["at_hand"]]
        else:
            with _enable_grad():
                given = {name: self._given(own) for name, own in value["with"].items()}
                made = STAND_INS[value["stand_in"]](**given)
            if value["handle"] is not None:
                self.modules[value["handle"]] = made
        if value["train"] is not None:
            set_mode(made, value["train"])
            self.modes.pop(value.get("at_hand"), None)
        return made

    def _given(self, value: Any) -> Any:
        if isinstance(value, wire.Array):
            return tensor_of(value)
        if isinstance(value, list):
            return tuple(map(self._given, value))
        if isinstance(value, dict) and "half" in value:
            return _to(tensor_of(value["numbers"]), FLOATS[value["half"]])
        if isinstance(value, dict) and "list" in value:
            return [self._given(item) for item in value["list"]]
        if isinstance(value, dict) and "answer_to" in value:
            return reduce(getitem, value["path"], self.kept[value["answer_to"]])
        if isinstance(value, dict):
            crosses = value.get("crossed")
            return self._stand_in(value) if crosses is None else crossed(tensor_of(crosses))
        return value


def _numbers_of(value: Any) -> Any:
    """The numbers of an argument: a tensor's, a whole number, or all in a tuple or list; else
    None.
    """
    if isinstance(value, (tuple, list)):
        return list(map(_numbers_of, value))
    if type(value) is int and value.bit_length() <= 64:
        return value
    return report(value)["array"] if isinstance(value, _Tensor) else None


def _small_tensors(value: Any, depth: int = 0) -> Iterator[torch.Tensor]:
    """The tensors in what a call returned whose numbers can be read and are few."""
    if isinstance(value, _Tensor):
        array = _numbers_of(value)
        if array is not None and len(array.data) <= SMALL:
            yield value
    elif type(value) in (tuple, list) and depth < 2:  # (out, (keys, values))
        for item in value[: wire.MOST_ITEMS]:
            yield from _small_tensors(item, depth + 1)


def _unchanged(
    args: list[Any], inputs: list[Any], after: list[Any]
) -> list[tuple[Any, torch.Tensor]]:
    """The arrays among the arguments that hold the same numbers after the call, as tensors."""
    return [
        (sent, tensor)
        for sent, tensor, now in zip(args, inputs, after)
        if isinstance(sent, wire.Array) and sent == now and not tensor.requires_grad
    ]


def _seen_by(watcher: AbstractContextManager[Any]) -> dict[str, Any]:
    """What a watcher reports of the call."""
    if isinstance(watcher, Tracer):
        return {"trace": watcher.found}
    if isinstance(watcher, Recorder):
        done = watcher.operations
        return {"work": None if done is None else multiplications(done)}
    return {"calls": watcher.calls} if isinstance(watcher, Ban) else {}
