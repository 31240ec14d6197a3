"""The folder of a model: its settings, vocabularies, checkpoints and best weights.

    settings.json    how it was made: sizes, data, seed …; it is written last, so it says: begun
    source.json      the vocabularies; one of the two if they are joint
    target.json
    epoch-0012.pt    the weights at the end of an epoch, as long as they are averaged
    checkpoint.pt    where the training stands; --resume goes on from here
    best.pt          the best average so far, by the loss on the validation set: what is used
    log.jsonl        a line for each epoch

Every file is put in place whole or not at all, and a checkpoint refers only to files that lie
there already. So a training can be killed at any moment. Tensors are read with weights_only:
a file from a stranger cannot run code.
"""

from __future__ import annotations

import io
import json
import pickle
from pathlib import Path
from typing import Any

import torch

from checks.machine.commands.words import Usage
from checks.machine.course.progress import write_whole
from checks.training.vocabulary import Vocabulary, load

VERSION = 1


class Folder:
    def __init__(self, path: str):
        self.path = Path(path)

    @property
    def begun(self) -> bool:
        return (self.path / "settings.json").exists()

    def refuse_to_overwrite(self) -> None:
        """Raises Usage if there is anything in the folder."""
        if self.begun:
            told = "--resume goes on with it, --model FOLDER takes another place"
            raise Usage(f"{self.path} holds a training already: {told}.")
        if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise Usage(
                f"{self.path} exists and holds no training; --model FOLDER names a new one."
            )

    def begin(self, settings: dict[str, Any], vocabularies: list[Vocabulary]) -> None:
        for name, vocabulary in zip(("source", "target"), vocabularies):
            write_whole(self.path / f"{name}.json", vocabulary.as_text().encode())
        text = json.dumps({"version": VERSION, **settings}, indent=1, ensure_ascii=False)
        write_whole(self.path / "settings.json", (text + "\n").encode())

    def settings(self, task: str | None = None) -> dict[str, Any]:
        """Raises Usage if there is no training here, or one of another kind."""
        try:
            found: dict[str, Any] = json.loads((self.path / "settings.json").read_text("utf-8"))
        except FileNotFoundError:
            raise Usage(f"There is no model in {self.path}; run_step.py train makes one.") from None
        except (OSError, ValueError) as error:
            raise Usage(f"{self.path}/settings.json cannot be read: {error}.") from None
        if not isinstance(found, dict) or found.get("version") != VERSION:
            raise Usage(f"{self.path}/settings.json is no settings of version {VERSION}.")
        if task is not None and found["task"] != task:
            raise Usage(f"The model in {self.path} is made for {found['task']}, not for {task}.")
        return found

    def vocabularies(self, settings: dict[str, Any]) -> list[Vocabulary]:
        """One, or two if source and target have their own."""
        paths = [self.path / f"{name}.json" for name in ("source", "target")]
        for path in paths[:1]:
            if not path.exists():
                raise Usage(f"{path} is missing: without its vocabulary the model is of no use.")
        return [load(path, settings["lower_case"]) for path in paths if path.exists()]

    def save(self, name: str, state: dict[str, Any]) -> None:
        content = io.BytesIO()
        torch.save(state, content)
        write_whole(self.path / name, content.getvalue())

    def load(self, name: str) -> dict[str, Any]:
        """Raises Usage if the file is missing or no checkpoint."""
        path = self.path / name
        try:
            found: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        except FileNotFoundError:
            raise Usage(f"There is no {name} in {self.path}.") from None
        except (OSError, RuntimeError, EOFError, pickle.UnpicklingError) as error:
            said = str(error).splitlines()[0]
            raise Usage(f"{path} cannot be read as a checkpoint: {said}") from None
        return found

    def drop_epochs(self, before: int) -> None:
        """Remove the weights of epochs that no average needs any more."""
        for path in self.path.glob("epoch-*.pt"):
            if path.name < epoch_file(before):
                path.unlink()

    def log(self, history: list[dict[str, Any]]) -> None:
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in history]
        write_whole(self.path / "log.jsonl", "".join(lines).encode())


def epoch_file(epoch: int) -> str:
    return f"epoch-{epoch:04d}.pt"


def average(folder: Folder, epochs: list[int]) -> dict[str, Any]:
    """The mean of the weights at the ends of these epochs."""
    states = [folder.load(epoch_file(epoch)) for epoch in epochs]
    mean = {}
    for name, last in states[-1].items():
        whole = not last.is_floating_point()
        mean[name] = last if whole else torch.stack([state[name] for state in states]).mean(dim=0)
    return mean


def fill(model: torch.nn.Module, state: dict[str, Any], path: Path) -> None:
    """Raises Usage, naming what differs, if the weights are those of another model."""
    try:
        model.load_state_dict(state)
    except RuntimeError as error:
        said = "; ".join(line.strip() for line in str(error).splitlines()[1:4])
        raise Usage(
            f"The weights in {path} are of another model than the code makes (with --solution, "
            f"or changed since?): {said}"
        ) from None
