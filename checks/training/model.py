"""The learner's model: importing, building, finding its tables, setting its first values."""

from __future__ import annotations

import functools
import importlib
import math
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from checks.contents import COURSE, SOLUTIONS, STAGES
from checks.engine.commands.words import Usage

SIZES = ("dim_vector", "n_head", "max_len", "dim_hidden", "num_layer", "dropout")
TODAY = "s6_today"
Place = tuple[nn.Module, str]


def learner_code(root: Path) -> Any:
    """Let `from s5_transformer.training import …` find the files in this folder, and no others."""
    ours = {"", str(COURSE), str(SOLUTIONS), os.getcwd()}
    sys.path[:] = [path for path in sys.path if path not in ours] + [str(root.resolve())]
    for name in [name for name in sys.modules if name.split(".")[0] in STAGES]:
        del sys.modules[name]


def learner(name: str, stage: str = "s5_transformer") -> Any:
    """The learner's function, for example `training.sequence_loss` of this stage."""
    module, _, member = name.partition(".")
    try:
        return getattr(importlib.import_module(f"{stage}.{module}"), member)
    except (ImportError, AttributeError) as error:
        raise Usage(
            f"{member} of {stage}/{module}.py cannot be used: {error}. "
            "With --solution the solution is used."
        ) from None


@dataclass
class Tables:
    """Where a model keeps its tables: (module, name of the parameter); None if not found."""

    source: Place | None = None
    target: Place | None = None
    output: Place | None = None

    def parameters(self) -> list[nn.Parameter]:
        """The two tables of embeddings."""
        return [_at(place) for place in (self.source, self.target) if place is not None]


def find_tables(model: nn.Module, source_size: int, target_size: int) -> Tables:
    """Find the tables by their gradients, not by their names.

    The model reads one source token and another target token. A table of embeddings gets a gradient
    only in that token's row, and the output layer gets one in every row. target_size 0: a
    classifier.
    """
    was_training = model.training
    model.eval()
    source, target = source_size - 1, target_size - 2
    read = [torch.full((1, 2), token) for token in (source, target)[: 2 if target_size else 1]]
    logits: Tensor = model(*read)
    weights = torch.randn(logits.shape, generator=torch.Generator().manual_seed(0))
    (logits * weights).sum().backward()
    tables = Tables()
    for module in model.modules():
        for name, parameter in module.named_parameters(recurse=False):
            if parameter.dim() != 2 or parameter.grad is None:
                continue
            rows = parameter.grad.abs().sum(dim=1).nonzero().flatten().tolist()
            if len(parameter) == source_size and rows == [source]:
                tables.source = (module, name)
            elif len(parameter) == target_size and rows == [target]:
                tables.target = (module, name)
            elif len(parameter) == target_size and len(rows) == target_size:
                tables.output = (module, name)
    model.zero_grad()
    model.train(was_training)
    return tables


def set_first_values(model: nn.Module, tables: Tables) -> None:
    """Set matrices as in Glorot and Bengio 2010, rows of tables from N(0, 1), like positions."""
    with torch.no_grad():
        known = {id(parameter) for parameter in tables.parameters()}
        for parameter in model.parameters():
            if id(parameter) in known:
                parameter.normal_()
                parameter[0] = 0  # Padding.
            elif parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)


def tie(tables: Tables, joint: bool) -> None:
    """Share one table for embeddings and output (paper, section 3.4); if joint, the source too.

    The paper's table E has small rows; embeddings are sqrt(dim_vector) E, and the output uses E.
    The course's embedding has no factor, and positions would dominate small rows. So the table is
    sqrt(dim_vector) E itself, and the input of the output layer is divided by sqrt(dim_vector).
    """
    if tables.target is None:
        return
    table = _at(tables.target)
    if joint and tables.source is not None and _at(tables.source).shape == table.shape:
        setattr(*tables.source, table)
    if tables.output is not None and isinstance(tables.output[0], nn.Linear):
        setattr(*tables.output, table)
        root = math.sqrt(table.size(1))
        tables.output[0].register_forward_pre_hook(lambda module, inputs: (inputs[0] / root,))


def _at(place: Place) -> nn.Parameter:
    parameter: nn.Parameter = getattr(*place)
    return parameter


def quicken_dropout(model: nn.Module) -> None:
    """Make every nn.Dropout draw a byte per entry, which on a CPU is several times faster.

    The probability becomes a multiple of 1/256, and the factor of the kept entries fits it.
    """
    for module in model.modules():
        if type(module) is nn.Dropout and module.p > 0:
            module.forward = functools.partial(_drop, module)  # type: ignore[method-assign]


def _drop(module: nn.Dropout, x: Tensor) -> Tensor:
    if not module.training:
        return x
    dropped = min(255, round(module.p * 256))
    words = torch.empty((x.numel() + 7) // 8, dtype=torch.int64).random_(-(2**63), None)
    kept = words.view(torch.uint8)[: x.numel()].view(x.shape) >= dropped
    return x * kept.to(x.dtype).mul_(256 / (256 - dropped))
