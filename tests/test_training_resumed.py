"""`train` that was killed, or whose files are lost, damaged or a stranger's."""

from __future__ import annotations

import gzip
import os
import random
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
import torch
from on_texts import COMMAND, SMALL, course, log, refused, texts

__all__ = ["texts"]

pytestmark = pytest.mark.room

pytest.importorskip("tokenizers", reason="pip install -r requirements-train.txt")
pytest.importorskip("sacrebleu", reason="pip install -r requirements-train.txt")


def same(one: Path, two: Path) -> bool:
    """To the bit: the best weights, the last ones, the optimizer, every score."""
    from checks.training.folder import Folder

    folders = Folder(str(one)), Folder(str(two))
    for name in ("best.pt", "checkpoint.pt"):
        a, b = (flat(folder.load(name)) for folder in folders)
        assert a.keys() == b.keys()
        for key, value in a.items():
            if isinstance(value, torch.Tensor):
                assert torch.equal(value, b[key]), key
            else:
                assert value == b[key] or "seconds" in key, key
    return True


def flat(tree: Any, name: str = "") -> dict[str, Any]:
    if isinstance(tree, dict):
        pairs = list(tree.items())
    elif isinstance(tree, (list, tuple)):
        pairs = list(enumerate(tree))
    else:
        return {name: tree}
    return {k: v for key, value in pairs for k, v in flat(value, f"{name}.{key}").items()}


def test_killed_and_resumed_is_as_never_killed(texts: Path) -> None:
    """SIGKILL again and again, in the middle of epochs and of files; then it goes on. So the same
    seed gives the same training; another one does not.
    """
    words = ("train", "de", "en", *SMALL, "--epochs", "6", "--save-every", "2")
    assert course(texts, *words, "--model", "whole").returncode == 0
    assert course(texts, *words, "--model", "other", "--seed", "2", "--epochs", "1").returncode == 0
    assert log(texts / "other")[0]["loss"] != log(texts / "whole")[0]["loss"]
    killed, kept = 0, texts / "killed" / "checkpoint.pt"
    for _ in range(4):
        resume = ("--resume",) if kept.exists() else ()
        process = subprocess.Popen(
            [*COMMAND, *words, "--model", "killed", *resume],
            cwd=texts,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
        before = kept.stat().st_mtime_ns if kept.exists() else 0
        while process.poll() is None:
            time.sleep(0.002)
            if kept.exists() and kept.stat().st_mtime_ns != before:
                time.sleep(random.random() / 20)
                process.send_signal(signal.SIGKILL)
                process.wait()
                killed += process.returncode == -signal.SIGKILL
    assert killed >= 2 and (
        not (texts / "killed/log.jsonl").exists() or len(log(texts / "killed")) < 6
    )
    done = course(texts, "train", "--model", "killed", "--resume")
    assert done.returncode == 0, done.stderr
    assert "Going on with epoch" in done.stdout
    assert log(texts / "killed") == log(texts / "whole")
    assert same(texts / "killed", texts / "whole")
    assert not list((texts / "killed").glob(".*"))


def test_a_checkpoint_of_a_stranger_runs_no_code(texts: Path) -> None:
    import pickle

    class Evil:
        def __reduce__(self) -> Any:
            return (Path.touch, (texts / "ran",))

    assert course(texts, "train", "de", "en", *SMALL, "--epochs", "1").returncode == 0
    for content in (pickle.dumps(Evil()), b"", b"no checkpoint"):
        (texts / "models/translate/best.pt").write_bytes(content)
        assert "best.pt is damaged" in refused(texts, "translate", "de")
    torch.save({"evil": Evil()}, texts / "models/translate/best.pt")
    assert "best.pt is damaged" in refused(texts, "translate", "de")
    torch.save({"w": torch.zeros(3)}, texts / "models/translate/best.pt")
    assert "of another model" in refused(texts, "translate", "de")
    assert not (texts / "ran").exists()


def test_what_is_lost_or_damaged_is_named(texts: Path) -> None:
    """Before anything more is computed, in a line, and nothing is changed."""
    words, folder = ("train", "de", "en", *SMALL), texts / "models/translate"
    folder.mkdir(parents=True)
    (folder / "source.json").write_text("{}", "utf-8")  # As if it had been killed then.
    assert "add --resume" in refused(texts, *words)
    assert "name the texts" in refused(texts, "train", "--resume")
    assert course(texts, *words, "--epochs", "2", "--resume").returncode == 0
    settings = (folder / "settings.json").read_text("utf-8")
    assert "2 are done already" in refused(texts, "train", "--resume", "--epochs", "1")
    assert (folder / "settings.json").read_text("utf-8") == settings
    assert "All 2 epochs are done" in course(texts, "train", "--resume").stdout
    for name, content, says in [
        ("epoch-0002.pt", None, "lacks epoch-0002.pt"),
        ("checkpoint.pt", (folder / "best.pt").read_bytes(), "checkpoint.pt is not a checkpoint"),
        ("source.json", b"hello", "vocabulary cannot be read"),
        ("settings.json", b'{"version": 1}', "not hold settings of version 1"),
    ]:
        whole = (folder / name).read_bytes()
        (folder / name).unlink()
        if content is not None:
            (folder / name).write_bytes(content)
        assert says in refused(texts, "train", "--resume", "--epochs", "3"), name
        (folder / name).write_bytes(whole)
    with gzip.open(texts / "cut.gz", "wb") as file:
        file.write(os.urandom(5000).hex().encode())
    (texts / "cut.gz").write_bytes((texts / "cut.gz").read_bytes()[:3000])
    assert "cut.gz cannot be read" in refused(texts, "translate", "cut.gz")
    (texts / "wide").write_bytes("eins\n".encode("utf-16"))
    wide = "wide is saved as UTF-16. Save it as UTF-8."
    assert wide in refused(texts, "translate", "wide")
    assert wide in refused(texts, "train", "wide", "en", "--model", "other")
