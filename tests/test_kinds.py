"""A kind of mistake is noticed wherever it is made: in every step that can have it."""

from __future__ import annotations

import pytest
from kept import part

from checks.contents import STEPS, Step
from checks.engine.files.source import solution, solutions
from checks.engine.hosting.host import Host
from checks.engine.judging.judge import Judge

# Written below a right solution, each kind makes a mistake of it, in every class and function there
# is. `_change` gets each module's class. `_other` gets each function, and returns another.
EVERYWHERE = """

for _name, _made in list(vars().items()):
    if getattr(_made, "__module__", "") == __name__ and not _name.startswith("_"):
        if hasattr(_made, "forward"):
            if "_change" in globals():
                _change(_made)
            else:
                _made.forward = _other(_made.forward)
        elif "_other" in globals() and not isinstance(_made, type):
            globals()[_name] = _other(_made)
"""
SHARED = '''

def _change(cls):
    """All modules that are made with the same arguments have the parts of the first."""
    first, init = {}, cls.__init__

    def shared(self, *args, **kwargs):
        init(self, *args, **kwargs)
        other = first.setdefault((args, tuple(kwargs.items())), self)
        self.__dict__["_modules"], self.__dict__["_parameters"] = other._modules, other._parameters

    cls.__init__ = shared
'''
KEPT = '''

def _other(function):
    """Without gradients, the answer to the first arguments of these shapes is the answer to all."""
    import torch

    kept = {}

    def keeping(*args, **kwargs):
        if torch.is_grad_enabled():
            return function(*args, **kwargs)
        shown = [(a.shape, a.device) if isinstance(a, torch.Tensor) else id(a) for a in args]
        if tuple(shown) not in kept:
            kept[tuple(shown)] = function(*args, **kwargs)
        return kept[tuple(shown)]

    return keeping
'''
KEPT_FOR_AN_OBJECT = '''

def _other(function):
    """The answer to the same objects as in the call before is the same answer."""
    last = []

    def keeping(*args, **kwargs):
        if kwargs or not last or list(map(id, args)) != list(map(id, last[0])):
            last[:] = [args, function(*args, **kwargs)]
        return last[1]

    return keeping
'''
FIRST_LENGTH = '''

def _other(function):
    """A module takes no input that is longer than its first one: it has kept something of it."""
    import torch

    first = {}

    def keeping(*args, **kwargs):
        out = function(*args, **kwargs)  # It refuses what is too long.
        inputs = next((a for a in args if isinstance(a, torch.Tensor) and a.dim() > 1), None)
        if inputs is not None and isinstance(args[0], torch.nn.Module):
            _, length = first.setdefault(id(args[0]), (args[0], inputs.size(1)))
            if inputs.size(1) > length:
                raise RuntimeError("the sizes do not match")
        return out

    return keeping
'''
# Wrong in one case only: CASE is an expression with `inputs`, the first tensor. RESULT is what is
# returned then; it may use `out`, the right result.
SOMETIMES = '''

def _other(function):
    import torch

    def other(out):
        """Another result of the same kind."""
        if isinstance(out, tuple):
            return (other(out[0]), *out[1:])
        if isinstance(out, torch.Tensor):
            return ~out if out.dtype == torch.bool else out + 1
        return out + "x" if isinstance(out, str) else out + 1 if isinstance(out, float) else out

    def otherwise(*args, **kwargs):
        inputs = next((a for a in args if isinstance(a, torch.Tensor)), torch.zeros(2, 2))
        out = function(*args, **kwargs)
        return RESULT if CASE else out

    return otherwise
'''
CAPPED = '''

def _change(cls):
    """Drop at most three in ten entries."""
    init = cls.__init__

    def capped(self, *args, **kwargs):
        if "dropout" in kwargs:
            kwargs["dropout"] = min(kwargs["dropout"], 0.3)
        init(self, *args, **kwargs)

    cls.__init__ = capped
'''
SEEDED = '''

def _change(cls):
    """A module sets the seed when it is made."""
    import torch

    init = cls.__init__

    def seeded(self, *args, **kwargs):
        init(self, *args, **kwargs)
        torch.manual_seed(1)

    cls.__init__ = seeded
'''

OVERWRITTEN = '''

def _other(function):
    """Without gradients, all results of one shape lie in the same memory."""
    import torch

    kept = {}

    def overwriting(*args, **kwargs):
        out = function(*args, **kwargs)
        if not isinstance(out, torch.Tensor) or out.requires_grad:
            return out
        key = out.shape, out.dtype, out.device
        kept.setdefault(key, torch.empty_like(out)).copy_(out)
        return kept[key].view(out.shape)

    return overwriting
'''


