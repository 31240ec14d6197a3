"""Loads the model of a graduation with the learner's code, for `translate` and `classify`."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from checks.contents import COURSE
from checks.engine.commands.words import Usage
from checks.graduation.kept import ABOUT, STEPS, place
from checks.graduation.texts import Vocabulary


def load(task: str) -> tuple[dict[str, Any], list[Letters], Any]:
    """Settings, vocabularies and model, ready to use.

    Raises Usage if the file is damaged, or if the learner's steps make another model now.
    """
    import torch

    from checks.training.folder import fill
    from checks.training.model import learner, learner_code

    path = place(task)
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        about = json.loads(str(arrays.pop(ABOUT)))
        vocabularies = [Letters(*about[side]) for side in ("source", "target") if side in about]
    except (OSError, ValueError, KeyError, TypeError) as error:
        again = f"python run_step.py {STEPS[task]} writes a new one"
        raise Usage(f"{path} cannot be read ({type(error).__name__}): {again}.") from None
    learner_code(COURSE)
    model = learner(about["model"])(**about["sizes"])
    fill(model, {name: torch.from_numpy(array) for name, array in arrays.items()}, path)
    return about, vocabularies, model.eval()


class Letters:
    """A vocabulary for the commands: many texts at once."""

    lower_case = False

    def __init__(self, tokens: list[str], joint: str, begins: bool):
        self.vocabulary = Vocabulary((), joint, begins)
        self.vocabulary.tokens = tokens
        self.vocabulary.ids = {token: number for number, token in enumerate(tokens)}

    def __len__(self) -> int:
        return len(self.vocabulary)

    def encode_all(self, texts: list[str]) -> list[list[int]]:
        """The ids of all texts. Raises Usage if a text has an unknown letter."""
        try:
            return [self.vocabulary.encode(text.lower()) for text in texts]
        except KeyError as error:
            known = " ".join(sorted(self.vocabulary.tokens[3:]))
            told = f"{error} was in no text that the model has learned from"
            raise Usage(f"{told}. It knows numbers in words, of these: {known}") from None

    def decode(self, ids: list[int]) -> str:
        return self.vocabulary.joint.join(self.vocabulary.tokens[number] for number in ids)
