"""What a call must leave alone: settings of the whole program, and what belongs to others."""

from __future__ import annotations

from collections.abc import Callable

from checks.engine.verdicts import Fail

# The names that the worker gives the settings, and what is said of code that changes one.
SWITCHED = {
    "recording": "After the call PyTorch records gradients otherwise than before: the code has "
    "switched that for the whole program. After `with torch.no_grad():` all is as it was.",
    "seed": "The code sets the seed of PyTorch's random numbers, for the whole program. Who calls "
    "it then draws the same numbers again and again. Take `torch.manual_seed` out of this step.",
    "code": "While it is made, the code changes a function of a class, or its defaults. Every "
    "other module of that class then changes, too. Change only `self`.",
    "dtype": "The code changes PyTorch's default dtype, for the whole program. Say `dtype=` where "
    "a tensor is made.",
    "autocast": "The code switches autocast for the whole program. After "
    "`with torch.autocast(...):` all is as it was.",
    "anomaly": "The code switches PyTorch's search for NaN (detect_anomaly) for the whole program. "
    "Every backward pass is slow then.",
}

# What a result may share with others.
SHARED = {
    "given": "It returns the caller's own list. Make a new one: the caller may change its own.",
    "again": (
        "It returns the same object as an earlier call. A change of that one is a change of this "
        "one, too. Make a new one in each call."
    ),
    "overwritten": (
        "It changes what an earlier call returned: both share the same memory. Make new tensors "
        "in each call."
    ),
}


def left_switched(what: str, say: Callable[[str], str]) -> Fail:
    """The failure of code that leaves a setting changed."""
    shows = "recording-switched" if what == "recording" else "program-switched"
    return Fail("mode", say(SWITCHED[what]), shows=shows)