def sometimes(case: str, result: str = "other(out)") -> str:
    return SOMETIMES.replace("CASE", case).replace("RESULT", result)


OF_TODAY = tuple(step.id for step in STEPS if step.stage == "s6_today")  # None has a dropout.
WITHOUT_PARAMETERS = ("6.2", "6.6", "6.7", "6.8")
WITHOUT_TENSORS = ("5.5", "6.7")
WITHOUT_FRACTIONS = ("5.1", "5.4", "5.7", *WITHOUT_TENSORS)
SEVERAL = ("2.1", "6.4", "6.5")  # They return several tensors; these kinds look for one.
# Each kind, and the steps that cannot have it: they have no parameters or no dropout, no such axis,
# or no tensor among their arguments; or shapes and objects decide the answer. One token has no loss
# (6.8). A loss is asked for once for the same batch (5.3, 6.8).
KINDS = {
    "shared": (SHARED, ("1.2", "2.1", "5.1", "5.3", "5.4", "5.5", "5.7", *WITHOUT_PARAMETERS)),
    "kept": (KEPT, ("1.2", *WITHOUT_TENSORS)),
    "kept for an object": (
        KEPT_FOR_AN_OBJECT,
        ("1.2", "6.8", *WITHOUT_TENSORS),
    ),
    "first length": (FIRST_LENGTH, ("2.1", "5.1", "5.3", "5.4", "5.5", "6.2", "6.6", "6.7", "6.8")),
    "capped": (
        CAPPED,
        ("1.1", "1.2", "2.1", "2.3", "3.4", "5.1", "5.3", "5.4", "5.5", "5.7", *OF_TODAY),
    ),
    "one sentence": (sometimes("len(inputs) == 1"), WITHOUT_TENSORS),
    "one token": (sometimes("inputs.dim() > 1 and inputs.size(1) == 1"), (*WITHOUT_TENSORS, "6.8")),
    "many sentences": (sometimes("len(inputs) > 256"), WITHOUT_TENSORS),
    "many tokens": (
        sometimes("inputs.dim() > 1 and inputs.size(1) > 400"),
        ("2.1", "6.2", *WITHOUT_TENSORS),
    ),
    "without gradients": (sometimes("not torch.is_grad_enabled()"), ("6.7",)),
    "gradients switched off": (
        sometimes("True", "torch.set_grad_enabled(False) and out"),
        (),
    ),
    "gradients switched on": (
        sometimes("not torch.is_grad_enabled()", "torch.set_grad_enabled(True) and out"),
        ("6.7",),
    ),
    "cut off": (
        sometimes(
            "isinstance(out, torch.Tensor) and out.is_floating_point()", "out.clamp(-50, 50)"
        ),
        ("1.2", *SEVERAL, *WITHOUT_FRACTIONS),
    ),
    "now and then": (
        sometimes(
            "isinstance(args[0], torch.nn.Module) and args[0].training and torch.rand(()) < 0.1"
        ),
        ("2.1", "5.1", "6.2", "6.6", "6.7"),  # They get no module.
    ),
    "overwritten": (OVERWRITTEN, ("1.2", *SEVERAL, *WITHOUT_TENSORS)),
    "the seed set": (sometimes("True", "torch.manual_seed(1) and out"), ()),
    "seeded": (SEEDED, ("2.1", "5.1", "5.3", "5.4", "5.5", "5.7", *WITHOUT_PARAMETERS)),
    "changed without gradients": (
        sometimes("not torch.is_grad_enabled()", "(inputs.zero_(), out)[1]"),
        WITHOUT_TENSORS,
    ),
}


@pytest.mark.ci
@pytest.mark.parametrize(
    ("step", "kind"),
    part([pytest.param(s, k, id=f"{s.name}-{k}") for s in STEPS for k in KINDS], 6),
)
def test_a_kind_of_mistake_is_noticed_in_every_step(
    versions_host: Host, step: Step, kind: str
) -> None:
    text, without = KINDS[kind]
    passed = frozenset(other.id for other in STEPS if other is not step)
    source = solutions().with_text(step, solution(step) + text + EVERYWHERE)
    found = Judge(versions_host, source, 7, passed=passed).first_failure(step)
    assert (found is None) == (step.id in without)
