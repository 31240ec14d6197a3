"""What a name of a file or folder was meant to be: copies and downloads change it a little."""

from __future__ import annotations

import re

from checks.contents import STAGES, STEPS, Step

SUFFIXES = re.compile(r"(\.(py|txt|ipynb))+$")
# "layer_norm (1)", "layer_norm-1", "layer_norm - Copy", "Copy of layer_norm", in three languages.
OF_A_COPY = re.compile(r"^(copy of|kopie von|copie de)\s|[\s_-]*(\(\d+\)|\d+|copy|kopie|copie)$")


def _core(name: str) -> str:
    """The letters and digits of a name, without suffixes and without marks of a copy."""
    name = SUFFIXES.sub("", name.casefold())
    while (shorter := OF_A_COPY.sub("", name)) != name:
        name = shorter
    return re.sub(r"[\W_]", "", name)


_STEPS = {_core(step.name): step for step in STEPS}
_STAGES = {_core(stage): stage for stage in STAGES}


def step_of(file: str) -> Step | None:
    """The step whose file this seems to be, by its name."""
    return _STEPS.get(_core(file))


def stage_of(folder: str) -> str | None:
    """The stage whose folder, or notebook, this seems to be, by its name."""
    return _STAGES.get(_core(folder))
