"""The tasks that a model can learn: to translate, to classify texts, to go on writing.

Each has its vocabularies, model, batches, loss and scores.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from checks.training.classifying import Classification
from checks.training.model import Tables
from checks.training.translating import Translation
from checks.training.writing import Writing

Task = Translation | Classification | Writing
TASKS: dict[str, type[Any]] = {
    "translate": Translation,
    "classify": Classification,
    "write": Writing,
}


def build(settings: dict[str, Any], vocab_sizes: list[int]) -> tuple[nn.Module, Tables]:
    """The model of the task with its first values, and the places of its tables.

    The seed decides the values. Raises NotImplementedError if a gap is not filled yet.
    """
    torch.manual_seed(settings["seed"])
    made: tuple[nn.Module, Tables] = TASKS[settings["task"]].model(settings, vocab_sizes)
    return made


def summed_loss(task: Task, model: nn.Module, batches: list[list[int]], device: Any) -> float:
    """The loss without smoothing over all predictions of these batches, not yet divided."""
    losses = (task.loss(model, batch, 0.0, device).item() for batch in batches)
    return sum(loss * task.weight(batch) for loss, batch in zip(losses, batches))
