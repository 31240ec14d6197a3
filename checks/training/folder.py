"""The folder of a model: its settings, vocabularies, checkpoints and best weights.

    settings.json    how it was made: sizes, data, seed …; it is written last, so it says: begun
    source.json      the vocabularies; one of the two if they are joint
    target.json
    epoch-0012.pt    the weights at the end of an epoch, as long as they are averaged
    checkpoint.pt    where the training stands; --resume goes on from here
    best.pt          the average that did best on the validation set: this one is used
    log.jsonl        a line for each epoch

Every file is put in place whole or not at all, and a checkpoint refers only to files that lie
there already. So a training can be killed at any moment. Tensors are read with weights_only:
a file from a stranger cannot run code.
"""

from __future__ import annotations

import io
import json
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checks.engine.commands.words import Usage
from checks.engine.files.progress import write_whole
from checks.training.kinds import TRANSLATE
from checks.training.settings import SWITCHES

if TYPE_CHECKING:  # The import at run time comes later: wrong options are reported at once.
    import torch

VERSION = 1
VOCABULARIES = ("source.json", "target.json")


class Folder:
    def __init__(self, path: str):
        self.path = Path(path)

    @property
    def begun(self) -> bool:
        return (self.path / "settings.json").exists()

    @property
    def has_epochs(self) -> bool:
        return (self.path / "log.jsonl").exists()

    def refuse_to_overwrite(self, resuming: bool, texts: list[str]) -> None:
        """Raises Usage if the folder has anything but the remains of a killed beginning.

        `resuming` a training that was killed so early begins again, if the texts are named.
        """
        if self.begun:
            told = "--resume goes on with it, --model FOLDER takes another place"
            raise Usage(f"{self.path} holds a training already: {told}.")
        try:
            there = [path.name for path in self.path.iterdir()]
        except FileNotFoundError:
            there = []
        except NotADirectoryError:
            raise Usage(
                f"{self.path} is not a folder; --model FOLDER names another place."
            ) from None
        if resuming and not texts:
            told = f"There is no training in {self.path}, or it was killed before it had begun"
            raise Usage(f"{told}: name the texts that it learns from.")
        left = [name for name in there if not name.startswith((".", *VOCABULARIES))]
        if left or (there and not resuming):
            told = f"{self.path} holds something else ({(left or there)[0]})"
            told += "" if left else ", or what a killed beginning has left: then add --resume"
            raise Usage(f"{told}; --model FOLDER names a new folder.")

    def begin(self, settings: dict[str, Any], vocabularies: list[Any]) -> None:
        """Write the files that never change; remove the unfinished files of a killed process."""
        for path in self.path.glob(".*.??????*"):
            path.unlink()
        for name, vocabulary in zip(VOCABULARIES, vocabularies):
            write_whole(self.path / name, vocabulary.as_text().encode())
        text = json.dumps({"version": VERSION, **settings}, indent=1, ensure_ascii=False)
        write_whole(self.path / "settings.json", (text + "\n").encode())

    def settings(self, task: str | None = None) -> dict[str, Any]:
        """The settings. Raises Usage if there is no training here, or one of another kind."""
        try:
            found: dict[str, Any] = json.loads((self.path / "settings.json").read_text("utf-8"))
        except FileNotFoundError:
            raise Usage(f"There is no model in {self.path}; run_step.py train makes one.") from None
        except (OSError, ValueError) as error:
            raise Usage(f"{self.path}/settings.json cannot be read: {error}.") from None
        whole = {"task", "code", "data", "labels", "processes", "digest", *TRANSLATE, *SWITCHES}
        if not isinstance(found, dict) or found.get("version") != VERSION or whole - found.keys():
            raise Usage(f"{self.path}/settings.json does not hold settings of version {VERSION}.")
        if task is not None and found["task"] != task:
            raise Usage(f"The model in {self.path} is made for {found['task']}, not for {task}.")
        return found

    def vocabularies(self, settings: dict[str, Any]) -> list[Any]:
        """One vocabulary, or two if source and target have their own."""
        from checks.training.tasks import TASKS

        paths = [self.path / name for name in VOCABULARIES[: 1 + settings["separate"]]]
        for path in paths:
            if not path.exists():
                raise Usage(f"{path} is missing: without its vocabulary the model is of no use.")
        try:
            kind = TASKS[settings["task"]].vocabulary_class
            return [kind.read(path, settings) for path in paths]
        except Exception as error:  # The library has no exception of its own.
            raise Usage(f"{self.path}: a vocabulary cannot be read ({error}).") from None

    def save(self, name: str, state: dict[str, Any]) -> None:
        import torch

        content = io.BytesIO()
        torch.save(state, content)
        write_whole(self.path / name, content.getvalue())

    def load(self, name: str) -> dict[str, Any]:
        """The content of a checkpoint. Raises Usage if the file is missing or not a checkpoint."""
        import torch

        path = self.path / name
        try:
            with warnings.catch_warnings():  # It warns of files from strangers; they are refused.
                warnings.simplefilter("ignore")
                found: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        except FileNotFoundError:
            raise Usage(f"There is no {name} in {self.path}.") from None
        except Exception as error:  # A damaged file or a stranger's raises any error.
            kind = type(error).__name__
            raise Usage(f"{path} is damaged, or not a checkpoint of `train` ({kind}).") from None
        if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
            raise Usage(f"{path} is not a checkpoint of `train`.")
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
    import torch

    states = [folder.load(epoch_file(epoch)) for epoch in epochs]
    mean = {}
    for name, last in states[-1].items():
        whole = not last.is_floating_point()
        mean[name] = last if whole else torch.stack([state[name] for state in states]).mean(dim=0)
    return mean


def fill(model: torch.nn.Module, state: dict[str, Any], path: Path) -> None:
    """Load the weights into the model. Raises Usage with the differences if they do not fit."""
    try:
        model.load_state_dict(state)
    except (RuntimeError, TypeError, AttributeError) as error:
        said = "; ".join(line.strip() for line in str(error).splitlines()[1:4])
        raise Usage(
            f"The weights in {path} are of another model than the code makes (with --solution, "
            f"or changed since?): {said}"
        ) from None
